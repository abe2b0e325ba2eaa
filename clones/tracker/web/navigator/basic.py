"""Queries as people put them together by menus, and back to text.

A query can be shown so if it is a list of fields with values that must all hold, each field once;
any other is for the editor alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clones.core.digits import is_digits
from clones.tracker.rules.jql import JqlError, Query, parse
from clones.tracker.rules.jql.nodes import And, Clause, Comparison, Empty, Field, List, Sort, Value
from clones.tracker.rules.jql.printing import print_operand, print_query
from clones.tracker.rules.jql.words import quoted

EMPTY: Final = "EMPTY"
TEXT: Final = "text"


@dataclass(frozen=True, slots=True)
class Criterion:
    """A menu: the name of its field in queries and in addresses, and what else queries call it.

    `always` says whether it stands there without being asked for.
    """

    name: str
    label: str
    aliases: tuple[str, ...] = ()
    always: bool = False
    extra: tuple[tuple[str, str], ...] = ()


CRITERIA: Final = (
    Criterion("project", "Space", ("space",), always=True),
    Criterion("issuetype", "Type", ("type", "worktype"), always=True),
    Criterion("status", "Status", always=True),
    Criterion(
        "assignee",
        "Assignee",
        always=True,
        extra=(("currentUser()", "Current user"), (EMPTY, "Unassigned")),
    ),
    Criterion("reporter", "Reporter", extra=(("currentUser()", "Current user"),)),
    Criterion("priority", "Priority"),
    Criterion("resolution", "Resolution"),
    Criterion("statusCategory", "Status category"),
    Criterion("labels", "Labels", extra=((EMPTY, "No labels"),)),
    Criterion("component", "Components", extra=((EMPTY, "No component"),)),
    Criterion("fixVersion", "Fix versions", extra=((EMPTY, "No version"),)),
    Criterion("sprint", "Sprint", extra=(("openSprints()", "Open sprints"), (EMPTY, "No sprint"))),
)
_BY_NAME: Final[Mapping[str, str]] = {
    alias.lower(): one.name for one in CRITERIA for alias in (one.name, *one.aliases)
}


@dataclass(slots=True)
class Basic:
    """What the menus say: values, as queries write them, by the criterion; words; the order."""

    chosen: dict[str, list[str]] = field(default_factory=dict)
    text: str = ""
    order: tuple[Sort, ...] = ()


def basic_of(jql: str) -> Basic | None:
    """Return a query as the menus show it, None if they cannot."""
    try:
        query = parse(jql)
    except JqlError:
        return None
    found = Basic(order=query.order_by)
    for clause in _parts(query.where):
        if not isinstance(clause, Comparison) or not _take(clause, found):
            return None
    return found


def _parts(clause: Clause | None) -> Sequence[Clause]:
    if clause is None:
        return ()
    return clause.clauses if isinstance(clause, And) else (clause,)


def _take(clause: Comparison, found: Basic) -> bool:
    if clause.predicates or clause.field.properties or clause.operand is None:
        return False
    name = clause.field.name.lower()
    if name in {TEXT, "textfields"} and clause.operator == "~" and not found.text:
        if not isinstance(clause.operand, Value):
            return False
        found.text = clause.operand.text.removesuffix("*")
        return bool(found.text)
    known = _BY_NAME.get(name)
    if known is None or known in found.chosen:
        return False
    operand = clause.operand
    if clause.operator == "in" and isinstance(operand, List):
        found.chosen[known] = [print_operand(part) for part in operand.operands]
    elif clause.operator == "=" or (clause.operator == "is" and isinstance(operand, Empty)):
        found.chosen[known] = [print_operand(operand)]
    else:
        return False
    return True


def jql_of(chosen: Mapping[str, Sequence[str]], text: str, order: Iterable[Sort] = ()) -> str:
    """Return the query of what menus say; values that are no operands are taken as texts."""
    parts = []
    for one in CRITERIA:
        values = [_operand(value) for value in dict.fromkeys(chosen.get(one.name, ())) if value]
        if len(values) == 1:
            parts.append(f"{one.name} {'is' if values[0] == EMPTY else '='} {values[0]}")
        elif values:
            parts.append(f"{one.name} in ({', '.join(values)})")
    if words := text.strip():
        parts.append(f"text ~ {quoted(words + '*' if words[-1].isalnum() else words)}")
    sorts = print_query(Query(None, tuple(order)))
    return " ".join([" AND ".join(parts), sorts]).strip()


def _operand(text: str) -> str:
    """Return an operand as it stands in a query, whatever an address holds."""
    try:
        where = parse(f"x = {text}").where
    except JqlError:
        return quoted(text)
    return print_operand(where.operand) if isinstance(where, Comparison) and where.operand else ""


def sorted_by(jql: str, name: str, *, descending: bool) -> str:
    """Return a query in another order; a text that is no query comes back as it is."""
    try:
        query = parse(jql)
    except JqlError:
        return jql
    number = name.removeprefix("cf[").removesuffix("]")
    is_custom = name.startswith("cf[") and is_digits(number)
    target = Field(name, int(number)) if is_custom else Field(name)
    sort = Sort(target, "desc" if descending else "asc")
    return print_query(Query(query.where, (sort,)))


def first_sort(jql: str) -> Sort | None:
    """Return what a query sorts by first, None if it does not say."""
    try:
        query = parse(jql)
    except JqlError:
        return None
    return query.order_by[0] if query.order_by else None
