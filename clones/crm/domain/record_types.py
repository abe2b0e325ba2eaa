"""Defining of which types records of an object can be, and to whom each of them is open.

What is said of a record type, a business process and a profile is what the vendor's metadata say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.rows import add_row
from clones.crm.errors import RecordError
from clones.crm.models import (
    RECORD_TYPE_SLOT,
    CustomField,
    PicklistOffer,
    RecordTypeVisibility,
    SObjectRow,
    rows_of,
)
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.record_types import (
    PROCESS_FIELDS,
    RECORD_TYPE,
    RECORD_TYPE_FIELD,
    is_picklist,
)
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name

_LONGEST: Final = 80
_LONGEST_DESCRIPTION: Final = 255
# Of some objects every record type has a process (of others with stages it may).
_NEED_PROCESS: Final = frozenset({"Lead", "Opportunity"})
# What metadata call the profiles of every organization.
PROFILE_NAMES: Final[Mapping[str, str]] = {
    "Admin": "System Administrator",
    "ContractManager": "Contract Manager",
    "MarketingProfile": "Marketing User",
    "ReadOnly": "Read Only",
    "SolutionManager": "Solution Manager",
    "Standard": "Standard User",
}


def define_record_type(name: str, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Give an object a record type (`Account.Partner`), or change the one of that name.

    `said`: `label`, `active`, `description`, `businessProcess`, `picklistValues`: of each picklist
    the values that it offers. A picklist of which nothing is said offers all that it has.

    Raises:
        RecordError: the actor may not, the object or a picklist is not there, or something is
            missing or will not do.
    """
    require_admin(actor)
    of, own = _named(name)
    row: SObjectRow | None = (
        rows_of("RecordType").filter(SobjectType=of.name, DeveloperName__iexact=own).first()
    )
    values = _texts(said, label=own if row is None else row.Name)
    offers = None
    if "picklistValues" in said:
        offers = dict(_offer(of, one) for one in _rows(said["picklistValues"]))
    process = _process(of, said.get("businessProcess"))
    if process is None and row is not None:
        process = row.BusinessProcessId
    if process is None and of.name in _NEED_PROCESS:
        raise _missing("businessProcess")
    values |= {"BusinessProcessId": process, "IsActive": bool(said.get("active", True))}
    if row is None:
        _check_label(of, values["Name"])
        row = _add("RecordType", {**values, "SobjectType": of.name, "DeveloperName": own}, actor)
        if of.field(RECORD_TYPE) is None:
            _add_field(of)
    else:
        _change(row, values, actor)
    if offers is not None:
        _keep_offers(row, of, offers)
    return row


