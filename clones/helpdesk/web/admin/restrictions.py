"""Who may use a view or a macro: everyone, groups, or the one who makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.core.web.inputs import PageForm
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import Group, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin.inputs import AdminInput, checks, depending, select
from clones.helpdesk.web.admin.rule_editor import is_id

EVERYONE, GROUPS, ME = "everyone", "groups", "me"
# Scripts hide the groups where they count for nothing; without them it has to be said.
NO_GROUPS = 'Groups: choose "Agents in specific groups", or no group'
CHOICES = (
    (EVERYONE, "All agents"),
    (GROUPS, "Agents in specific groups"),
    (ME, "Only me"),
)


def fields(restriction: Any, agent: Agent) -> list[AdminInput]:
    """Return the inputs of a restriction; agents who are no admins have none to choose."""
    if agent.user.role != "admin":
        return []
    access, keys = EVERYONE, list[int]()
    if restriction:
        of_groups = restriction["type"] != "User"
        access = GROUPS if of_groups else ME
        keys = (restriction.get("ids") or [restriction["id"]]) if of_groups else []
    groups = Group.objects.filter(deleted=False).order_by("name", "id").values_list("id", "name")
    return [
        select("access", "Who has access", access, CHOICES),
        depending(
            checks("group_ids", "Groups (for agents in specific groups)", keys, groups),
            f"access={GROUPS}",
        ),
    ]


def restriction_of(sent: PageForm, user: User) -> dict[str, Any] | None:
    """Return the restriction that a form says, as the domain takes it; agents keep their own.

    Raises:
        RecordInvalid: groups are ticked, and it is not for agents in specific groups.
    """
    access = sent.text("access") if user.role == "admin" else ME
    if access != GROUPS and user.role == "admin" and sent.several("group_ids"):
        raise RecordInvalid.of("restriction", NO_GROUPS)
    if access == ME:
        return {"type": "User", "id": user.id}
    if access != GROUPS:
        return None
    return {"type": "Group", "ids": [int(key) for key in sent.several("group_ids") if is_id(key)]}


def described(restriction: Any, names: dict[int, str]) -> str:
    """Return a restriction in words; `names` are those of groups."""
    if not restriction:
        return "All agents"
    if restriction["type"] == "User":
        return "Only me"
    keys: Sequence[int] = restriction.get("ids") or [restriction["id"]]
    return ", ".join(names.get(key, str(key)) for key in keys)


def group_names() -> dict[int, str]:
    """Return the names of groups by id."""
    return dict(Group.objects.values_list("id", "name"))
