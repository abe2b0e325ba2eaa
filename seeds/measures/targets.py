"""What real desks look like: the two-sided bounds that a world must keep.

Worlds a tenth the size of the standard one get a fifth of the bound as tolerance on both sides.
Taking identifiers, numbers and hosts out of a text takes variety with them. The bounds of `without
codes` are those of whole texts, but for the words used once.
"""

from __future__ import annotations

from dataclasses import dataclass

TOLERANCE = 0.2


@dataclass(frozen=True, slots=True)
class Target:
    """The bounds of one measured property."""

    low: float
    high: float

    def holds(self, value: float, tolerance: float = TOLERANCE) -> bool:
        """Tell whether a value lies within the bounds, widened by a share of each."""
        return (
            self.low - abs(self.low) * tolerance <= value <= self.high + abs(self.high) * tolerance
        )


TARGETS = {
    "1 weekend share": Target(0.03, 0.08),
    "2 monday/friday": Target(1.2, 1.6),
    "3 office hours": Target(0.78, 0.90),
    "4 over-dispersion": Target(8, 35),
    "5 incident peak": Target(3, 8),
    "5 peak without incidents": Target(1, 3),
    "6 midnight rows": Target(0.003, 0.02),
    "7 resolution p50": Target(12, 40),
    "7 resolution p90/p50": Target(10, 25),
    "8 KS two log-normals": Target(0, 0.05),
    "8 KS one log-normal": Target(0.08, 1),
    "9 quick closes": Target(0.10, 0.20),
    "10 long tail": Target(0.03, 0.07),
    "11 transfers 0": Target(0.50, 0.60),
    "11 transfers 3+": Target(0.09, 0.14),
    "12 transfer effect": Target(2.4, 4.5),
    "13 SLA breach": Target(0.15, 0.38),
    "14 reopen": Target(0.02, 0.07),
    "15 waiting on user": Target(0.20, 0.45),
    "16 one-touch": Target(0.50, 0.72),
    "17 CSAT answered": Target(0.12, 0.25),
    "17 CSAT good": Target(0.78, 0.92),
    "18 requester gini": Target(0.40, 0.60),
    "18 top requester": Target(0.01, 0.03),
    "19 category slope": Target(-1.8, -1.1),
    "20 agent gini": Target(0.55, 0.80),
    "21 V category-group": Target(0.25, 0.6),
    "21 V group-assignee": Target(0.7, 0.95),
    "22 default priority": Target(0.55, 0.95),
    "23 mail length p50": Target(50, 100),
    "23 mail length sigma": Target(1.0, 1.35),
    "24 quoted history": Target(0.50, 0.80),
    "25 hapax": Target(0.38, 0.55),
    "25 hapax without codes": Target(0.20, 0.55),
    "26 distinct-3": Target(0.55, 0.85),
    "26 distinct-3 without codes": Target(0.55, 0.85),
    "26 xz ratio": Target(2.8, 4.5),
    "26 xz ratio without codes": Target(2.8, 4.5),
    "27 neighbour": Target(0.015, 0.10),
    "27 neighbour without codes": Target(0.015, 0.10),
    "27 near twins": Target(0, 0.05),
    "28 slips of customers": Target(1.5, 4),
    "28 slips of agents": Target(0.1, 0.8),
    "29 tag singletons": Target(0.45, 0.80),
    "29 near-duplicate tags": Target(3, 1000),
}
