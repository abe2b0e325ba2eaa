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

__all__ = [
    "ENTRIES",
    "FAMILIES",
    "NavigationItem",
    "SettingsPage",
    "everywhere",
    "lines_of",
    "settings_address",
]
ALL: Final = frozenset(("software", "service_desk", "business"))
DESK: Final = frozenset(("service_desk",))


@dataclass(frozen=True, slots=True)
class SettingsPage:
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
ENTRIES: Final[Sequence[SettingsPage]] = (
    SettingsPage("details", "Details", GENERAL),
    SettingsPage("access", "Access", GENERAL),
    SettingsPage("permissions", "Permissions", GENERAL, team=False),
    SettingsPage("notifications", "Notifications", GENERAL),
    SettingsPage("issuesecurity", "Issue security", GENERAL, team=False),
    SettingsPage("features", "Features", GENERAL),
    SettingsPage("automate", "Automation", GENERAL),
    SettingsPage("issuetypes", "Work types", WORK),
    SettingsPage("workflows", "Workflows", WORK),
    SettingsPage("screens", "Screens", WORK, team=False),
    SettingsPage("fields", "Fields", WORK, team=False),
    SettingsPage("versions", "Versions", WORK),
    SettingsPage("components", "Components", WORK),
    SettingsPage("request-types", "Request types", SERVICE, DESK),
    SettingsPage("slas", "SLAs", SERVICE, DESK),
    SettingsPage("calendars", "Calendars", SERVICE, DESK),
    SettingsPage("email-settings", "Email requests", SERVICE, DESK),
    SettingsPage("portal-settings", "Portal settings", SERVICE, DESK),
    SettingsPage("customer-permissions", "Customer permissions", SERVICE, DESK),
    SettingsPage("customer-notifications", "Customer notifications", SERVICE, DESK),
    SettingsPage("satisfaction-settings", "Satisfaction settings", SERVICE, DESK),
)

LABELS: Final = frozenset(entry.label for entry in ENTRIES)


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """An entry as the navigation shows it."""

    label: str
    address: str
    current: bool


def everywhere(rest: str, view: Callable[..., HttpResponse]) -> list[URLPattern]:
    """Return the addresses of a page of the settings, in every family."""
    tail = f"/{rest}" if rest else ""
    return [path(f"{family}/<str:place>/settings{tail}", view) for family in FAMILIES]


def lines_of(project: Project, current: str) -> list[tuple[str, list[NavigationItem]]]:
    """Return the navigation of a space's settings by groups; `current` is the path of a page."""
    groups: dict[str, list[NavigationItem]] = {}
    for entry in ENTRIES:
        address = settings_address(project, entry.path)
        has = project.type in entry.types and (entry.team or not project.simplified)
        if has and is_there(address):
            line = NavigationItem(entry.label, address, entry.path == current)
            groups.setdefault(entry.group, []).append(line)
    return list(groups.items())
