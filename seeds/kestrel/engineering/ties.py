"""Links between pieces of work: most have none, a few have very many."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Tie, Work, WorkComment
from seeds.kestrel.engineering.text import bank, mark

KINDS = Weighted({"Relates": 0.46, "Blocks": 0.31, "Duplicate": 0.16, "Cloners": 0.07})
HUB = 24  # links of the one piece of work that everybody refers to


def make_ties(draws: Draws, work: list[Work]) -> list[Tie]:
    """Return the links of all work but those of incidents, by time."""
    rng = draws.rng("ties")
    by_space: dict[str, list[Work]] = {}
    for item in work:
        by_space.setdefault(item.space, []).append(item)
    found: dict[tuple[int, int], Tie] = {}
    for item in work:
        if item.type == "Epic" or not chance(rng, 0.15):
            continue
        near = by_space[item.space]
        if chance(rng, 0.15):
            near = work
        target = near[rng.randrange(len(near))]
        _tie(found, item, target, KINDS.draw(rng))
    for item in work:
        if item.at_the_end("resolution") == "Duplicate" and item.incident is None:
            older = [other for other in by_space[item.space] if other.created < item.created]
            if older:
                other = rng.choice(older[-60:])
                _tie(found, item, other, "Duplicate")
                _close(rng, item, other)
    wanted = min(HUB, len(work) // 8)
    hub = max((item for item in work if item.type == "Epic"), key=lambda item: -item.index)
    for other in rng.sample(work, wanted):
        _tie(found, other, hub, "Relates")
    return sorted(found.values(), key=lambda tie: (tie.at, tie.source, tie.target))


def _close(rng: Random, item: Work, other: Work) -> None:
    """Let whoever closed a duplicate say of what, mostly."""
    for move in item.moves:
        if move.changes.get("resolution") == "Duplicate" and chance(rng, 0.8):
            text = rng.choice(bank("double")).format(key=mark(other.index))
            at = max(move.at - timedelta(minutes=rng.randrange(1, 4)), item.created)
            item.moves.append(Move(at, move.actor, said=WorkComment([text])))
            break
    item.moves.sort(key=lambda move: move.at)


def _tie(found: dict[tuple[int, int], Tie], source: Work, target: Work, kind: str) -> None:
    pair = (min(source.index, target.index), max(source.index, target.index))
    if source.index == target.index or pair in found:
        return
    at = max(source.created, target.created) + timedelta(minutes=7 + (source.index % 50))
    at = min(at, PRESENT - timedelta(minutes=1)).replace(microsecond=0)
    found[pair] = Tie(kind, source.index, target.index, at)
