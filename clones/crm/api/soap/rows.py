"""Calls that write records, many at a time: each is saved or refused by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from clones.core import clock
from clones.crm.api.presenters.rows import present_row
from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.values import (
    GivenRecord,
    checked,
    object_named,
    read_record,
    record_xml,
    saved_xml,
    whole_id,
)
from clones.crm.domain.saving import create_record, delete_record, update_record
from clones.crm.domain.saving.lookups import finds_records, ids_with
from clones.crm.domain.saving.many import MOST, Saved, check_number, save_each
from clones.crm.errors import CrmError, IsDeleted, NotFound, RecordError
from clones.crm.queries.formula_values import lay_formulas
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import SObject

MOST_READ: Final = 2000
Item = TypeVar("Item")


def save_listed(
    items: Sequence[Item], save: Callable[[Item], Saved], *, all_or_none: bool = False
) -> list[Saved]:
    """Save what a call lists, each by itself; what is refused has no id in SOAP.

    Raises:
        CrmError: there are too many.
    """
    check_number(items)
    found = save_each(items, save, all_or_none=all_or_none)
    return [replace(one, id=None) if one.error else one for one in found]


def object_of(asked: SoapCall, id: str) -> SObject:
    """Return the object that a whole id names.

    Raises:
        RecordError: it names none.
    """
    found = asked.schema.of_id(id)
    if found is None:
        raise RecordError("MALFORMED_ID", f"malformed id {id}")
    return found


@answers("create")
def create(asked: SoapCall) -> str:
    """Make records."""

    def save(given: GivenRecord) -> Saved:
        if given.id:
            raise RecordError(
                "INVALID_FIELD_FOR_INSERT_UPDATE", "cannot specify Id in an insert call", ["Id"]
            )
        return Saved(create_record(given.of, checked(given), actor=asked.user).pk)

    saved = save_listed(_given(asked), save, all_or_none=asked.all_or_none)
    return "".join(saved_xml(one.id, one.error) for one in saved)


@answers("update")
def update(asked: SoapCall) -> str:
    """Change records, each by its id."""

    def save(given: GivenRecord) -> Saved:
        if not given.id:
            raise RecordError("MISSING_ARGUMENT", "Id not specified in an update call", ["Id"])
        return Saved(_change(asked, given, given.id))

    saved = save_listed(_given(asked), save, all_or_none=asked.all_or_none)
    return "".join(saved_xml(one.id, one.error) for one in saved)


@answers("upsert")
def upsert(asked: SoapCall) -> str:
    """Change the records that have a value of a field, make those that are not there."""
    name = asked.said.said("externalIDFieldName") or asked.said.said("externalIdFieldName")

    def save(given: GivenRecord) -> Saved:
        id = given.id if name.lower() == "id" else _found_by(given, name)
        if id:
            return Saved(_change(asked, given, id))
        return Saved(create_record(given.of, checked(given), actor=asked.user).pk, is_created=True)

    saved = save_listed(_given(asked), save, all_or_none=asked.all_or_none)
    return "".join(
        saved_xml(one.id, one.error, created=one.is_created and one.error is None) for one in saved
    )


@answers("delete")
def delete(asked: SoapCall) -> str:
    """Put records of any objects into the recycle bin."""

    def remove(text: str) -> Saved:
        id = whole_id(text)
        delete_record(object_of(asked, id), id, actor=asked.user)
        return Saved(id)

    saved = save_listed(ids_of(asked), remove, all_or_none=asked.all_or_none)
    return "".join(saved_xml(one.id, one.error) for one in saved)


@answers("retrieve")
def retrieve(asked: SoapCall) -> str:
    """Show records by their ids, nil where there is none."""
    of = object_named(asked.schema, asked.said.said("sObjectType"))
    fields = []
    for name in filter(None, map(str.strip, asked.said.said("fieldList").split(","))):
        field = of.field(name)
        if field is None:
            raise CrmError(
                f"No such column '{name[:200]}' on entity '{of.name}'.", code="INVALID_FIELD"
            )
        fields.append(field)
    ids = ids_of(asked)
    check_number(ids, MOST_READ)
    found = ""
    for text in ids:
        try:
            row = find_record(of, whole_id(text))
        except (NotFound, IsDeleted):
            found += '<result xsi:nil="true"/>'
            continue
        lay_formulas([row], fields, Looker(asked.user, clock.now()))
        found += record_xml(
            "result", present_row(row, asked.root, fields), asked.schema, id=str(row.pk)
        )
    return found


def ids_of(asked: SoapCall) -> list[str]:
    """Return the ids that a call names, as they are written."""
    named = [*asked.said.all("ids"), *asked.said.all("iDs"), *asked.said.all("IDs")]
    return [one.text.strip() for one in named]


def _given(asked: SoapCall) -> list[GivenRecord]:
    elements = asked.said.all("sObjects")
    check_number(elements, MOST)
    return [read_record(one, asked.schema) for one in elements]


def _change(asked: SoapCall, given: GivenRecord, id: str) -> str:
    whole = whole_id(id)
    update_record(given.of, whole, checked(given), actor=asked.user)
    return whole


def _found_by(given: GivenRecord, name: str) -> str | None:
    """Return the id of the record that has a value of a field, None if there is none.

    Raises:
        RecordError: nothing is said of the field, it finds nothing, or several have the value.
    """
    field = given.of.field(name)
    if field is None or not finds_records(field):
        raise RecordError(
            "INVALID_FIELD",
            f"Field name provided, {name[:200]} is not an External ID for {given.of.name}",
        )
    value = given.said.get(field.name)
    if value is None or value == "":
        raise RecordError("MISSING_ARGUMENT", f"{field.name} not specified", [field.name])
    checked(given)
    found = ids_with(given.of, field, value)
    if len(found) > 1:
        raise RecordError(
            "DUPLICATE_EXTERNAL_ID",
            f"{field.name}: more than one record found for external id field: [{', '.join(found)}]",
            [field.name],
        )
    return found[0] if found else None
