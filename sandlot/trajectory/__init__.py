"""Recorded episodes: what is in a folder, and how to read it."""

from sandlot.trajectory.reader import Trajectory, read_trajectory
from sandlot.trajectory.schema import (
    FORMAT,
    AbandonedBy,
    CheckResult,
    EpisodeManifest,
    Parent,
    PhaseResult,
    Provenance,
    Reached,
    StepRecord,
    TrajectoryView,
)

__all__ = [
    "FORMAT",
    "AbandonedBy",
    "CheckResult",
    "EpisodeManifest",
    "Parent",
    "PhaseResult",
    "Provenance",
    "Reached",
    "StepRecord",
    "Trajectory",
    "TrajectoryView",
    "read_trajectory",
]
