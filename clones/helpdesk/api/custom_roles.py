"""Roles of agents."""

from __future__ import annotations

from clones.core import resources
from clones.helpdesk.api.presenters.people import present_custom_role
from clones.helpdesk.api.resources import COUNTED, by_key, register_resource
from clones.helpdesk.domain.roles import CUSTOM_ROLE
from clones.helpdesk.models import CustomRole, User


def members_of(role: CustomRole) -> int:
    """Count the active agents who hold a role."""
    return User.objects.filter(custom_role=role, active=True).count()


register_resource(
    resources.ResourceApi(
        resource=CUSTOM_ROLE,
        path="/custom_roles",
        one="/{role_id:int}",
        find=by_key(CUSTOM_ROLE, "custom role"),
        present=lambda role, how: present_custom_role(role, members_of(role), how),
        body="Role",
        about="The attributes of a custom role that can be set.",
        name="custom_role",
        names="custom_roles",
    ),
    resources.lists("ListCustomRoles", "List the agents' roles.", manner=COUNTED),
    resources.creates("CreateCustomRole", "Create a role of agents.", status=200),
    resources.shows("ShowCustomRoleById", "Show one role of agents."),
    resources.updates("UpdateCustomRoleById", "Change a role of agents."),
    resources.deletes("DeleteCustomRoleById", "Delete a role that no agent has."),
    module=__name__,
)
