"""From the SELECT list to columns: names of the answer, FIELDS(), TYPEOF."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.errors import SoqlError, malformed, no_object
from clones.crm.rules.soql.expressions import expression
from clones.crm.rules.soql.grouping import GroupRules
from clones.crm.rules.soql.paths import NAME_OBJECT, PathScope
from clones.crm.rules.soql.plan import (
    Applied,
    Chain,
    FieldColumn,
    Hop,
    PlanBranch,
    PlanColumn,
    TypeOfColumn,
    ValueColumn,
)
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.schema import SchemaObject
from clones.crm.rules.soql.words import kind_of

MOST_OF_FIELDS: Final = 200  # rows of a query with FIELDS(ALL) or FIELDS(CUSTOM)
_NOT_ALIASED: Final = "only aggregate expressions use field aliasing"


@dataclass(slots=True)
class ColumnResolver:
    """Resolve what is selected, one item after the other.

    Args:
        scope: the object whose records are meant.
        query: whose SELECT list it is.
        rules: the keys of a grouped query; None where rows are records.
    """

    scope: PathScope
    query: n.Query
    rules: GroupRules | None
    _taken: set[tuple[str, ...]] = field(default_factory=set)
    _unnamed: int = 0
    # The parents of which fields are shown, and those of which TYPEOF shows some.
    _nests: set[str] = field(default_factory=set)
    _typed: set[str] = field(default_factory=set)

    def resolve(self, item: n.SelectItem) -> list[PlanColumn]:
        """Return the columns that an item comes to, all but those of children.

        Raises:
            SoqlError: a name is not there, or may not stand beside the others.
        """
        match item:
            case n.SelectedField():
                return [self._field(item)]
            case n.SelectedCall():
                return [self._call(item)]
            case n.SelectedGroup():
                return self._group(item)
            case n.TypeOf():
                return [self._type_of(item)]
            case n.ChildSelect():
                raise ValueError(item)

    def _take(self, keys: tuple[str, ...], at: n.TextSpan) -> tuple[str, ...]:
        """Return the name of a column, having required that no other has it."""
        folded = tuple(key.lower() for key in keys)
        if folded in self._taken:
            if self.rules is None:
                raise SoqlError("INVALID_FIELD", f"duplicate field selected: {'.'.join(keys)}", at)
            raise malformed(f"duplicate alias: {keys[-1]}", at)
        self._taken.add(folded)
        return keys

    def _next_unnamed(self) -> str:
        self._unnamed += 1
        return f"expr{self._unnamed - 1}"

    def _field(self, item: n.SelectedField) -> FieldColumn:
        chain = self.scope.chain(item.path)
        at = item.path.span
        if self.rules is not None:
            self.rules.require(item.path, chain)
            return FieldColumn(chain, self._take((item.alias or chain.field.name,), at))
        if item.alias is not None:
            raise malformed(_NOT_ALIASED)
        self._nest(chain, at)
        return FieldColumn(chain, self._take(chain.keys, at))

    def _nest(self, chain: Chain, at: n.TextSpan) -> None:
        if not chain.hops:
            return
        first = chain.hops[0].key
        self._nests.add(first)
        if first in self._typed:
            raise _shared(first, at)

    def _call(self, item: n.SelectedCall) -> ValueColumn:
        call, text = item.call, print_operand(item.call)
        found = expression(call, self.scope, "SELECT")
        if self.rules is not None:
            self.rules.require(call, found)
        if item.alias is not None:
            return ValueColumn(found, self._take((item.alias,), call.span), text)
        inner = found.argument if isinstance(found, Applied) else None
        if isinstance(inner, Chain) and kind_of(call.name) in {"shown", "money"}:
            # What only changes how a field is shown keeps its name.
            keys = inner.keys if self.rules is None else inner.keys[-1:]
            if self.rules is None:
                self._nest(inner, call.span)
            return ValueColumn(found, self._take(keys, call.span), text)
        return ValueColumn(found, self._take((self._next_unnamed(),), call.span), text)

    def _group(self, item: n.SelectedGroup) -> list[PlanColumn]:
        if self.rules is not None:
            raise malformed("The SOQL FIELDS function cannot be used in a grouped query", item.span)
        if item.group != "STANDARD" and not self._is_bounded():
            raise malformed(
                f"The SOQL FIELDS function must have a LIMIT of at most {MOST_OF_FIELDS}"
            )
        root = self.scope.root.name
        columns: list[PlanColumn] = []
        for described in self.scope.context.schema.fields(root):
            if item.group == "ALL" or described.custom == (item.group == "CUSTOM"):
                chain = Chain(root, (), described)
                columns.append(FieldColumn(chain, self._take(chain.keys, item.span)))
        return columns

    def _is_bounded(self) -> bool:
        limit = self.query.limit
        return (limit is not None and limit <= MOST_OF_FIELDS) or _names_ids(self.query.where)

    def _type_of(self, item: n.TypeOf) -> TypeOfColumn:
        at = item.path.span
        if self.rules is not None or any(
            isinstance(other, n.SelectedCall) for other in self.query.select
        ):
            raise malformed("TYPEOF cannot be used in a query with functions", at)
        path = self.scope.parent(item.path)
        if not path or not path[-1].field.polymorphic:
            raise malformed(f"TYPEOF takes a polymorphic relationship: {item.path.text}", at)
        first = path[0].key
        if first in self._typed or first in self._nests:
            raise _shared(first, at)
        self._typed.add(first)
        branches = tuple(self._branch(branch, path) for branch in item.branches)
        schema = self.scope.context.schema
        named = schema.object(NAME_OBJECT) or SchemaObject(NAME_OBJECT, "Name", queryable=False)
        otherwise = self._of_parent(item.otherwise, named)
        return TypeOfColumn(path, branches, otherwise)

    def _branch(self, branch: n.TypeBranch, path: tuple[Hop, ...]) -> PlanBranch:
        found = self.scope.context.schema.object(branch.type.text)
        if found is None or found.name not in path[-1].field.reference_to:
            raise no_object(branch.type.text, branch.type.span)
        keys = (self.scope.root.name, *(hop.key for hop in path), found.name)
        self.scope.parents.add(*keys, at=branch.type.span)
        return PlanBranch(found.name, self._of_parent(branch.fields, found))

    def _of_parent(
        self, paths: tuple[n.FieldPath, ...], root: SchemaObject
    ) -> tuple[FieldColumn, ...]:
        scope = PathScope(self.scope.context, root, {}, self.scope.parents)
        chains = [scope.chain(path) for path in paths]
        return tuple(FieldColumn(chain, chain.keys) for chain in chains)


def _shared(relationship: str, at: n.TextSpan) -> SoqlError:
    return malformed(
        f"The relationship '{relationship}' cannot be used both in TYPEOF and in another field", at
    )


def _names_ids(where: n.Condition | None) -> bool:
    """Tell whether a condition leaves at most 200 records, by their ids."""
    match where:
        case n.AllOf(conditions):
            return any(map(_names_ids, conditions))
        case n.Comparison(n.FieldPath(names), "=", _):
            return names[-1].lower() == "id" and len(names) == 1
        case n.InList(n.FieldPath(names), values, False):
            return names[-1].lower() == "id" and len(names) == 1 and len(values) <= MOST_OF_FIELDS
        case _:
            return False
