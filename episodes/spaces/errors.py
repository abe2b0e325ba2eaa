"""Whose mistake it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from episodes.spaces.played import Played

HarnessKind = Literal[
    "harness_timeout",
    "harness_5xx",
    "harness_stale",
    "harness_lost",
    "harness_browser",
    "harness_grader",
    "harness_reset",
]


class BadCall(Exception):
    """Raised when an act names no tool or does not fit it: the agent's mistake, shown to it."""


class HarnessFailure(Exception):
    """Raised when the environment failed: the episode ends without numbers."""

    def __init__(self, kind: HarnessKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Unanswered(HarnessFailure):
    """Raised when the data plane gave no answer, or one that only a failure gives.

    It is ours unless the request log says that the fault was injected: then it is what an agent's
    own client would have met, and `played` is what the agent sees.
    """

    def __init__(self, kind: HarnessKind, detail: str, played: Played) -> None:
        super().__init__(kind, detail)
        self.played = played
