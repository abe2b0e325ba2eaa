"""What the settings of a space consist of: one line for each page.

A page is added by a line in `ENTRIES` and by `*everywhere("path", view)` in some `urls.py`, its
view being guarded by `doors.page_of_settings`. An entry whose page is not there is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse
from django.urls import URLPattern, path

from clones.tracker.models import Project
from clones.tracker.web.frame.entries import is_there
from clones.tracker.web.settings.addresses import FAMILIES, settings_address

__all__ = ["ENTRIES", "FAMILIES", "Entry", "Line", "everywhere", "lines_of", "settings_address"]
ALL: Final = frozenset(("software", "service_desk", "business"))
DESK: Final = frozenset(("service_desk",))


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the settings: `path` stands below the address of the settings.

    `types` are the types of spaces that have it; `team` says whether a team-managed one has.
    """

    path: str
    label: str
    group: str
    types: Collection[str] = ALL
    team: bool = True


GENERAL: Final = "General"
WORK: Final = "Work items"
SERVICE: Final = "Service desk"
ENTRIES: Final[Sequence[Entry]] = (
    Entry("details", "Details", GENERAL),
    Entry("access", "Access", GENERAL),
    Entry("permissions", "Permissions", GENERAL, team=False),
    Entry("notifications", "Notifications", GENERAL),
    Entry("issuesecurity", "Issue security", GENERAL, team=False),
    Entry("features", "Features", GENERAL),
    Entry("automate", "Automation", GENERAL),
    Entry("issuetypes", "Work types", WORK),
    Entry("workflows", "Workflows", WORK),
    Entry("screens", "Screens", WORK, team=False),
    Entry("fields", "Fields", WORK, team=False),
    Entry("versions", "Versions", WORK),
    Entry("components", "Components", WORK),
    Entry("request-types", "Request types", SERVICE, DESK),
    Entry("slas", "SLAs", SERVICE, DESK),
    Entry("calendars", "Calendars", SERVICE, DESK),
    Entry("email-settings", "Email requests", SERVICE, DESK),
    Entry("portal-settings", "Portal settings", SERVICE, DESK),
    Entry("customer-permissions", "Customer permissions", SERVICE, DESK),
    Entry("customer-notifications", "Customer notifications", SERVICE, DESK),
    Entry("satisfaction-settings", "Satisfaction settings", SERVICE, DESK),
)

LABELS: Final = frozenset(entry.label for entry in ENTRIES)


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as the navigation shows it."""

    label: str
    address: str
    current: bool


def everywhere(rest: str, view: Callable[..., HttpResponse]) -> list[URLPattern]:
    """Return the addresses of a page of the settings, in every family."""
    tail = f"/{rest}" if rest else ""
    return [path(f"{family}/<str:place>/settings{tail}", view) for family in FAMILIES]


def lines_of(project: Project, current: str) -> list[tuple[str, list[Line]]]:
    """Return the navigation of a space's settings by groups; `current` is the path of a page."""
    groups: dict[str, list[Line]] = {}
    for entry in ENTRIES:
        address = settings_address(project, entry.path)
        has = project.type in entry.types and (entry.team or not project.simplified)
        if has and is_there(address):
            line = Line(entry.label, address, entry.path == current)
            groups.setdefault(entry.group, []).append(line)
    return list(groups.items())
