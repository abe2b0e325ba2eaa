"""How much of the company a world of each size holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from seeds.kestrel.catalogue import PRESENT


@dataclass(frozen=True, slots=True)
class Size:
    """The scale of a world: tickets, days of ticket history, firms, people and incidents."""

    name: str
    tickets: int
    days: int
    firms: int
    people: int
    agents: int
    incidents: int

    @property
    def start(self) -> datetime:
        """The first day of the ticket history, at midnight UTC."""
        day = PRESENT - timedelta(days=self.days)
        return day.replace(hour=0, minute=0)


SIZES = {
    "tiny": Size("tiny", 200, 60, 60, 190, 16, 1),
    "small": Size("small", 2_000, 126, 420, 1_500, 34, 2),
    "standard": Size("standard", 20_000, 364, 3_400, 13_500, 46, 6),
    "large": Size("large", 100_000, 364, 16_000, 64_000, 120, 6),
}
