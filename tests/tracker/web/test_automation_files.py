"""Files of automation rules: whatever stands in them is taken or refused, and then shown."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from clones.tracker.domain.automation.exchange import import_rules, rule_document
from clones.tracker.domain.automation.rules import set_state
from clones.tracker.models import AutomationRule, Project, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.catalogue import KINDS
from clones.tracker.rules.automation.documents import problems, walk
from clones.tracker.rules.automation.forms import summary_of
from clones.tracker.web.automation.building import controls_of
from clones.tracker.web.parts.attempts import attempt, rehearse
from tests.tiers import EVERYTHING
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor

SPACE = "/jira/software/c/projects/LAS/settings/automate"
SITE = "/jira/settings/automation"
# A value of each type; and of each the one that has nothing in it, and what else there can be.
OTHERS: tuple[Any, ...] = (5, "x", [5], {"a": 5}, None, True)
if EVERYTHING:
    OTHERS += (0, -1.5, 10**30, "", [], ["x"], [{}], [None], {})
PARTS = ("the file", "trigger", "components", "the rest")
Path = tuple[str | int, ...]


EDIT: dict[str, Any] = {
    "component": "ACTION",
    "type": "jira.issue.edit",
    "schemaVersion": 10,
    "id": "3",
    "children": [],
    "conditions": [],
    "connectionId": None,
    "value": {
        "operations": [
            {
                "field": {"type": "ID", "value": "summary"},
                "fieldType": "summary",
                "type": "SET",
                "value": "x",
            }
        ],
        "advancedFields": None,
        "sendNotifications": True,
    },
}
ASKED = {"component": "CONDITION", "type": "jira.jql.condition", "value": "priority = High"}
BLOCK = {
    "component": "CONDITION_BLOCK",
    "type": "jira.condition.if.block",
    "value": {"conditionMatchType": "ALL"},
    "conditions": [ASKED],
    "children": [EDIT],
}
SCHEDULE = {"method": "CRON", "cronExpression": "0 0 9 * * ?", "timeZone": "UTC"}
TRIGGER = {
    "component": "TRIGGER",
    "type": "jira.jql.scheduled",
    "schemaVersion": 1,
    "id": "0",
    "connectionId": None,
    "value": {
        "jql": "priority = High",
        "executionMode": "search",
        "onlyUpdatedIssues": True,
        "schedule": SCHEDULE,
    },
}
COMPONENTS = [
    {
        "component": "CONDITION",
        "type": "jira.condition.container.block",
        "value": None,
        "children": [BLOCK],
    },
    {
        "component": "BRANCH",
        "type": "jira.issue.related",
        "value": {"relatedType": "subtasks", "jql": None},
        "children": [EDIT],
    },
]


def whole_rule(las: str) -> dict[str, Any]:
    """Return a rule with all that exports write, and what older ones wrote."""
    return {
        "id": 1,
        "uuid": "9d6f0c43-6a8e-4d52-9f0c-5c1b9b2a7c11",
        "name": "Brought",
        "state": "ENABLED",
        "description": "Words",
        "canOtherRuleTrigger": True,
        "notifyOnError": "NEVER",
        "authorAccountId": "a",
        "actor": {"type": "ACCOUNT_ID", "actor": "a"},
        "created": 1.5,
        "trigger": TRIGGER,
        "components": COMPONENTS,
        "labels": ["hot"],
        "ruleScopeARIs": [f"ari:cloud:jira:site:project/{las}"],
        "ruleScope": {"resources": [f"ari:cloud:jira:site:project/{las}"]},
        "projects": [{"projectId": las, "projectTypeKey": "software"}],
        "writeAccessType": "UNRESTRICTED",
        "collaborators": ["a"],
        "ruleHome": {"ruleLifecycleHome": {"locationARI": "ari:cloud:jira::site/1"}},
    }


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Return the way to every value within a value, itself first."""
    yield at
    names: Iterable[str | int] = ()
    if isinstance(value, dict | list):
        names = value if isinstance(value, dict) else range(len(value))
    for name in names:
        yield from paths(value[name], (*at, name))


def changed(document: Any, at: Path, value: Any) -> Any:
    """Return a document with another value at a place."""
    if not at:
        return value
    found = copy.deepcopy(document)
    place = found
    for name in at[:-1]:
        place = place[name]
    place[at[-1]] = value
    return found


def look_at(rule: AutomationRule, rights: Rights) -> None:
    """Do with a rule what its pages do: show all of it, write it out, turn it on."""
    for one in [*([rule.trigger] if rule.trigger else []), *walk(rule.components)]:
        kind = KINDS[one["type"]]
        summary_of(kind, one["value"])
        controls_of(kind, one["value"], None)
    json.dumps(rule_document(rule, "site"))
    if not problems(rule.trigger or None, rule.components):
        attempt(lambda: set_state(rule, enabled=True, actor=rights))


@contextmanager
def noting(what: str) -> Iterator[None]:
    """Say of an error in the block what it came of."""
    try:
        yield
    except Exception as error:
        error.add_note(what)
        raise


def part_of(path: Path) -> str:
    """Return in which part of the file a place lies: all are too many for one test."""
    if len(path) < 3:
        return "the file"
    return str(path[2]) if path[2] in PARTS else "the rest"


@pytest.mark.parametrize("part", PARTS)
def test_every_value_of_a_file_is_taken_or_refused(site: Site, part: str) -> None:
    """Each, the file itself among them, as every other type has it; what is taken can be shown."""
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        document = {"rules": [whole_rule(str(Project.objects.get(key="LAS").id))]}

        def bring(given: Any) -> int:
            made = import_rules(given, actor=ada)
            for rule in made:
                look_at(rule, ada)
            return len(made)

        assert rehearse(lambda: bring(document)) == (1, None)
        places = [path for path in paths(document) if part_of(path) == part]
        assert places
        for path in places:
            for other in OTHERS:
                wrong = changed(document, path, other)
                with noting(f"{path} = {other!r}"):
                    rehearse(partial(bring, wrong))


@pytest.mark.parametrize("at", [SITE, SPACE])
def test_a_page_says_in_a_sentence_what_is_wrong_with_a_file(site: Site, at: str) -> None:
    """Nothing of the file stays, though a rule before the wrong one is good."""
    ada = visitor(site)
    with site.store():
        good = whole_rule(str(Project.objects.get(key="LAS").id))
    for name, wrong, said in (
        ("name", 5, "The name of a rule must be a text."),
        ("description", [], "The description of a rule must be a text."),
        ("trigger", 5, "The trigger of a rule must be an object."),
        ("components", 5, "The components of a rule must be a list."),
        ("components", True, "The components of a rule must be a list."),
        ("labels", 5, "The labels of a rule must be a list."),
        ("labels", [5], "The labels of a rule must be texts."),
        ("ruleScopeARIs", {"a": 5}, "The ruleScopeARIs of a rule must be a list."),
        ("ruleScope", 5, "The ruleScope of a rule must be an object."),
        ("ruleScope", {"resources": 5}, "The resources of a rule must be a list."),
        ("projects", 5, "The projects of a rule must be a list."),
        ("notifyOnError", [], "The notifyOnError of a rule must be a text."),
        ("canOtherRuleTrigger", 5, "The canOtherRuleTrigger of a rule must be true or false."),
    ):
        rules = {"rules": [good, {**good, name: wrong}]}
        if name == "ruleScope":
            del rules["rules"][1]["ruleScopeARIs"]
        refused = ada.post(f"{at}/import", {"rules": json.dumps(rules)}, status=400)
        assert refused.said == [said]
        with site.store():
            assert not AutomationRule.objects.exists()
