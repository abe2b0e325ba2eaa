"""The values of formula fields: of records that are at hand, or of all that an object has.

Formulas are worked out by `rules.formulas` in decimals, whichever engine keeps the records: what a
query filters or sorts by is what it shows. All parents are read beforehand, a statement to each
step of a path, however many records there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from clones.crm.errors import CrmError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.custom_values import read_all_values
from clones.crm.queries.formulas import FormulaRecord, Looker, field_type, formula_of, walked_path
from clones.crm.rules.formulas import FieldType, FormulaValueError, Value, field_paths, field_value
from clones.crm.rules.schema import Field, SObject

# Rows that one statement reads.
_AT_ONCE: Final = 2000
# Records of an object by whose formulas a query can find or sort any.
MOST_SEARCHED: Final = 100_000

Hops = tuple[Field, ...]


def lay_formulas(rows: Iterable[SObjectRow], fields: Iterable[Field], looker: Looker) -> None:
    """Give records of one object the values of those of some fields that formulas work out."""
    wanted = [one for one in fields if one.formula is not None]
    found = list(rows)
    if not wanted or not found:
        return
    of = found[0].sobject
    if of is of.whole:
        values = formula_values(of, wanted, found, looker)
    else:  # formulas know fields that are not shown
        values = values_by_id(of, wanted, [str(row.pk) for row in found], looker)
    for row in found:
        for name, value in values[str(row.pk)].items():
            setattr(row, name, value)


def formula_values(
    of: SObject, fields: Sequence[Field], rows: Sequence[SObjectRow], looker: Looker
) -> dict[str, dict[str, Any]]:
    """Return what formula fields show of records (with their custom values), by id and name."""
    read: dict[str, SObjectRow | None] = {}
    _read_parents(rows, _hops_of(of, fields), read)
    found = {}
    for row in rows:
        record = FormulaRecord(of, row.__getattribute__, looker, read)
        found[str(row.pk)] = {one.name: shown_formula(one, record) for one in fields}
    return found


def values_by_id(
    of: SObject, fields: Sequence[Field], ids: Iterable[str], looker: Looker
) -> dict[str, dict[str, Any]]:
    """Return what formula fields show of records that are named by their ids."""
    found: dict[str, dict[str, Any]] = {}
    for some in _in_parts(sorted(set(ids))):
        rows = _rows(of.whole, some)
        found |= formula_values(of.whole, fields, list(rows.values()), looker)
    return found


def values_of_all(of: SObject, field: Field, looker: Looker) -> Iterator[tuple[str, Any]]:
    """Yield the id of every record of an object, and what a formula field shows of it.

    Raises:
        CrmError: there are more than `MOST_SEARCHED`.
    """
    ids = list(rows_of(of).order_by("Id").values_list("Id", flat=True)[: MOST_SEARCHED + 1])
    if len(ids) > MOST_SEARCHED:
        raise CrmError("Your query request was running for too long.", code="QUERY_TIMEOUT")
    for some in _in_parts(ids):
        rows = list(_rows(of.whole, some).values())
        values = formula_values(of.whole, [field], rows, looker)
        for id in some:
            yield id, values[id][field.name]


def shown_formula(field: Field, record: FormulaRecord) -> Any:
    """Return what a formula field shows of a record: nothing where its formula has no value."""
    try:
        value = record.value(field)
    except FormulaValueError:
        value = None
    kind = FieldType(field_type(field).kind)  # percentages come as they are shown
    return _fitting(field, kind, value, record.looker)


def fitting(field: Field, value: Value, looker: Looker) -> Any:
    """Return what a field keeps of the value of a formula: None where it has no such value."""
    return _fitting(field, field_type(field), value, looker)


def _fitting(field: Field, kind: FieldType, value: Value, looker: Looker) -> Any:
    try:
        shown = field_value(value, kind, zone=looker.zone, scale=field.scale)
    except FormulaValueError:
        return False if field.type == "boolean" else None
    if isinstance(shown, Decimal):
        return float(shown) + 0.0
    return shown.replace(microsecond=0) if isinstance(shown, datetime) else shown


def _hops_of(of: SObject, fields: Iterable[Field]) -> list[Hops]:
    """Return the ways to the parents that formulas ask for, shorter ones first, each once."""
    found: dict[tuple[str, ...], Hops] = {}
    waiting: list[tuple[Hops, SObject, Field]] = [((), of, one) for one in fields]
    seen: set[tuple[Any, ...]] = set()
    while waiting:
        start, owner, field = waiting.pop()
        if (mark := (tuple(hop.name for hop in start), owner.name, field.name)) in seen:
            continue
        seen.add(mark)
        for path in field_paths(formula_of(owner, field).formula):
            walked = walked_path(owner, path)
            if walked is None or walked.start is not None:
                continue
            hops = (*start, *walked.hops)
            for size in range(1, len(hops) + 1):
                found.setdefault(tuple(hop.name for hop in hops[:size]), hops[:size])
            if walked.field.formula is not None:
                waiting.append((hops, walked.of, walked.field))
    return sorted(found.values(), key=len)


def _read_parents(
    rows: Sequence[SObjectRow], ways: Sequence[Hops], read: dict[str, SObjectRow | None]
) -> None:
    """Read the records at the ends of some ways, a statement to each where there are few."""
    ends: dict[tuple[str, ...], list[SObjectRow]] = {(): list(rows)}
    for way in ways:
        names = tuple(hop.name for hop in way)
        before = ends[names[:-1]]
        ids = {id for row in before if (id := getattr(row, names[-1])) is not None}
        missing = sorted(ids - read.keys())
        target = rows[0].sobject.schema.objects[way[-1].reference_to[0]] if rows else None
        for some in _in_parts(missing):
            if target is not None:
                read |= {**dict.fromkeys(some), **_rows(target, some)}
        ends[names] = [row for id in sorted(ids) if (row := read[id]) is not None]


def _in_parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def _rows(of: SObject, ids: Sequence[str]) -> Mapping[str, SObjectRow]:
    rows: dict[str, SObjectRow] = {
        row.pk: row for row in rows_of(of).filter(Id__in=ids).order_by("Id")
    }
    for row in rows.values():
        row.sobject = of
    read_all_values(of, rows)
    return rows
