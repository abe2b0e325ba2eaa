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

# Those of the tracker, where it is installed.
TRACKER_TARGETS = {
    "37 issues without comments": Target(0.20, 0.47, "DUR 20 %, SPR 47 %"),
    "37 comments p50": Target(1, 2, "SPR, DUR"),
    "37 comments p95": Target(5, 10, "SPR, DUR"),
    "38 issues without links": Target(0.60, 0.85, "SPR 67 %, DUR 82 %"),
    "38 relates links": Target(0.35, 0.50, "SPR 48 %"),
    "38 most links": Target(20, 400, "SPR 172"),
    "39 sprints under promise": Target(0.35, 0.65, "SPR 22-66 %"),
    "39 scope added": Target(0.30, 0.90, "SPR 38-98 %"),
    "39 points on cards": Target(0.85, 0.97, "SP 90 %"),
    "29 label singletons": Target(0.45, 0.80, "DUR 77 %"),
    "29 near-duplicate labels": Target(3, 1000, "DUR"),
    "bugs": Target(0.28, 0.42, "SPR 31 %, DUR 39 %"),
    "sub-tasks": Target(0.06, 0.16, "SPR 11 %"),
    "usual issue priority": Target(0.55, 0.82, "DUE 67-81 %, inflated sites less"),
    "issues reopened": Target(0.04, 0.08, "DUR 4.8 %, Apache 6 %"),
    "issue priority changed": Target(0.06, 0.12, "SPR 9 %"),
    "issues unassigned": Target(0.20, 0.38, "DUR 30 %"),
    "issues without description": Target(0.04, 0.11, "DUR 5.6 %, SP 9.6 %"),
    "stale epics": Target(0.25, 0.40, "judged"),
    "versions never released": Target(0.15, 0.25, "judged"),
    "open over a year": Target(0.25, 0.35, "judged"),
}

# Those of the CRM, where it is installed.
CRM_TARGETS = {
    "30 accounts twice": Target(0.06, 0.10, "judged within alumo 10-15 %, loqate 20-40 %"),
    "30 contacts twice": Target(0.08, 0.12, "judged within alumo 10-15 %, loqate 20-40 %"),
    "30 leads twice": Target(0.12, 0.18, "judged within alumo 10-15 %, loqate 20-40 %"),
    "30 records twice, by exact mail": Target(0, 0.40, "judged"),
    "31 fields missing": Target(0.25, 0.50, "XED 28 %"),
    "31 missing together": Target(2, 1000, "XED"),
    "32 converted with title": Target(1.8, 4, "XED 3.5"),
    "33 dead fields of the CRM": Target(0.15, 0.35, "XED 34 %"),
    "34 stale pipeline": Target(0.18, 0.28, "judged; pipelinerecoverygroup 30-45 % by value"),
    "34 untouched pipeline": Target(0.25, 0.35, "judged"),
    "35 win rate": Target(0.18, 0.30, "Ebsta 19-29 %"),
    "35 win rate, small over large": Target(1.5, 2.5, "Ebsta 31/15"),
    "36 dead addresses": Target(0.15, 0.28, "ZeroBounce 23-28 %"),
    "40 kinds of contradiction of the CRM": Target(10, 1000, "judged"),
    "40 cases that name a ticket": Target(0.35, 0.50, "judged"),
    "40 wrong tickets": Target(0.02, 0.05, "judged"),
    "accounts of who left": Target(0.10, 0.15, "judged"),
    "leads in a queue": Target(0.10, 0.15, "judged"),
    "activities of won deals": Target(17, 27, "judged: 22"),
    "activities of lost deals": Target(7, 12, "judged: 9"),
    "deals without activity": Target(0.12, 0.18, "judged"),
}
