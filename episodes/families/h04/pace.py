"""How fast the oracle is, and so how much time there is: steps, seconds and reserves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from episodes.tasks.spec import STEP_SECONDS

Way = Literal["answer", "hand_over"]

# By API the rules, the tickets, the macros and the groups are read; then two steps for each ticket.
API_READS: Final = 4
API_EACH: Final = 2
# On the pages the rules are searched for and opened, and the macros listed once. Each ticket is
# opened from the dashboard; then a macro is searched for, chosen and submitted, or a note written
# (which takes a menu), the group chosen, and submitted.
BROWSER_READS: Final = 3
BROWSER_EACH: Final = {"answer": 5, "hand_over": 7}
# What a step of trouble, or the longest that light faults last, may cost whoever is careful.
RESERVE: Final = 4


def api_steps(ways: Sequence[Way]) -> int:
    """Return how many steps the oracle takes by API, `finish` included."""
    return API_READS + API_EACH * len(ways) + 1


def browser_steps(ways: Sequence[Way]) -> int:
    """Return how many steps the oracle takes by the pages, `finish` included."""
    return BROWSER_READS + sum(BROWSER_EACH[way] for way in ways) + 1


def paces(ways: Sequence[Way]) -> list[int]:
    """Return after how many seconds each ticket can be done with, by the slower of the spaces."""
    found = []
    for place in range(1, len(ways) + 1):
        by_api = (API_READS + API_EACH * place + RESERVE) * STEP_SECONDS["api"]
        pages = BROWSER_READS + sum(BROWSER_EACH[way] for way in ways[:place]) + RESERVE
        found.append(max(by_api, pages * STEP_SECONDS["browser"]))
    return found


def times(ways: Sequence[Way], slack: float) -> list[int]:
    """Return how many seconds after the beginning each ticket's target runs out."""
    return [round(pace * slack) for pace in paces(ways)]
