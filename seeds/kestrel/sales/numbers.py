"""How much of sales a world of each size holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SalesSize:
    """The scale of sales: seats, deals by how they stand, leads, and firms that bought nothing."""

    sellers: int
    won: int
    lost: int
    open: int
    leads: int
    prospects: int

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return self.won + self.lost + self.open


SALES_SIZES = {
    "tiny": SalesSize(8, 18, 56, 24, 110, 14),
    "small": SalesSize(14, 78, 250, 98, 520, 92),
    "standard": SalesSize(32, 540, 1_760, 700, 4_000, 640),
    "large": SalesSize(60, 2_400, 7_800, 3_100, 17_500, 2_900),
}
# Of the firms that bought machines, the share that has an account; the others bought in the shop.
KNOWN = 0.64
# Of deals: without anything noted about them; of open ones: the day that was named has passed, the
# seller has left; they have lain for longer than a quarter, those whose day has passed more often.
SILENT, STALE, ABANDONED, OLD, OLD_STALE = 0.165, 0.23, 0.1, 0.05, 0.48
# How often something was done about a deal that has anything, by how it ended (means).
TOUCHES = {"won": 24.0, "lost": 10.0, "open": 12.0}
# Of leads: those that became customers or deals, those that are there already.
CONVERTED, LEAD_TWICE = 0.12, 0.15
