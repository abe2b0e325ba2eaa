"""How many records lists hold that belong to a user, an organization, a group or a ticket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call
from clones.core.operations.registry import View
from clones.helpdesk import queries
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import OPERATIONS
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.models import Group, Organization, User

Rows = Callable[[Call], QuerySet[Any]]


def _organization(call: Call) -> Organization:
    return queries.organization(call.path["organization_id"])


def _requested(call: Call) -> QuerySet[Any]:
    return queries.visible_tickets(call.actor).filter(requester=user_of(call))


def _assigned(call: Call) -> QuerySet[Any]:
    return queries.visible_tickets(call.actor).filter(assignee=user_of(call))


def _copied(call: Call) -> QuerySet[Any]:
    return queries.visible_tickets(call.actor).filter(queries.copied_to(user_of(call)))


def _incidents(call: Call) -> QuerySet[Any]:
    return queries.visible_tickets(call.actor).filter(problem=ticket_of(call))


def _of_organization(call: Call) -> QuerySet[Any]:
    return queries.visible_tickets(call.actor).filter(organization=_organization(call))


def _members(call: Call) -> QuerySet[Any]:
    return User.objects.filter(active=True, organization=_organization(call))


def _agents(call: Call) -> QuerySet[Any]:
    group = queries.group(call.path["group_id"])
    return User.objects.filter(active=True, group_memberships__group=group)


def _groups(call: Call) -> QuerySet[Any]:
    return Group.objects.filter(memberships__user=user_of(call), deleted=False)


def _organizations(call: Call) -> QuerySet[Any]:
    return Organization.objects.filter(memberships__user=user_of(call))


_COUNTS: dict[str, tuple[str, str, Rows]] = {
    "CountUserRequestedTickets": (
        "/users/{user_id:int}/tickets/requested",
        "the tickets that a user requested",
        _requested,
    ),
    "CountUserAssignedTickets": (
        "/users/{user_id:int}/tickets/assigned",
        "the tickets assigned to an agent",
        _assigned,
    ),
    "CountUserCcdTickets": (
        "/users/{user_id:int}/tickets/ccd",
        "the tickets that a user is copied on",
        _copied,
    ),
    "CountTicketIncidents": (
        "/tickets/{ticket_id:int}/incidents",
        "the incidents of a problem",
        _incidents,
    ),
    "CountOrganizationTickets": (
        "/organizations/{organization_id:int}/tickets",
        "the tickets of an organization",
        _of_organization,
    ),
    "CountOrganizationUsers": (
        "/organizations/{organization_id:int}/users",
        "the users of an organization",
        _members,
    ),
    "CountGroupUsers": ("/groups/{group_id:int}/users", "the agents of a group", _agents),
    "CountUserGroups": ("/users/{user_id:int}/groups", "the groups of an agent", _groups),
    "CountUserOrganizations": (
        "/users/{user_id:int}/organizations",
        "the organizations of a user",
        _organizations,
    ),
}


def _counting(rows: Rows) -> View:
    def view(call: Call) -> dict[str, Any]:
        """Count records."""
        return counted(rows(call).count())

    return view


for name, (path, what, rows) in _COUNTS.items():
    about = f"Count {what}."
    OPERATIONS.operation(name, "GET", f"{path}/count", summary=about)(_counting(rows))
