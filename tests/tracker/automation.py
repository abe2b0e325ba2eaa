"""Rules of automation in the small site: making them, and reading what they did."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.automation.rules import RuleDraft, create_rule
from clones.tracker.models import AutomationRule, AutomationRun, Project, User
from clones.tracker.queries.rights import Rights
from tests.tracker.site import Site

Json = dict[str, Any]
EVENT = "jira.issue.event.trigger:"


def when(event: str, **value: Any) -> Json:
    """Return a trigger: of an event of issues, or of another type."""
    return {"type": EVENT + event if "." not in event else event, "value": value}


def check(kind: str, value: Any, **more: Any) -> Json:
    """Return a condition."""
    return {"component": "CONDITION", "type": kind, "value": value, **more}


def act(kind: str, value: Any = None) -> Json:
    """Return an action."""
    return {"component": "ACTION", "type": kind, "value": value}


def setting(field: str, value: Any, verb: str = "SET") -> Json:
    """Return an operation that changes a field."""
    found: Json = {"field": {"type": "ID", "value": field}, "fieldType": field}
    return {**found, "type": verb, "value": value}


def edit(*operations: Json) -> Json:
    """Return the action that edits fields."""
    return act("jira.issue.edit", {"operations": list(operations), "sendNotifications": False})


def log(text: str) -> Json:
    """Return the action that writes a text into the log."""
    return act("codebarrel.action.log", text)


def branch(related: str, *children: Json, **more: Any) -> Json:
    """Return a branch for related issues."""
    value = {"relatedType": related, **more}
    return {
        "component": "BRANCH",
        "type": "jira.issue.related",
        "value": value,
        "children": list(children),
    }


def rule(
    site: Site,
    trigger: Json,
    *components: Json,
    by: str = "ada",
    spaces: tuple[str, ...] = (),
    actor: str = "",
    **more: Any,
) -> str:
    """Make a rule and return its uuid."""
    with site.writing():
        maker = User.objects.get(account_id=site.ids[by])
        made = create_rule(
            RuleDraft(
                name=more.pop("name", "Rule"),
                trigger=trigger,
                components=components,
                projects=list(Project.objects.filter(key__in=spaces).order_by("id")),
                actor=User.objects.get(account_id=site.ids[actor]) if actor else None,
                **more,
            ),
            actor=Rights(maker),
        )
        uuid: str = made.uuid
    return uuid


def runs(site: Site, uuid: str = "") -> list[AutomationRun]:
    """Return what rules did, the oldest first, changes of the rules left out."""
    site.advance()
    with site.store():
        rows = AutomationRun.objects.exclude(outcome="CONFIG_CHANGE").select_related("rule")
        if uuid:
            rows = rows.filter(rule__uuid=uuid)
        return list(rows.order_by("id"))


def only(site: Site, uuid: str = "") -> AutomationRun:
    """Return the one run that there was."""
    found = runs(site, uuid)
    assert len(found) == 1, [(one.rule.name, one.outcome, one.steps) for one in found]
    return found[0]


def step_texts(run: AutomationRun, kind: str = "") -> list[str]:
    """Return what a run's steps say, of a type of components if one is given."""
    steps = [step for step in run.steps if kind in step["type"]]
    return [text for step in steps for text in step["messages"]]


def reread(site: Site, uuid: str) -> AutomationRule:
    """Return a rule as it is by now."""
    with site.store():
        return AutomationRule.objects.select_related("owner", "actor").get(uuid=uuid)
