"""Workflow rules: what is done when a saved record meets an organization's conditions.

Field updates come first, all of them in one save within the save: it checks what every record must
have, but asks neither validation rules nor flows nor duplicate rules. Where an update says so, the
rules are looked at again, up to `MOST_ROUNDS` times. Then come tasks, alerts and messages. What is
due later is a job on the sandbox's clock; it is dropped when the record stops meeting the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from django.db import transaction

from clones.core import clock, jobs
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import write_again, write_values
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.domain.saving.validation import record_of, situation_of
from clones.crm.domain.workflow_actions import do_action, moment_of, updates_of
from clones.crm.domain.workflows import CAME_TRUE, CREATED, hours_of
from clones.crm.errors import CrmError
from clones.crm.models import WorkflowAction, WorkflowRule
from clones.crm.queries.formulas import FormulaRecord, checked_formula
from clones.crm.queries.records import find_record
from clones.crm.queries.schema import org_schema
from clones.crm.rules.criteria import meets, read_items
from clones.crm.rules.formulas import FormulaError, FormulaValueError, Kind, Place, evaluate
from clones.crm.rules.schema import Field, SObject

MOST_ROUNDS: Final = 5
JOB: Final = "crm.workflow"


@step(Stage.WORKFLOW)
def run_workflow(change: Change) -> None:
    """Do what the active workflow rules of the object ask for.

    Raises:
        RecordError: what a rule does is refused, and with it the record.
    """
    rules = list(
        WorkflowRule.objects.filter(object=change.of.name, is_active=True).order_by("name")
    )
    if not rules:
        return
    known = {
        (one.kind, one.name): one for one in WorkflowAction.objects.filter(object=change.of.name)
    }
    before, fired = change.before, dict[str, WorkflowRule]()
    for _ in range(MOST_ROUNDS + 1):
        found = [rule for rule in rules if _fires(rule, change, before)]
        fired |= {rule.id: rule for rule in found}
        before = {field.name: change.get(field.name) for field in change.of.stored}
        if not _update(change, [one for rule in found for one in _actions(rule, known)]):
            break
    for rule in fired.values():
        for action in _actions(rule, known):
            if action.kind != "FieldUpdate":
                do_action(change, action)
    for rule in rules:
        _set_timers(rule, change, is_fired=rule.id in fired)


def _update(change: Change, actions: Sequence[WorkflowAction]) -> bool:
    """Do field updates, and tell whether the rules are to be looked at again."""
    updates = [one for one in actions if one.kind == "FieldUpdate"]
    values = updates_of(change, updates)
    changed = {name: value for name, value in values.items() if change.get(name) != value}
    if changed:
        write_again(change, changed)
    again = [one for one in updates if one.definition.get("reevaluateOnChange") is True]
    return any(one.definition["field"] in changed for one in again)


def _actions(
    rule: WorkflowRule, known: Mapping[tuple[str, str], WorkflowAction]
) -> list[WorkflowAction]:
    return _named(rule.definition.get("actions") or [], known)


def _named(
    given: Sequence[Mapping[str, Any]], known: Mapping[tuple[str, str], WorkflowAction]
) -> list[WorkflowAction]:
    found = (known.get((one["type"], one["name"])) for one in given)
    return [one for one in found if one is not None]


def _fires(rule: WorkflowRule, change: Change, before: Mapping[str, Any] | None) -> bool:
    when = rule.definition["triggerType"]
    if (when == CREATED and before is not None) or not _is_met(rule, change):
        return False
    if when != CAME_TRUE or before is None:
        return True
    prior = FormulaRecord(change.of, before.get, change.looker)
    return not _holds(rule, change.of, prior, change)


def _is_met(rule: WorkflowRule, change: Change) -> bool:
    return _holds(rule, change.of, record_of(change), change)


def _holds(rule: WorkflowRule, of: SObject, record: FormulaRecord, change: Change) -> bool:
    given = rule.definition
    if given.get("formula") is not None:
        try:
            checked = checked_formula(of, given["formula"], Place.WORKFLOW, Kind.BOOLEAN)
            return evaluate(checked, record, situation=situation_of(change)) is True
        except FormulaError:
            return False
    items = read_items(given.get("criteriaItems"))
    return meets(items, given.get("booleanFilter"), of, lambda field: _value(record, field))


def _value(record: FormulaRecord, field: Field) -> Any:
    try:
        return record.value(field)
    except FormulaValueError:
        return None


def _key(rule: WorkflowRule, change: Change) -> str:
    return f"{JOB}:{rule.id}:{change.row.pk}"


def _set_timers(rule: WorkflowRule, change: Change, *, is_fired: bool) -> None:
    """Set the timers of a rule that fired anew; drop those of one that is not met any more."""
    triggers = rule.definition.get("workflowTimeTriggers") or []
    if not triggers or not (is_fired or not change.is_new):
        return
    if not is_fired:
        if not _is_met(rule, change):
            jobs.cancel(_key(rule, change))
        return
    jobs.cancel(_key(rule, change))
    for number, trigger in enumerate(triggers):
        start = moment_of(change, trigger.get("offsetFromField"))
        if start is None:
            continue
        length = hours_of(trigger["timeLength"])
        is_days = trigger["workflowTimeTriggerUnit"] == "Days"
        due = as_moment(start, change) + timedelta(**{"days" if is_days else "hours": length})
        payload = {
            "rule": rule.id,
            "record": str(change.row.pk),
            "trigger": number,
            "actor": change.actor,
        }
        jobs.enqueue(JOB, due=max(due, change.now), payload=payload, key=_key(rule, change))


def as_moment(start: Any, change: Change) -> datetime:
    """Return the moment that a day or a moment begins with, for who saves the record."""
    if isinstance(start, datetime):
        return start
    return datetime.combine(start, time(), change.looker.zone).astimezone(UTC)


@jobs.handles(JOB)
def do_later(payload: dict[str, Any]) -> None:
    """Do what a rule has to be done after a while, if it is still there and still met.

    What is refused is not done; nobody is asked who could do anything about it.
    """
    rule = WorkflowRule.objects.filter(id=payload["rule"], is_active=True).first()
    of = None if rule is None else org_schema().find(rule.object)
    triggers = [] if rule is None else rule.definition.get("workflowTimeTriggers") or []
    if rule is None or of is None or payload["trigger"] >= len(triggers):
        return
    try:
        with transaction.atomic():
            _do(rule, of, triggers[payload["trigger"]].get("actions") or [], payload)
    except CrmError:
        return


def _do(
    rule: WorkflowRule, of: SObject, given: Sequence[Mapping[str, Any]], payload: dict[str, Any]
) -> None:
    if _is_met(rule, standing(of, payload["record"], payload["actor"])):
        do_named(of, given, payload["record"], actor=payload["actor"])


def do_named(of: SObject, given: Sequence[Mapping[str, Any]], record: str, *, actor: str) -> None:
    """Do the actions that metadata name (`type`, `name`) for a record (its id) as it stands.

    Raises:
        CrmError: one of them is refused, or there is no such record.
    """
    change = standing(of, record, actor)
    known = {(one.kind, one.name): one for one in WorkflowAction.objects.filter(object=of.name)}
    actions = _named(given, known)
    values = updates_of(change, [one for one in actions if one.kind == "FieldUpdate"])
    if values:
        write_values(of, record, values, actor=actor, is_quiet=True)
        change = standing(of, record, actor)
    for action in actions:
        if action.kind != "FieldUpdate":
            do_action(change, action)


def standing(of: SObject, id: str, actor: str) -> Change:
    """Return a record as it stands, as a change that changes nothing.

    Raises:
        NotFound: there is no such record.
        IsDeleted: it lies in the recycle bin.
    """
    row = find_record(of, id)
    before = {field.name: getattr(row, field.name) for field in of.stored}
    return Change(of, row, before, {}, actor, clock.now().replace(microsecond=0))
