"""Queries with other values: names that a reader may not see as ids, people by their account ids.

Only the values change: the rest of the text stays as it was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from clones.tracker.rules.jql import calling, words
from clones.tracker.rules.jql.expecting import expected_names
from clones.tracker.rules.jql.fields import resolve_field
from clones.tracker.rules.jql.nodes import (
    Comparison,
    Function,
    Operand,
    Value,
    comparisons,
    singles,
)
from clones.tracker.rules.jql.parser import parse
from clones.tracker.rules.jql.printing import print_operand
from clones.tracker.rules.jql.site import ResolvedField, SiteView

# Kinds of things that not everybody sees, and whose names are therefore told by their ids.
_HIDDEN: Final = frozenset({"project", "issue", "filter"})


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value of a query with what it is the value of: a kind, and a field where there is one."""

    value: Value
    kind: str
    field: ResolvedField


def named_values(text: str, site: SiteView) -> Iterator[NamedValue]:
    """Yield the literals of a query, in the order of the text, without those of unknown fields.

    Raises:
        JqlSyntaxError: the text is no query.
    """
    for comparison in comparisons(parse(text).where):
        field = resolve_field(comparison.field, site)
        if field is None:
            continue
        for kind, operand in _operands(comparison, field):
            for single in singles(operand):
                if isinstance(single, Value):
                    yield NamedValue(single, kind, field)


def _operands(comparison: Comparison, field: ResolvedField) -> Iterator[tuple[str, Operand]]:
    if comparison.operand is not None:
        yield field.type.kind, comparison.operand
    for predicate in comparison.predicates:
        if predicate.operator == "by":
            yield "user", predicate.operand
        elif predicate.operator in {"from", "to"}:
            yield field.type.kind, predicate.operand


def rewritten(text: str, change: Callable[[NamedValue], Value | None], site: SiteView) -> str:
    """Return a query with other literals where `change` returns one.

    Raises:
        JqlSyntaxError: the text is no query.
    """
    changes = [
        (named.value.span, print_operand(new))
        for named in named_values(text, site)
        if (new := change(named)) is not None
    ]
    for span, written in sorted(changes, key=lambda pair: pair[0].start, reverse=True):
        text = text[: span.start] + written + text[span.end :]
    return text


def sanitised(text: str, site: SiteView, reader: SiteView) -> str:
    """Return a query in which what its reader may not see has its id for a name.

    Args:
        text: JQL.
        site: what somebody sees who sees all.
        reader: what the reader sees.

    Raises:
        JqlSyntaxError: the text is no query.
    """

    def change(named: NamedValue) -> Value | None:
        if named.kind not in _HIDDEN or _sees(reader, named.kind, named.value.text, named.field):
            return None
        ids = site.named(named.kind, named.value.text, named.field)
        return Value(ids[0], number=words.whole_number(ids[0]) is not None) if ids else None

    expected = expected_names(parse(text), site)
    site.expect(expected)
    reader.expect(expected)
    return rewritten(_without_keys(text, site, reader), change, site)


def _sees(reader: SiteView, kind: str, text: str, field: ResolvedField | None) -> bool:
    return bool(reader.named(kind, text, field)) or reader.identified(kind, text, field)


def _without_keys(text: str, site: SiteView, reader: SiteView) -> str:
    calls = [
        single
        for comparison in comparisons(parse(text).where)
        for single in singles(comparison.operand)
        if isinstance(single, Function)
        and next(calling.expected_names(single), ("", ""))[0] == "issue"
    ]
    for call in sorted(calls, key=lambda call: call.span.start, reverse=True):
        first, *others = call.arguments
        ids = site.named("issue", first, None)
        if ids and not _sees(reader, "issue", first, None):
            hidden = print_operand(Function(call.name, (ids[0], *others)))
            text = text[: call.span.start] + hidden + text[call.span.end :]
    return text


def with_account_ids(text: str, site: SiteView, accounts: Mapping[str, str]) -> tuple[str, bool]:
    """Return a query with account ids for names of people, and whether all of them are known.

    Args:
        text: JQL.
        site: what the viewer sees.
        accounts: account ids by the names, in lower case, that people once had; somebody who is
            not among them and has no account becomes `unknown`.

    Raises:
        JqlSyntaxError: the text is no query.
    """
    unknown: list[str] = []

    def change(named: NamedValue) -> Value | None:
        if named.kind != "user" or site.identified("user", named.value.text, named.field):
            return None
        account = accounts.get(named.value.text.lower())
        if account is None:
            unknown.append(named.value.text)
        return Value(account if account is not None else "unknown")

    site.expect(expected_names(parse(text), site))
    return rewritten(text, change, site), not unknown
