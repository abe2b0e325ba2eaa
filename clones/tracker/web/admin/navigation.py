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
class Place:
    """A page of the administration: `key` is what its views call it."""

    key: str
    label: str
    address: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that stand together in a sidebar."""

    name: str
    places: Sequence[Place]


@dataclass(frozen=True, slots=True)
class Area:
    """An entry of the cog's menu, and the groups of its pages; it opens with the first one."""

    key: str
    label: str
    about: str
    icon: str
    groups: Sequence[Group]

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
            Group(
                "General",
                (
                    Place("general", "General configuration", f"{SYSTEM}/general-configuration"),
                    Place("look", "Look and feel", f"{SYSTEM}/look-and-feel"),
                    Place("banner", "Announcement banner", f"{SYSTEM}/announcement-banner"),
                ),
            ),
            Group(
                "Security",
                (
                    Place(
                        "global-permissions", "Global permissions", f"{SYSTEM}/global-permissions"
                    ),
                    Place("audit-log", "Audit log", f"{SYSTEM}/audit-log"),
                ),
            ),
            Group(
                "Automation",
                (Place("automation", "Automation rules", f"{ROOT}/automation"),),
            ),
            Group("Advanced", (Place("webhooks", "WebHooks", f"{SYSTEM}/webhooks"),)),
            Group(
                "Shared items",
                (
                    Place("shared-filters", "Filters", f"{SYSTEM}/shared-filters"),
                    Place("shared-dashboards", "Dashboards", f"{SYSTEM}/shared-dashboards"),
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
            Group(
                "Work types",
                (
                    Place("types", "Work types", f"{ISSUES}/issue-types"),
                    Place("type-schemes", "Work type schemes", f"{ISSUES}/issue-type-schemes"),
                ),
            ),
            Group(
                "Workflows",
                (
                    Place("workflows", "Workflows", f"{ISSUES}/workflows"),
                    Place("workflow-schemes", "Workflow schemes", f"{ISSUES}/workflow-schemes"),
                    Place("statuses", "Statuses", f"{ISSUES}/statuses"),
                ),
            ),
            Group(
                "Screens",
                (
                    Place("screens", "Screens", f"{ISSUES}/screens"),
                    Place("screen-schemes", "Screen schemes", f"{ISSUES}/screen-schemes"),
                    Place(
                        "type-screens",
                        "Work type screen schemes",
                        f"{ISSUES}/issue-type-screen-schemes",
                    ),
                ),
            ),
            Group(
                "Fields",
                (
                    Place("fields", "Custom fields", f"{ISSUES}/fields"),
                    Place(
                        "field-configurations",
                        "Field configurations",
                        f"{ISSUES}/field-configurations",
                    ),
                    Place(
                        "field-schemes",
                        "Field configuration schemes",
                        f"{ISSUES}/field-configuration-schemes",
                    ),
                ),
            ),
            Group(
                "Features",
                (
                    Place("priorities", "Priorities", f"{ISSUES}/priorities"),
                    Place("priority-schemes", "Priority schemes", f"{ISSUES}/priority-schemes"),
                    Place("resolutions", "Resolutions", f"{ISSUES}/resolutions"),
                    Place("link-types", "Work item linking", f"{ISSUES}/link-types"),
                    Place("time-tracking", "Time tracking", f"{ISSUES}/time-tracking"),
                ),
            ),
            Group(
                "Attributes",
                (
                    Place(
                        "security-schemes",
                        "Work item security schemes",
                        f"{ISSUES}/security-schemes",
                    ),
                    Place(
                        "notification-schemes",
                        "Notification schemes",
                        f"{ISSUES}/notification-schemes",
                    ),
                    Place(
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
            Group(
                "Spaces",
                (
                    Place("spaces", "Manage spaces", f"{SPACES}/manage-projects"),
                    Place("categories", "Space categories", f"{SPACES}/project-categories"),
                    Place("roles", "Space roles", f"{SPACES}/project-roles"),
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
            Group(
                "User management",
                (
                    Place("users", "Users", f"{ROOT}/users"),
                    Place("groups", "Groups", f"{ROOT}/groups"),
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


def groups_of(here: str) -> Sequence[Group]:
    """Return the groups of the area that a page belongs to."""
    return _AREA_OF[here].groups
