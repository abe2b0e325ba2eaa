"""Writing organizations and who belongs to them, and groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain import people
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.deliveries import tell_of_organization
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.profile_fields import set_values
from clones.helpdesk.domain.users import set_organization
from clones.helpdesk.models import (
    Group,
    GroupMembership,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)
from clones.helpdesk.rules.tags import split_tags

NAME_LIMIT: Final = 255
TEXT_LIMIT: Final = 65_535
DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")


@logged("create")
def create_organization(*, actor: User, changes: Mapping[str, Any]) -> Organization:
    """Create an organization.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is missing or taken.
    """
    _admins_only(actor)
    now = clock.now()
    made = Organization(id=ids.next_stamp(Organization), created_at=now, updated_at=now)
    _set_organization(made, {"name": None, **changes})
    made.save(force_insert=True)
    tell_of_organization("created", made)
    return made


@logged("update")
def update_organization(
    organization: Organization, *, actor: User, changes: Mapping[str, Any]
) -> Organization:
    """Change an organization; agents may change its notes only.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: the name is missing or taken.
    """
    if actor.role != "admin" and (not actor.is_agent or set(changes) - {"notes", "tags"}):
        raise AccessDenied("only admins change organizations")
    _set_organization(organization, changes)
    organization.updated_at = clock.now()
    organization.save()
    return organization


def create_or_update_organization(
    *, actor: User, key: int | None, changes: Mapping[str, Any]
) -> tuple[Organization, bool]:
    """Update the organization of an id or external id, or create one; tell whether created.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: the name is missing or taken.
        RecordNotFound: the id is nobody's.
    """
    external = changes.get("external_id")
    found: Organization | None = None
    if key is not None:
        found = Organization.objects.filter(id=key).first()
        if found is None:
            raise RecordNotFound("organization", key)
    elif external:
        found = Organization.objects.filter(external_id=external).order_by("id").first()
    if found is None:
        return create_organization(actor=actor, changes=changes), True
    return update_organization(found, actor=actor, changes=changes), False


@logged("destroy")
def delete_organization(organization: Organization, *, actor: User) -> None:
    """Remove an organization; its people and tickets stay without one.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    tell_of_organization("deleted", organization)
    organization.delete()


