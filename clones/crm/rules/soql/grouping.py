"""Grouped queries: what may stand in SELECT, HAVING and ORDER BY beside GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.conditions import ConditionResolver
from clones.crm.rules.soql.errors import SoqlError, malformed
from clones.crm.rules.soql.expressions import expression
from clones.crm.rules.soql.paths import PathScope
from clones.crm.rules.soql.plan import Applied, Chain, Expression, PlanGroups
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.semi_joins import SemiJoins
from clones.crm.rules.soql.words import kind_of

MOST_SUBTOTALS: Final = 3  # keys of ROLLUP and CUBE
# What keeps an expression from being one of each record.
_GROUPS: Final = frozenset({"aggregate", "date", "grouping"})


@dataclass(frozen=True, slots=True)
class GroupRules:
    """The keys of a grouped query, against which other expressions are judged."""

    keys: tuple[Expression, ...]
    kind: Literal["plain", "rollup", "cube"] = "plain"
    _known: frozenset[Expression] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", frozenset(self.keys))

    def require(self, operand: n.Operand, found: Expression, *, ordered: bool = False) -> None:
        """Require that an expression has one value for each group.

        Raises:
            SoqlError: it is of single records, or it aggregates what is grouped.
        """
        if not self._is_of_groups(found, operand):
            who = "Ordered field" if ordered else "Field"
            raise malformed(
                f"{who} must be grouped or aggregated: {print_operand(operand)}", operand.span
            )

    def _is_of_groups(self, found: Expression, operand: n.Operand) -> bool:
        if found in self._known:
            return True
        if not isinstance(found, Applied):
            return False
        match kind_of(found.name):
            case "aggregate":
                if found.argument in self._known:
                    raise self._aggregated(operand)
                return True
            case "grouping":
                if self.kind == "plain" or found.argument not in self._known:
                    raise malformed(
                        "GROUPING() takes a field of GROUP BY ROLLUP or GROUP BY CUBE", operand.span
                    )
                return True
            case _:
                return self._is_of_groups(found.argument, operand)

    def _aggregated(self, operand: n.Operand) -> SoqlError:
        inner = operand
        while isinstance(inner, n.FunctionCall) and isinstance(
            inner.arguments[0], n.FieldPath | n.FunctionCall
        ):
            inner = inner.arguments[0]
        return malformed(
            f"Grouped field should not be aggregated: {print_operand(inner)}", operand.span
        )


def is_grouped(query: n.Query) -> bool:
    """Tell whether the rows of a query are groups: by GROUP BY, or by a function of groups."""
    return query.group_by is not None or any(
        isinstance(item, n.SelectedCall) and _makes_groups(item.call) for item in query.select
    )


def counts_rows(query: n.Query) -> bool:
    """Tell whether a query is `SELECT COUNT()` alone."""
    first = query.select[0]
    return (
        len(query.select) == 1
        and query.group_by is None
        and isinstance(first, n.SelectedCall)
        and first.call.name == "COUNT"
        and not first.call.arguments
    )


def aggregates(call: n.Argument) -> bool:
    """Tell whether a call is an aggregate, or holds one."""
    return isinstance(call, n.FunctionCall) and (
        kind_of(call.name) == "aggregate" or any(map(aggregates, call.arguments))
    )


def _makes_groups(call: n.FunctionCall) -> bool:
    return kind_of(call.name) in _GROUPS or aggregates(call)


def group_rules(query: n.Query, scope: PathScope) -> GroupRules:
    """Return the keys that a grouped query names.

    Raises:
        SoqlError: a key may not be grouped by, or there are too many.
    """
    if query.group_by is None:
        return GroupRules(())
    group_by = query.group_by
    if group_by.kind != "plain" and len(group_by.keys) > MOST_SUBTOTALS:
        raise malformed(
            f"GROUP BY {group_by.kind.upper()} takes at most {MOST_SUBTOTALS} fields",
            group_by.keys[MOST_SUBTOTALS].span,
        )
    return GroupRules(tuple(_key(key, scope) for key in group_by.keys), group_by.kind)


def _key(operand: n.Operand, scope: PathScope) -> Expression:
    found = expression(operand, scope, "GROUP BY")
    if isinstance(found, Chain) and (not found.field.groupable or found.type == "multipicklist"):
        raise malformed(
            f"field '{print_operand(operand)}' can not be grouped in a query call", operand.span
        )
    return found


def plan_groups(query: n.Query, rules: GroupRules, scope: PathScope) -> PlanGroups:
    """Return the groups of a query with what HAVING asks of them.

    Raises:
        SoqlError: HAVING asks for what is not of groups.
    """
    having = None if query.group_by is None else query.group_by.having
    if having is None:
        return PlanGroups(rules.keys, rules.kind)
    for part in n.conditions_in(having):
        if isinstance(part, n.SemiJoin):
            raise malformed("Semi join sub-selects are not allowed in HAVING", part.left.span)
        if isinstance(part, n.Comparison | n.InList | n.SelectionTest):
            rules.require(part.left, expression(part.left, scope, "HAVING"))
    resolver = ConditionResolver(scope, "HAVING", SemiJoins(nested=True))
    return PlanGroups(rules.keys, rules.kind, resolver.resolve(having))
