"""Writing users and their addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core import clock
from clones.core.models import Account
from clones.helpdesk.domain import people
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.deliveries import tell_of_user
from clones.helpdesk.domain.downgrading import leave_desk
from clones.helpdesk.domain.errors import (
    AccessDenied,
    DuplicateRecord,
    InvalidAttribute,
    MissingParameter,
    RecordInvalid,
)
from clones.helpdesk.domain.profile_fields import set_values
from clones.helpdesk.models import (
    CustomRole,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    User,
)
from clones.helpdesk.rules import locales
from clones.helpdesk.rules.tags import split_tags
from clones.helpdesk.rules.zones import zone_of

TEXTS = {
    "external_id": 255,
    "alias": 255,
    "phone": 64,
    "time_zone": 64,
    "locale": 16,
    "signature": 65_535,
    "details": 65_535,
    "notes": 65_535,
}
FLAGS = ("verified", "suspended", "moderator", "only_private_comments")
# What decides how much an agent may see and do.
RIGHTS = frozenset({"ticket_restriction", "custom_role_id", "only_private_comments", "moderator"})
STAFF_ONLY = frozenset(
    {
        "role",
        "suspended",
        "moderator",
        "only_private_comments",
        "ticket_restriction",
        "custom_role_id",
        "default_group_id",
        "organization_id",
        "organization",
        "notes",
        "tags",
        "verified",
        "external_id",
        "user_fields",
    }
)
IDENTITY_TYPES = (
    "email",
    "twitter",
    "facebook",
    "google",
    "phone_number",
    "agent_forwarding",
    "any_channel",
    "foreign",
    "sdk",
)


@logged("create")
def create_user(*, actor: User, changes: Mapping[str, Any]) -> User:
    """Create a user with its addresses.

    Raises:
        AccessDenied: the actor may not make users of that role.
        RecordInvalid: a value breaks a rule, or the address is taken.
    """
    role = str(changes.get("role") or "end-user")
    if not actor.is_agent or (role != "end-user" and actor.role != "admin"):
        raise AccessDenied("only admins create agents")
    _check_reach(actor, changes)
    name = _name(changes.get("name"))
    email = _free_email(changes.get("email"))
    organization = _organization(changes)
    if organization is None and email is not None and "organization_id" not in changes:
        organization = people.organization_of_email(email)
    _check_external_id(changes.get("external_id"), None)
    user = people.add_user(
        name=name,
        email=email,
        role="end-user",
        organization=organization,
        verified=bool(changes.get("verified")),
    )
    _set_role(user, role)
    rest = {key: value for key, value in changes.items() if key not in _SET_AT_CREATION}
    _set_attributes(user, rest)
    user.save()
    for entry in changes.get("identities") or []:
        _add_given_identity(user, entry)
    tell_of_user("created", user)
    return user


_SET_AT_CREATION = frozenset(
    {"name", "email", "role", "organization_id", "organization", "identities", "verified"}
)


@logged("update")
def update_user(user: User, *, actor: User, changes: Mapping[str, Any]) -> User:
    """Change a user.

    A new address is added beside the old ones unless the user had none. A team member who becomes
    an end user leaves the desk.

    Raises:
        AccessDenied: the actor may not change that user, or not in that way.
        RecordInvalid: a value breaks a rule, or the address is taken.
    """
    _check_rights(user, actor, changes)
    if "name" in changes:
        user.name = _name(changes["name"])
    if changes.get("role") and changes["role"] != user.role:
        if changes["role"] == "end-user":
            leave_desk(user, actor=actor)
        _set_role(user, str(changes["role"]))
    if changes.get("email"):
        _take_email(user, str(changes["email"]))
    if "organization_id" in changes or "organization" in changes:
        set_organization(user, _organization(changes))
    if "external_id" in changes:
        _check_external_id(changes["external_id"], user)
    _set_attributes(user, changes)
    for entry in changes.get("identities") or []:
        _add_given_identity(user, entry)
    user.updated_at = clock.now()
    user.save()
    if changes.get("verified"):
        Identity.objects.filter(user=user, primary=True).update(verified=True)
    return user


def create_or_update_user(*, actor: User, changes: Mapping[str, Any]) -> tuple[User, bool]:
    """Update the user who has the address or external id, or create one; tell whether created.

    The case of an external id does not matter; the user takes it as it is given.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: a value breaks a rule.
    """
    found: User | None = None
    if changes.get("external_id"):
        same = User.objects.filter(external_id__iexact=str(changes["external_id"]), active=True)
        found = (
            same.filter(external_id=changes["external_id"]).first() or same.order_by("id").first()
        )
    if found is None and changes.get("email"):
        found = people.user_of_email(str(changes["email"]))
    if found is None:
        return create_user(actor=actor, changes=changes), True
    return update_user(found, actor=actor, changes=changes), False


@logged("destroy")
def deactivate_user(user: User, *, actor: User) -> User:
    """Deactivate a user: nobody signs in as them and nothing new is theirs.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: it is the actor.
    """
    if not actor.is_agent or (user.is_agent and actor.role != "admin"):
        raise AccessDenied("only admins deactivate agents")
    if user.id == actor.id:
        raise RecordInvalid.of("base", "You cannot delete yourself")
    user.active = False
    user.updated_at = clock.now()
    user.save(update_fields=["active", "updated_at"])
    Account.objects.filter(clone="helpdesk", subject=str(user.id)).update(active=False)
    tell_of_user("deleted", user)
    return user


def set_organization(user: User, organization: Organization | None) -> None:
    """Make an organization the user's default one, in memory, and write the memberships."""
    OrganizationMembership.objects.filter(user=user, default=True).update(default=False)
    if organization is None and user.organization_id is not None:
        OrganizationMembership.objects.filter(
            user=user, organization_id=user.organization_id
        ).delete()
    if organization is not None:
        place = people.join_organization(user, organization, default=True)
        place.default = True
        place.save(update_fields=["default"])
    user.organization = organization


