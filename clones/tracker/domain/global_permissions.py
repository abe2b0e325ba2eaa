"""Global permissions: which groups hold them on the whole site."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.models import Group
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.permission_catalogue import GLOBAL, PERMISSIONS

CATEGORY: Final = "permissions"
SETTING: Final = "global_permissions"
ADMINISTER: Final = ("ADMINISTER", "SYSTEM_ADMIN")


def holders() -> dict[str, list[str]]:
    """Return who holds the global permissions, by key: groups by their uuids, or `anyone`."""
    return {key: list(found) for key, found in setting(SETTING, {}).items()}


def grant_global(permission: str, group: Group, *, actor: Rights) -> None:
    """Let a group hold a global permission.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no such permission, or the group holds it already.
    """
    admins_only(actor)
    held = holders()
    mine = held.setdefault(_checked(permission), [])
    if group.uuid in mine:
        raise Invalid(f"The group '{group.name}' already has this permission.")
    mine.append(group.uuid)
    set_setting(SETTING, held)
    _record("Global permission added", permission, group, actor)


def revoke_global(permission: str, group: Group, *, actor: Rights) -> None:
    """Take a global permission from a group.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no such permission, the group does not hold it, or the actor would
            administer the site no more.
    """
    admins_only(actor)
    held = holders()
    mine = held.get(_checked(permission), [])
    if group.uuid not in mine:
        raise Invalid(f"The group '{group.name}' does not have this permission.")
    mine.remove(group.uuid)
    rest = {uuid for key in ADMINISTER for uuid in held.get(key, ())}
    if permission in ADMINISTER and actor.group_uuids.isdisjoint(rest):
        raise Invalid("You cannot take the permission from the group that makes you an admin.")
    set_setting(SETTING, held)
    _record("Global permission deleted", permission, group, actor)


def _checked(permission: str) -> str:
    if permission not in GLOBAL:
        raise Invalid(f"Invalid permission key '{permission}'.")
    return permission


def _record(summary: str, permission: str, group: Group, actor: Rights) -> None:
    audit.record(
        summary,
        CATEGORY,
        actor=actor,
        object=("PERMISSIONS", permission, "Global permissions"),
        changes=[("Permission", None, PERMISSIONS[permission].name), ("Group", None, group.name)],
    )
