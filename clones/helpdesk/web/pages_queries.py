"""Reads that only pages need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from clones.helpdesk import queries
from clones.helpdesk.models import (
    Audit,
    AuditEvent,
    Brand,
    Comment,
    Group,
    GroupMembership,
    Organization,
    Ticket,
    TicketField,
    TicketForm,
    User,
)


@dataclass(frozen=True, slots=True)
class GroupOfAgents:
    """A group and the agents in it, by name."""

    group: Group
    agents: tuple[User, ...]


def assignable_groups() -> list[GroupOfAgents]:
    """Return the groups with their agents, as the assignee field offers them."""
    members: dict[int, list[User]] = {}
    places = GroupMembership.objects.filter(user__active=True, user__role__in=("agent", "admin"))
    for place in places.select_related("user").order_by("user__name", "user_id"):
        members.setdefault(place.group_id, []).append(place.user)
    groups = Group.objects.filter(deleted=False).order_by("name", "id")
    return [GroupOfAgents(group, tuple(members.get(group.id, ()))) for group in groups]


def active_forms() -> list[TicketForm]:
    """Return the forms that agents choose from."""
    return list(TicketForm.objects.filter(active=True).order_by("position", "id"))


def fields_of(form: TicketForm | None) -> list[TicketField]:
    """Return the active fields of a form, in its order; without a form, all of them."""
    fields = list(TicketField.objects.filter(active=True).order_by("position", "id"))
    if form is None:
        return fields
    places = {key: place for place, key in enumerate(form.ticket_field_ids)}
    on_form = [field for field in fields if field.id in places]
    return sorted(on_form, key=lambda field: places[field.id])


def comments_with_authors(ticket: Ticket, actor: User) -> list[Comment]:
    """Return what was said on a ticket and by whom, oldest first."""
    return list(queries.comments_of(ticket, actor).select_related("author"))


def audits_with_events(ticket: Ticket) -> list[Audit]:
    """Return a ticket's audits with authors and events, oldest first."""
    audits = queries.audits_of(ticket).select_related("author")
    return list(audits.prefetch_related("events"))


def ordered_events(audit: Audit) -> list[AuditEvent]:
    """Return an audit's events in order; they must have been fetched with it."""
    return sorted(audit.events.all(), key=lambda event: (event.position, event.id))


def recent_tickets_of(user: User, actor: User, *, without: int) -> list[Ticket]:
    """Return the last tickets of a requester but one, newest first."""
    found = queries.visible_tickets(actor).filter(requester=user).exclude(id=without)
    return list(found.order_by("-created_at", "-id")[:10])


def people_matching(text: str, *, agents_only: bool = False, limit: int = 10) -> list[User]:
    """Return active users whom a few typed letters mean, by name."""
    if not text.strip():
        return []
    found = User.objects.filter(queries.user_matches(text), active=True)
    if agents_only:
        found = found.filter(role__in=("agent", "admin"))
    return list(found.order_by("name", "id").distinct()[:limit])


def customers(text: str) -> QuerySet[User]:
    """Return the active end users that a search text finds, all without one, by name."""
    found = User.objects.filter(role="end-user", active=True).select_related("organization")
    if text.strip():
        found = found.filter(queries.user_matches(text)).distinct()
    return found.order_by("name", "id")


def tags_in_use(prefix: str, *, limit: int = 10) -> list[str]:
    """Return tags of recently updated tickets that begin with a few typed letters."""
    wanted = prefix.strip().lower()
    if not wanted:
        return []
    rows = Ticket.objects.filter(tags__icontains=wanted, deleted_at=None)
    found: dict[str, None] = {}
    for tags in rows.order_by("-updated_at", "-id").values_list("tags", flat=True)[:200]:
        found.update({tag: None for tag in tags if tag.startswith(wanted)})
    return sorted(found)[:limit]


def names_of(keys: Iterable[object]) -> dict[str, str]:
    """Return the names of people, teams and the like by id, as text, for what audits tell."""
    numbers = {int(key) for key in map(str, keys) if key.isdigit() and len(key) < 19}
    found: dict[str, str] = {}
    for model in (Brand, TicketForm, Organization, Group, User):
        rows = model.objects.filter(id__in=numbers).values_list("id", "name")
        found.update({str(key): name for key, name in rows})
    return found


def my_open_tickets(agent: User) -> QuerySet[Ticket]:
    """Return the unsolved tickets that an agent has, or that his groups have and nobody took."""
    groups = GroupMembership.objects.filter(user=agent).values("group_id")
    mine = Q(assignee=agent) | Q(assignee=None, group_id__in=groups)
    unsolved = queries.visible_tickets(agent).filter(status__in=("new", "open", "pending", "hold"))
    return unsolved.filter(mine).select_related("requester", "assignee", "group", "metric")


def status_counts(agent: User) -> list[tuple[str, int]]:
    """Return how many unsolved tickets the agent has, by status."""
    mine = queries.visible_tickets(agent).filter(assignee=agent)
    found = dict(mine.order_by().values_list("status").annotate(count=Count("id")))
    return [(status, found.get(status, 0)) for status in ("new", "open", "pending", "hold")]
