"""How entitlement processes are set: their milestones, and when cases leave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.service.conditions import read_condition
from clones.crm.domain.service.milestone_actions import read_actions
from clones.crm.domain.service.settings import is_flag
from clones.crm.errors import RecordError
from clones.crm.models import SlaExit, SlaStep, model_of, rows_of
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.schema import SObject

MOST_MILESTONES: Final = 10
MOST_TRIGGERS: Final = 10
_LONGEST: Final = 10 * 365 * 24 * 60  # minutes of a milestone, at most
_UNITS: Final = {"Minutes": 60, "Hours": 3600, "Days": 86400}
_CLOSED: Final = {
    "items": [{"field": "Case.IsClosed", "operation": "equals", "value": "True"}],
    "logic": None,
}


def set_process(name: str, given: Mapping[str, Any], *, actor: str) -> str:
    """Set an entitlement process by its name, and return its id.

    `given` is in the vendor's metadata terms: `active`, `description`, `businessHours`,
    `exitCriteriaFilterItems` (or `exitCriteriaFormula`; closed cases leave where nothing is said)
    and `milestones`, each with `milestoneName`, `minutesToComplete`, `businessHours`,
    `useCriteriaStartTime`, a condition, `timeTriggers` and `successActions`. Milestones of cases
    that run already keep their times.

    Raises:
        RecordError: the actor may not, or it says what cannot be.
    """
    require_admin(actor)
    of = whole_schema().objects["Case"]
    steps = _listed(given.get("milestones"), MOST_MILESTONES)
    read = [_step(of, one) for one in steps]
    leaving = read_condition(of, given, prefix="exitCriteria") or _CLOSED
    id = _kept(name, given, actor=actor)
    SlaExit.objects.filter(id=id).delete()
    SlaExit(id=id, condition=leaving, definition=dict(given)).save(force_insert=True)
    kept = {one.type: one for one in SlaStep.objects.filter(process=id)}
    for position, values in enumerate(read, 1):
        own = kept.pop(values["type"], None)
        key = new_id(_STEP, SlaStep) if own is None else own.id
        row = SlaStep(id=key, process=id, position=position, **values)
        row.save(force_insert=own is None)
    SlaStep.objects.filter(id__in=[one.id for one in kept.values()]).delete()
    return id


_STEP: Final = "55M"


def _kept(name: str, given: Mapping[str, Any], *, actor: str) -> str:
    of = model_of("SlaProcess").sobject
    if not name or len(name) > 80:
        raise _wrong("The process name is not valid.")
    now = clock.now().replace(microsecond=0)
    row = rows_of("SlaProcess").filter(NameNorm=name.lower()).first()
    is_new = row is None
    if row is None:
        model = model_of("SlaProcess")
        row = model(Id=new_id(of.prefix, model), Name=name, NameNorm=name.lower())
        row.CreatedDate, row.CreatedById = now, actor
        row.StartDateField, row.SobjectType = "CreatedDate", "Case"
    row.IsActive = is_flag(given.get("active"))
    row.Description = str(given.get("description") or "")[:255] or None
    row.BusinessHoursId = _hours(given.get("businessHours"))
    row.LastModifiedDate = row.SystemModstamp = now
    row.LastModifiedById = actor
    row.save(force_insert=is_new)
    return str(row.pk)


def _step(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    name = str(given.get("milestoneName") or "")
    kind = rows_of("MilestoneType").filter(Name=name).values_list("Id", flat=True).first()
    if kind is None:
        raise _wrong(f"In field: milestoneName - no MilestoneType named {name[:80]} found")
    minutes = given.get("minutesToComplete")
    if isinstance(minutes, bool) or not isinstance(minutes, int) or not 0 < minutes <= _LONGEST:
        raise _wrong("minutesToComplete: bad value")
    triggers = _listed(given.get("timeTriggers"), MOST_TRIGGERS)
    return {
        "type": kind,
        "minutes": minutes,
        "condition": read_condition(of, given, prefix="milestoneCriteria"),
        "hours": _hours(given.get("businessHours")),
        "from_criteria": is_flag(given.get("useCriteriaStartTime")),
        "triggers": [_trigger(of, one) for one in triggers],
        "success": read_actions(of, given.get("successActions") or []),
    }


def _trigger(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    length, unit = given.get("timeLength"), _UNITS.get(str(given.get("workflowTimeTriggerUnit")))
    if isinstance(length, bool) or not isinstance(length, int) or unit is None:
        raise _wrong("timeLength or workflowTimeTriggerUnit: bad value")
    if abs(length) * unit > _LONGEST * 60:
        raise _wrong("timeLength: bad value")
    return {"seconds": length * unit, "actions": read_actions(of, given.get("actions") or [])}


def _hours(name: Any) -> str | None:
    if not name:
        return None
    found = rows_of("BusinessHours").filter(Name=str(name)).values_list("Id", flat=True).first()
    if found is None:
        raise _wrong(f"In field: businessHours - no BusinessHours named {str(name)[:80]} found")
    return str(found)


def _listed(given: Any, most: int) -> Sequence[Mapping[str, Any]]:
    found = [] if given is None else [given] if isinstance(given, Mapping) else given
    if not isinstance(found, Sequence) or len(found) > most:
        raise _wrong(f"There are at most {most} of a kind.")
    if not all(isinstance(one, Mapping) for one in found):
        raise _wrong("A list of objects is expected.")
    return found


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
