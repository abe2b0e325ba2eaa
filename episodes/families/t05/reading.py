"""How the goal and the team's guide are read: pure, for oracles and cheats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from episodes.families.t05.kinds import KINDS, Kind
from episodes.families.t05.words import NEXT, OF_KIND

NAMES: Final = re.compile(r'"([^"]+)"')
LASTS: Final = re.compile(r"lasts\s+(\d+)\s+week")


@dataclass(frozen=True, slots=True)
class Rule:
    """Which kinds go to the next sprint, and how many weeks that lasts."""

    carried: frozenset[Kind]
    weeks: int


def named_in(goal: str, names: Sequence[str]) -> list[str]:
    """Return which of these names the goal puts in quotes, in the order of the goal, each once."""
    found = [name for name in NAMES.findall(goal) if name in names]
    return list(dict.fromkeys(found))


def space_in(goal: str, names: Sequence[str]) -> str:
    """Return the longest of some names of spaces that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    found = sorted((name for name in names if name in goal), key=len)
    if not found:
        raise LookupError("the goal names no space")
    return found[-1]


def rule_of(texts: Sequence[str]) -> Rule:
    """Return the rule in force: the last of some texts, oldest first, that is one.

    Raises:
        LookupError: none of them is.
    """
    for text in reversed(texts):
        lasts = LASTS.search(text)
        if lasts is not None:
            carried = {
                kind
                for kind in KINDS
                if re.search(rf"{re.escape(OF_KIND[kind])}:\s+{NEXT}", text) is not None
            }
            return Rule(frozenset(carried), int(lasts[1]))
    raise LookupError("the guide has no rule")
