"""The values of custom fields, which lie beside their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.crm.models import CustomValues, SObjectRow, rows_of
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.objects import ChildRelationship

_VALUES: Any = CustomValues


def slotted(of: SObject) -> tuple[Field, ...]:
    """Return the fields of an object whose values lie in slots."""
    return tuple(one for one in of.fields if one.slot is not None)


def children_of(one: ChildRelationship, parent: str) -> Any:
    """Return the records that refer to a parent (by id) by one relationship."""
    rows = rows_of(one.child)
    if one.field.slot is None:
        return rows.filter(**{one.field.name: parent})
    beside = _VALUES.objects.filter(**{one.field.slot: parent}).values("Id")
    return rows.filter(Id__in=beside)


def references(of: SObject, field: Field) -> Any:
    """Return the ids of an object's records with what a field of each refers to, if anything."""
    if field.slot is None:
        rows, name = rows_of(of), field.name
    else:
        rows, name = _VALUES.objects.filter(Id__startswith=of.prefix), field.slot
    return rows.exclude(**{name: None}).order_by("Id").values_list("Id", name)


def read_values(row: SObjectRow) -> None:
    """Give a record that was read the values of its custom fields, as attributes."""
    fields = slotted(row.sobject)
    if not fields:
        return
    kept = _VALUES.objects.filter(Id=row.pk).values(*(str(one.slot) for one in fields)).first()
    lay_values(row, fields, kept or {})


def read_all_values(of: SObject, rows: Mapping[str, SObjectRow]) -> None:
    """Give records of one object, by their ids, the values of their custom fields."""
    fields = slotted(of)
    if not fields:
        return
    kept = _VALUES.objects.filter(Id__in=list(rows)).values(
        "Id", *(str(one.slot) for one in fields)
    )
    values = {one["Id"]: one for one in kept}
    for id, row in rows.items():
        lay_values(row, fields, values.get(id, {}))


def rows_with(of: SObject, field: Field, value: Any, *, test: str = "exact") -> Any:
    """Return the records of an object that have a value, by one of Django's tests."""
    if field.slot is None:
        return rows_of(of).filter(**{f"{field.name}__{test}": value})
    beside = _VALUES.objects.filter(Id__startswith=of.prefix, **{f"{field.slot}__{test}": value})
    return rows_of(of).filter(Id__in=beside.values("Id"))


def lay_values(row: SObjectRow, fields: Sequence[Field], kept: dict[str, Any]) -> None:
    """Give a record the values of some fields, found by their slots; what is missing is none."""
    for field in fields:
        value = kept.get(str(field.slot))
        setattr(row, field.name, bool(value) if field.type == "boolean" else value)


def keep_values(row: SObjectRow, *, is_new: bool) -> None:
    """Keep the values of a record's custom fields; a record without any has no row beside it."""
    fields = slotted(row.sobject)
    values = {str(one.slot): getattr(row, one.name) for one in fields}
    kept = None if is_new else _VALUES.objects.filter(Id=row.pk).first()
    if kept is not None:
        if any(getattr(kept, slot) != value for slot, value in values.items()):
            for slot, value in values.items():
                setattr(kept, slot, value)
            kept.save()
    elif any(value is not None and value is not False for value in values.values()):
        _VALUES(Id=row.pk, **values).save(force_insert=True)
