"""Kinds of unfinished work, as a team's rule tells them apart: pure, for everybody."""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["blocked", "bug", "started", "untouched"]

# In the order in which the rule's lines are read: the first one that fits a work item counts.
KINDS: Final[tuple[Kind, ...]] = ("blocked", "bug", "started", "untouched")
BLOCKED: Final = "blocked"


def kind_of(*, labels: frozenset[str], bug: bool, started: bool) -> Kind:
    """Return which kind of unfinished work something is: the first line that fits counts."""
    if BLOCKED in labels:
        return "blocked"
    if bug:
        return "bug"
    return "started" if started else "untouched"
