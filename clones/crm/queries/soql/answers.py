"""Plans run: records as nests of what was asked for, in the vendor's form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final, cast

from django.db import connection

from clones.core.sightings import note_key
from clones.crm.models import model_of
from clones.crm.queries.formula_values import values_by_id
from clones.crm.queries.manners import display_value
from clones.crm.queries.milestone_times import MOVING, moving_values
from clones.crm.queries.milestone_times import OBJECT as MOVING_OBJECT
from clones.crm.queries.soql.expressions import expression_sql
from clones.crm.queries.soql.fragments import Sql, listed, quoted
from clones.crm.queries.soql.statements import (
    Asker,
    Selection,
    count_sql,
    grouped_columns,
    grouped_sql,
    limited,
    records_sql,
)
from clones.crm.queries.soql.tableless import table_of
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.schema import Field
from clones.crm.rules.shown_values import (
    ADDRESS_PARTS,
    any_value,
    bytes_address,
    moment_text,
    shown_value,
)
from clones.crm.rules.soql.paths import NAME_OBJECT
from clones.crm.rules.soql.plan import (
    Applied,
    Chain,
    ChildColumn,
    Expression,
    FieldColumn,
    Hop,
    Plan,
    TypeOfColumn,
    ValueColumn,
    chains_of,
)

Record = dict[str, Any]
# Groups that an answer has at most: there is no next page of them.
MOST_GROUPS: Final = 2000


@dataclass(frozen=True, slots=True)
class Page:
    """Records of a plan: how many there are in all, and those of one page."""

    total: int
    records: list[Record]


@dataclass(frozen=True, slots=True)
class Among:
    """That a field of a record has one of some values."""

    field: str
    values: tuple[str, ...]

    def sql(self, tables: Tables) -> Sql:
        """Return it as a condition on the records of some tables."""
        return Sql("{} IN ({})").format(tables.field(self.field), listed(self.values))


class TooManyGroups(Exception):
    """Raised where a grouped query has more rows than one answer takes."""


def run(plan: Plan, asker: Asker, root: str, *, start: int = 0, size: int = 2000) -> Page:
    """Return the records of a plan from a place on, as many as a page has.

    `root` is the address of the API's version, under which each record has its own.

    Raises:
        TooManyGroups: a grouped query has more than `MOST_GROUPS` rows.
    """
    if plan.groups is not None:
        return _groups(plan, asker)
    if plan.counts_rows:
        return Page(_total(plan, asker), [])
    asked = size if plan.limit is None else max(min(size, plan.limit - start), 0)
    records = [one for _, one in _records(plan, asker, root, asked, start)] if asked else []
    at_end = len(records) < asked or (plan.limit is not None and start + asked >= plan.limit)
    total = start + len(records) if at_end and (records or not start) else _total(plan, asker)
    return Page(total, records)


def records_of(
    plan: Plan,
    asker: Asker,
    root: str,
    *,
    most: int,
    condition: Callable[[Tables], Sql],
    start: int = 0,
) -> list[Record]:
    """Return records of a plan that meet a condition, from a place on, whatever its own limit."""
    return [one for _, one in _records(plan, asker, root, most, start, condition=condition)]


def _total(plan: Plan, asker: Asker) -> int:
    ((found,),) = fetched(count_sql(plan, asker.tables(plan.object.name), asker))
    total = max(int(found) - (plan.offset or 0), 0)
    return total if plan.limit is None else min(total, plan.limit)


def _groups(plan: Plan, asker: Asker) -> Page:
    rows = fetched(grouped_sql(plan, asker.tables(plan.object.name), asker))
    if len(rows) > MOST_GROUPS:
        raise TooManyGroups
    whats = grouped_columns(plan)
    names = [one.keys[-1] for one in plan.columns if isinstance(one, FieldColumn | ValueColumn)]
    records = []
    for row in rows:
        record: Record = {"attributes": {"type": "AggregateResult"}}
        for name, what, value in zip(names, whats, row, strict=False):
            record[name] = _result(what, value, asker)
        records.append(record)
    return Page(len(records), records)


def _records(
    plan: Plan,
    asker: Asker,
    root: str,
    most: int | None,
    start: int = 0,
    *,
    among: Among | None = None,
    condition: Callable[[Tables], Sql] | None = None,
) -> list[tuple[Any, Record]]:
    """Return records of a plan, each with its key, or with what it is found `among` others by."""
    tables, selection = asker.tables(plan.object.name), Selection([])
    builder = _Builder(plan, tables, selection, asker, root)
    builder.prepare()
    key = selection.place(Sql(f"t0.{quoted('Id')}"))
    beside = key if among is None else selection.place(tables.field(among.field))
    extra = [] if among is None else [among.sql(tables)]
    extra += [] if condition is None else [condition(tables)]
    statement = records_sql(plan, tables, selection, asker, extra=extra)
    rows = fetched(limited(statement, most, start + (plan.offset or 0)))
    for row in rows:
        id = str(row[key])
        note_key(table_of(plan.object.name, id, asker.schema), id, "list")
    builder.work_out(rows)
    records = [builder.record(row) for row in rows]
    keys = [str(row[key]) for row in rows]
    builder.add_children(keys, records)
    builder.add_branches(rows, records)
    if plan.object.name == MOVING_OBJECT:
        _move(plan, keys, records)
    return [(row[beside], record) for row, record in zip(rows, records, strict=True)]


def _move(plan: Plan, keys: Sequence[str], records: Sequence[Record]) -> None:
    """Put what moves with the clock into the records that ask for it."""
    columns = [one for one in plan.columns if isinstance(one, FieldColumn) and not one.chain.hops]
    asked = [one for one in columns if one.chain.field.name in MOVING]
    if not asked:
        return
    values = moving_values(keys)
    for key, record in zip(keys, records, strict=True):
        for column in asked:
            record[column.keys[-1]] = values[key][column.chain.field.name]


def fetched(statement: Sql) -> list[tuple[Any, ...]]:
    """Return the rows of a statement."""
    with connection.cursor() as cursor:
        cursor.execute(statement.text, list(statement.parameters))
        return cast("list[tuple[Any, ...]]", cursor.fetchall())


@dataclass
class _Builder:
    """Puts rows of a statement into the form that a plan asks for."""

    plan: Plan
    tables: Tables
    selection: Selection
    asker: Asker
    root: str

    def __post_init__(self) -> None:
        """Ask for the id of each record."""
        self._own = self.selection.place(Sql(f"t0.{quoted('Id')}"))
        # What formula fields show, by their objects, then by the ids of records and their names.
        self._worked_out: dict[str, dict[str, dict[str, Any]]] = {}

    def work_out(self, rows: Sequence[Sequence[Any]]) -> None:
        """Work out the formulas of the fields that rows are to show, for these records alone."""
        asked: dict[str, tuple[dict[str, Field], set[str]]] = {}
        for column in self.plan.columns:
            field = self._formula(column.chain) if isinstance(column, FieldColumn) else None
            if isinstance(column, FieldColumn) and field is not None:
                fields, ids = asked.setdefault(column.chain.object, ({}, set()))
                fields[field.name] = field
                place = self._place_of_record(column.chain)
                ids |= {str(row[place]) for row in rows if row[place] is not None}
        for name, (fields, ids) in asked.items():
            of = self.asker.schema.objects[name]
            self._worked_out[name] = values_by_id(of, list(fields.values()), ids, self.asker.looker)

    def _formula(self, chain: Chain) -> Field | None:
        """Return the field at the end of a path if a formula works it out."""
        of = self.asker.schema.find(chain.object)
        field = None if of is None else of.field(chain.field.name)
        return None if field is None or field.formula is None else field

    def _place_of_record(self, chain: Chain) -> int:
        return self._place_of_key(chain.hops) if chain.hops else self._own

    def record(self, row: Sequence[Any]) -> Record:
        """Return a row as a record, without its children."""
        found = self._head(self.plan.object.name, row[self._own])
        for column in self.plan.columns:
            if isinstance(column, FieldColumn):
                self._put(found, row, column.chain.hops, column.chain, column.keys[-1])
            elif isinstance(column, ValueColumn):
                self._put_value(found, row, column)
            elif isinstance(column, ChildColumn):
                found[column.relationship.name] = None
            else:
                nest = self._nest(found, row, column.path[:-1])
                if nest is not None:
                    nest[column.keys[-1]] = None
        return found

    def prepare(self) -> None:
        """Ask for every column, so that the statement has them before its rows come."""
        for column in self.plan.columns:
            if isinstance(column, FieldColumn):
                self._ask_for(column.chain.hops)
                if self._formula(column.chain) is not None:
                    continue
                for one in self._parts(column.chain).values():
                    self.selection.place(self.tables.column(one))
            elif isinstance(column, ValueColumn):
                piece = expression_sql(column.expression, self.tables, self.asker.calendar)
                self.selection.place(piece)
                for one in chains_of(column.expression):
                    self._ask_for(one.hops)
            elif isinstance(column, TypeOfColumn):
                self._ask_for(column.path)

    def _ask_for(self, hops: Sequence[Hop]) -> None:
        for place in range(1, len(hops) + 1):
            self._place_of_key(hops[:place])

    def _head(self, of: str, key: Any) -> Record:
        return {"attributes": {"type": of, "url": f"{self.root}/sobjects/{of}/{key}"}}

    def _place_of_key(self, hops: Sequence[Hop]) -> int:
        return self.selection.place(self.tables.key(hops))

    def _nest(self, found: Record, row: Sequence[Any], hops: Sequence[Hop]) -> Record | None:
        """Return the record of a parent within a record; None where there is no parent."""
        for place, hop in enumerate(hops, 1):
            key = row[self._place_of_key(hops[:place])]
            if key is None:
                found.setdefault(hop.key, None)
                return None
            nest = found.get(hop.key)
            if nest is None:
                nest = self._parent(hop, str(key))
                found[hop.key] = nest
            found = nest
        return found

    def _parent(self, hop: Hop, key: str) -> Record:
        of = self.asker.schema.of_id(key)
        kind = hop.target if of is None else of.name
        if of is not None:
            note_key(model_of(of)._meta.db_table, key, "list")
        shown = self._head(kind, key)
        if hop.target == NAME_OBJECT:
            shown["attributes"]["type"] = NAME_OBJECT
        return shown

    def _put(
        self, found: Record, row: Sequence[Any], hops: Sequence[Hop], chain: Chain, name: str
    ) -> None:
        nest = self._nest(found, row, hops)
        field = self._formula(chain)
        if field is not None:
            if nest is not None:
                values = self._worked_out[chain.object][str(row[self._place_of_record(chain)])]
                nest[name] = shown_value(values[field.name])
            return
        parts = self._parts(chain)
        values = {
            key: row[self.selection.place(self.tables.column(one))] for key, one in parts.items()
        }
        if nest is None:
            return
        if chain.type == "base64":
            of, _, key = nest["attributes"]["url"].rpartition("/")
            place = of.rpartition("/")[2]
            nest[name] = bytes_address(self.root, place, key, chain.field.name, values[""])
        elif chain.type != "address":
            nest[name] = _value(values[""], chain.type)
        elif any(value is not None for value in values.values()):
            nest[name] = {key: values.get(key) for key in ADDRESS_PARTS}
        else:
            nest[name] = None

    def _parts(self, chain: Chain) -> dict[str, Chain]:
        """Return the fields that a field is made of: those of an address, or itself under ""."""
        if chain.type != "address":
            return {"": chain}
        of = self.asker.schema.find(chain.object)
        stem = chain.field.name.removesuffix("Address")
        found = {}
        for key, part in ADDRESS_PARTS.items():
            field = None if of is None else of.field(f"{stem}{part}")
            if field is not None:
                found[key] = replace(
                    chain, field=replace(chain.field, name=field.name, type=field.type)
                )
        return found

    def _put_value(self, found: Record, row: Sequence[Any], column: ValueColumn) -> None:
        piece = expression_sql(column.expression, self.tables, self.asker.calendar)
        value = _result(column.expression, row[self.selection.place(piece)], self.asker)
        nest: Record = found
        for key in column.keys[:-1]:
            inner = nest.get(key)
            if inner is None:
                return
            nest = inner
        nest[column.keys[-1]] = value

    def add_children(self, keys: Sequence[str], records: Sequence[Record]) -> None:
        """Put the children of all records into them: one statement for each relationship."""
        for column in self.plan.columns:
            if isinstance(column, ChildColumn) and keys:
                self._add_children(column, keys, records)

    def _add_children(
        self, column: ChildColumn, keys: Sequence[str], records: Sequence[Record]
    ) -> None:
        field, plan = column.relationship.field, column.plan
        extra = Among(field, tuple(keys))
        whole = replace(plan, limit=None, offset=None)
        lists: dict[str, list[Record]] = {}
        for parent, child in _records(whole, self.asker, self.root, None, among=extra):
            lists.setdefault(str(parent), []).append(child)
        first = plan.offset or 0
        last = None if plan.limit is None else first + plan.limit
        for key, record in zip(keys, records, strict=True):
            shown = lists.get(key, [])[first:last]
            if shown:
                record[column.relationship.name] = {
                    "totalSize": len(shown),
                    "done": True,
                    "records": shown,
                }

    def add_branches(self, rows: Sequence[Sequence[Any]], records: Sequence[Record]) -> None:
        """Put what TYPEOF asks for into the records: one statement for each kind of parent."""
        for column in self.plan.columns:
            if not isinstance(column, TypeOfColumn):
                continue
            place = self._place_of_key(column.path)
            keys = {str(row[place]) for row in rows if row[place] is not None}
            shown = self._parents(column, keys)
            for row, record in zip(rows, records, strict=True):
                nest = self._nest(record, row, column.path[:-1])
                if nest is not None and row[place] is not None:
                    nest[column.keys[-1]] = shown.get(str(row[place]))

    def _parents(self, column: TypeOfColumn, keys: set[str]) -> Mapping[str, Record]:
        schema, found = self.asker.schema, dict[str, Record]()
        fields = {one.object: one.columns for one in column.branches}
        kinds: dict[str, list[str]] = {}
        for key in sorted(keys):
            of = schema.of_id(key)
            if of is not None:
                kinds.setdefault(of.name, []).append(key)
        for kind, own in kinds.items():
            columns = fields.get(kind)
            if columns is None:
                columns = column.otherwise
            found |= self._branch(kind, columns, own, is_named=kind in fields)
        return found

    def _branch(
        self, kind: str, columns: Sequence[FieldColumn], keys: Sequence[str], *, is_named: bool
    ) -> dict[str, Record]:
        if not columns:
            return {key: self._head(kind, key) for key in keys}
        of = self.asker.schema.objects[kind]
        if not is_named:
            columns = [one for one in columns if of.field(one.chain.field.name) is not None]
        asked = replace(
            self.plan,
            object=replace(self.plan.object, name=kind, label=of.label, key_prefix=of.prefix),
            columns=tuple(columns),
            where=None,
            order_by=(),
            limit=None,
            offset=None,
            scope="everything",
        )
        extra = Among("Id", tuple(keys))
        everywhere = replace(self.asker, with_deleted=True)
        rows = _records(asked, everywhere, self.root, None, among=extra)
        return {str(key): record for key, record in rows}


def _result(what: Expression, value: Any, asker: Asker) -> Any:
    """Return what an expression yields as JSON has it: in the user's manner if that is asked."""
    if not isinstance(what, Applied) or what.name != "FORMAT":
        return _value(value, what.type)
    found = _value(value, what.argument.type)
    if found is None:
        return None
    for chain in chains_of(what):
        of = asker.schema.find(chain.object)
        field = None if of is None else of.field(chain.field.name)
        # How many of a field there are is no value of it.
        if field is not None and what.argument.type == field.type:
            return display_value(field, found, asker.manner) or found
    return f"{found:,}" if isinstance(found, int | float) else found


def _value(value: Any, kind: str) -> Any:
    """Return a value of a statement as JSON has it."""
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    if kind == "datetime":
        return moment_text(value) if isinstance(value, datetime) else _moment_of_text(str(value))
    if kind == "date":
        return value.isoformat() if isinstance(value, date) else str(value)[:10]
    if kind in ("double", "currency", "percent"):
        return float(value)
    if kind in ("int", "long"):
        return int(value)
    return any_value(value) if kind == "anyType" else value


def _moment_of_text(text: str) -> str:
    """Return a moment that SQLite keeps, as answers have it."""
    fraction = (text[20:23] or "0").ljust(3, "0")
    return f"{text[:10]}T{text[11:19]}.{fraction}+0000"
