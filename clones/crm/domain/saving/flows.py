"""Flows that start where a record is saved: before it is written, after it, or a while later.

A flow does not start again for a record through what it did itself; others do, up to `DEEPEST` in
one another. What goes wrong in a flow refuses the save, in the vendor's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, Final

from django.db import transaction

from clones.core import clock, jobs
from clones.crm.domain.flow_running import (
    CustomFlowError,
    compare,
    has_changed,
    ids_found,
    run_flow,
)
from clones.crm.domain.flow_values import FlowContext
from clones.crm.domain.flows import SCHEDULE_JOB, set_next_start
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.references import check_references
from clones.crm.domain.saving.stages import Stage, before_deleting, step
from clones.crm.domain.saving.workflow import as_moment, standing
from clones.crm.errors import CrmError, RecordError
from clones.crm.models import FlowVersion, SObjectRow
from clones.crm.queries.schema import org_schema
from clones.crm.rules.flows import (
    AFTER_SAVE,
    BEFORE_DELETE,
    BEFORE_SAVE,
    OFFSET_UNITS,
    Flow,
    conditions_hold,
    read_flow,
    target_of,
)

DEEPEST: Final = 16
_FLOWS: Final = "flows"
PATH_JOB: Final = "crm.flow.path"
MOST_OF_SCHEDULE: Final = 1000  # records that a scheduled flow starts for
_running: Final[ContextVar[tuple[tuple[str, str], ...]]] = ContextVar("crm_flows", default=())


@step(Stage.BEFORE_FLOWS)
def run_before_flows(change: Change) -> None:
    """Run the flows that start before a record is written: they set its values.

    Raises:
        RecordError: one fails or refuses the record.
    """
    for version, flow in _flows(change, BEFORE_SAVE):
        if _starts(flow, change):
            _run(version, flow, change, target_of(flow.start.get("connector")))
            check_references(change)


@step(Stage.AFTER_FLOWS)
def run_after_flows(change: Change) -> None:
    """Run the flows that start once a record is written, and set the timers of their later paths.

    Raises:
        RecordError: one fails or refuses the record.
    """
    for version, flow in _flows(change, AFTER_SAVE):
        starts = _starts(flow, change)
        if starts:
            _run(version, flow, change, target_of(flow.start.get("connector")))
        if flow.start.get("scheduledPaths"):
            _set_timers(version, flow, change, starts=starts)


@before_deleting
def run_delete_flows(row: SObjectRow, actor: str) -> None:
    """Run the flows that start before a record is deleted.

    Raises:
        RecordError: one fails, or refuses the deletion.
    """
    before = {field.name: getattr(row, field.name) for field in row.sobject.stored}
    now = clock.now().replace(microsecond=0)
    change = Change(row.sobject, row, before, {}, actor, now)
    for version, flow in _flows(change, BEFORE_DELETE):
        if is_met(flow, change):
            _run(version, flow, change, target_of(flow.start.get("connector")))


def _flows(change: Change, trigger: str) -> Iterator[tuple[FlowVersion, Flow]]:
    if _FLOWS not in change.memo:
        rows = FlowVersion.objects.filter(object=change.of.name, is_active=True).order_by("name")
        change.memo[_FLOWS] = sorted(rows, key=lambda one: _order(one.definition))
    for version in change.memo[_FLOWS]:
        if version.trigger == trigger:
            yield version, read_flow(version.definition)


def _order(given: Mapping[str, Any]) -> int:
    order = given.get("triggerOrder")
    return order if type(order) is int else 1001


def _starts(flow: Flow, change: Change) -> bool:
    kind = flow.start.get("recordTriggerType")
    if kind == ("Update" if change.is_new else "Create"):
        return False
    if not is_met(flow, change):
        return False
    is_narrow = flow.start.get("doesRequireRecordChangedToMeetCriteria") is True
    if not is_narrow or change.before is None:
        return True
    return not is_met(flow, _as_before(change))


def _as_before(change: Change) -> Change:
    row = type(change.row)()
    row.sobject = change.of
    for name, value in (change.before or {}).items():
        setattr(row, name, value)
    return Change(change.of, row, change.before, {}, change.actor, change.now)


def is_met(flow: Flow, change: Change) -> bool:
    """Tell whether a record meets the entry conditions of a flow: filters, or a formula.

    A formula without a value does not hold.
    """
    context = FlowContext(flow, change.of.schema, change.actor, change)
    text = flow.start.get("filterFormula")
    if text:
        try:
            return context.formula(str(text), "Boolean") is True
        except CrmError:
            return False

    def holds(one: Mapping[str, Any]) -> bool:
        if one["operator"] == "IsChanged":
            wanted = context.value(one.get("value")) is not False
            return has_changed(context, str(one["field"])) == wanted
        value = context.at(f"$Record.{one['field']}")
        return compare(one["operator"], value, context.value(one.get("value")))

    return conditions_hold(flow.start.get("filters"), flow.start.get("filterLogic"), holds)


def _run(version: FlowVersion, flow: Flow, change: Change, start: str | None) -> None:
    """Run a flow for a record from an element on.

    Raises:
        RecordError: it fails, or refuses the record.
    """
    mark = (version.flow, str(change.row.pk))
    if start is None or mark in _running.get():
        return
    context = FlowContext(flow, change.of.schema, change.actor, change)
    try:
        with _within(mark):
            run_flow(context, start)
    except CustomFlowError as refused:
        raise refused.error from None
    except CrmError as error:
        label = flow.label or version.name
        raise RecordError(
            "CANNOT_EXECUTE_FLOW_TRIGGER",
            f"We can't save this record because the “{label}” process failed. Give your"
            f" Salesforce admin these details. {error.message}",
        ) from error


@contextmanager
def _within(mark: tuple[str, str]) -> Iterator[None]:
    stack = _running.get()
    if len(stack) >= DEEPEST:
        raise RecordError("LIMIT_EXCEEDED", "Maximum trigger depth exceeded")
    token = _running.set((*stack, mark))
    try:
        yield
    finally:
        _running.reset(token)


def _key(version: FlowVersion, change: Change) -> str:
    return f"{PATH_JOB}:{version.id}:{change.row.pk}"


def _set_timers(version: FlowVersion, flow: Flow, change: Change, *, starts: bool) -> None:
    """Set the timers of a flow's later paths; drop them where the record meets it no more."""
    if not starts:
        if not change.is_new and not is_met(flow, change):
            jobs.cancel(_key(version, change))
        return
    jobs.cancel(_key(version, change))
    for number, path in enumerate(flow.start["scheduledPaths"]):
        due = change.now
        if path.get("pathType") != "AsyncAfterCommit":
            start: Any = change.now
            if path.get("timeSource") == "RecordField":
                field = change.of.field(str(path["recordField"]))
                start = None if field is None else change.get(field.name)
            if start is None:
                continue
            unit = OFFSET_UNITS[path["offsetUnit"]]
            due = as_moment(start, change) + timedelta(**{unit: path["offsetNumber"]})
        payload = {
            "version": version.id,
            "record": str(change.row.pk),
            "path": number,
            "actor": change.actor,
        }
        jobs.enqueue(PATH_JOB, due=max(due, change.now), payload=payload, key=_key(version, change))