def _set_organization(organization: Organization, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        name = (plain_text("name", changes["name"], 255) or "").strip()
        if not name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
        taken = Organization.objects.filter(name__iexact=name).exclude(id=organization.id)
        if taken.exists():
            raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
        organization.name = name
    for attribute, limit in (("external_id", 255), ("details", 65_535), ("notes", 65_535)):
        if attribute in changes:
            setattr(organization, attribute, plain_text(attribute, changes[attribute], limit))
    if "domain_names" in changes:
        organization.domain_names = _domains(changes["domain_names"])
    if "tags" in changes:
        organization.tags = split_tags(changes["tags"])
    for flag in ("shared_tickets", "shared_comments"):
        if changes.get(flag) is not None:
            setattr(organization, flag, bool(changes[flag]))
    if "group_id" in changes:
        key = identifier("group_id", changes["group_id"])
        organization.group = Group.objects.filter(id=key, deleted=False).first() if key else None
    if changes.get("organization_fields"):
        set_values(organization, changes["organization_fields"])


def _domains(value: Any) -> list[str]:
    items = value.split() if isinstance(value, str) else value or []
    found = [str(item).strip().lower() for item in items]
    for item in found:
        if not DOMAIN.fullmatch(item):
            raise RecordInvalid.of(
                "domain_names", f"Domain names: {item} is invalid", "InvalidValue"
            )
    return list(dict.fromkeys(found))


@logged("create")
def create_group(*, actor: User, changes: Mapping[str, Any]) -> Group:
    """Create a group of agents.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is missing or taken.
    """
    _admins_only(actor)
    now = clock.now()
    made = Group(id=ids.next_stamp(Group), created_at=now, updated_at=now)
    _set_group(made, {"name": None, **changes})
    made.save(force_insert=True)
    return made


@logged("update")
def update_group(group: Group, *, actor: User, changes: Mapping[str, Any]) -> Group:
    """Change a group.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is missing or taken.
    """
    _admins_only(actor)
    _set_group(group, changes)
    group.updated_at = clock.now()
    group.save()
    return group


@logged("destroy")
def delete_group(group: Group, *, actor: User) -> None:
    """Mark a group as deleted and let its agents go; its open tickets have no group then.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the default group.
    """
    _admins_only(actor)
    if group.default:
        raise RecordInvalid.of("base", "The default group cannot be deleted")
    GroupMembership.objects.filter(group=group).delete()
    User.objects.filter(default_group=group).update(default_group=None)
    Ticket.objects.filter(group=group).exclude(status="closed").update(group=None, assignee=None)
    group.deleted = True
    group.updated_at = clock.now()
    group.save(update_fields=["deleted", "updated_at"])


def _set_group(group: Group, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        name = (plain_text("name", changes["name"], NAME_LIMIT) or "").strip()
        if not name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
        taken = Group.objects.filter(name__iexact=name, deleted=False).exclude(id=group.id)
        if taken.exists():
            raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
        group.name = name
    if "description" in changes:
        group.description = plain_text("description", changes["description"], TEXT_LIMIT) or ""
    if changes.get("is_public") is not None:
        group.is_public = bool(changes["is_public"])


@logged("create")
def add_organization_member(
    *, actor: User, user_id: int, organization_id: int
) -> OrganizationMembership:
    """Put a user into an organization; the first is the default one.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: there is no such user or organization, or the user is in it already.
    """
    _agents_only(actor)
    user = User.objects.filter(id=user_id, active=True).first()
    organization = Organization.objects.filter(id=organization_id).first()
    if user is None or organization is None:
        raise RecordInvalid.of("base", "User or organization: is invalid", "InvalidValue")
    if OrganizationMembership.objects.filter(user=user, organization=organization).exists():
        raise RecordInvalid.of("user_id", "User: has already been taken", "DuplicateValue")
    if user.organization_id is None:
        set_organization(user, organization)
        user.save(update_fields=["organization"])
    return people.join_organization(user, organization, default=False)


@logged("destroy")
def remove_organization_member(membership: OrganizationMembership, *, actor: User) -> None:
    """Take a user out of an organization.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    _agents_only(actor)
    user = membership.user
    membership.delete()
    if user.organization_id == membership.organization_id:
        left = OrganizationMembership.objects.filter(user=user).order_by("id").first()
        user.organization = None
        if left is not None:
            set_organization(user, left.organization)
        user.save(update_fields=["organization"])


def drop_organization(user_id: int, organization_id: int) -> None:
    """Leave the tickets of a user that are not closed without an organization they had."""
    theirs = Ticket.objects.filter(requester_id=user_id, organization_id=organization_id)
    theirs.exclude(status="closed").update(organization=None)


def unassign_organization(membership: OrganizationMembership, *, actor: User) -> None:
    """Take a user out of an organization, and their tickets that are not closed.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    remove_organization_member(membership, actor=actor)
    drop_organization(membership.user_id, membership.organization_id)


def make_organization_default(membership: OrganizationMembership, *, actor: User) -> None:
    """Make an organization the one that a user's new tickets get.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    _agents_only(actor)
    set_organization(membership.user, membership.organization)
    membership.user.save(update_fields=["organization"])


def _agents_only(actor: User) -> None:
    if not actor.is_agent:
        raise AccessDenied("only agents do this")


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins do this")


GROUP: Final = Resource(
    Group,
    "group",
    (
        ResourceField("name", limit=NAME_LIMIT, required=True, label="Group name"),
        ResourceField("description", "text", limit=TEXT_LIMIT),
        ResourceField("is_public", "flag", label="Public group"),
        ResourceField("id", "id"),
    ),
    order=("name", "id"),
    among=lambda: Group.objects.filter(deleted=False),
    create=create_group,
    update=update_group,
    delete=delete_group,
)
