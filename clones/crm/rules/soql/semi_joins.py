"""Semi-joins and anti-joins: `Id IN (SELECT AccountId FROM Contact)`, and what they may not do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.paths import PathScope, object_scope
from clones.crm.rules.soql.plan import Chain, InnerPlan, InQuery, PlanNode
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.values import IDS

MOST: Final = 2
# Objects that no semi-join looks into; those whose names end in Tag neither.
_NEVER: Final = frozenset(
    {
        "ActivityHistory", "Attachment", "Event", "EventAttendee", "Note", "OpenActivity", "Task",
    }
)  # fmt: skip


@dataclass(slots=True)
class SemiJoins:
    """The semi-joins of one WHERE clause; `nested` where none may stand, being in one already."""

    nested: bool = False
    number: int = 0
    _around: list[Literal["or", "nested"]] = field(default_factory=list)

    @contextmanager
    def under(self, around: Literal["or", "nested"]) -> Iterator[None]:
        """Say that what is resolved meanwhile stands under OR, or within NOT."""
        self._around.append(around)
        try:
            yield
        finally:
            self._around.pop()

    def resolve(
        self,
        join: n.SemiJoin,
        scope: PathScope,
        where: Callable[[n.Condition, PathScope], PlanNode],
    ) -> InQuery:
        """Return the node of a semi-join; `where` resolves its own condition.

        Raises:
            SoqlError: it may not stand there, or its two sides do not fit.
        """
        self._require_place(join)
        left = _left(join, scope)
        query = join.query
        inner_scope = object_scope(scope.context, (query.source,))
        field = _inner(query, inner_scope)
        inner = inner_scope.root
        if inner.name in _NEVER or inner.name.endswith("Tag"):
            raise malformed(
                f"Entity '{inner.name}' is not supported for semi join inner selects",
                query.source.path.span,
            )
        if inner.name == scope.root.name:
            raise malformed(
                "The inner and outer selects should not be on the same object type",
                query.source.path.span,
            )
        if not _targets(left) & _targets(field):
            raise malformed(
                f"The selected field '{field.field.name}' in the subquery and the left operand "
                f"field in the where expression in the outer query '{left.field.name}' should "
                "point to the same object type",
                join.left.span,
            )
        narrowed = inner.name if left.field.polymorphic and field.type == "id" else None
        condition = None if query.where is None else where(query.where, inner_scope)
        return InQuery(left, InnerPlan(inner.name, field, condition), join.negated, narrowed)

    def _require_place(self, join: n.SemiJoin) -> None:
        at = join.left.span
        if self.nested:
            raise malformed("Nesting of semi join sub-selects is not supported", at)
        if self._around:
            if self._around[-1] == "or":
                raise malformed("Semi join sub-selects are not allowed with the 'OR' operator", at)
            raise malformed(
                "Semi join sub-selects are only allowed at the top level WHERE expressions and not "
                "in nested WHERE expressions.",
                at,
            )
        self.number += 1
        if self.number > MOST:
            raise malformed(f"Maximum {MOST} semi join sub-selects are allowed", at)


def _left(join: n.SemiJoin, scope: PathScope) -> Chain:
    if not isinstance(join.left, n.FieldPath):
        raise _only_ids(join.left)
    left = scope.chain(join.left)
    if len(join.left.names) > 1 and join.left.names[0].lower() not in scope.aliases:
        raise malformed(
            "left operand field cannot have more than one level of relationships", join.left.span
        )
    if left.type not in IDS:
        raise _only_ids(join.left)
    return left


def _inner(query: n.InnerSelect, scope: PathScope) -> Chain:
    if not isinstance(query.operand, n.FieldPath):
        raise _only_ids(query.operand)
    found = scope.chain(query.operand)
    qualified = len(query.operand.names) > 1
    if found.hops or (qualified and query.operand.names[0].lower() not in scope.aliases):
        raise malformed(
            "inner select field cannot have more than one level of relationships", query.span
        )
    if found.type not in IDS:
        raise _only_ids(query.operand)
    return found


def _only_ids(operand: n.Operand) -> Exception:
    return malformed(
        f"Semi join sub-selects can only query id fields, cannot use: '{print_operand(operand)}'",
        operand.span,
    )


def _targets(chain: Chain) -> frozenset[str]:
    """Return the objects whose ids a field has."""
    return frozenset({chain.object} if chain.type == "id" else chain.field.reference_to)
