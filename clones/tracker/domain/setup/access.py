"""Roles and the schemes that say who may what and who is told, as on a fresh site.

The grants are those that the vendor's new sites have, as far as they are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.roles import fill_role
from clones.tracker.models import (
    Group,
    Notification,
    NotificationScheme,
    PermissionGrant,
    PermissionScheme,
    ProjectRole,
)
from clones.tracker.rules.notification_events import EVENTS

ADMINISTRATORS: Final = "Administrators"
DEVELOPERS: Final = "Developers"
MEMBER: Final = "Member"
VIEWER: Final = "Viewer"
TEAM: Final = "Service Desk Team"
CUSTOMERS: Final = "Service Desk Customers"
# In the order in which they are made, so that the administrators' role has its usual number.
ROLES: Final = {
    MEMBER: "People who work in a team-managed space.",
    VIEWER: "People who look at a team-managed space and comment.",
    ADMINISTRATORS: "People who run a space.",
    DEVELOPERS: "People who build what a space is about.",
    TEAM: "Agents who answer the requests of a service space.",
    CUSTOMERS: "People who ask for help in a service space.",
}
# The group that runs every new space by default.
ADMINS: Final = "jira-administrators"
DEFAULT_SCHEME: Final = "Default Permission Scheme"
SOFTWARE_SCHEME: Final = "Default software scheme"
NOTIFICATION_SCHEME: Final = "Default Notification Scheme"

FOR_ADMINS: Final = (
    "ADMINISTER_PROJECTS",
    "EDIT_WORKFLOW",
    "EDIT_ISSUE_LAYOUT",
    "DELETE_ISSUES",
    "MODIFY_REPORTER",
    "SET_ISSUE_SECURITY",
    "MANAGE_WATCHERS",
    "EDIT_ALL_COMMENTS",
    "DELETE_ALL_COMMENTS",
    "DELETE_ALL_ATTACHMENTS",
    "EDIT_ALL_WORKLOGS",
    "DELETE_ALL_WORKLOGS",
    "ARCHIVE_ISSUES",
    "UNARCHIVE_ISSUES",
)
FOR_WORKERS: Final = (
    "CREATE_ISSUES",
    "EDIT_ISSUES",
    "ASSIGN_ISSUES",
    "ASSIGNABLE_USER",
    "CLOSE_ISSUES",
    "RESOLVE_ISSUES",
    "LINK_ISSUES",
    "MOVE_ISSUES",
    "SCHEDULE_ISSUES",
    "TRANSITION_ISSUES",
    "CREATE_ATTACHMENTS",
    "DELETE_OWN_ATTACHMENTS",
    "WORK_ON_ISSUES",
    "EDIT_OWN_WORKLOGS",
    "DELETE_OWN_WORKLOGS",
    "VIEW_DEV_TOOLS",
)
FOR_VIEWERS: Final = (
    "BROWSE_PROJECTS",
    "ADD_COMMENTS",
    "EDIT_OWN_COMMENTS",
    "DELETE_OWN_COMMENTS",
    "VIEW_READONLY_WORKFLOW",
    "VIEW_VOTERS_AND_WATCHERS",
    "VIEW_AGGREGATED_DATA",
)
OF_CUSTOMERS: Final = (
    "BROWSE_PROJECTS",
    "CREATE_ISSUES",
    "ADD_COMMENTS",
    "EDIT_OWN_COMMENTS",
    "DELETE_OWN_COMMENTS",
    "CREATE_ATTACHMENTS",
    "DELETE_OWN_ATTACHMENTS",
    "VIEW_VOTERS_AND_WATCHERS",
    "CLOSE_ISSUES",
    "RESOLVE_ISSUES",
)
SPRINTS: Final = "MANAGE_SPRINTS_PERMISSION"
AGENT: Final = "SERVICEDESK_AGENT"
TOLD: Final = ("CurrentAssignee", "Reporter", "AllWatchers")
Grants = list[tuple[str, str, str | None]]


@dataclass(frozen=True, slots=True)
class InstalledAccess:
    """The roles and schemes that new spaces are given."""

    roles: dict[str, ProjectRole]
    default_scheme: PermissionScheme
    software_scheme: PermissionScheme
    notification_scheme: NotificationScheme


def install_access() -> InstalledAccess:
    """Make the roles, the shared permission schemes and the notification scheme."""
    roles = {
        name: ProjectRole.objects.create(id=next_id(ProjectRole), name=name, description=about)
        for name, about in ROLES.items()
    }
    admins = Group.objects.filter(name=ADMINS).order_by("id")
    fill_role(roles[ADMINISTRATORS], None, [], list(admins))
    shared = _shared_grants(roles[ADMINISTRATORS])
    default = add_scheme(
        DEFAULT_SCHEME,
        "Counts for spaces that have no scheme of their own.",
        [*shared, (SPRINTS, "projectRole", str(roles[ADMINISTRATORS].id))],
        key=0,
        is_default=True,
    )
    software = add_scheme(
        SOFTWARE_SCHEME,
        "Counts for company-managed software spaces.",
        [*shared, (SPRINTS, "applicationRole", None)],
    )
    return InstalledAccess(roles, default, software, _notification_scheme())


def _shared_grants(admins: ProjectRole) -> Grants:
    run: Grants = [(key, "projectRole", str(admins.id)) for key in FOR_ADMINS]
    work: Grants = [(key, "applicationRole", None) for key in (*FOR_VIEWERS, *FOR_WORKERS)]
    return run + work


def desk_grants(roles: dict[str, ProjectRole]) -> Grants:
    """Return the grants of a service space: admins, agents, and customers through the portal."""
    admins, team = str(roles[ADMINISTRATORS].id), str(roles[TEAM].id)
    work = (*FOR_VIEWERS, *FOR_WORKERS, AGENT, "MODIFY_REPORTER", "MANAGE_WATCHERS")
    run = dict.fromkeys((*FOR_ADMINS, *work))
    return [
        *((key, "projectRole", admins) for key in run),
        *((key, "projectRole", team) for key in work),
        *((key, "sd.customer.portal.only", None) for key in OF_CUSTOMERS),
    ]


def team_grants(roles: dict[str, ProjectRole]) -> Grants:
    """Return the grants of an open team-managed space: everybody may work in it."""
    admins, member = str(roles[ADMINISTRATORS].id), str(roles[MEMBER].id)
    viewer = str(roles[VIEWER].id)
    work = (*FOR_VIEWERS, *FOR_WORKERS, SPRINTS)
    return [
        *((key, "projectRole", admins) for key in (*FOR_ADMINS, *work)),
        *((key, "projectRole", member) for key in (*work, "DELETE_ISSUES", "MODIFY_REPORTER")),
        *((key, "projectRole", viewer) for key in FOR_VIEWERS),
        *((key, "applicationRole", None) for key in work),
    ]


def add_scheme(
    name: str,
    description: str,
    grants: Grants,
    *,
    key: int | None = None,
    is_default: bool = False,
) -> PermissionScheme:
    """Write a permission scheme with its grants: permission, type of holder, parameter."""
    scheme = PermissionScheme.objects.create(
        id=next_id(PermissionScheme) if key is None else key,
        name=name,
        description=description,
        is_default=is_default,
    )
    keys = next_ids(PermissionGrant, len(grants))
    PermissionGrant.objects.bulk_create(
        [
            PermissionGrant(
                id=number, scheme=scheme, permission=permission, holder_type=kind, parameter=value
            )
            for number, (permission, kind, value) in zip(keys, grants, strict=True)
        ]
    )
    return scheme


def _notification_scheme() -> NotificationScheme:
    scheme = NotificationScheme.objects.create(
        id=next_id(NotificationScheme),
        name=NOTIFICATION_SCHEME,
        description="Tells those who have to do with an issue.",
        is_default=True,
    )
    pairs = [(event, kind) for event in EVENTS for kind in TOLD]
    keys = next_ids(Notification, len(pairs))
    Notification.objects.bulk_create(
        [
            Notification(id=number, scheme=scheme, event=event, type=kind)
            for number, (event, kind) in zip(keys, pairs, strict=True)
        ]
    )
    return scheme


def roles_by_name() -> dict[str, ProjectRole]:
    """Return the site's roles by name."""
    return {role.name: role for role in ProjectRole.objects.order_by("id")}
