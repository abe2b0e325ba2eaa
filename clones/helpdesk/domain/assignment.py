"""Giving waiting tickets to agents who are at work: a job, whenever something changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, cast

from django.db import transaction
from django.db.models import Count

from clones.core import clock, jobs
from clones.core.journal import act
from clones.helpdesk.domain import metrics, tickets
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.errors import AccessDenied, HelpdeskError, RecordInvalid
from clones.helpdesk.domain.routing import KIND, ask_for_routing
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import (
    AgentAvailability,
    AgentValue,
    GroupMembership,
    Queue,
    RoutingSettings,
    Ticket,
    TicketValue,
    User,
)
from clones.helpdesk.queries import REFERENCES
from clones.helpdesk.queries.routing import account_routing
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules import routing as rules
from clones.helpdesk.rules.conditions import matches

CHANNEL = "omnichannel_routing"


def set_agent_status(agent: User, status: int, *, actor: User) -> AgentAvailability:
    """Say that an agent is at work, or not; who is can get tickets at once.

    Raises:
        AccessDenied: the actor is neither an admin nor that agent.
        RecordInvalid: there is no such status.
    """
    if actor.role != "admin" and actor.id != agent.id:
        raise AccessDenied("agents change their own status only")
    if status not in rules.STATUSES:
        raise RecordInvalid.of("id", f"Status: {status} is invalid", "InvalidValue")
    now = clock.now()
    found = AgentAvailability.objects.filter(id=agent.id).first()
    if found is None:
        found = AgentAvailability(id=agent.id, agent=agent)
    found.status = status
    found.reason = "PUBLIC_API"
    found.updated_at = now
    found.save()
    ask_for_routing()
    return found


@jobs.handles(KIND)
def route_tickets(payload: dict[str, Any]) -> None:
    """Give out the waiting tickets, each to the agent whom the account's method chooses."""
    settings = account_routing()
    if not settings.enabled:
        return
    agents = list(_candidates(settings))
    if not any(agent.spare > 0 for agent in agents):
        return
    found = {ticket.id: ticket for ticket in _unassigned()}
    waiting = _waiting(list(found.values()), settings)
    with act(actor="helpdesk.routing", label="routing"):
        for item in rules.in_line(waiting):
            choice = rules.choose(item, agents, cast("rules.Method", settings.method))
            if choice is not None:
                _assign(found[item.id], choice)


def _assign(ticket: Ticket, choice: rules.Choice) -> None:
    changes = {"assignee_id": choice.agent.id, "group_id": choice.group}
    try:
        with transaction.atomic():
            tickets.update_ticket(ticket, actor=None, changes=changes, via=Via(CHANNEL))
    except HelpdeskError:
        return  # it waits on: somebody has to look at it before it can be anybody's
    choice.agent.spare -= 1
    choice.agent.assigned_at = clock.now()
    AgentAvailability.objects.filter(id=choice.agent.id).update(
        assigned_at=choice.agent.assigned_at
    )


def _unassigned() -> list[Ticket]:
    rows = Ticket.objects.filter(status__in=("new", "open"), assignee=None, deleted_at=None)
    return list(rows.select_related(*REFERENCES).order_by("id"))


def _waiting(found: list[Ticket], settings: RoutingSettings) -> Iterator[rules.Waiting]:
    """Yield the tickets that a queue has, or that the account's tag has routed by their group.

    Who was somebody's before is in none of the account's queues any more.
    """
    queues = list(Queue.objects.order_by("order", "id"))
    needs: dict[int, set[str]] = defaultdict(set)
    keys = [ticket.id for ticket in found]
    for ticket_id, value_id in TicketValue.objects.filter(ticket_id__in=keys).values_list(
        "ticket_id", "value_id"
    ):
        needs[ticket_id].add(value_id)
    for ticket in found:
        queue = _queue_of(ticket, queues)
        primary: list[int] = []
        if queue is not None:
            primary = queue.primary_group_ids
        elif ticket.group_id is not None and settings.autorouting_tag in ticket.tags:
            primary = [ticket.group_id]
        if primary:
            yield rules.Waiting(
                id=ticket.id,
                place=queue.priority if queue is not None else None,
                priority=ticket.priority,
                since=metrics.metric_of(ticket).assigned_at or ticket.created_at,
                group=ticket.group_id,
                primary=primary,
                secondary=queue.secondary_group_ids if queue is not None else (),
                needs=frozenset(needs[ticket.id]),
            )


def _queue_of(ticket: Ticket, queues: list[Queue]) -> Queue | None:
    if not queues or metrics.metric_of(ticket).initially_assigned_at is not None:
        return None
    standing = situation_at_rest(ticket, snapshot(ticket))
    return next((queue for queue in queues if matches(queue.definition, standing)), None)


def _candidates(settings: RoutingSettings) -> Iterator[rules.Candidate]:
    """Yield the agents who are at work; those who may only comment inside get no tickets."""
    present = AgentAvailability.objects.filter(
        status__in=rules.RECEIVING,
        agent__active=True,
        agent__suspended=False,
        agent__role__in=("agent", "admin"),
        agent__only_private_comments=False,
    ).order_by("id")
    rows = list(present)
    keys = [row.id for row in rows]
    groups: dict[int, set[int]] = defaultdict(set)
    members = GroupMembership.objects.filter(user_id__in=keys, group__deleted=False)
    for user_id, group_id in members.values_list("user_id", "group_id"):
        groups[user_id].add(group_id)
    skills: dict[int, set[str]] = defaultdict(set)
    for agent_id, value_id in AgentValue.objects.filter(agent_id__in=keys).values_list(
        "agent_id", "value_id"
    ):
        skills[agent_id].add(value_id)
    open_now = Ticket.objects.filter(assignee_id__in=keys, status="open", deleted_at=None)
    counted = open_now.values("assignee_id").annotate(number=Count("id")).order_by("assignee_id")
    busy = {row["assignee_id"]: row["number"] for row in counted}
    for row in rows:
        yield rules.Candidate(
            id=row.id,
            groups=frozenset(groups[row.id]),
            spare=settings.max_email_capacity - busy.get(row.id, 0),
            skills=frozenset(skills[row.id]),
            assigned_at=row.assigned_at,
        )
