"""What was looked at: which records a question's answer rests on, and whether they were shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from episodes.checks import Verdict, verdict
from episodes.rewards import Evidence
from episodes.tasks.spec import Scene, Seen

# A list this short was narrowed down: its records were looked at one by one.
SHORT: Final = 10


def shown_closely(scene: Scene) -> list[Seen]:
    """Return what was shown by itself, or in a list of at most ten records of its table."""
    lengths = Counter((seen.sighting, seen.table) for seen in scene.seen)
    return [
        seen
        for seen in scene.seen
        if seen.kind == "detail" or lengths[seen.sighting, seen.table] <= SHORT
    ]


def rests_on(scene: Scene, groups: Iterable[Sequence[Sequence[str]]]) -> bool:
    """Tell whether every record of some group was shown closely: groups of [table, key]."""
    shown = {(seen.table, seen.key) for seen in shown_closely(scene)}
    return any(all((table, key) in shown for table, key in group) for group in groups)


def comments_seen(
    scene: Scene,
    keys: Iterable[int],
    before: int | None = None,
    *,
    table: str = "helpdesk_comment",
) -> Verdict:
    """Tell whether all of these comments were shown, if asked so `before` a journal position."""
    return records_seen(scene, table, keys, before)


def records_seen(
    scene: Scene, table: str, keys: Iterable[int], before: int | None = None
) -> Verdict:
    """Tell whether all records of a table with these keys were shown, anyhow, in any list."""
    wanted = {str(key) for key in keys}
    found = [
        seen
        for seen in scene.seen
        if seen.table == table and seen.key in wanted and (before is None or seen.seq < before)
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict({seen.key for seen in found} == wanted, evidence)
