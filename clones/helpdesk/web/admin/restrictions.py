"""Who may use a view or a macro: everyone, groups, or the one who makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from clones.helpdesk.models import Group, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms
from clones.helpdesk.web.admin.rule_editor import is_id
from clones.helpdesk.web.properties import FieldView, FormErrors

EVERYONE, GROUPS, ME = "everyone", "groups", "me"
CHOICES = (
    (EVERYONE, "All agents"),
    (GROUPS, "Agents in specific groups"),
    (ME, "Only me"),
)


def values_of(restriction: Any, agent: Agent) -> dict[str, Any]:
    """Return what the form's fields hold of a restriction."""
    if agent.user.role != "admin":
        return {"access": ME, "group_ids": []}
    if not restriction:
        return {"access": EVERYONE, "group_ids": []}
    if restriction["type"] == "User":
        return {"access": ME, "group_ids": []}
    keys = restriction.get("ids") or [restriction["id"]]
    return {"access": GROUPS, "group_ids": [str(key) for key in keys]}


def posted(post: QueryDict, agent: Agent) -> dict[str, Any]:
    """Return what was sent of the fields; agents keep what is their own."""
    if agent.user.role != "admin":
        return {"access": ME, "group_ids": []}
    access = post.get("access", EVERYONE)
    return {
        "access": access if access in dict(CHOICES) else EVERYONE,
        "group_ids": [key for key in post.getlist("group_ids") if is_id(key)],
    }


def restriction_of(values: dict[str, Any], user: User) -> dict[str, Any] | None:
    """Return the restriction that the fields say, as the domain takes it."""
    if values["access"] == EVERYONE:
        return None
    if values["access"] == ME:
        return {"type": "User", "id": user.id}
    return {"type": "Group", "ids": [int(key) for key in values["group_ids"]]}


def fields(values: dict[str, Any], agent: Agent, complaints: FormErrors | None) -> list[FieldView]:
    """Return the fields; agents who are no admins have none to choose."""
    if agent.user.role != "admin":
        return []
    groups = Group.objects.filter(deleted=False).order_by("name", "id").values_list("id", "name")
    return [
        forms.select("access", "Who has access", values["access"], CHOICES, complaints=complaints),
        forms.select(
            "group_ids",
            "Groups (for agents in specific groups)",
            values["group_ids"],
            groups,
            many=True,
            complaints=complaints,
        ),
    ]


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
