"""Where the pages of the administration are: the menu of the cog, and the sidebar of each area.

The addresses are the vendor's under `/jira/settings`, as far as they are known; `classic.py` leads
there from the addresses that the pages had before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ROOT: Final = "/jira/settings"
ISSUES: Final = f"{ROOT}/issues"
SPACES: Final = f"{ROOT}/projects"
SYSTEM: Final = f"{ROOT}/system"


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A page of the administration: `key` is what its views call it."""

    key: str
    label: str
    address: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """Pages that stand together in a sidebar."""

    name: str
    places: Sequence[NavigationEntry]


@dataclass(frozen=True, slots=True)
class Area:
    """An entry of the cog's menu, and the groups of its pages; it opens with the first one."""

    key: str
    label: str
    about: str
    icon: str
    groups: Sequence[NavigationGroup]

    @property
    def address(self) -> str:
        """Where it begins."""
        return self.groups[0].places[0].address


AREAS: Final = (
    Area(
        "system",
        "System",
        "Configuration, the audit log, webhooks and global permissions",
        "settings",
        (
            NavigationGroup(
                "General",
                (
                    NavigationEntry(
                        "general", "General configuration", f"{SYSTEM}/general-configuration"
                    ),
                    NavigationEntry("look", "Look and feel", f"{SYSTEM}/look-and-feel"),
                    NavigationEntry(
                        "banner", "Announcement banner", f"{SYSTEM}/announcement-banner"
                    ),
                ),
            ),
            NavigationGroup(
                "Security",
                (
                    NavigationEntry(
                        "global-permissions", "Global permissions", f"{SYSTEM}/global-permissions"
                    ),
                    NavigationEntry("audit-log", "Audit log", f"{SYSTEM}/audit-log"),
                ),
            ),
            NavigationGroup(
                "Automation",
                (NavigationEntry("automation", "Automation rules", f"{ROOT}/automation"),),
            ),
            NavigationGroup(
                "Advanced", (NavigationEntry("webhooks", "WebHooks", f"{SYSTEM}/webhooks"),)
            ),
            NavigationGroup(
                "Shared items",
                (
                    NavigationEntry("shared-filters", "Filters", f"{SYSTEM}/shared-filters"),
                    NavigationEntry(
                        "shared-dashboards", "Dashboards", f"{SYSTEM}/shared-dashboards"
                    ),
                ),
            ),
        ),
    ),
    Area(
        "issues",
        "Work items",
        "Work types, workflows, screens, fields and their schemes",
        "work-items",
        (
            NavigationGroup(
                "Work types",
                (
                    NavigationEntry("types", "Work types", f"{ISSUES}/issue-types"),
                    NavigationEntry(
                        "type-schemes", "Work type schemes", f"{ISSUES}/issue-type-schemes"
                    ),
                ),
            ),
            NavigationGroup(
                "Workflows",
                (
                    NavigationEntry("workflows", "Workflows", f"{ISSUES}/workflows"),
                    NavigationEntry(
                        "workflow-schemes", "Workflow schemes", f"{ISSUES}/workflow-schemes"
                    ),
                    NavigationEntry("statuses", "Statuses", f"{ISSUES}/statuses"),
                ),
            ),
            NavigationGroup(
                "Screens",
                (
                    NavigationEntry("screens", "Screens", f"{ISSUES}/screens"),
                    NavigationEntry("screen-schemes", "Screen schemes", f"{ISSUES}/screen-schemes"),
                    NavigationEntry(
                        "type-screens",
                        "Work type screen schemes",
                        f"{ISSUES}/issue-type-screen-schemes",
                    ),
                ),
            ),
            NavigationGroup(
                "Fields",
                (
                    NavigationEntry("fields", "Custom fields", f"{ISSUES}/fields"),
                    NavigationEntry(
                        "field-configurations",
                        "Field configurations",
                        f"{ISSUES}/field-configurations",
                    ),
                    NavigationEntry(
                        "field-schemes",
                        "Field configuration schemes",
                        f"{ISSUES}/field-configuration-schemes",
                    ),
                ),
            ),
            NavigationGroup(
                "Features",
                (
                    NavigationEntry("priorities", "Priorities", f"{ISSUES}/priorities"),
                    NavigationEntry(
                        "priority-schemes", "Priority schemes", f"{ISSUES}/priority-schemes"
                    ),
                    NavigationEntry("resolutions", "Resolutions", f"{ISSUES}/resolutions"),
                    NavigationEntry("link-types", "Work item linking", f"{ISSUES}/link-types"),
                    NavigationEntry("time-tracking", "Time tracking", f"{ISSUES}/time-tracking"),
                ),
            ),
            NavigationGroup(
                "Attributes",
                (
                    NavigationEntry(
                        "security-schemes",
                        "Work item security schemes",
                        f"{ISSUES}/security-schemes",
                    ),
                    NavigationEntry(
                        "notification-schemes",
                        "Notification schemes",
                        f"{ISSUES}/notification-schemes",
                    ),
                    NavigationEntry(
                        "permission-schemes",
                        "Permission schemes",
                        f"{ISSUES}/permission-schemes",
                    ),
                ),
            ),
        ),
    ),
    Area(
        "spaces",
        "Spaces",
        "All spaces, their categories and roles",
        "folder-closed",
        (
            NavigationGroup(
                "Spaces",
                (
                    NavigationEntry("spaces", "Manage spaces", f"{SPACES}/manage-projects"),
                    NavigationEntry(
                        "categories", "Space categories", f"{SPACES}/project-categories"
                    ),
                    NavigationEntry("roles", "Space roles", f"{SPACES}/project-roles"),
                ),
            ),
        ),
    ),
    Area(
        "users",
        "User management",
        "Users, groups and who has access to what",
        "people-group",
        (
            NavigationGroup(
                "User management",
                (
                    NavigationEntry("users", "Users", f"{ROOT}/users"),
                    NavigationEntry("groups", "Groups", f"{ROOT}/groups"),
                ),
            ),
        ),
    ),
)
_AREA_OF: Final = {
    place.key: area for area in AREAS for group in area.groups for place in group.places
}
_PLACES: Final = {
    place.key: place for area in AREAS for group in area.groups for place in group.places
}


def address_of(key: str) -> str:
    """Return the address of a page."""
    return _PLACES[key].address


def label_of(key: str) -> str:
    """Return what a page is called."""
    return _PLACES[key].label


def groups_of(here: str) -> Sequence[NavigationGroup]:
    """Return the groups of the area that a page belongs to."""
    return _AREA_OF[here].groups
