"""What goes beside people, organizations and places in them when `include=` asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Count

from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.people import present_custom_role, present_identity
from clones.helpdesk.api.sideloads import groups_by_id, organizations_by_id, users_by_id
from clones.helpdesk.models import (
    CustomRole,
    Group,
    Identity,
    Organization,
    OrganizationMembership,
    Ticket,
    User,
)

# The statuses of tickets that are done with.
DONE = ("solved", "closed")


def user_sideloads(
    users: Sequence[User], wanted: Iterable[str], actor: User, show: Show
) -> dict[str, Any]:
    """Return what goes beside users."""
    aside = show.as_list()
    return {
        name: build(users, actor, aside) for name, build in _OF_USERS.items() if name in set(wanted)
    }


def _organizations(users: Sequence[User], actor: User, show: Show) -> list[dict[str, Any]]:
    return organizations_by_id({user.organization_id for user in users}, show)


def _groups(users: Sequence[User], actor: User, show: Show) -> list[dict[str, Any]]:
    found = Group.objects.filter(memberships__user__in=[user.id for user in users], deleted=False)
    return groups_by_id(set(found.values_list("id", flat=True)), show)


def _identities(users: Sequence[User], actor: User, show: Show) -> list[dict[str, Any]]:
    rows = Identity.objects.filter(user__in=[user.id for user in users]).order_by("id")
    return [present_identity(row, show) for row in rows]


def _roles(users: Sequence[User], actor: User, show: Show) -> list[dict[str, Any]]:
    keys = {user.custom_role_id for user in users if user.custom_role_id is not None}
    held = User.objects.filter(custom_role__in=keys, active=True).order_by()
    members = dict(held.values_list("custom_role").annotate(number=Count("id")))
    rows = CustomRole.objects.filter(id__in=keys).order_by("id")
    return [present_custom_role(row, members.get(row.id, 0), show) for row in rows]


def _abilities(users: Sequence[User], actor: User, show: Show) -> list[dict[str, Any]]:
    return [_abilities_of(user, actor, show) for user in users]


def _abilities_of(user: User, actor: User, show: Show) -> dict[str, Any]:
    """Return what the caller may do with a user."""
    own = user.id == actor.id
    works_on = actor.role == "admin" or (actor.is_agent and not user.is_agent)
    return {
        "url": show.url(f"users/{user.id}"),
        "user_id": user.id,
        "can_edit": own or works_on,
        "can_edit_password": own or actor.role == "admin",
        "can_manage_identities_of": own or works_on,
        "can_verify_identities": works_on and not own,
    }


def _open_ticket_count(users: Sequence[User], actor: User, show: Show) -> dict[str, int]:
    """Return how many requests each user has that are not done with."""
    keys = [user.id for user in users]
    rows = Ticket.objects.filter(requester__in=keys, deleted_at=None).exclude(status__in=DONE)
    counts = dict(rows.order_by().values_list("requester").annotate(number=Count("id")))
    return {str(key): counts.get(key, 0) for key in keys}


_OF_USERS: dict[str, Callable[[Sequence[User], User, Show], Any]] = {
    "organizations": _organizations,
    "groups": _groups,
    "identities": _identities,
    "roles": _roles,
    "abilities": _abilities,
    "open_ticket_count": _open_ticket_count,
}


def organization_sideloads(
    rows: Sequence[Organization], wanted: Iterable[str], actor: User, show: Show
) -> dict[str, Any]:
    """Return what goes beside organizations: what the caller may do with each."""
    if "abilities" not in set(wanted):
        return {}
    admin = actor.role == "admin"
    abilities = [
        {
            "url": show.url(f"organizations/{row.id}"),
            "organization_id": row.id,
            "can_edit": admin or actor.is_agent,
            "can_delete": admin,
        }
        for row in rows
    ]
    return {"abilities": abilities}


def membership_sideloads(
    rows: Sequence[OrganizationMembership], wanted: Iterable[str], show: Show
) -> dict[str, Any]:
    """Return what goes beside places in organizations."""
    names, beside = set(wanted), dict[str, Any]()
    if "users" in names:
        beside["users"] = users_by_id({row.user_id for row in rows}, show.as_list())
    if "organizations" in names:
        keys = {row.organization_id for row in rows}
        beside["organizations"] = organizations_by_id(keys, show.as_list())
    return beside