def create_identity(user: User, *, actor: User, changes: Mapping[str, Any]) -> Identity:
    """Add an address to a user.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: it is no address, or taken.
    """
    _check_rights(user, actor, {})
    return _add_given_identity(user, changes)


def update_identity(
    identity: Identity, *, actor: User, value: str | None = None, verified: bool | None = None
) -> Identity:
    """Change an address, or mark it as verified.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: it is no address, or taken.
    """
    _check_rights(identity.user, actor, {})
    if value is not None and value != identity.value:
        identity.value = _free_email(value) or "" if identity.type == "email" else value[:254]
    if verified is not None:
        identity.verified = verified
    identity.updated_at = clock.now()
    identity.save()
    if identity.primary and identity.type == "email":
        _show_primary(identity)
    return identity


def make_identity_primary(identity: Identity, *, actor: User) -> None:
    """Make an address the one that the user is written to at.

    Raises:
        AccessDenied: the actor may not.
    """
    _check_rights(identity.user, actor, {})
    same = Identity.objects.filter(user=identity.user, type=identity.type)
    same.exclude(id=identity.id).filter(primary=True).update(primary=False)
    identity.primary = True
    identity.updated_at = clock.now()
    identity.save()
    if identity.type == "email":
        _show_primary(identity)


def delete_identity(identity: Identity, *, actor: User) -> None:
    """Take an address from a user.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: it is the primary one.
    """
    _check_rights(identity.user, actor, {})
    if identity.primary:
        raise RecordInvalid.of("base", "Identity: the primary identity cannot be deleted")
    identity.delete()


def _show_primary(identity: Identity) -> None:
    user = identity.user
    user.email = identity.value
    user.verified = user.verified or identity.verified
    user.updated_at = clock.now()
    user.save(update_fields=["email", "verified", "updated_at"])
    Account.objects.filter(clone="helpdesk", subject=str(user.id)).update(login=identity.value)


def _add_given_identity(user: User, entry: Mapping[str, Any]) -> Identity:
    kind, value = str(entry.get("type") or ""), entry.get("value")
    if not kind or value in (None, ""):
        raise MissingParameter("identity")
    if kind not in IDENTITY_TYPES:
        raise InvalidAttribute("type", "a type of identity")
    text = _free_email(value) if kind == "email" else plain_text("value", value, 254)
    first = not Identity.objects.filter(user=user, type=kind, primary=True).exists()
    return people.add_identity(
        user, kind, text or "", primary=first, verified=bool(entry.get("verified"))
    )


def _take_email(user: User, given: str) -> None:
    address = people.check_email(given)
    if Identity.objects.filter(user=user, type="email", value=address).exists():
        return
    _free_email(address)
    has_one = user.email is not None
    people.add_identity(user, "email", address, primary=not has_one, verified=False)
    if not has_one:
        user.email = address


def _check_rights(user: User, actor: User, changes: Mapping[str, Any]) -> None:
    if actor.role == "admin":
        return
    if actor.is_agent:
        if user.is_agent and user.id != actor.id:
            raise AccessDenied("only admins change agents")
        if "role" in changes and changes["role"] not in (None, user.role):
            raise AccessDenied("only admins change roles")
        if any(changes[name] != getattr(user, name) for name in RIGHTS & set(changes)):
            raise AccessDenied("only admins change what agents may do")
        _check_reach(actor, changes)
        return
    if user.id != actor.id or STAFF_ONLY & set(changes):
        raise AccessDenied("end users change their own profile only")


