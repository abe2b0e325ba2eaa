"""Run a plan over records in memory: slowly, and by the words of `plan` alone.

It is what a compiler to SQL can be held to: both must find the same records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any as Anything

from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.plan import (
    All,
    Amount,
    Any,
    Blank,
    Call,
    Changed,
    Item,
    Like,
    Match,
    Node,
    Not,
    OneOf,
    Ordered,
    Plan,
    Ref,
    Side,
    Was,
)
from clones.tracker.rules.jql.texts import Term, TextQuery

Answers = Callable[[Call], frozenset[str]]


@dataclass(frozen=True)
class Change:
    """One change of a field: ids before and after, None for no value."""

    at: datetime
    field: str
    before: str | None
    after: str | None
    by: str


@dataclass(frozen=True)
class Record:
    """An issue: its values by field (a list where a field has several), and what they were."""

    id: str
    created: datetime
    values: Mapping[str, Anything]
    changes: Sequence[Change] = field(default=())

    def all(self, key: str) -> list[Anything]:
        """Return the values of a field."""
        found = self.values.get(key)
        if found is None:
            return []
        return list(found) if isinstance(found, list) else [found]


class Oracle:
    """Find records.

    Args:
        answers: what functions answer: ids.
        ranks: for each kind with an order, its ids from the first to the last.
    """

    def __init__(
        self, answers: Answers = lambda call: frozenset(), ranks: Mapping[str, list[str]] = {}
    ) -> None:
        self.answers = answers
        self.ranks = ranks

    def find(self, plan: Plan, records: Iterable[Record]) -> list[str]:
        """Return the ids of what a plan finds, in its order; the highest ids first without one."""
        found = [
            record for record in records if plan.where is None or self.holds(plan.where, record)
        ]
        found.sort(key=lambda record: int(record.id), reverse=True)
        for order in reversed(plan.order_by):
            key = order.field.key
            with_value = [record for record in found if record.all(key)]
            without = [record for record in found if not record.all(key)]
            with_value.sort(key=lambda record: record.all(key)[0], reverse=order.descending)
            found = with_value + without
        return [record.id for record in found]

    def holds(self, node: Node, record: Record) -> bool:
        """Tell whether a node holds of a record."""
        match node:
            case All(nodes):
                return all(self.holds(part, record) for part in nodes)
            case Any(nodes):
                return any(self.holds(part, record) for part in nodes)
            case Not(inner):
                return not self.holds(inner, record)
            case Match(where, Was() | Changed() as test, _):
                return self._past(where.key, test, record)
            case Match(where, Blank(), negated):
                return bool(record.all(where.key)) is negated
            case Match(where, test, negated):
                values = record.all(where.key)
                met = any(self._meets(where.type.kind, test, value) for value in values)
                return bool(values) and met is not negated

    def _ids(self, items: Iterable[Item]) -> frozenset[str]:
        found: set[str] = set()
        for item in items:
            found |= {item.id} if isinstance(item, Ref) else self.answers(item)
        return frozenset(found)

    def _meets(self, kind: str, test: Anything, value: Anything) -> bool:
        match test:
            case OneOf(items):
                wanted = self._ids(items)
                folded = {text.lower() for text in wanted} if kind == "label" else wanted
                return (value.lower() if kind == "label" else value) in folded
            case Stretch(start, end) | Days(start, end):
                after = start is None or value >= start
                return after and (end is None or value < end)
            case Amount(operator, amount):
                return _compares(operator, Decimal(value), amount)
            case Ordered(operator, item):
                order = self.ranks[kind]
                (wanted_id,) = self._ids((item,))
                return _compares(operator, order.index(value), order.index(wanted_id))
            case Like(query):
                return reads(query, value)
        raise AssertionError(test)

    def _past(self, key: str, test: Was | Changed, record: Record) -> bool:
        changes = sorted(
            (change for change in record.changes if change.field == key), key=lambda one: one.at
        )
        people = [self._ids(items) for items in test.by]
        if isinstance(test, Changed):
            return any(
                _is_in(test.during, change.at, change.at)
                and all(change.by in group for group in people)
                and self._side(test.before, change.before)
                and self._side(test.after, change.after)
                for change in changes
            )
        values = record.all(key)
        first = changes[0].before if changes else (values[0] if values else None)
        spells: list[tuple[datetime, str | None, str]] = [(record.created, first, "")]
        spells += [(change.at, change.after, change.by) for change in changes]
        ends: list[datetime | None] = [start for start, _, _ in spells[1:]]
        side = Side(test.items, test.blank)
        return any(
            self._side(side, value)
            and all(who in group for group in people)
            and _is_in(test.during, start, end)
            for (start, value, who), end in zip(spells, [*ends, None], strict=True)
        )

    def _side(self, side: Side | None, value: str | None) -> bool:
        if side is None:
            return True
        return side.blank if value is None else value in self._ids(side.items)


def _is_in(during: Stretch, start: datetime, end: datetime | None) -> bool:
    """Tell whether a spell from `start` to `end` (None: still on) meets a stretch."""
    begun = during.end is None or start < during.end
    return begun and (during.start is None or end is None or end >= during.start)


def _compares(operator: str, left: Anything, right: Anything) -> bool:
    return bool(
        {
            "=": left == right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[operator]
    )


def reads(query: TextQuery, text: str) -> bool:
    """Tell whether a text has what is looked for."""
    words = re.findall(r"\w+", text.lower())
    return all(any(_has(term, words) for term in group) for group in query.groups)


def _has(term: Term, words: list[str]) -> bool:
    if term.pattern:
        pattern = re.escape(term.text.lower()).replace(r"\*", ".*").replace(r"\?", ".")
        found = any(re.fullmatch(pattern, word) for word in words)
    else:
        wanted = re.findall(r"\w+", term.text.lower())
        starts = range(len(words) - len(wanted) + 1)
        found = any(words[start : start + len(wanted)] == wanted for start in starts)
    return found is not term.negated


def day(text: str) -> date:
    """Return a date, as a record has it."""
    return date.fromisoformat(text)
