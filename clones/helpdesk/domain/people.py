"""Finding people by their addresses, and making those who write for the first time."""

from __future__ import annotations

import re

from clones.core import clock, ids
from clones.helpdesk.domain.deliveries import tell_of_user
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import (
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    User,
)

EMAIL = re.compile(r"[^@\s<>\"(),;:]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]{2,}")


def user_of_email(email: str) -> User | None:
    """Return the active user who has the address, or None."""
    identity = (
        Identity.objects.filter(type="email", value=email.strip().lower(), user__active=True)
        .select_related("user")
        .order_by("id")
        .first()
    )
    return identity.user if identity is not None else None


def zone_of_email(email: str) -> str | None:
    """Return the time zone of the active user who has the address, as an IANA name, or None."""
    found = user_of_email(email)
    return found.iana_time_zone if found is not None else None


def is_member(user_id: int, organization_id: int) -> bool:
    """Tell whether a user belongs to an organization."""
    return (
        User.objects.filter(id=user_id, organization_id=organization_id).exists()
        or OrganizationMembership.objects.filter(
            user_id=user_id, organization_id=organization_id
        ).exists()
    )


def check_email(email: str) -> str:
    """Return an address in the form it is kept in.

    Raises:
        RecordInvalid: it is no address.
    """
    text = email.strip().lower()
    if len(text) > 254 or not EMAIL.fullmatch(text):
        raise RecordInvalid.of(
            "email", f"Email:  {email} is not properly formatted", "InvalidValue"
        )
    return text


def organization_of_email(email: str) -> Organization | None:
    """Return the organization that claims the address's domain, or None."""
    domain = email.rpartition("@")[2].lower()
    candidates = Organization.objects.filter(domain_names__icontains=f'"{domain}"').order_by("id")
    return candidates.first()


def find_or_create_user(*, email: str, name: str | None) -> User:
    """Return the user of an address, making an end user if nobody has it.

    Raises:
        RecordInvalid: it is no address.
    """
    found = user_of_email(email)
    if found is not None:
        return found
    address = check_email(email)
    made = add_user(
        name=(name or address.partition("@")[0]).strip()[:255],
        email=address,
        role="end-user",
        organization=organization_of_email(address),
    )
    tell_of_user("created", made)
    return made


def add_user(
    *,
    name: str,
    email: str | None,
    role: str,
    organization: Organization | None = None,
    verified: bool = False,
) -> User:
    """Write a user with its primary address and its place in an organization."""
    now = clock.now()
    user = User.objects.create(
        id=ids.next_stamp(User),
        name=name,
        email=email,
        role=role,
        organization=organization,
        verified=verified,
        moderator=role == "admin",
        ticket_restriction="requested" if role == "end-user" else None,
        created_at=now,
        updated_at=now,
    )
    if email is not None:
        add_identity(user, "email", email, primary=True, verified=verified)
    if organization is not None:
        join_organization(user, organization, default=True)
    return user


def add_identity(user: User, kind: str, value: str, *, primary: bool, verified: bool) -> Identity:
    """Write an address of a user."""
    now = clock.now()
    return Identity.objects.create(
        id=ids.next_stamp(Identity),
        user=user,
        type=kind,
        value=value,
        primary=primary,
        verified=verified,
        created_at=now,
        updated_at=now,
    )


def join_organization(
    user: User, organization: Organization, *, default: bool
) -> OrganizationMembership:
    """Write a user's place in an organization, or return the one there is."""
    now = clock.now()
    found = OrganizationMembership.objects.filter(user=user, organization=organization).first()
    if found is not None:
        return found
    return OrganizationMembership.objects.create(
        id=ids.next_stamp(OrganizationMembership),
        user=user,
        organization=organization,
        default=default,
        created_at=now,
        updated_at=now,
    )


def join_group(user: User, group: Group, *, default: bool) -> GroupMembership:
    """Write an agent's place in a group, or return the one there is."""
    found = GroupMembership.objects.filter(user=user, group=group).first()
    if found is not None:
        return found
    now = clock.now()
    return GroupMembership.objects.create(
        id=ids.next_stamp(GroupMembership),
        user=user,
        group=group,
        default=default,
        created_at=now,
        updated_at=now,
    )