def _check_reach(actor: User, changes: Mapping[str, Any]) -> None:
    """Refuse values of custom fields from agents who do not see all tickets."""
    if actor.role == "agent" and actor.ticket_restriction and changes.get("user_fields"):
        raise AccessDenied("only agents who see all tickets fill in fields of users")


def _set_role(user: User, role: str) -> None:
    if role not in User.ROLES:
        raise RecordInvalid.of("role", f"Role: {role} is not a valid role", "InvalidValue")
    user.role = role
    user.moderator = role == "admin"
    user.ticket_restriction = "requested" if role == "end-user" else None
    if role == "end-user":
        return
    name = "Admin" if role == "admin" else "Agent"
    user.custom_role = CustomRole.objects.filter(name=name).order_by("id").first()
    group = Group.objects.filter(default=True, deleted=False).order_by("id").first()
    if group is not None and not GroupMembership.objects.filter(user=user).exists():
        user.default_group = group
        user.save()
        people.join_group(user, group, default=True)


def _set_attributes(user: User, changes: Mapping[str, Any]) -> None:
    _set_texts(user, changes)
    for name in FLAGS:
        if changes.get(name) is not None:
            setattr(user, name, bool(changes[name]))
    if "tags" in changes:
        user.tags = split_tags(changes["tags"])
    if changes.get("user_fields"):
        set_values(user, changes["user_fields"])
    if "ticket_restriction" in changes:
        restriction = changes["ticket_restriction"]
        if restriction is not None and restriction not in User.RESTRICTIONS:
            raise InvalidAttribute("ticket_restriction", "a ticket restriction")
        user.ticket_restriction = restriction
    if changes.get("default_group_id"):
        _set_default_group(user, identifier("default_group_id", changes["default_group_id"]))
    if changes.get("custom_role_id"):
        key = identifier("custom_role_id", changes["custom_role_id"])
        user.custom_role = CustomRole.objects.filter(id=key or 0).first()


def _set_texts(user: User, changes: Mapping[str, Any]) -> None:
    for name, limit in TEXTS.items():
        if name in changes:
            value = plain_text(name, changes[name], limit)
            if value is not None or name not in ("time_zone", "locale"):
                setattr(user, name, value)
    if changes.get("locale_id") is not None and changes.get("locale") is None:
        user.locale = _locale_of(changes["locale_id"])
    zone = zone_of(user.time_zone) if changes.get("time_zone") else None
    if zone is not None:
        user.iana_time_zone = zone


def _locale_of(number: Any) -> str:
    found = locales.named(str(number))
    if found is None:
        raise RecordInvalid.of("locale_id", "Locale: is invalid", "InvalidValue")
    return found.code


def _set_default_group(user: User, key: int | None) -> None:
    group = Group.objects.filter(id=key or 0, deleted=False).first()
    if group is None or not user.is_agent:
        raise RecordInvalid.of("default_group_id", "Default group: is invalid", "InvalidValue")
    people.join_group(user, group, default=False)
    GroupMembership.objects.filter(user=user).exclude(group=group).filter(default=True).update(
        default=False
    )
    GroupMembership.objects.filter(user=user, group=group).update(default=True)
    user.default_group = group


def _organization(changes: Mapping[str, Any]) -> Organization | None:
    named = changes.get("organization")
    if isinstance(named, Mapping) and named.get("name"):
        found = Organization.objects.filter(name__iexact=str(named["name"])).order_by("id").first()
    elif changes.get("organization_id"):
        key = identifier("organization_id", changes["organization_id"])
        found = Organization.objects.filter(id=key or 0).first()
    else:
        return None
    if found is None:
        raise RecordInvalid.of("organization", "Organization: is invalid", "InvalidValue")
    return found


def _name(value: Any) -> str:
    text = (plain_text("name", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of(
            "name", "Name:  is too short (minimum is 1 characters)", "ValueTooShort"
        )
    return text


def _free_email(value: Any) -> str | None:
    if value in (None, ""):
        return None
    address = people.check_email(str(value))
    if Identity.objects.filter(type="email", value=address, user__active=True).exists():
        raise RecordInvalid.of(
            "email", f"Email: {address} is already being used by another user", "DuplicateValue"
        )
    return address


def _check_external_id(value: Any, user: User | None) -> None:
    if not value:
        return
    taken = User.objects.filter(external_id=str(value), active=True)
    if user is not None:
        taken = taken.exclude(id=user.id)
    if taken.exists():
        raise DuplicateRecord("External has already been taken")
