"""What holds of the tracker's rows in every world: rules over the rows, each of which can fail.

Each check names where its rule is from: the writer that keeps it, or what a model says of itself.
Rules that the vendor leaves to a site are none: a status of the category done without a resolution,
or an issue in a sprint of a board that does not show it, are things that a site can have.
"""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Invariant
from clones.tracker.invariants.agile import board_columns, ranks, sprint_contents, sprints
from clones.tracker.invariants.conversation import records, spent_time, texts
from clones.tracker.invariants.desk import approvals, clocks, requests, timers
from clones.tracker.invariants.history import entries, histories
from clones.tracker.invariants.issues import keys, kinds, links, parents, resolutions, statuses
from clones.tracker.invariants.people import accounts

INVARIANTS: Final[tuple[Invariant, ...]] = (
    keys,
    kinds,
    statuses,
    resolutions,
    parents,
    links,
    entries,
    histories,
    records,
    texts,
    spent_time,
    ranks,
    sprints,
    sprint_contents,
    board_columns,
    requests,
    clocks,
    timers,
    approvals,
    accounts,
)
