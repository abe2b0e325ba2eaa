"""The tables of a statement: the records that are asked for, and their parents beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db import connection

from clones.crm.models import CustomValues, model_of
from clones.crm.queries.formula_values import values_of_all
from clones.crm.queries.formulas import Looker
from clones.crm.queries.soql.fragments import Sql, joined, parameter, quoted
from clones.crm.rules.schema import Field, OrgSchema
from clones.crm.rules.soql.paths import NAME_OBJECT
from clones.crm.rules.soql.plan import Chain, Hop

# What stands for a record among people, whatever its object calls it.
_NAME: Final = "Name"
# The end of a path to the values of custom fields, which lie beside a record.
_BESIDE: Final = "__c"
# What stands for nothing in a row: the end of a path to the values of a formula.
_WORKED_OUT: Final = "="
# The types of PostgreSQL that hold the values of formulas, where they are no texts.
_CASTS: Final = {
    "boolean": "boolean",
    "date": "date",
    "datetime": "timestamptz",
    "double": "double precision",
    "currency": "double precision",
    "percent": "double precision",
}
_VALUES_JOIN: Final = {
    "sqlite": """LEFT JOIN (SELECT json_extract(value, '$[0]') AS id,
 json_extract(value, '$[1]') AS v FROM json_each(%s)) {alias} ON {alias}.id = {own}""",
    "postgresql": """LEFT JOIN (SELECT e->>0 AS id, CAST(e->>1 AS {kind}) AS v
 FROM jsonb_array_elements(CAST(%s AS jsonb)) AS e) {alias} ON {alias}.id = {own}""",
}


class Tables:
    """The tables that a statement reads, each once: a parent is joined where a path first asks.

    `looker` is for whom formulas are worked out. Their values are joined like a table, since no
    engine reckons as formulas do: in decimals, with their own blanks and errors. `rows` stand for
    the table of the root where it has none.
    """

    def __init__(
        self, root: str, schema: OrgSchema, looker: Looker, rows: Sql | None = None
    ) -> None:
        self.root = root
        self.rows = rows
        self.schema = schema
        self.looker = looker
        self._aliases: dict[tuple[str, ...], str] = {}
        self._joins: list[Sql] = []

    @property
    def source(self) -> Sql:
        """What stands after FROM."""
        rows = self.rows or Sql(self._table(self.root))
        return joined([Sql("{} t0").format(rows), *self._joins], " ")

    @property
    def own(self) -> Sql | None:
        """The condition that its table's records are those of the object; None where all are."""
        if not self.schema.objects[self.root].is_custom:
            return None
        return Sql(f"t0.{quoted('Object')} = %s", (self.root,))

    def column(self, chain: Chain) -> Sql:
        """Return the value at the end of a path."""
        found = self._end(chain.hops, chain.field.name)
        if chain.field.type == "boolean" and (chain.hops or chain.field.custom):
            return Sql("COALESCE({}, FALSE)").format(found)
        return found

    def key(self, hops: Sequence[Hop]) -> Sql:
        """Return the id of the record at the end of a path: null where there is none."""
        return self._end(hops, "Id")

    def field(self, name: str) -> Sql:
        """Return a field of the records that are asked for."""
        return self._end((), name)

    def _end(self, hops: Sequence[Hop], name: str) -> Sql:
        if not hops:
            return self._column("t0", (), self.root, name)
        last = hops[-1]
        if last.target != NAME_OBJECT:
            return self._column(self._join(hops, last.target), _path(hops), last.target, name)
        own = self._end(hops[:-1], last.field.name)
        if name == "Id":
            return own
        if name == "Type":
            return _type_of(own, last.field.reference_to, self.schema)
        found = [
            self._column(self._join(hops, one), _path(hops), one, field)
            for one, field in _having(last.field.reference_to, name, self.schema)
        ]
        if not found:
            return Sql("NULL")
        return found[0] if len(found) == 1 else Sql("COALESCE({})").format(joined(found, ", "))

    def _column(self, alias: str, path: tuple[str, ...], of: str, name: str) -> Sql:
        """Return a field of the records of an alias: a column of theirs, or beside them."""
        field = self.schema.objects[of].field(name)
        if field is not None and field.formula is not None:
            return self._worked_out(alias, path, of, field)
        if field is None or field.slot is None:
            return Sql(f"{alias}.{quoted(name)}")
        beside = (*path, of, _BESIDE)
        if beside not in self._aliases:
            self._aliases[beside] = f"t{len(self._aliases) + 1}"
            table, values = quoted(CustomValues._meta.db_table), self._aliases[beside]
            key = quoted("Id")
            self._joins.append(Sql(f"LEFT JOIN {table} {values} ON {values}.{key} = {alias}.{key}"))
        return Sql(f"{self._aliases[beside]}.{quoted(field.slot)}")

    def _worked_out(self, alias: str, path: tuple[str, ...], of: str, field: Field) -> Sql:
        """Return what a formula field shows of the records of an alias."""
        key = (*path, of, field.name, _WORKED_OUT)
        if key not in self._aliases:
            self._aliases[key] = f"t{len(self._aliases) + 1}"
            values = values_of_all(self.schema.objects[of], field, self.looker)
            given = json.dumps([[id, _in_json(value)] for id, value in values])
            join = _VALUES_JOIN[connection.vendor].format(
                alias=self._aliases[key],
                own=f"{alias}.{quoted('Id')}",
                kind=_CASTS.get(field.type, "text"),
            )
            self._joins.append(Sql(join, (given,)))
        return Sql(f"{self._aliases[key]}.v")

    def _join(self, hops: Sequence[Hop], target: str) -> str:
        """Return the alias of the parent at the end of a path, joining it if nobody did."""
        path = (*_path(hops), target)
        if path not in self._aliases:
            own = self._end(hops[:-1], hops[-1].field.name)
            # `own` may join another parent, which then stands before this one.
            alias = f"t{len(self._aliases) + 1}"
            self._aliases[path] = alias
            join = Sql(f"LEFT JOIN {self._table(target)} {alias} ON {alias}.{quoted('Id')} = {{}}")
            self._joins.append(join.format(own))
        return self._aliases[path]

    def _table(self, of: str) -> str:
        return quoted(model_of(self.schema.objects[of])._meta.db_table)


def _in_json(value: Any) -> Any:
    """Return a value of a formula as a statement's list of them has it."""
    if isinstance(value, str):
        return value.replace("\0", "")
    return str(parameter(value)) if isinstance(value, date | datetime) else value


def _path(hops: Sequence[Hop]) -> tuple[str, ...]:
    return tuple(hop.key for hop in hops)


def _having(names: Sequence[str], field: str, schema: OrgSchema) -> list[tuple[str, str]]:
    """Return those of some objects that have a field, and how each spells it.

    What stands for a record among people is its `Name`, whatever it is called there.
    """
    found = []
    for name in names:
        of = schema.find(name)
        known = (
            None if of is None else of.field(field) or (of.name_field if field == _NAME else None)
        )
        if of is not None and known is not None:
            found.append((of.name, known.name))
    return found


def _type_of(key: Sql, names: Sequence[str], schema: OrgSchema) -> Sql:
    """Return the name of the object that an id is one of."""
    cases = "".join(f" WHEN '{schema.objects[name].prefix}' THEN '{name}'" for name in names)
    return Sql(f"CASE SUBSTR({{}}, 1, 3){cases} END").format(key)
