"""Epics that nobody looks at any more: about a third of those that are open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Space, Work
from seeds.kestrel.engineering.work import at_work

FORGOTTEN = timedelta(days=180)
LEAST, MOST = 0.28, 0.38


def forget_epics(spaces: Iterable[Space], work: Iterable[Work]) -> None:
    """Let some open epics lie that were drawn to be looked after, or somebody look after some.

    There are a dozen in a small world: drawn one by one, hardly any or most would be forgotten.
    """
    software = {space.key for space in spaces if space.type == "software"}
    epics = [
        item
        for item in work
        if item.type == "Epic" and item.space in software and item.at_the_end("status") != "Done"
    ]
    since = PRESENT - FORGOTTEN
    stale = [item for item in epics if item.updated < since]
    lively = [item for item in epics if item.updated >= since]
    old = [item for item in lively if item.created < since - timedelta(days=5)]
    for item in sorted(old, key=lambda item: (item.updated, item.index)):
        if len(stale) >= LEAST * len(epics):
            break
        item.moves = [move for move in item.moves if move.at < since]
        stale.append(item)
    for number, item in enumerate(sorted(stale, key=lambda item: (item.updated, item.index))[::-1]):
        if len(stale) <= MOST * len(epics):
            break
        at = at_work(PRESENT - timedelta(days=12 + 3 * number))
        item.moves.append(Move(at, item.reporter, {"assignee": item.reporter}))
        stale.remove(item)
