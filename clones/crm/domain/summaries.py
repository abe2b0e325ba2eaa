"""Defining roll-up summary fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock
from clones.crm.errors import RecordError
from clones.crm.models import rows_of
from clones.crm.queries.custom_values import keep_values, read_all_values
from clones.crm.queries.formulas import Looker
from clones.crm.queries.schema import whole_schema
from clones.crm.queries.summaries import summary_plan, sums_of
from clones.crm.rules.criteria import WrongCriteria, check_criteria, read_items
from clones.crm.rules.formulas import field_paths, parse
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.soql import SoqlError
from clones.crm.rules.summaries import OPERATIONS, Summary, is_detail, read_summary

SUMMARY: Final = "Summary"
_AT_ONCE: Final = 500
_KINDS: Final = {
    "currency": "Currency",
    "percent": "Percent",
    "date": "Date",
    "datetime": "DateTime",
}
_NUMBERS: Final = frozenset({"double", "int", "currency", "percent"})
_NOT_WRITTEN: Final = {"calculated": True, "createable": False, "updateable": False}


def summary_definition(of: SObject, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the kind of a field that sums up children, and what its definition says of that.

    `options["summary"]`: `of`, the children and their reference, as `Line__c.Invoice__c`; `field`
    as `Line__c.Amount__c`, not where they are counted; `operation`; `items` of criteria.

    Raises:
        RecordError: there are no such children, or no such sum of them.
    """
    given = options.get("summary") or {}
    child, via = _reference(of, given.get("of"))
    operation = given.get("operation")
    if operation not in OPERATIONS:
        raise _wrong(f"Invalid summary operation: {str(operation)[:80]}")
    field = None if operation == "count" else _summed(child, given.get("field"), operation)
    try:
        items = read_items(given.get("items"))
        check_criteria(items, None, child)
        summary = Summary(
            child.name, via.name, operation, None if field is None else field.name, items
        )
        summary_plan(child, summary, Looker("", clock.now()))
    except (WrongCriteria, SoqlError) as error:
        raise _wrong(str(error)) from error
    found: dict[str, Any] = {**_NOT_WRITTEN, "summary": summary.as_json()}
    if field is None:
        return "Number", {**found, "precision": 18, "scale": 0}
    if field.is_number:
        found |= {"precision": 18, "scale": field.scale}
    return _KINDS.get(field.type, "Number"), found


def sum_up_all(of: str, name: str) -> None:
    """Work out a summary field for all records of an object, by their names."""
    schema = whole_schema()
    parent = schema.objects[of]
    field = parent.field(name)
    if field is None or field.summary is None:
        return
    summary = read_summary(field.summary)
    looker = Looker("", clock.now())
    ids = list(rows_of(parent).order_by("Id").values_list("Id", flat=True))
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        values = sums_of(schema.objects[summary.child], field, summary, some, looker)
        rows = {row.pk: row for row in rows_of(parent).filter(Id__in=some).order_by("Id")}
        for row in rows.values():
            row.sobject = parent
        read_all_values(parent, rows)
        for id, row in rows.items():
            if values[id] is not None:
                setattr(row, field.name, values[id])
                keep_values(row, is_new=False)


def _reference(of: SObject, text: Any) -> tuple[SObject, Field]:
    name, _, via = str(text or "").partition(".")
    child = of.schema.find(name)
    field = None if child is None else child.field(via)
    if child is None or field is None or of.name not in field.reference_to:
        raise _wrong(f"Could not resolve summary foreign key: {str(text)[:80]}")
    if not is_detail(child, field):
        raise _wrong(f"{child.label} is not in a master-detail relationship with {of.label}")
    return child, field


def _summed(child: SObject, text: Any, operation: str) -> Field:
    field = child.field(str(text or "").rpartition(".")[2])
    if field is None:
        raise _wrong(f"Could not resolve summarized field: {str(text)[:80]}")
    kinds = _NUMBERS if operation == "sum" else _NUMBERS | {"date", "datetime"}
    paths = () if field.formula is None else field_paths(parse(field.formula))
    if field.type not in kinds or any("." in path for path in paths):
        raise _wrong(f"Field {field.name} cannot be summarized by {operation}")
    return field


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
