"""How much of the company a world of each size holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from seeds.kestrel.catalogue import PRESENT


@dataclass(frozen=True, slots=True)
class Size:
    """The scale of a world: tickets, days of ticket history, firms, people and incidents.

    What follows depends on the scale too: `outbreak` is the share of all tickets that one incident
    brings, `stretch` the hours of office time that chance may not crowd, `loudest` the least share
    of tickets of who writes most, `lateness` the log sigma of slow tickets' durations, `wordiness`
    widens the lengths of what customers write and above 1 varies it more, `habit` is the slope by
    which agents repeat the tags they make up (0: all alike).
    """

    name: str
    tickets: int
    days: int
    firms: int
    people: int
    agents: int
    incidents: int
    outbreak: tuple[float, float] = (0.042, 0.050)
    stretch: int = 5
    loudest: float = 0.0
    lateness: float = 1.72
    wordiness: float = 1.0
    habit: float = 0.0

    @property
    def start(self) -> datetime:
        """The first day of the ticket history, at midnight UTC."""
        day = PRESENT - timedelta(days=self.days)
        return day.replace(hour=0, minute=0)


# What a desk with a whole year behind it is like.
YEAR = ((0.0045, 0.0068), 1, 0.013, 1.66, 1.5, 1.1)

SIZES = {
    "tiny": Size("tiny", 200, 60, 60, 190, 16, 1),
    "small": Size("small", 2_000, 126, 420, 1_500, 34, 2),
    "standard": Size("standard", 20_000, 364, 3_400, 13_500, 46, 6, *YEAR),
    "large": Size("large", 100_000, 364, 16_000, 64_000, 120, 6, *YEAR),
}
