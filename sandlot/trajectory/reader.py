"""Read a recorded episode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sandlot.trajectory.schema import READABLE, EpisodeManifest, StepRecord


class UnreadableTrajectory(Exception):
    """Raised when a folder holds no episode of this format."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A recorded episode: its manifest and its steps in order."""

    folder: Path
    manifest: EpisodeManifest
    steps: list[StepRecord]

    @property
    def fingerprints(self) -> list[str]:
        """The fingerprint after each step."""
        return [step.fingerprint for step in self.steps]

    @property
    def rewards(self) -> list[float | None]:
        """The reward of each step, None where the episode has no score."""
        return [step.reward for step in self.steps]


def read_trajectory(folder: Path) -> Trajectory:
    """Read the episode recorded in `folder`.

    Raises:
        UnreadableTrajectory: it is none, or of another format.
    """
    try:
        manifest = EpisodeManifest.model_validate_json((folder / "manifest.json").read_text())
        lines = (folder / "steps.jsonl").read_text().splitlines()
        steps = [StepRecord.model_validate_json(line) for line in lines]
    except (OSError, ValueError) as error:
        raise UnreadableTrajectory(f"{folder} holds no readable episode: {error}") from error
    if manifest.format not in READABLE:
        known = " or ".join(map(str, sorted(READABLE)))
        raise UnreadableTrajectory(f"{folder} has format {manifest.format}, not {known}")
    return Trajectory(folder, manifest, steps)
