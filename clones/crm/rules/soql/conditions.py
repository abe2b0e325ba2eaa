"""From conditions to nodes of a plan, with values of the fields' types."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, TypeAlias, cast

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.dates import Days
from clones.crm.rules.soql.errors import SoqlError
from clones.crm.rules.soql.expressions import Where, expression
from clones.crm.rules.soql.paths import PathScope
from clones.crm.rules.soql.plan import (
    Compare,
    Distance,
    Expression,
    Includes,
    Like,
    OneOf,
    Ordering,
    PlanAll,
    PlanAny,
    PlanNode,
    PlanNot,
    PlanValue,
    WholeSelection,
    Within,
    chains_of,
)
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.semi_joins import SemiJoins
from clones.crm.rules.soql.strings import like_pattern
from clones.crm.rules.soql.values import IDS, PLACES, TEXTS, plan_value, require_length

_Value: TypeAlias = PlanValue | Days
_EQUAL: Final = frozenset({"=", "!="})


@dataclass(slots=True)
class ConditionResolver:
    """Resolve the conditions of one WHERE (or HAVING) clause.

    Args:
        scope: the object whose records are meant.
        where: which clause it is.
        semi_joins: the semi-joins of the clause, as far as it may have any.
    """

    scope: PathScope
    where: Where = "WHERE"
    semi_joins: SemiJoins = field(default_factory=SemiJoins)

    def resolve(self, condition: n.Condition) -> PlanNode:
        """Return the node that a condition comes to.

        Raises:
            SoqlError: a name, an operator or a value does not fit.
        """
        match condition:
            case n.AllOf(conditions):
                return PlanAll(tuple(self.resolve(part) for part in conditions))
            case n.AnyOf(conditions):
                with self.semi_joins.under("or"):
                    return PlanAny(tuple(self.resolve(part) for part in conditions))
            case n.Negation(inner):
                with self.semi_joins.under("nested"):
                    return PlanNot(self.resolve(inner))
            case n.SemiJoin():
                return self.semi_joins.resolve(condition, self.scope, inner_where)
            case n.Comparison():
                return self._comparison(condition)
            case n.InList():
                return self._in_list(condition)
            case n.SelectionTest():
                return self._selection(condition)

    def _left(self, operand: n.Operand) -> Expression:
        found = expression(operand, self.scope, self.where)
        if self.where == "WHERE":
            require_filterable(found, operand)
        return found

    def _value(self, literal: n.LiteralValue, left: Expression, operand: n.Operand) -> _Value:
        shown = print_operand(operand)
        if isinstance(operand, n.FunctionCall) and isinstance(literal, n.DateLiteral):
            # Of a function's result only plain values are asked.
            raise SoqlError(
                "INVALID_FIELD",
                f"value of filter criterion for field '{shown}' must be of type {left.type} and "
                "should not be enclosed in quotes",
                literal.span,
            )
        return plan_value(literal, left.type, shown, self.scope.context)

    def _comparison(self, comparison: n.Comparison) -> PlanNode:
        operand, operator = comparison.left, comparison.operator
        left = self._left(operand)
        _require_operator(left, operator, operand)
        if operator == "LIKE":
            literal = cast("n.StringValue", comparison.value)
            require_length(literal)
            return Like(left, like_pattern(literal.raw))
        value = self._value(comparison.value, left, operand)
        if isinstance(value, Days):
            return _within(left, operator, self._bounds(value, left))
        if value is None and operator not in _EQUAL:
            raise _no_operator(operator, operand)
        if left.type == "multipicklist" and isinstance(value, str):
            return WholeSelection(left, _choices(value), negated=operator == "!=")
        return Compare(left, operator, value)

    def _bounds(self, days: Days, left: Expression) -> tuple[date | datetime, date | datetime]:
        if left.type == "datetime":
            return days.moments(self.scope.context.calendar.zone)
        return days.start, days.end

    def _in_list(self, condition: n.InList) -> OneOf:
        left = self._left(condition.left)
        _require_operator(left, "=", condition.left)
        values: list[PlanValue] = []
        stretches: list[Within] = []
        for literal in condition.values:
            value = self._value(literal, left, condition.left)
            if isinstance(value, Days):
                stretches.append(Within(left, *self._bounds(value, left)))
            else:
                values.append(value)
        return OneOf(left, tuple(values), tuple(stretches), condition.negated)

    def _selection(self, condition: n.SelectionTest) -> Includes:
        left = self._left(condition.left)
        if left.type != "multipicklist":
            raise _no_operator("EXCLUDES" if condition.negated else "INCLUDES", condition.left)
        sets = []
        for literal in condition.values:
            value = self._value(literal, left, condition.left)
            sets.append(_choices(value) if isinstance(value, str) else ())
        return Includes(left, tuple(sets), condition.negated)


def inner_where(condition: n.Condition, scope: PathScope) -> PlanNode:
    """Return the node of the condition of a semi-join's own query."""
    return ConditionResolver(scope, semi_joins=SemiJoins(nested=True)).resolve(condition)


def require_filterable(found: Expression, operand: n.Operand) -> None:
    """Require that what is compared may be filtered by.

    Raises:
        SoqlError: it may not.
    """
    for chain in chains_of(found):
        # Of a place only the distance is compared, though describe calls it filterable.
        fits = chain.field.filterable and chain.type not in PLACES
        if not fits and not isinstance(found, Distance):
            shown = operand if isinstance(operand, n.FieldPath) else operand.arguments[0]
            raise SoqlError(
                "INVALID_FIELD",
                f"field '{print_operand(shown)}' can not be filtered in a query call",
                operand.span,
            )


def _require_operator(left: Expression, operator: n.Operator, operand: n.Operand) -> None:
    """Require that a type has an operator."""
    if operator == "LIKE":
        if left.type in IDS:
            raise SoqlError(
                "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on id field", operand.span
            )
        fits = left.type in TEXTS and left.type != "multipicklist"
    elif isinstance(left, Distance):
        fits = operator in {"<", ">"}
    elif left.type in {"multipicklist", "boolean"}:
        fits = operator in _EQUAL
    else:
        fits = True
    if not fits:
        raise _no_operator(operator, operand)


def _no_operator(operator: str, operand: n.Operand) -> SoqlError:
    return SoqlError(
        "INVALID_QUERY_FILTER_OPERATOR",
        f"invalid operator {operator} on field '{print_operand(operand)}'",
        operand.span,
    )


def _within(
    left: Expression, operator: Ordering, bounds: tuple[date | datetime, date | datetime]
) -> Within:
    start, end = bounds
    match operator:
        case "=" | "!=":
            return Within(left, start, end, negated=operator == "!=")
        case "<":
            return Within(left, None, start)
        case "<=":
            return Within(left, None, end)
        case ">":
            return Within(left, end, None)
        case ">=":
            return Within(left, start, None)


def _choices(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(choice for choice in text.split(";") if choice))