@jobs.handles(PATH_JOB)
def run_path(payload: dict[str, Any]) -> None:
    """Run a later path of a flow for a record that is still there and still meets it.

    What fails is undone; there is nobody whose save it could refuse.
    """
    version = FlowVersion.objects.filter(id=payload["version"], is_active=True).first()
    of = None if version is None else org_schema().find(str(version.object))
    if version is None or of is None:
        return
    flow = read_flow(version.definition)
    paths = flow.start.get("scheduledPaths") or []
    if payload["path"] >= len(paths):
        return
    try:
        with transaction.atomic():
            change = standing(of, payload["record"], payload["actor"])
            if is_met(flow, change):
                target = target_of(paths[payload["path"]].get("connector"))
                _run(version, flow, change, target)
    except CrmError:
        return


@jobs.handles(SCHEDULE_JOB)
def run_scheduled(payload: dict[str, Any]) -> None:
    """Run a scheduled flow, for each record that meets it where it is of an object.

    A record for which it fails is left as it was; the others are not.
    """
    version = FlowVersion.objects.filter(id=payload["version"], is_active=True).first()
    if version is None:
        return
    actor, schema = payload["actor"], org_schema()
    flow = read_flow(version.definition)
    start = target_of(flow.start.get("connector"))
    of = None if version.object is None else schema.find(version.object)
    context = FlowContext(flow, schema, actor)
    try:
        ids = [None] if of is None else ids_found(context, flow.start, of, MOST_OF_SCHEDULE)
    except CrmError:
        ids = []
    for id in ids:
        try:
            with transaction.atomic():
                change = None if of is None or id is None else standing(of, id, actor)
                if change is None:
                    run_flow(FlowContext(flow, schema, actor), start)
                else:
                    _run(version, flow, change, start)
        except (CrmError, CustomFlowError):
            continue
    set_next_start(version, actor)
