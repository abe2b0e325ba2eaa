"""The types of an object's records: which a user may choose, what they offer."""

from __future__ import annotations

from typing import Any

from clones.crm.models import PicklistOffer, RecordTypeVisibility, rows_of
from clones.crm.queries.access.rights import permission_sets_of
from clones.crm.queries.access.viewing import viewer
from clones.crm.rules.record_ids import MASTER_RECORD_TYPE
from clones.crm.rules.record_types import (
    RECORD_TYPE,
    Offer,
    Offers,
    RecordTypeInfo,
    master_type,
)
from clones.crm.rules.schema import SObject


def record_types_of(of: SObject, user: str | None = None) -> tuple[RecordTypeInfo, ...]:
    """Return the types of an object's records by their names, that of all others last.

    They are as a user (by id) finds them: where none is given, the user at hand.
    """
    field = of.whole.field(RECORD_TYPE)
    rows = [] if field is None else list(_rows(of))
    if not rows:
        return (master_type(is_default=True),)
    asking = viewer()
    if user is None and asking is not None:
        user = asking.user
    visible, default = _visible(of, user)
    found = tuple(
        RecordTypeInfo(
            row["Id"],
            row["Name"],
            row["DeveloperName"],
            is_active=row["IsActive"],
            is_available=row["IsActive"] and row["Id"] in visible,
            is_default=row["IsActive"] and row["Id"] == default,
        )
        for row in rows
    )
    return (*found, master_type(is_default=not any(one.is_default for one in found)))


def offers_of(record_type: str | None) -> Offers:
    """Return what picklists offer to records of a type (by id), where it is not all they have."""
    if record_type is None or record_type == MASTER_RECORD_TYPE:
        return {}
    process = rows_of("RecordType").filter(Id=record_type).values_list("BusinessProcessId")
    kept = dict(
        PicklistOffer.objects.filter(id__in=[record_type, *(id for (id,) in process if id)])
        .order_by("id")
        .values_list("id", "definition")
    )
    return {
        field: Offer(frozenset(said["values"]), said.get("default"))
        for definition in kept.values()
        for field, said in definition.items()
    }


def _rows(of: SObject) -> list[dict[str, Any]]:
    rows = rows_of("RecordType").filter(SobjectType=of.name).order_by("Name", "Id")
    return list(rows.values("Id", "Name", "DeveloperName", "IsActive"))


def _visible(of: SObject, user: str | None) -> tuple[set[str], str | None]:
    """Return the types that a user may choose, and the one that counts without a choice."""
    sets = dict(permission_sets_of(user)) if user is not None else {}
    rows = RecordTypeVisibility.objects.filter(parent__in=list(sets), object=of.name)
    found, default = set(), None
    for parent, id, is_default in rows.order_by("id").values_list(
        "parent", "record_type", "is_default"
    ):
        found.add(id)
        if is_default and sets[parent]:
            default = id
    return found, default
