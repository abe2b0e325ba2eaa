"""Work that was filed in the wrong space and moved to another before anybody was at it."""

from __future__ import annotations

from datetime import timedelta

from seeds.draw import Draws
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Space, Tie, Work

SHARE = 0.004
LEAST = 2
MOST = 10
PLAIN = ("labels", "components", "release", "affects", "sprints", "estimate", "security")


def move_some(draws: Draws, spaces: tuple[Space, ...], work: list[Work], ties: list[Tie]) -> None:
    """Move a few bugs to another software space; `space` is where they are afterwards.

    Only those that lose nothing there: no component, version, sprint, parent or link.
    """
    rng = draws.rng("moved")
    live = [space for space in spaces if space.type == "software" and not space.fate]
    tied = {tie.source for tie in ties} | {tie.target for tie in ties}
    parents = {item.parent for item in work}
    keys = {space.key for space in live if space.levels == live[0].levels}
    fit = [
        item
        for item in work
        if item.type == "Bug"
        and item.space in keys
        and item.parent is None
        and item.incident is None
        and item.index not in tied
        and item.index not in parents
        and not any(item.start.get(name) for name in PLAIN)
        and not any({"sprints", "release", "flag"} & set(move.changes) for move in item.moves)
        and _free_until(item) > timedelta(hours=3)
        and not any(move.changes.get("status") == "In Review" for move in item.moves)
    ]
    count = min(max(round(len(work) * SHARE), LEAST), MOST, len(fit))
    for item in rng.sample(fit, count):
        before = item.space
        item.former = (before, 0)
        item.space = rng.choice(sorted(keys - {before}))
        at = item.created + _free_until(item) * rng.uniform(0.05, 0.8)
        item.moves.append(Move(at.replace(microsecond=0), item.reporter, {"space": item.space}))
        item.moves.sort(key=lambda move: move.at)


def _free_until(item: Work) -> timedelta:
    """Return for how long nobody changed anything."""
    first = min((move.at for move in item.moves if move.changes), default=PRESENT)
    return min(first, PRESENT - timedelta(minutes=5)) - item.created
