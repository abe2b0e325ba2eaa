"""Carrying rules out: each run is a job, in the name of the rule's actor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from clones.core import clock, jobs
from clones.tracker.domain.automation import chains
from clones.tracker.domain.automation.acts import perform
from clones.tracker.domain.automation.branching import branches
from clones.tracker.domain.automation.conditions import check
from clones.tracker.domain.automation.context import Run, Stopped, sentences
from clones.tracker.domain.automation.naming import names_of
from clones.tracker.domain.automation.recording import (
    ERROR,
    NO_MATCH,
    SUCCESS,
    Log,
    record_outcome,
)
from clones.tracker.domain.errors import TrackerError
from clones.tracker.models import AutomationRule, AutomationRun, Issue, Project, User
from clones.tracker.queries.automation import rights_of_actor
from clones.tracker.queries.automation_values.issues import WITH
from clones.tracker.queries.rights import BROWSE
from clones.tracker.rules.automation.catalogue.asking import CONTAINER
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.smart import SmartValueError
from clones.tracker.rules.jql import JqlError

JOB: Final = "tracker.automation_run"
UNSEEN: Final = "Actor does not have permissions to view the event that triggered this execution"
TOO_MANY: Final = "The rule went through more work items than a rule may."
_REFUSED: Final = (TrackerError, JqlError, SmartValueError)


def set_off(rule: AutomationRule, occasion: Mapping[str, Any]) -> None:
    """Have a rule run soon.

    Args:
        rule: the rule.
        occasion: what set it off, for the job: {"issues": [ids], "project": id, "initiator": id,
            "chain": [ids of rules], "event": number of what the chain began with, "names": what
            texts can name (`naming`)}.
    """
    jobs.enqueue(
        JOB, due=clock.now(), payload={"rule": rule.id, **occasion}, key=f"{JOB}:{rule.id}"
    )


@jobs.handles(JOB)
def carry_out(payload: dict[str, Any]) -> None:
    """Carry a rule out, unless it is gone or was turned off meanwhile."""
    rows = AutomationRule.objects.select_related("owner", "actor")
    rule = rows.filter(id=payload["rule"], enabled=True).first()
    if rule is not None:
        run_rule(rule, payload)


def run_rule(rule: AutomationRule, occasion: Mapping[str, Any]) -> AutomationRun:
    """Carry a rule out for its issues, one after the other, and write what it did."""
    actor = rights_of_actor(rule.actor)
    ids = list(occasion.get("issues") or ())
    found = Issue.objects.select_related(*WITH).in_bulk(ids)
    issues = [found[id] for id in ids if id in found]
    seen = [issue for issue in issues if actor.may_on(BROWSE, issue)]
    if ids and not seen:
        return record_outcome(rule, "FAILURE", UNSEEN, issues=[issue.key for issue in issues])
    log = Log(rule)
    initiator = User.objects.filter(id=occasion.get("initiator") or 0).first()
    project = Project.objects.filter(id=occasion.get("project") or 0).first()
    names = names_of(occasion.get("names") or {})
    whole = Run(rule, actor, log, names=names, initiator=initiator, project=project)
    with chains.acting(rule.id, list(occasion.get("chain") or ()), occasion.get("event")):
        try:
            whom: list[Issue | None] = [*seen] or [None]
            for issue in whom:
                run = whole
                if issue is not None:
                    run = whole.at(issue)
                    run.trigger_issue = issue
                    log.about(issue.key)
                log.note({"id": "0", **rule.trigger}, SUCCESS, issue=run.key)
                go_through(run, rule.components)
        except Stopped:
            log.throttled = True
            log.note({"id": "0", **rule.trigger}, ERROR, TOO_MANY)
    rule.memory = {**rule.memory, "last": clock.now().isoformat()}
    rule.save(update_fields=["memory"])
    return log.close()


def go_through(run: Run, components: Sequence[Component], depth: int = 1) -> bool:
    """Do what components say, in their order; tell whether no condition stopped it."""
    for one in components:
        if one["type"] == CONTAINER:
            _choose(run, one, depth)
        elif one["component"] == "CONDITION":
            if not _passes(run, one, depth):
                return False
        elif one["component"] == "BRANCH":
            _branch(run, one, depth)
        else:
            _act(run, one, depth)
    return True


def _passes(run: Run, component: Component, depth: int) -> bool:
    try:
        met, said = check(run, component)
    except _REFUSED as error:
        run.log.note(component, ERROR, sentences(error), issue=run.key, depth=depth)
        return False
    run.log.note(component, SUCCESS if met else NO_MATCH, said, issue=run.key, depth=depth)
    return met


def _choose(run: Run, container: Component, depth: int) -> None:
    """Do the first block whose conditions hold; one without conditions is the last resort."""
    for block in container["children"]:
        any_will_do = (block["value"] or {}).get("conditionMatchType") == "ANY"
        answers = []
        for one in block["conditions"]:
            answers.append(_passes(run, one, depth + 1))
            if answers[-1] == any_will_do:
                break
        met = not answers or (any(answers) if any_will_do else all(answers))
        run.log.note(block, SUCCESS if met else NO_MATCH, issue=run.key, depth=depth)
        if met:
            go_through(run, block["children"], depth + 1)
            return


def _branch(run: Run, component: Component, depth: int) -> None:
    count = 0
    try:
        for branch in branches(run, component):
            count += 1
            run.log.note(component, SUCCESS, issue=branch.key, depth=depth)
            go_through(branch, component["children"], depth + 1)
    except _REFUSED as error:
        run.log.note(component, ERROR, sentences(error), issue=run.key, depth=depth)
        return
    if not count:
        run.log.note(component, NO_MATCH, "No related work items could be found.", depth=depth)


def _act(run: Run, component: Component, depth: int) -> None:
    try:
        with transaction.atomic():
            said = perform(run, component)
    except _REFUSED as error:
        run.log.note(component, ERROR, sentences(error), issue=run.key, depth=depth)
    else:
        run.log.note(component, SUCCESS, said, issue=run.key, depth=depth)
