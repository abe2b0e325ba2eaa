"""The episode contract: what a trainer can ask, whoever answers."""

from sandlot.service.protocol import (
    Act,
    EpisodeService,
    EpisodeView,
    Faults,
    Observation,
    Space,
    StartEpisode,
    Status,
    StepResult,
)

__all__ = [
    "Act",
    "EpisodeService",
    "EpisodeView",
    "Faults",
    "Observation",
    "Space",
    "StartEpisode",
    "Status",
    "StepResult",
]
