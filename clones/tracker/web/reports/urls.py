"""The addresses of reports, below those of boards."""

from __future__ import annotations

from typing import Final

from django.urls import path

from clones.core.web.access import View
from clones.tracker.web.reports import pages

_PLACES: Final = (
    "jira/software/c/projects/<str:place>",
    "jira/software/projects/<str:place>",
    "jira/people/<str:place>",
)
_BELOW: Final[tuple[tuple[str, View], ...]] = (
    ("", pages.overview),
    ("/burndown-chart", pages.burndown_page),
    ("/sprint-retrospective", pages.sprint_page),
    ("/velocity-chart", pages.velocity),
    ("/cumulative-flow-diagram", pages.flow),
)
urlpatterns = [
    path(f"{place}/boards/<int:board>/reports{rest}", view)
    for place in _PLACES
    for rest, view in _BELOW
]
