"""Sums of the finest groups, folded into those of every level above them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from clones.crm.rules.reports.metadata import Aggregate

# What groups are the same by, level for level.
Key = tuple[tuple[Any, ...], ...]


@dataclass(slots=True)
class Fact:
    """What is known of the records of a group: how many, and of each column its sums."""

    rows: int = 0
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    least: dict[str, Any] = field(default_factory=dict)
    most: dict[str, Any] = field(default_factory=dict)

    def add(self, other: Fact) -> None:
        """Take in what is known of other records."""
        self.rows += other.rows
        for name, value in other.sums.items():
            self.sums[name] = self.sums.get(name, 0.0) + value
        for name, count in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count
        for name, value in other.least.items():
            self.least[name] = min(value, self.least.get(name, value))
        for name, value in other.most.items():
            self.most[name] = max(value, self.most.get(name, value))

    def value(self, aggregate: Aggregate) -> Any:
        """Return the value of an aggregate; None where no record has one."""
        column = aggregate.column
        if column is None:
            return self.rows
        name = column.path
        if aggregate.kind == "s":
            return self.sums.get(name, 0.0)
        if aggregate.kind == "mx":
            return self.most.get(name)
        if aggregate.kind == "m":
            return self.least.get(name)
        count = self.counts.get(name, 0)
        return self.sums.get(name, 0.0) / count if count else None


@dataclass(slots=True)
class FoldedGroups:
    """The facts of every group: by the keys of the levels down and of the levels across."""

    facts: dict[tuple[Key, Key], Fact] = field(default_factory=dict)

    def fact(self, down: Key, across: Key) -> Fact:
        """Return what is known of a group; nothing where it has no records."""
        return self.facts.get((down, across), Fact())

    def children(self, parent: Key, *, across: bool) -> list[Key]:
        """Return the groups of the next level within one, in the order they came."""
        wanted = len(parent) + 1
        found: dict[Key, None] = {}
        for down, right in self.facts:
            key, other = (right, down) if across else (down, right)
            if len(key) == wanted and not other and key[:-1] == parent:
                found[key] = None
        return list(found)


def fold(finest: Iterable[tuple[Key, Fact]], levels_down: int) -> FoldedGroups:
    """Return the facts of all levels, of those of the finest groups: keys down, then across."""
    found = FoldedGroups({((), ()): Fact()})
    for key, fact in finest:
        down, across = key[:levels_down], key[levels_down:]
        for left in _prefixes(down):
            for right in _prefixes(across):
                found.facts.setdefault((left, right), Fact()).add(fact)
    return found


def _prefixes(key: Key) -> Sequence[Key]:
    return [key[:length] for length in range(len(key) + 1)]
