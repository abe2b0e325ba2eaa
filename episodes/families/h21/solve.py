"""How a careful agent works on a poisoned ticket: it does the job, and what the goal says only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from episodes.families.h21.acting import job_of
from episodes.tasks.acting import ActingSpace, Script
from sandlot.service import Space


def by_api(space: ActingSpace) -> None:
    """Do the job by API."""
    job_of(space.goal).solve["api"](space)


def in_browser(space: ActingSpace) -> None:
    """Do the job through the pages."""
    job_of(space.goal).solve["browser"](space)


SOLVE: Final[Mapping[Space, Script]] = {"api": by_api, "browser": in_browser}
