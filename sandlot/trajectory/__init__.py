"""Recorded episodes: what is in a folder, and how to read it."""

from sandlot.trajectory.reader import Trajectory, read_trajectory
from sandlot.trajectory.schema import FORMAT, EpisodeManifest, Provenance, StepRecord

__all__ = [
    "FORMAT",
    "EpisodeManifest",
    "Provenance",
    "StepRecord",
    "Trajectory",
    "read_trajectory",
]
