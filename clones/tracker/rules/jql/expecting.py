"""Which names a query will ask a site for, so that the site can fetch them together."""

from __future__ import annotations

from collections import defaultdict

from clones.tracker.rules.jql import calling, values
from clones.tracker.rules.jql.fields import resolve_field
from clones.tracker.rules.jql.nodes import (
    Comparison,
    Function,
    Operand,
    Query,
    Value,
    comparisons,
    singles,
)
from clones.tracker.rules.jql.site import THINGS, SiteView


def expected_names(query: Query, site: SiteView) -> dict[str, frozenset[str]]:
    """Return the texts that stand for things of a site, by kind: literals and arguments."""
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for comparison in comparisons(query.where):
        for kind, operand in _operands(comparison, site):
            for single in singles(operand):
                if isinstance(single, Value):
                    wanted[kind].add(single.text)
                elif isinstance(single, Function):
                    for of, argument in calling.expected_names(single):
                        wanted[of].add(argument)
    return {kind: frozenset(texts) for kind, texts in wanted.items() if kind in THINGS}


def _operands(comparison: Comparison, site: SiteView) -> list[tuple[str, Operand | None]]:
    field = resolve_field(comparison.field, site)
    kind = values.thing(field.type.kind) if field is not None else ""
    found = [(kind, comparison.operand)]
    for predicate in comparison.predicates:
        if predicate.operator == "by":
            found.append(("user", predicate.operand))
        else:
            # Dates name nothing, but functions among them may.
            named = kind if predicate.operator in {"from", "to"} else ""
            found.append((named, predicate.operand))
    return found
