"""Rules of an organization for its cases and leads: how they are set, and what an entry says.

They are set as the vendor's metadata have them: of assignment (`assignedTo`, `assignedToType`,
`template`), of responses (`senderEmail`, `senderName`, `template`), of escalation
(`escalationStartTime`, `disableEscalationWhenModified`, `businessHoursSource`, `businessHours`,
`escalationAction`), each entry with a condition (`conditions.read_condition`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.mailing import find_template
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.service.conditions import is_met, read_condition
from clones.crm.domain.service.owners import owner_named
from clones.crm.domain.service.settings import is_flag
from clones.crm.domain.service.sweeps import start_sweeps
from clones.crm.errors import RecordError
from clones.crm.models import RuleEntry, ServiceRule, SObjectRow, model_of, rows_of
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.schema import SObject

Kind = Literal["assignment", "response", "escalation"]
OBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "assignment": ("Case", "Lead"),
    "response": ("Case", "Lead"),
    "escalation": ("Case",),
}
MOST_ENTRIES: Final = 3000
LONGEST_NAME: Final = 120
MOST_ACTIONS: Final = 5
_LONGEST: Final = 10 * 365 * 24 * 60  # minutes until a case escalates, at most
_STARTS: Final = ("CaseCreation", "CaseLastModified")
_SOURCES: Final = ("None", "Case", "Static")
_PREFIX: Final = "01Q"


def set_rule(
    kind: Kind,
    object_: str,
    name: str,
    entries: Sequence[Mapping[str, Any]],
    *,
    is_active: bool,
    actor: str,
) -> str:
    """Set a rule by its name, with all its entries, and return its id.

    Where it is active, no other of its kind and object is from then on.

    Raises:
        RecordError: the actor may not, or an entry says what cannot be.
    """
    require_admin(actor)
    of = whole_schema().find(object_)
    if of is None or of.name not in OBJECTS[kind]:
        raise _wrong(f"There are no rules of {kind} for {object_[:80]}.")
    if not name or len(name) > LONGEST_NAME:
        raise _wrong("The rule name is not valid.")
    if len(entries) > MOST_ENTRIES:
        raise _wrong(f"A rule has at most {MOST_ENTRIES} entries.")
    kept = [(read_condition(of, one), _READERS[kind](of, one)) for one in entries]
    id = _kept_rule(kind, of.name, name, entries, is_active=is_active, actor=actor)
    RuleEntry.objects.filter(rule=id).delete()
    for position, (condition, values) in enumerate(kept, 1):
        RuleEntry(
            id=new_id(_PREFIX, RuleEntry),
            rule=id,
            position=position,
            condition=condition,
            values=values,
        ).save(force_insert=True)
    if kind == "escalation" and is_active:
        start_sweeps()
    return id


def remove_rule(rule: ServiceRule, *, actor: str) -> None:
    """Take a rule away with its entries.

    Raises:
        RecordError: the actor may not.
    """
    require_admin(actor)
    RuleEntry.objects.filter(rule=rule.id).delete()
    rows_of("AssignmentRule").filter(Id=rule.id).delete()
    rule.delete()


def active_rule(kind: Kind, object_: str) -> str | None:
    """Return the id of the rule of a kind that is active for an object, None if none is."""
    own = ServiceRule.objects.filter(kind=kind, object=object_, is_active=True)
    return own.values_list("id", flat=True).first()


def entries_of(rule: str) -> list[RuleEntry]:
    """Return the entries of a rule in their order."""
    return list(RuleEntry.objects.filter(rule=rule).order_by("position"))


def first_met(
    entries: Sequence[RuleEntry],
    of: SObject,
    get: Callable[[str], Any],
    *,
    user: str,
    read: dict[str, SObjectRow | None] | None = None,
) -> RuleEntry | None:
    """Return the first of some entries whose condition a record meets, None if it meets none.

    Parents are read once; with `read`, once for all records that share it.
    """
    read = {} if read is None else read
    for entry in entries:
        if is_met(entry.condition, of, get, user=user, read=read):
            return entry
    return None


def _kept_rule(
    kind: Kind, object_: str, name: str, entries: Sequence[Any], *, is_active: bool, actor: str
) -> str:
    """Keep a rule under its name, let no other be active beside it, and return its id."""
    rows = ServiceRule.objects.filter(kind=kind, object=object_)
    if is_active:
        for other in rows.filter(is_active=True).exclude(name=name).order_by("id"):
            other.is_active = False
            other.definition = {**other.definition, "active": False}
            other.save()
            _show_assignment(other, actor)
    row = rows.filter(name=name).first()
    is_new = row is None
    if row is None:
        row = ServiceRule(id=new_id(_PREFIX, ServiceRule), kind=kind, object=object_, name=name)
    row.is_active = is_active
    row.definition = {"active": is_active, "ruleEntry": [dict(one) for one in entries]}
    row.save(force_insert=is_new)
    _show_assignment(row, actor)
    return row.id


def _show_assignment(rule: ServiceRule, actor: str) -> None:
    """Keep the record that shows a rule of assignment."""
    if rule.kind != "assignment":
        return
    now = clock.now().replace(microsecond=0)
    row = rows_of("AssignmentRule").filter(Id=rule.id).first()
    is_new = row is None
    if row is None:
        row = model_of("AssignmentRule")(Id=rule.id, Name=rule.name, SobjectType=rule.object)
        row.CreatedDate, row.CreatedById = now, actor
    row.Active = rule.is_active
    row.LastModifiedDate = row.SystemModstamp = now
    row.LastModifiedById = actor
    row.save(force_insert=is_new)


def _assignment(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {"owner": None, "template": _template(given.get("template"))}
    if given.get("assignedTo"):
        kind = str(given.get("assignedToType") or "User")
        values["owner"] = owner_named(of, str(given["assignedTo"]), kind)
    return values


def _response(_: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    template = _template(given.get("template"))
    if template is None:
        raise _wrong("Required fields are missing: [template]")
    return {"template": template}


def _escalation(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    start = given.get("escalationStartTime") or _STARTS[0]
    source = given.get("businessHoursSource") or _SOURCES[0]
    if start not in _STARTS or source not in _SOURCES:
        raise _wrong("escalationStartTime or businessHoursSource: bad value")
    hours = None
    if source == "Static":
        rows = rows_of("BusinessHours").filter(Name=given.get("businessHours"))
        hours = rows.values_list("Id", flat=True).first()
        if hours is None:
            raise _wrong("In field: businessHours - no BusinessHours of that name found")
    actions = given.get("escalationAction") or []
    actions = [actions] if isinstance(actions, Mapping) else actions
    if not isinstance(actions, Sequence) or not actions or len(actions) > MOST_ACTIONS:
        raise _wrong(f"An entry has one to {MOST_ACTIONS} escalation actions.")
    return {
        "start": start,
        "ends_when_modified": is_flag(given.get("disableEscalationWhenModified")),
        "source": source,
        "hours": hours,
        "actions": sorted((_action(of, one) for one in actions), key=lambda one: one["minutes"]),
    }


def _action(of: SObject, given: Any) -> dict[str, Any]:
    minutes = given.get("minutesToEscalation") if isinstance(given, Mapping) else None
    if isinstance(minutes, bool) or not isinstance(minutes, int) or not 0 <= minutes <= _LONGEST:
        raise _wrong("minutesToEscalation: bad value")
    owner = None
    if given.get("assignedTo"):
        kind = str(given.get("assignedToType") or "User")
        owner = owner_named(of, str(given["assignedTo"]), kind)
    told = given.get("notifyTo")
    mails = given.get("notifyEmail") or []
    mails = mails if isinstance(mails, list) else [mails]
    return {
        "minutes": minutes,
        "owner": owner,
        "owner_template": _template(given.get("assignedToTemplate")),
        "told": owner_named(of, str(told), "User") if told else None,
        "told_template": _template(given.get("notifyToTemplate")),
        "tells_owner": is_flag(given.get("notifyCaseOwner")),
        "mails": [str(one) for one in mails[:MOST_ACTIONS]],
    }


def _template(name: Any) -> str | None:
    if not name:
        return None
    found = find_template(str(name))
    if found is None:
        raise _wrong(f"In field: template - no EmailTemplate named {str(name)[:80]} found")
    return str(found.pk)


_READERS: Final[dict[str, Callable[[SObject, Mapping[str, Any]], dict[str, Any]]]] = {
    "assignment": _assignment,
    "response": _response,
    "escalation": _escalation,
}


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