def define_business_process(name: str, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Give an object a business process (`Opportunity.Web`), or change the one of that name.

    `said`: `isActive`, `description`, `values`: those of the field whose values processes choose.

    Raises:
        RecordError: the actor may not, the object has no processes, or a value will not do.
    """
    require_admin(actor)
    of, own = _named(name, is_plain=False)
    field = PROCESS_FIELDS.get(of.name)
    if field is None:
        raise RecordError("INVALID_TYPE", f"{of.name} does not support business processes")
    row: SObjectRow | None = (
        rows_of("BusinessProcess").filter(TableEnumOrId=of.name, Name__iexact=own).first()
    )
    values = _texts(said, label=own)
    values |= {"Name": own, "IsActive": bool(said.get("isActive", True))}
    given = {"picklist": field, "values": said.get("values")}
    offers = dict([_offer(of, given)])
    if row is None:
        row = _add("BusinessProcess", {**values, "TableEnumOrId": of.name}, actor)
    else:
        _change(row, values, actor)
    _keep_offers(row, of, offers)
    return row


def define_profile(name: str, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Say which record types are open to those of a profile: `recordTypeVisibilities`.

    Raises:
        RecordError: the actor may not, or a profile or a record type is not there.
    """
    require_admin(actor)
    row: SObjectRow | None = rows_of("Profile").filter(Name=PROFILE_NAMES.get(name, name)).first()
    own = None
    if row is not None:
        own = rows_of("PermissionSet").filter(ProfileId=row.pk, IsOwnedByProfile=True).first()
    if row is None or own is None:
        raise _not_there("Profile", name)
    _show(own.pk, said)
    return row


def define_permission_set(name: str, said: Mapping[str, Any], *, actor: str) -> SObjectRow:
    """Say which record types are open to those of a permission set: `recordTypeVisibilities`.

    Raises:
        RecordError: the actor may not, or a permission set or a record type is not there.
    """
    require_admin(actor)
    row: SObjectRow | None = (
        rows_of("PermissionSet").filter(Name=name, IsOwnedByProfile=False).first()
    )
    if row is None:
        raise _not_there("PermissionSet", name)
    _show(row.pk, said)
    return row


def _show(parent: str, said: Mapping[str, Any]) -> None:
    for one in _rows(said.get("recordTypeVisibilities")):
        show_record_type(
            str(one.get("recordType") or ""),
            parent,
            is_visible=bool(one.get("visible")),
            is_default=bool(one.get("default")),
        )


def show_record_type(name: str, parent: str, *, is_visible: bool, is_default: bool = False) -> None:
    """Open a record type (`Account.Partner`) to users of a permission set (by id), or close it.

    Raises:
        RecordError: there is no such type, or one that is closed would be the default.
    """
    object_name, _, own = name.partition(".")
    rows = rows_of("RecordType").filter(SobjectType=object_name, DeveloperName=own)
    found = rows.values_list("Id", flat=True).first()
    if found is None:
        raise _not_there("RecordType", name)
    if is_default and not is_visible:
        raise RecordError(
            "INVALID_CROSS_REFERENCE_KEY", f"The default record type {name} has to be visible"
        )
    kept = RecordTypeVisibility.objects.filter(parent=parent, object=object_name)
    if is_default:
        for other in kept.filter(is_default=True).exclude(record_type=found).order_by("id"):
            other.is_default = False
            other.save()
    row = kept.filter(record_type=found).first()
    if not is_visible:
        if row is not None:
            row.delete()
    elif row is None:
        RecordTypeVisibility(
            id=f"{parent}{found}",
            parent=parent,
            object=object_name,
            record_type=found,
            is_default=is_default,
        ).save(force_insert=True)
    elif row.is_default != is_default:
        row.is_default = is_default
        row.save()


def _named(name: str, *, is_plain: bool = True) -> tuple[SObject, str]:
    """Return the object and the own name of what a whole name stands for."""
    object_name, _, own = name.partition(".")
    of = whole_schema().find(object_name)
    if of is None or not (of.is_custom or of.abilities["layoutable"]):
        raise _not_there("CustomObject", object_name)
    if not own or len(own) > _LONGEST or (is_plain and not is_name(own)):
        raise RecordError("INVALID_FIELD", f"The name {own[:_LONGEST]} is not valid", ["FullName"])
    return of, own


def _texts(said: Mapping[str, Any], *, label: str) -> dict[str, Any]:
    found = {"Name": str(said.get("label") or label)}
    description = said.get("description")
    if description is not None:
        found["Description"] = str(description)
    for key, most in (("Name", _LONGEST), ("Description", _LONGEST_DESCRIPTION)):
        if len(found.get(key, "")) > most:
            raise RecordError(
                "STRING_TOO_LONG",
                f"{key}: data value too large: {found[key]} (max length={most})",
                [key],
            )
    return dict(found)


def _rows(given: Any) -> Sequence[Mapping[str, Any]]:
    """Return the members of a list of metadata; one alone may stand for itself."""
    if given is None:
        return ()
    found = given if isinstance(given, list) else [given]
    if not all(isinstance(one, dict) for one in found):
        raise RecordError("INVALID_TYPE", "A list of metadata has members that are no objects")
    return found


def _offer(of: SObject, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a picklist, and what is said that it offers."""
    name = str(given.get("picklist") or "")
    field = of.field(name)
    if field is None or not is_picklist(field):
        raise _not_there("Picklist", f"{of.name}.{name[:_LONGEST]}")
    known = {one.value for one in field.values}
    values, default = [], None
    for one in _rows(given.get("values")):
        value = str(one.get("fullName") or "")
        if value not in known:
            raise RecordError(
                "INVALID_CROSS_REFERENCE_KEY",
                f"Picklist value: {value[:_LONGEST]} in picklist: {field.name} not found",
            )
        values.append(value)
        default = value if one.get("default") else default
    return field.name, {"values": values, "default": default}


def _process(of: SObject, name: Any) -> str | None:
    if name is None or name == "":
        return None
    rows = rows_of("BusinessProcess").filter(TableEnumOrId=of.name, Name=str(name))
    found: str | None = rows.values_list("Id", flat=True).first()
    if found is None:
        raise _not_there("BusinessProcess", f"{of.name}.{str(name)[:_LONGEST]}")
    return found


def _check_label(of: SObject, label: str) -> None:
    if rows_of("RecordType").filter(SobjectType=of.name, Name__iexact=label).exists():
        raise RecordError(
            "DUPLICATE_VALUE", f"There is already a record type named {label}.", ["Name"]
        )


def _add(of: str, values: Mapping[str, Any], actor: str) -> SObjectRow:
    return add_row(of, values, by=actor, now=clock.now().replace(microsecond=0))


def _change(row: SObjectRow, values: Mapping[str, Any], actor: str) -> None:
    now = clock.now().replace(microsecond=0)
    stamps = {"LastModifiedById": actor, "LastModifiedDate": now, "SystemModstamp": now}
    for name, value in {**values, **stamps}.items():
        setattr(row, name, value)
    row.save()


def _add_field(of: SObject) -> None:
    """Give an object the field that names the types of its records."""
    now = clock.now().replace(microsecond=0)
    CustomField(
        id=new_id("00N", CustomField),
        object=of.name,
        name=RECORD_TYPE,
        slot=RECORD_TYPE_SLOT,
        definition=dict(RECORD_TYPE_FIELD),
        created_at=now,
        updated_at=now,
    ).save(force_insert=True)


def _keep_offers(row: SObjectRow, of: SObject, offers: Mapping[str, Any]) -> None:
    kept = PicklistOffer.objects.filter(id=row.pk).first()
    if kept is None:
        PicklistOffer(id=row.pk, object=of.name, definition=dict(offers)).save(force_insert=True)
    elif kept.definition != offers:
        kept.definition = dict(offers)
        kept.save()


def _missing(name: str) -> RecordError:
    return RecordError("REQUIRED_FIELD_MISSING", f"Required field is missing: {name}", [name])


def _not_there(kind: str, name: str) -> RecordError:
    return RecordError(
        "INVALID_CROSS_REFERENCE_KEY", f"In field: {kind} - no {kind} named {name} found"
    )
