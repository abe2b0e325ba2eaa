"""Make a scene of a sandbox: what was written and shown since the arranged state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core.journal import journal
from clones.core.models import Sighting
from episodes.tasks.footprint import writes
from episodes.tasks.spec import Facts, Scene, Seen


def scene_of(
    facts: Facts,
    *,
    since: int,
    step_from: int,
    finish: Mapping[str, Any] | None = None,
    probed: Mapping[str, Any] | None = None,
) -> Scene:
    """Return the scene of the bound sandbox.

    `since` is the arranged position, `step_from` where the step at hand began; `finish` and
    `probed` are known once the episode is over.
    """
    found = tuple(writes(since))
    return Scene(
        facts=facts,
        writes=found,
        fresh=tuple(write for write in found if write.seq > step_from),
        seen=sightings_after(since),
        step_from=step_from,
        finish=finish,
        probed=probed,
    )


def sightings_after(position: int) -> tuple[Seen, ...]:
    """Return what responses showed since a journal position, in order."""
    places = {
        row.key: row.seq
        for row in journal().rows(position)
        if row.table.name == "core_sighting" and row.operation == "insert"
    }
    found = Sighting.objects.filter(id__in=list(places)).order_by("id")
    return tuple(
        Seen(places[sighting.id], sighting.id, sighting.request, table, key, kind)
        for sighting in found
        for table, key, kind in sighting.shown
    )
