"""What real desks look like: the two-sided bounds that a world must keep.

Worlds a tenth the size of the standard one get a fifth of the bound as tolerance on both sides.
Taking identifiers, numbers and hosts out of a text takes variety with them. The bounds of `without
codes` are those of whole texts, but for the words used once.

Sources: INC, the incident log of an IT firm; SAM, mails of public lists; SP, DUR, DUE, public issue
trackers; XED, the leads of one firm; the others are reports of vendors.
"""

from __future__ import annotations

from dataclasses import dataclass

TOLERANCE = 0.2


@dataclass(frozen=True, slots=True)
class Target:
    """The bounds of one measured property, and whose desk they were measured on."""

    low: float
    high: float
    source: str

    def holds(self, value: float, tolerance: float = TOLERANCE) -> bool:
        """Tell whether a value lies within the bounds, widened by a share of each."""
        return (
            self.low - abs(self.low) * tolerance <= value <= self.high + abs(self.high) * tolerance
        )


TARGETS = {
    "1 weekend share": Target(0.03, 0.08, "INC 4.8 %"),
    "2 monday/friday": Target(1.2, 1.6, "INC 1.47"),
    "3 office hours": Target(0.78, 0.90, "INC 86 %"),
    "4 over-dispersion": Target(8, 35, "INC 23"),
    "5 incident peak": Target(3, 8, "INC 2.7, and judged"),
    "5 peak without incidents": Target(1, 3, "INC 2.7, and judged"),
    "6 midnight rows": Target(0.003, 0.02, "judged: imports"),
    "7 resolution p50": Target(12, 40, "INC 22 h; 17"),
    "7 resolution p90/p50": Target(10, 25, "INC 22 h; 17"),
    "8 KS two log-normals": Target(0, 0.05, "INC .024; .108"),
    "8 KS one log-normal": Target(0.08, 1, "INC .024; .108"),
    "9 quick closes": Target(0.10, 0.20, "INC 18 %"),
    "10 long tail": Target(0.03, 0.07, "INC 4.6 %"),
    "11 transfers 0": Target(0.50, 0.60, "INC 54 %; 11.4 %"),
    "11 transfers 3+": Target(0.09, 0.14, "INC 54 %; 11.4 %"),
    "12 transfer effect": Target(2.4, 4.5, "INC 3.5"),
    "13 SLA breach": Target(0.15, 0.38, "INC 36.6 %"),
    "14 reopen": Target(0.02, 0.07, "Endsight 3.1 %, INC 1.1 %"),
    "15 waiting on user": Target(0.20, 0.45, "INC 23 %"),
    "16 one-touch": Target(0.50, 0.72, "Freshdesk 71 %"),
    "17 CSAT answered": Target(0.12, 0.25, "sonassi 20 %; Zendesk 82-86 %"),
    "17 CSAT good": Target(0.78, 0.92, "sonassi 20 %; Zendesk 82-86 %"),
    "18 requester gini": Target(0.40, 0.60, "INC .51; 1.8 %"),
    "18 top requester": Target(0.01, 0.03, "INC .51; 1.8 %"),
    "19 category slope": Target(-1.8, -1.1, "INC -1.52"),
    "20 agent gini": Target(0.55, 0.80, "INC .73"),
    "21 V category-group": Target(0.25, 0.6, "INC .34; .85"),
    "21 V group-assignee": Target(0.7, 0.95, "INC .34; .85"),
    "22 default priority": Target(0.55, 0.95, "INC 94 %, DUE"),
    "23 mail length p50": Target(50, 100, "SAM 73; 1.18"),
    "23 mail length sigma": Target(1.0, 1.35, "SAM 73; 1.18"),
    "24 quoted history": Target(0.50, 0.80, "SAM 53 %, and judged"),
    "25 hapax": Target(0.38, 0.55, "SAM .53, SP .45"),
    "25 hapax without codes": Target(0.20, 0.55, "SAM .53, SP .45"),
    "26 distinct-3": Target(0.55, 0.85, "measured on real bodies"),
    "26 distinct-3 without codes": Target(0.55, 0.85, "measured on real bodies"),
    "26 xz ratio": Target(2.8, 4.5, "measured on real bodies"),
    "26 xz ratio without codes": Target(2.8, 4.5, "measured on real bodies"),
    "27 neighbour": Target(0.015, 0.10, "measured on real bodies"),
    "27 neighbour without codes": Target(0.015, 0.10, "measured on real bodies"),
    "27 near twins": Target(0, 0.05, "measured on real bodies"),
    "28 slips of customers": Target(1.5, 4, "measured on real bodies"),
    "28 slips of agents": Target(0.1, 0.8, "measured on real bodies"),
    "29 tag singletons": Target(0.45, 0.80, "DUR 77 %"),
    "29 near-duplicate tags": Target(3, 1000, "DUR 77 %"),
    "30 found by exact mail": Target(0, 0.40, "judged"),
    "33 dead fields": Target(0.15, 0.35, "XED 34 %"),
    "40 kinds of contradiction": Target(10, 1000, "judged"),
}
