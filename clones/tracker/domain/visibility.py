"""Restrictions of comments and work logs to a group or a role: read from what clients send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Group, Issue, ProjectRole
from clones.tracker.queries.rights import Rights

FIELD = "commentLevel"


def read_visibility(value: Any, issue: Issue, rights: Rights) -> dict[str, str] | None:
    """Return a restriction as it is kept: {"type", "identifier"}; None for none.

    Groups are found by `identifier` (their id) or `value` (their name), roles by either, as a name
    or an id. Nobody restricts to a group or role that they are not in themselves: they would not
    see what they wrote.

    Raises:
        Invalid: it names no group or role, or one that they are not in.
    """
    if value is None or value == {}:
        return None
    if not isinstance(value, Mapping) or value.get("type") not in ("group", "role"):
        raise Invalid(fields={FIELD: "The visibility type must be 'group' or 'role'."})
    names = [value.get("identifier"), value.get("value")]
    wanted = [name for name in names if isinstance(name, str) and name]
    if not wanted:
        raise Invalid(fields={FIELD: "Group or Role must be specified."})
    if value["type"] == "group":
        return _group(wanted, rights)
    return _role(wanted, issue, rights)


def _group(wanted: list[str], rights: Rights) -> dict[str, str]:
    found = (
        Group.objects.filter(uuid__in=wanted).first()
        or Group.objects.filter(name__in=wanted).first()
    )
    if found is None:
        raise Invalid(fields={FIELD: f"Group: {wanted[-1]} does not exist."})
    if found.uuid not in rights.group_uuids:
        raise Invalid(fields={FIELD: f"You are currently not a member of the group: {found.name}."})
    return {"type": "group", "identifier": found.uuid}


def _role(wanted: list[str], issue: Issue, rights: Rights) -> dict[str, str]:
    found = ProjectRole.objects.filter(name__in=wanted).order_by("id").first()
    if found is None:
        numbers = [int(name) for name in wanted if is_digits(name)]
        found = ProjectRole.objects.filter(id__in=[id for id in numbers if id < 2**63]).first()
    if found is None:
        raise Invalid(fields={FIELD: f"Role: {wanted[-1]} does not exist."})
    if found.id not in rights.role_ids(issue.project_id):
        text = f"You are currently not a member of the project role: {found.name}."
        raise Invalid(fields={FIELD: text})
    return {"type": "role", "identifier": str(found.id)}
