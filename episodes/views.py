"""An episode that runs, or has just ended, as who asks from outside sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from episodes.context import EpisodeContext
from episodes.scoring import EpisodeScore
from sandlot.service import EpisodeView
from sandlot.service.protocol import Status
from sandlot.trajectory import AbandonedBy


@dataclass(frozen=True, slots=True)
class Standing:
    """How far an episode is; `ending` is its score, once it has one."""

    status: Status
    steps: int
    now: str
    apps: dict[str, Any]
    folder: str
    error: dict[str, Any] | None
    ending: EpisodeScore | None
    abandoned_by: AbandonedBy | None
    withdrawn: list[int]


def view_of(ground: EpisodeContext, standing: Standing) -> EpisodeView:
    """Return an episode as it stands."""
    ending = standing.ending
    return EpisodeView(
        id=ground.id,
        task=str(ground.instance),
        goal=ground.arranged.goal,
        persona=ground.arranged.persona.title,
        space=ground.request.space,
        surface=ground.request.surface,
        sandbox=ground.sandbox.id,
        seed=ground.request.seed,
        status=standing.status,
        steps=standing.steps,
        max_steps=ground.max_steps,
        idle_seconds=ground.idle_seconds,
        faults=ground.request.faults,
        now=standing.now,
        apps=standing.apps,
        reward=ending.reward if ending else None,
        success=ending.success if ending else None,
        clean=ending.clean if ending else None,
        components=ending.components if ending else {},
        phases=ending.phases if ending else [],
        checks=ending.checks if ending else [],
        error=standing.error,
        parent=ground.parent,
        abandoned_by=standing.abandoned_by,
        withdrawn=standing.withdrawn,
        folder=standing.folder,
    )
