"""Reads that only pages need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from clones.core.digits import is_digits
from clones.helpdesk import queries
from clones.helpdesk.models import (
    Activity,
    Audit,
    AuditEvent,
    Brand,
    Comment,
    Group,
    GroupMembership,
    Organization,
    SatisfactionRating,
    SlaClock,
    Ticket,
    TicketField,
    TicketForm,
    User,
)
from clones.helpdesk.queries.desks import activities_of
from clones.helpdesk.rules.lifecycle import UNSOLVED


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


def people_listed(
    text: str, *, role: str, standing: str, organization: Organization | None
) -> QuerySet[User]:
    """Return the active people whom a search text finds, all without one, by name.

    `role` may be "any"; `standing` is "suspended", "allowed", or anything else for both.
    """
    found = User.objects.filter(active=True).select_related("organization")
    if role != "any":
        found = found.filter(role=role)
    if standing in ("suspended", "allowed"):
        found = found.filter(suspended=standing == "suspended")
    if organization is not None:
        member = Q(organization=organization) | Q(
            organization_memberships__organization=organization
        )
        found = found.filter(member).distinct()
    if text.strip():
        found = found.filter(queries.user_matches(text)).distinct()
    return found.order_by("name", "id")


def organizations_matching(text: str, *, limit: int = 10) -> list[Organization]:
    """Return organizations whose name has a word that begins with a few typed letters."""
    wanted = text.strip()
    if not wanted:
        return []
    begins = Q(name__istartswith=wanted) | Q(name__icontains=f" {wanted}")
    return list(Organization.objects.filter(begins).order_by("name", "id")[:limit])


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
    numbers = {int(key) for key in map(str, keys) if is_digits(key)}
    found: dict[str, str] = {}
    for model in (Brand, TicketForm, Organization, Group, User):
        rows = model.objects.filter(id__in=numbers).values_list("id", "name")
        found.update({str(key): name for key, name in rows})
    return found


def my_open_tickets(agent: User) -> QuerySet[Ticket]:
    """Return the unsolved tickets that an agent has, or that their groups have and nobody took."""
    groups = GroupMembership.objects.filter(user=agent).values("group_id")
    mine = Q(assignee=agent) | Q(assignee=None, group_id__in=groups)
    unsolved = queries.visible_tickets(agent).filter(status__in=UNSOLVED)
    return unsolved.filter(mine).select_related("requester", "assignee", "group", "metric")


def status_counts(agent: User) -> list[tuple[str, int]]:
    """Return how many unsolved tickets the agent has, by status."""
    mine = queries.visible_tickets(agent).filter(assignee=agent)
    found = dict(mine.order_by().values_list("status").annotate(count=Count("id")))
    return [(status, found.get(status, 0)) for status in UNSOLVED]


def open_counts(agent: User) -> tuple[int, int]:
    """Return how many unsolved tickets an agent has, and how many their groups have."""
    unsolved = queries.visible_tickets(agent).filter(status__in=UNSOLVED)
    groups = GroupMembership.objects.filter(user=agent).values("group_id")
    return unsolved.filter(assignee=agent).count(), unsolved.filter(group_id__in=groups).count()


def next_targets(agent: User, *, limit: int) -> list[SlaClock]:
    """Return the running targets of an agent's tickets and their groups' unassigned ones.

    The one that is breached for longest comes first.
    """
    running = SlaClock.objects.filter(state="active", breach_at__isnull=False)
    mine = running.filter(ticket__in=my_open_tickets(agent).values("id"))
    return list(mine.select_related("ticket").order_by("breach_at", "id")[:limit])


def news_of(agent: User, *, limit: int) -> list[Activity]:
    """Return the latest news of tickets that an agent still sees."""
    seen = queries.visible_tickets(agent).values("id")
    found = activities_of(agent).filter(ticket__in=seen)
    return list(found.order_by("-created_at", "-id")[:limit])


def ratings_of(agent: User | None, *, since: datetime) -> tuple[int, int]:
    """Count the good and the bad ratings since a time: an agent's, or everyone's."""
    rows = SatisfactionRating.objects.filter(score__in=("good", "bad"), updated_at__gte=since)
    if agent is not None:
        rows = rows.filter(assignee=agent)
    found = dict(rows.order_by().values_list("score").annotate(count=Count("id")))
    return found.get("good", 0), found.get("bad", 0)


def solved_by(agent: User, *, since: datetime) -> int:
    """Count an agent's tickets that were solved since a time."""
    solved = queries.visible_tickets(agent).filter(assignee=agent).exclude(status__in=UNSOLVED)
    return solved.filter(metric__solved_at__gte=since).count()
