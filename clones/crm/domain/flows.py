"""Defining flows: versions of them, of which at most one is active."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from clones.core import clock, jobs
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.flow_values import plain_paths
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.workflows import check_condition
from clones.crm.errors import RecordError
from clones.crm.models import FlowVersion
from clones.crm.queries.schema import org_schema
from clones.crm.rules.criteria import WrongCriteria
from clones.crm.rules.flows import SCHEDULED, Flow, WrongFlow, check_flow, read_flow
from clones.crm.rules.schema.custom import is_name

FLOW_PREFIX, VERSION_PREFIX = "300", "301"
SCHEDULE_JOB: Final = "crm.flow.scheduled"
MOST_VERSIONS: Final = 50
_EVERY: Final = {"Daily": timedelta(days=1), "Weekly": timedelta(days=7)}


def define_flow(name: str, given: Mapping[str, Any], *, actor: str) -> FlowVersion:
    """Keep metadata as the next version of a flow; one whose status is Active takes over.

    Raises:
        RecordError: the actor may not, the name will not do, or the metadata are no flow.
    """
    require_admin(actor)
    if not is_name(name):
        raise RecordError("INVALID_FIELD", "The flow's API name is not valid.", ["FullName"])
    flow = _checked(given)
    versions = FlowVersion.objects.filter(name__iexact=name).order_by("number")
    last = versions.last()
    if versions.count() >= MOST_VERSIONS:
        raise RecordError("LIMIT_EXCEEDED", f"A flow has at most {MOST_VERSIONS} versions")
    now = clock.now().replace(microsecond=0)
    made = FlowVersion(
        id=new_id(VERSION_PREFIX, FlowVersion),
        flow=new_id(FLOW_PREFIX, FlowVersion) if last is None else last.flow,
        name=name if last is None else last.name,
        number=1 if last is None else last.number + 1,
        object=_object_of(flow),
        trigger=flow.trigger,
        definition=dict(given),
        created_at=now,
        updated_at=now,
    )
    made.save(force_insert=True)
    if given.get("status") == "Active":
        activate(made, actor=actor)
    return made


def change_flow(version: FlowVersion, given: Mapping[str, Any], *, actor: str) -> None:
    """Change a version that is not active, or which of them is: metadata that are not said stay.

    Raises:
        RecordError: as `define_flow` does, or the version is active.
    """
    require_admin(actor)
    if given.keys() - {"status"} and version.is_active:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION", "You can't change an active version of a flow."
        )
    whole = {**version.definition, **given}
    flow = _checked(whole)
    version.definition = whole
    version.object, version.trigger = _object_of(flow), flow.trigger
    version.updated_at = clock.now().replace(microsecond=0)
    version.save()
    if "status" in given:
        (activate if given["status"] == "Active" else deactivate)(version, actor=actor)


def activate(version: FlowVersion, *, actor: str) -> None:
    """Let a version start by itself from now on, and no other version of its flow.

    Raises:
        RecordError: the actor may not.
    """
    require_admin(actor)
    for other in FlowVersion.objects.filter(flow=version.flow, is_active=True).order_by("id"):
        if other.id != version.id:
            deactivate(other, actor=actor)
    version.is_active = True
    version.definition = {**version.definition, "status": "Active"}
    version.save()
    if version.trigger == SCHEDULED:
        jobs.cancel(_key(version))
        _schedule(version, first_start(version.definition), actor)


def deactivate(version: FlowVersion, *, actor: str) -> None:
    """Let a version not start by itself any more.

    Raises:
        RecordError: the actor may not.
    """
    require_admin(actor)
    version.is_active = False
    version.definition = {**version.definition, "status": "Obsolete"}
    version.save()
    jobs.cancel(_key(version))


def remove_flow(version: FlowVersion, *, actor: str) -> None:
    """Take a version away.

    Raises:
        RecordError: the actor may not, or it is active.
    """
    require_admin(actor)
    if version.is_active:
        raise RecordError(
            "DELETE_FAILED", "You can't delete an active version of a flow. Deactivate it first."
        )
    version.delete()


def set_next_start(version: FlowVersion, actor: str) -> None:
    """Set the timer of a scheduled flow for its next start; none if it starts once."""
    every = _EVERY.get(version.definition["start"]["schedule"]["frequency"])
    if every is not None:
        start = first_start(version.definition)
        _schedule(version, start if start > clock.now() else start + every, actor)


def first_start(given: Mapping[str, Any]) -> datetime:
    """Return when a scheduled flow starts first: its own time, or the next that follows it.

    Raises:
        RecordError: its schedule says no time.
    """
    schedule = given["start"]["schedule"]
    text = f"{schedule['startDate'][:10]}T{schedule['startTime'][:8]}"
    try:
        start = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise _wrong(f"Invalid schedule: {text[:40]}") from error
    every, now = _EVERY.get(schedule["frequency"]), clock.now()
    if every is not None and start < now:
        start += every * -((start - now) // every)
    return start


def _schedule(version: FlowVersion, due: datetime, actor: str) -> None:
    if due < clock.now():
        return
    payload = {"version": version.id, "actor": actor}
    jobs.enqueue(SCHEDULE_JOB, due=due, payload=payload, key=_key(version))


def _key(version: FlowVersion) -> str:
    return f"{SCHEDULE_JOB}:{version.id}"


def _object_of(flow: Flow) -> str | None:
    given = flow.start.get("object")
    of = None if given is None else org_schema().find(str(given))
    return None if of is None else of.name


def _checked(given: Mapping[str, Any]) -> Flow:
    try:
        flow = read_flow(given)
        check_flow(flow, org_schema())
    except (WrongFlow, WrongCriteria) as error:
        raise _wrong(str(error)) from error
    if flow.trigger == SCHEDULED:
        first_start(given)
    condition, of = flow.start.get("filterFormula"), org_schema().find(str(_object_of(flow)))
    if condition is not None and of is not None:
        check_condition(of, plain_paths(str(condition)))
    return flow


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
