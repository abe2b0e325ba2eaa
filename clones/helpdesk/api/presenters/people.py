"""Users, identities, organizations, groups and memberships as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
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

ROLE_TYPES = {"agent": 0, "admin": 4}
LOCALES = {locale.code: locale.id for locale in locales.LOCALES}

ANONYMOUS: dict[str, Any] = {
    "id": None,
    "url": None,
    "name": "Anonymous user",
    "email": "invalid@example.com",
    "created_at": None,
    "updated_at": None,
    "time_zone": None,
    "iana_time_zone": None,
    "phone": None,
    "shared_phone_number": None,
    "photo": None,
    "locale_id": 1,
    "locale": "en-US",
    "organization_id": None,
    "role": "end-user",
    "verified": False,
    "external_id": None,
    "tags": [],
    "alias": None,
    "active": True,
    "shared": False,
    "shared_agent": False,
    "last_login_at": None,
    "two_factor_auth_enabled": None,
    "signature": None,
    "details": None,
    "notes": None,
    "role_type": None,
    "custom_role_id": None,
    "moderator": False,
    "ticket_restriction": None,
    "only_private_comments": False,
    "restricted_agent": True,
    "suspended": False,
    "default_group_id": None,
    "report_csv": False,
    "user_fields": {},
}


def present_user(user: User, show: Show) -> dict[str, Any]:
    """Return a user as JSON."""
    show.note(user)
    is_agent = user.is_agent
    return {
        "id": user.id,
        "url": show.url(f"users/{user.id}"),
        "name": user.name,
        "email": user.email,
        "created_at": when(user.created_at),
        "updated_at": when(user.updated_at),
        "time_zone": user.time_zone,
        "iana_time_zone": user.iana_time_zone,
        "phone": user.phone,
        "shared_phone_number": None if user.phone is None else False,
        "photo": None,
        "locale_id": LOCALES.get(user.locale, 1),
        "locale": user.locale,
        "organization_id": user.organization_id,
        "role": user.role,
        "verified": user.verified,
        "external_id": user.external_id,
        "tags": user.tags,
        "alias": user.alias,
        "active": user.active,
        "shared": False,
        "shared_agent": False,
        "last_login_at": when(user.last_login_at),
        "two_factor_auth_enabled": None if is_agent else False,
        "signature": user.signature,
        "details": user.details,
        "notes": user.notes,
        "role_type": ROLE_TYPES.get(user.role),
        "custom_role_id": user.custom_role_id,
        "moderator": user.moderator,
        "ticket_restriction": user.ticket_restriction,
        "only_private_comments": user.only_private_comments,
        "restricted_agent": user.role != "admin" and user.ticket_restriction is not None,
        "suspended": user.suspended,
        "default_group_id": user.default_group_id,
        "report_csv": user.role == "admin",
        "user_fields": show.profile("user", user.user_fields),
    }


def present_identity(identity: Identity, show: Show) -> dict[str, Any]:
    """Return an address of a user as JSON."""
    show.note(identity)
    found = {
        "url": show.url(f"users/{identity.user_id}/identities/{identity.id}"),
        "id": identity.id,
        "user_id": identity.user_id,
        "type": identity.type,
        "value": identity.value,
        "verified": identity.verified,
        "primary": identity.primary,
        "created_at": when(identity.created_at),
        "updated_at": when(identity.updated_at),
    }
    if identity.type == "email":
        found["undeliverable_count"] = identity.undeliverable_count
        found["deliverable_state"] = identity.deliverable_state
    return found


def present_organization(organization: Organization, show: Show) -> dict[str, Any]:
    """Return an organization as JSON."""
    show.note(organization)
    return {
        "url": show.url(f"organizations/{organization.id}"),
        "id": organization.id,
        "name": organization.name,
        "shared_tickets": organization.shared_tickets,
        "shared_comments": organization.shared_comments,
        "external_id": organization.external_id,
        "created_at": when(organization.created_at),
        "updated_at": when(organization.updated_at),
        "domain_names": organization.domain_names,
        "details": organization.details,
        "notes": organization.notes,
        "group_id": organization.group_id,
        "tags": organization.tags,
        "organization_fields": show.profile("organization", organization.organization_fields),
    }


def present_group(group: Group, show: Show) -> dict[str, Any]:
    """Return a group as JSON."""
    show.note(group)
    return {
        "url": show.url(f"groups/{group.id}"),
        "id": group.id,
        "is_public": group.is_public,
        "name": group.name,
        "description": group.description,
        "default": group.default,
        "deleted": group.deleted,
        "created_at": when(group.created_at),
        "updated_at": when(group.updated_at),
    }


def present_group_membership(membership: GroupMembership, show: Show) -> dict[str, Any]:
    """Return an agent's place in a group as JSON."""
    show.note(membership)
    return {
        "url": show.url(f"group_memberships/{membership.id}"),
        "id": membership.id,
        "user_id": membership.user_id,
        "group_id": membership.group_id,
        "default": membership.default,
        "created_at": when(membership.created_at),
        "updated_at": when(membership.updated_at),
    }


def present_organization_membership(
    membership: OrganizationMembership, show: Show
) -> dict[str, Any]:
    """Return a user's place in an organization as JSON; the organization must be loaded."""
    show.note(membership)
    return {
        "url": show.url(f"organization_memberships/{membership.id}"),
        "id": membership.id,
        "user_id": membership.user_id,
        "organization_id": membership.organization_id,
        "default": membership.default,
        "created_at": when(membership.created_at),
        "organization_name": membership.organization.name,
        "updated_at": when(membership.updated_at),
        "view_tickets": membership.view_tickets,
    }


def present_custom_role(role: CustomRole, members: int, show: Show) -> dict[str, Any]:
    """Return a set of rights as JSON, with how many agents hold it."""
    show.note(role)
    return {
        "id": role.id,
        "name": role.name,
        "description": role.description,
        "role_type": role.role_type,
        "created_at": when(role.created_at),
        "updated_at": when(role.updated_at),
        "configuration": role.configuration,
        "team_member_count": members,
    }
