"""The tables of a statement: the records that are asked for, and their parents beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from clones.crm.models import model_of
from clones.crm.queries.soql.fragments import Sql, joined, quoted
from clones.crm.rules.schema import SObject, standard_schema
from clones.crm.rules.soql.paths import NAME_OBJECT
from clones.crm.rules.soql.plan import Chain, Hop

# What stands for a record among people, whatever its object calls it.
_NAME: Final = "Name"


class Tables:
    """The tables that a statement reads, each once: a parent is joined where a path first asks."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._aliases: dict[tuple[str, ...], str] = {}
        self._joins: list[Sql] = []

    @property
    def source(self) -> Sql:
        """What stands after FROM."""
        table = quoted(model_of(self.root)._meta.db_table)
        return joined([Sql(f"{table} t0"), *self._joins], " ")

    def column(self, chain: Chain) -> Sql:
        """Return the value at the end of a path."""
        found = self._end(chain.hops, chain.field.name)
        if chain.field.type == "boolean" and chain.hops:
            return Sql("COALESCE({}, FALSE)").format(found)
        return found

    def key(self, hops: Sequence[Hop]) -> Sql:
        """Return the id of the record at the end of a path: null where there is none."""
        return self._end(hops, "Id")

    def _end(self, hops: Sequence[Hop], name: str) -> Sql:
        if not hops:
            return Sql(f"t0.{quoted(name)}")
        last = hops[-1]
        if last.target != NAME_OBJECT:
            return Sql(f"{self._joined(hops)}.{quoted(name)}")
        own = self._end(hops[:-1], last.field.name)
        if name == "Id":
            return own
        if name == "Type":
            return _type_of(own, last.field.reference_to)
        found = [
            Sql(f"{self._candidate(hops, one)}.{quoted(field)}")
            for one, field in _having(last.field.reference_to, name)
        ]
        if not found:
            return Sql("NULL")
        return found[0] if len(found) == 1 else Sql(f"COALESCE({joined(found, ', ').text})")

    def _joined(self, hops: Sequence[Hop]) -> str:
        """Return the alias of the parent at the end of a path, joining it if nobody did."""
        return self._join(hops, hops[-1].target)

    def _candidate(self, hops: Sequence[Hop], target: str) -> str:
        """Return the alias of a parent that may be a record of `target`."""
        return self._join(hops, target)

    def _join(self, hops: Sequence[Hop], target: str) -> str:
        path = (*(hop.key for hop in hops), target)
        if path not in self._aliases:
            own = self._end(hops[:-1], hops[-1].field.name)
            # `own` may join another parent, which then stands before this one.
            alias = f"t{len(self._aliases) + 1}"
            self._aliases[path] = alias
            table = quoted(model_of(target)._meta.db_table)
            join = Sql(f"LEFT JOIN {table} {alias} ON {alias}.{quoted('Id')} = {{}}")
            self._joins.append(join.format(own))
        return self._aliases[path]


def _having(names: Sequence[str], field: str) -> list[tuple[str, str]]:
    """Return those of some objects that have a field, and how each spells it.

    What stands for a record among people is its `Name`, whatever it is called there.
    """
    found = []
    for name in names:
        of = standard_schema().find(name)
        known = (
            None if of is None else of.field(field) or (of.name_field if field == _NAME else None)
        )
        if of is not None and known is not None:
            found.append((of.name, known.name))
    return found


def _type_of(key: Sql, names: Sequence[str]) -> Sql:
    """Return the name of the object that an id is one of."""
    known: Mapping[str, SObject] = standard_schema().objects
    cases = "".join(f" WHEN '{known[name].prefix}' THEN '{name}'" for name in names)
    return Sql(f"CASE SUBSTR({{}}, 1, 3){cases} END").format(key)
