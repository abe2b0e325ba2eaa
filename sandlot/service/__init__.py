"""The episode contract: what a trainer can ask, whoever answers."""

from sandlot.service.protocol import (
    Act,
    EpisodeNumbers,
    EpisodeService,
    EpisodeView,
    Faults,
    ModelStep,
    ModelView,
    Observation,
    Space,
    StartEpisode,
    Status,
    StepNumbers,
    StepResult,
)
from sandlot.trajectory.schema import Surface

__all__ = [
    "Act",
    "EpisodeNumbers",
    "EpisodeService",
    "EpisodeView",
    "Faults",
    "ModelStep",
    "ModelView",
    "Observation",
    "Space",
    "StartEpisode",
    "Status",
    "StepNumbers",
    "StepResult",
    "Surface",
]
