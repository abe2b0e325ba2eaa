"""Whose mistake it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from episodes.spaces.played import Played

HarnessKind = Literal[
    "harness_timeout",
    "harness_5xx",
    "harness_stale",
    "harness_lost",
    "harness_browser",
    "harness_grader",
    "harness_reset",
    "harness_unlogged",
]


class BadCall(Exception):
    """Raised when an act names no tool or does not fit it: the agent's mistake, shown to it."""


class HarnessFailure(Exception):
    """Raised when the environment failed: the episode ends without numbers.

    `request` names the operation that met the failure, where one did.
    """

    def __init__(self, kind: HarnessKind, detail: str, *, request: str | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.request = request


class Unanswered(HarnessFailure):
    """Raised when the data plane gave no answer, or one that only a failure gives.

    It is ours unless the request log says that the fault was injected, or that the request asked
    for too much: then it is what an agent's own client would have met, and `played` is what the
    agent sees once that is known.
    """

    def __init__(self, kind: HarnessKind, detail: str, played: Callable[[], Played]) -> None:
        super().__init__(kind, detail)
        self.played = played
