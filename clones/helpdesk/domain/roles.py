"""Writing custom roles: sets of rights that agents hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.object_access import RIGHT, checked_scopes
from clones.helpdesk.domain.setup import rights_of
from clones.helpdesk.models import CustomRole, User

NAME_LIMIT: Final = 255
TEXT_LIMIT: Final = 65_535
PERSONAL = ("full", "manage-group", "manage-personal", "readonly")
# The rights that are words; all others are true or false.
WORDS: dict[str, tuple[str, ...]] = {
    "end_user_list_access": ("full", "none"),
    "end_user_profile_access": ("edit", "edit-within-org", "full", "readonly"),
    "explore_access": ("edit", "full", "none", "readonly"),
    "forum_access": ("edit-topics", "full", "readonly"),
    "macro_access": PERSONAL,
    "manage_roles": ("all", "all-except-self", "none"),
    "report_access": ("full", "none", "readonly"),
    "ticket_access": (
        "all",
        "assigned-only",
        "within-groups",
        "within-groups-and-public-groups",
        "within-organization",
    ),
    "ticket_comment_access": ("public", "none"),
    "user_view_access": (*PERSONAL, "none"),
    "view_access": (*PERSONAL, "playonly"),
}
READ_ONLY = frozenset(
    {"chat_access", "group_access", "light_agent", "moderate_forums", "organization_notes_editing"}
)


def has_right(user: User, right: str) -> bool:
    """Tell whether a user may do what a right of roles names: admins always, others by role."""
    if user.role == "admin":
        return True
    role = user.custom_role if user.is_agent else None
    return role is not None and role.configuration.get(right) is True


def is_denied(user: User, right: str) -> bool:
    """Tell whether a user's own role takes a right away that agents have by themselves."""
    role = user.custom_role if user.is_agent and user.role != "admin" else None
    return role is not None and role.configuration.get(right) is False


@logged("create")
def create_role(*, actor: User, changes: Mapping[str, Any]) -> CustomRole:
    """Create a role; rights it says nothing of are those of a plain agent.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is missing or taken, or a right has a value it cannot have.
    """
    _admins_only(actor)
    now = clock.now()
    role = CustomRole(
        id=ids.next_stamp(CustomRole),
        configuration=rights_of(admin=False),
        created_at=now,
        updated_at=now,
    )
    _set_role(role, {"name": None, **changes})
    role.save(force_insert=True)
    return role


@logged("update")
def update_role(role: CustomRole, *, actor: User, changes: Mapping[str, Any]) -> CustomRole:
    """Change a role; rights that are not given stay.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the system's, or a value breaks a rule.
    """
    _admins_only(actor)
    if role.role_type != 0:
        raise RecordInvalid.of("base", f"{role.name}: system roles cannot be changed")
    _set_role(role, changes)
    role.updated_at = clock.now()
    role.save()
    return role


@logged("destroy")
def delete_role(role: CustomRole, *, actor: User) -> None:
    """Remove a role that nobody holds.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the system's, or agents hold it.
    """
    _admins_only(actor)
    if role.role_type != 0:
        raise RecordInvalid.of("base", f"{role.name}: system roles cannot be deleted")
    if User.objects.filter(custom_role=role, active=True).exists():
        raise RecordInvalid.of("base", f"{role.name}: agents are assigned to this role")
    role.delete()


def _set_role(role: CustomRole, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        role.name = (plain_text("name", changes["name"], NAME_LIMIT) or "").strip()
        if not role.name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
        if CustomRole.objects.filter(name__iexact=role.name).exclude(id=role.id).exists():
            raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
    if "description" in changes:
        role.description = plain_text("description", changes["description"], TEXT_LIMIT) or ""
    if changes.get("configuration") is not None:
        given = changes["configuration"]
        known = {name: given[name] for name in given if name in role.configuration}
        if RIGHT in given:
            role.configuration = {**role.configuration, RIGHT: checked_scopes(given[RIGHT])}
            known.pop(RIGHT, None)
        for name, value in known.items():
            if name not in READ_ONLY:
                _check_right(name, value)
        settable = {name: value for name, value in known.items() if name not in READ_ONLY}
        role.configuration = {**role.configuration, **settable}


def _check_right(name: str, value: Any) -> None:
    fits = value in WORDS[name] if name in WORDS else isinstance(value, bool)
    if not fits:
        raise RecordInvalid.of(
            "configuration", f"Configuration: {name} has an invalid value", "InvalidValue"
        )


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change roles")


CUSTOM_ROLE: Final = Resource(
    CustomRole,
    "role",
    (
        ResourceField("id", "id"),
        ResourceField("name", limit=NAME_LIMIT, required=True),
        ResourceField("description", "text", limit=TEXT_LIMIT),
        ResourceField(
            "configuration",
            "other",
            label="Rights",
            about="Rights; those not given stay as they are.",
            type=dict[str, Any] | None,
        ),
    ),
    create=create_role,
    update=update_role,
    delete=delete_role,
)
