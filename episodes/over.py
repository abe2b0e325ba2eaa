"""Episodes that are over, as their records tell of them: a server remembers only those that run."""

from __future__ import annotations

from pathlib import Path

from sandlot.service import EpisodeNumbers, EpisodeView, StepNumbers
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
        surface=manifest.surface,
        sandbox=manifest.sandbox,
        seed=manifest.seed,
        status=manifest.outcome,
        steps=len(found.steps),
        max_steps=manifest.limits["steps"],
        idle_seconds=manifest.limits.get("idle_seconds"),
        faults=manifest.faults,
        now=manifest.ended or (found.steps[-1].at if found.steps else ""),
        apps={},
        reward=manifest.reward,
        success=manifest.success,
        clean=manifest.clean,
        components=manifest.components,
        phases=manifest.phases,
        checks=manifest.checks,
        error=manifest.error,
        parent=manifest.parent,
        abandoned_by=manifest.abandoned_by,
        withdrawn=manifest.withdrawn,
        folder=str(found.folder),
    )


def numbers_of(found: Trajectory, *, after: int = 0) -> EpisodeNumbers:
    """Return what the steps after one were worth, and the episode, from its record so far."""
    names = StepNumbers.model_fields
    return EpisodeNumbers(
        id=found.manifest.id,
        status=found.manifest.outcome,
        reward=found.manifest.reward,
        success=found.manifest.success,
        withdrawn=found.manifest.withdrawn,
        steps=[
            StepNumbers(**{name: getattr(step, name) for name in names})
            for step in found.steps
            if step.step > after
        ],
    )


def told_of(found: Trajectory) -> str:
    """Return in one line how an episode ended, and what of it is not to be used."""
    manifest = found.manifest
    told = f"its outcome is {manifest.outcome}"
    if manifest.abandoned_by == "lease":
        told += f", for nothing was heard for {manifest.limits['idle_seconds']:g} seconds"
    if manifest.withdrawn:
        told += f"; the rewards of steps {', '.join(map(str, manifest.withdrawn))} are withdrawn"
    return told
