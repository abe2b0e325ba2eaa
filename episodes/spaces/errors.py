"""Whose mistake it was."""

from __future__ import annotations

from typing import Literal

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
