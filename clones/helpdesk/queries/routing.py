"""Reads of routing: how the account routes, skills, and whose skills match what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from clones.core import clock
from clones.core.prepared import Prepared
from clones.helpdesk import queries
from clones.helpdesk.models import (
    AgentValue,
    GroupMembership,
    RoutingChange,
    RoutingSettings,
    RoutingValue,
    Ticket,
    TicketValue,
    User,
)

_SETTINGS: Prepared[RoutingSettings] = Prepared(lambda: RoutingSettings.objects.order_by("id"))


def account_routing() -> RoutingSettings:
    """Return how the account routes; where nobody has said, it does not."""
    return _SETTINGS.first() or RoutingSettings(updated_at=clock.now())


def agent(key: int) -> User:
    """Return one active agent or admin.

    Raises:
        RecordNotFound: there is none.
    """
    rows = User.objects.filter(role__in=("agent", "admin"), active=True)
    return queries.one(rows, "agent", key)


def groups_of_member(member: User) -> list[int]:
    """Return the ids of the groups that an agent is in."""
    rows = GroupMembership.objects.filter(user=member, group__deleted=False)
    return list(rows.order_by("group_id").values_list("group_id", flat=True))


def values_of_agent(agent: User) -> QuerySet[RoutingValue]:
    """Return an agent's skills, those they got first before the others."""
    rows = RoutingValue.objects.filter(agents__agent=agent)
    return rows.order_by("agents__created_at", "id")


def values_of_ticket(ticket: Ticket) -> QuerySet[RoutingValue]:
    """Return the skills that a ticket needs, those it got first before the others."""
    rows = RoutingValue.objects.filter(tickets__ticket=ticket)
    return rows.order_by("tickets__created_at", "id")


def matching_skills(tickets: QuerySet[Ticket], agent: User) -> QuerySet[Ticket]:
    """Return those of some tickets that need no skill which the agent lacks."""
    has = AgentValue.objects.filter(agent=agent).values("value_id")
    lacking = TicketValue.objects.filter(ticket=OuterRef("pk")).exclude(value_id__in=has)
    return tickets.filter(~Exists(lacking))


def fulfilled_tickets(agent: User, keys: Iterable[int]) -> list[int]:
    """Return which of some tickets the agent may see and has the skills for."""
    rows = queries.visible_tickets(agent).filter(id__in=list(keys))
    return list(matching_skills(rows, agent).order_by("id").values_list("id", flat=True))


def routing_changes(stream: str) -> QuerySet[Any]:
    """Return the changes of an export's records, with when they were made."""
    return RoutingChange.objects.filter(stream=stream).annotate(changed=F("time"))
