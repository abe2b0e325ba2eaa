"""Which roles a space offers, and what they are called there.

A team-managed space has three of its own: Administrator, Member and Viewer. Others share the
site's, and those of service desks mean something in desks only.
"""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.setup.access import (
    ADMINISTRATORS,
    CUSTOMERS,
    DEVELOPERS,
    MEMBER,
    TEAM,
    VIEWER,
)
from clones.tracker.models import Project, ProjectRole

# The roles of team-managed spaces, by the site's names of the rows that stand for them.
TEAM_MANAGED: Final = {ADMINISTRATORS: "Administrator", MEMBER: MEMBER, VIEWER: VIEWER}


def offers_role(project: Project, role: ProjectRole) -> bool:
    """Tell whether a role means something in a space."""
    if project.simplified:
        return role.name in TEAM_MANAGED
    if project.type == "service_desk":
        return role.name not in (DEVELOPERS, MEMBER, VIEWER)
    return role.name not in (TEAM, CUSTOMERS, MEMBER, VIEWER)


def role_name(role: ProjectRole, project: Project | None) -> str:
    """Return what a role is called in a space, or on the site."""
    if project is not None and project.simplified:
        return TEAM_MANAGED.get(role.name, role.name)
    return role.name


def roles_of(project: Project) -> list[ProjectRole]:
    """Return the roles that a space offers, by their names on the site."""
    rows = ProjectRole.objects.order_by("name", "id")
    return [role for role in rows if offers_role(project, role)]
