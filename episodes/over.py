"""Episodes that are over, as their records tell of them: a server remembers only those that run."""

from __future__ import annotations

from pathlib import Path

from sandlot.service import EpisodeView
from sandlot.service.errors import NotFound
from sandlot.trajectory import Trajectory, read_trajectory


def read_record(folder: Path, episode: str) -> Trajectory:
    """Return a recorded episode whole, in whatever state its record is.

    Raises:
        NotFound: none of that id was recorded below the folder.
    """
    place = folder / episode
    if not episode.startswith("ep-") or not (place / "manifest.json").is_file():
        raise NotFound(f"there is no episode {episode}")
    return read_trajectory(place)


def read_ended(folder: Path, episode: str) -> Trajectory:
    """Return the record of an episode that is over.

    Raises:
        NotFound: none of that id was recorded, or nobody has ended it.
    """
    found = read_record(folder, episode)
    if found.manifest.outcome == "running":
        raise NotFound(f"episode {episode} neither runs in this server nor has it ended")
    return found


def ended_view(found: Trajectory) -> EpisodeView:
    """Return an episode that is over, from outside. Its credentials open nothing any more."""
    manifest = found.manifest
    return EpisodeView(
        id=manifest.id,
        task=manifest.instance,
        goal=manifest.goal,
        persona=manifest.persona,
        space=manifest.space,
        sandbox=manifest.sandbox,
        seed=manifest.seed,
        status=manifest.outcome,
        steps=len(found.steps),
        max_steps=manifest.limits["steps"],
        faults=manifest.faults,
        now=manifest.ended or (found.steps[-1].at if found.steps else ""),
        apps={},
        reward=manifest.reward,
        success=manifest.success,
        clean=manifest.clean,
        components=manifest.components,
        error=manifest.error,
        folder=str(found.folder),
    )
