"""The addresses of spaces and people."""

from __future__ import annotations

from typing import Final

from django.urls import path

from clones.core.web.access import View
from clones.tracker.web.settings.navigation import FAMILIES
from clones.tracker.web.settings.navigation import everywhere as in_settings
from clones.tracker.web.space import (
    calendar,
    components,
    dates,
    list_page,
    people,
    redirects,
    summary,
    timeline,
)
from clones.tracker.web.space.access import everywhere

_PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("summary", summary.show),
    ("timeline", timeline.show),
    ("calendar", calendar.show),
    ("calendar/move", calendar.move),
    ("dates/<str:key>", dates.edit),
    ("list", list_page.show),
    ("list/<str:key>/<str:field>", list_page.change),
    ("components", components.show),
    ("components/create", components.create),
    ("components/<int:component>/edit", components.edit),
    ("components/<int:component>/delete", components.delete),
)
urlpatterns = [
    *(pattern for rest, view in _PAGES for pattern in everywhere(rest, view)),
    *(
        path(f"{family}/<str:place>/boards/<int:board>/{name}", redirects.to_page)
        for family in FAMILIES[:2]
        for name in ("timeline", "calendar")
    ),
    path(f"{FAMILIES[3]}/<str:place>", redirects.to_summary),
    *in_settings("components", redirects.to_components),
    path("jira/people/<str:place>", people.profile, name="profile"),
    path("jira/settings/personal/general", people.settings, name="personal_settings"),
]
