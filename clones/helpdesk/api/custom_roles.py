"""Writes of the roles of agents."""

from __future__ import annotations

from clones.core import resources
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.settings import ROLES

register_resource(
    ROLES,
    resources.creates("CreateCustomRole", "Create a role of agents.", status=200),
    resources.updates("UpdateCustomRoleById", "Change a role of agents."),
    resources.deletes("DeleteCustomRoleById", "Delete a role that no agent has."),
    module=__name__,
)
