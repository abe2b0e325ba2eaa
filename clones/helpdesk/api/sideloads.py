"""Records that lists carry along when `include=` asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Count

from clones.core import clock
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.measures import (
    present_metric,
    present_metric_event,
    present_sla,
)
from clones.helpdesk.api.presenters.people import (
    present_group,
    present_organization,
    present_user,
)
from clones.helpdesk.api.presenters.settings import present_form
from clones.helpdesk.api.presenters.tickets import present_audits, present_tickets
from clones.helpdesk.models import (
    Audit,
    Comment,
    Group,
    MetricEvent,
    Organization,
    SlaClock,
    Ticket,
    TicketForm,
    TicketMetric,
    User,
)


def users_by_id(keys: Iterable[int | None], show: Show) -> list[dict[str, Any]]:
    """Return the users of some ids as JSON, in id order."""
    wanted = {key for key in keys if key is not None}
    return [present_user(user, show) for user in User.objects.filter(id__in=wanted).order_by("id")]


def groups_by_id(keys: Iterable[int | None], show: Show) -> list[dict[str, Any]]:
    """Return the groups of some ids as JSON, in id order."""
    wanted = {key for key in keys if key is not None}
    found = Group.objects.filter(id__in=wanted).order_by("id")
    return [present_group(group, show) for group in found]


def organizations_by_id(keys: Iterable[int | None], show: Show) -> list[dict[str, Any]]:
    """Return the organizations of some ids as JSON, in id order."""
    wanted = {key for key in keys if key is not None}
    found = Organization.objects.filter(id__in=wanted).order_by("id")
    return [present_organization(organization, show) for organization in found]


def ticket_sideloads(
    tickets: Sequence[Ticket], bodies: list[dict[str, Any]], wanted: set[str], show: Show
) -> dict[str, Any]:
    """Return what goes beside tickets, and put into `bodies` what goes inside them."""
    beside: dict[str, Any] = {}
    aside = show.as_list()
    if "users" in wanted:
        people = {key for ticket in tickets for key in _people(ticket)}
        beside["users"] = users_by_id(people, aside)
    if "groups" in wanted:
        beside["groups"] = groups_by_id((ticket.group_id for ticket in tickets), aside)
    if "organizations" in wanted:
        owners = {ticket.organization_id for ticket in tickets}
        beside["organizations"] = organizations_by_id(owners, aside)
    if "ticket_forms" in wanted:
        used = {ticket.ticket_form_id for ticket in tickets if ticket.ticket_form_id}
        forms = TicketForm.objects.filter(id__in=used).order_by("position", "id")
        beside["ticket_forms"] = [present_form(form, aside) for form in forms]
    if "sharing_agreements" in wanted:
        beside["sharing_agreements"] = []
    if "last_audits" in wanted:
        beside["last_audits"] = present_audits(_last_audits(tickets), aside)
    for name, inside in _INSIDE.items():
        if name in wanted:
            inside(tickets, bodies, aside)
    return beside


def audit_sideloads(audits: Sequence[Audit], wanted: set[str], show: Show) -> dict[str, Any]:
    """Return what goes beside audits: who wrote them, their tickets, and whose those are."""
    beside: dict[str, Any] = {}
    aside = show.as_list()
    if "users" in wanted:
        beside["users"] = users_by_id({audit.author_id for audit in audits}, aside)
    if not wanted & {"tickets", "groups", "organizations"}:
        return beside
    keys = {audit.ticket_id for audit in audits}
    tickets = list(Ticket.objects.filter(id__in=keys, deleted_at=None).order_by("id"))
    if "tickets" in wanted:
        beside["tickets"] = present_tickets(tickets, aside)
    return beside | ticket_sideloads(tickets, [], wanted & {"groups", "organizations"}, aside)


def _people(ticket: Ticket) -> list[int | None]:
    named = [ticket.requester_id, ticket.submitter_id, ticket.assignee_id]
    return [*named, *ticket.email_cc_ids, *ticket.follower_ids]


def _last_audits(tickets: Sequence[Ticket]) -> list[Audit]:
    last: dict[int, Audit] = {}
    keys = [ticket.id for ticket in tickets]
    for audit in Audit.objects.filter(ticket_id__in=keys).order_by("created_at", "id"):
        last[audit.ticket_id] = audit
    return [last[key] for key in keys if key in last]


def _comment_counts(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    found = Comment.objects.filter(ticket__in=[ticket.id for ticket in tickets])
    counts = dict(found.values_list("ticket_id").annotate(number=Count("id")).order_by())
    for body in bodies:
        body["comment_count"] = counts.get(body["id"], 0)


def _incident_counts(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    found = Ticket.objects.filter(problem__in=[ticket.id for ticket in tickets], deleted_at=None)
    counts = dict(found.values_list("problem_id").annotate(number=Count("id")).order_by())
    for body in bodies:
        body["incident_count"] = counts.get(body["id"], 0)


def _metric_sets(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    keys = [ticket.id for ticket in tickets]
    found = TicketMetric.objects.filter(ticket_id__in=keys).select_related("ticket").order_by("id")
    sets = {metric.ticket_id: present_metric(metric, show) for metric in found}
    for body in bodies:
        body["metric_set"] = sets.get(body["id"])


def _dates(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    keys = [ticket.id for ticket in tickets]
    found = TicketMetric.objects.filter(ticket_id__in=keys).select_related("ticket").order_by("id")
    names = (
        "assignee_updated_at",
        "requester_updated_at",
        "status_updated_at",
        "initially_assigned_at",
        "assigned_at",
        "solved_at",
        "latest_comment_added_at",
    )
    sets = {metric.ticket_id: present_metric(metric, show) for metric in found}
    for body in bodies:
        metric = sets.get(body["id"], {})
        body["dates"] = {name: metric.get(name) for name in names}


def _slas(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    keys = [ticket.id for ticket in tickets]
    clocks: dict[int, list[SlaClock]] = {}
    now = clock.now()
    found = SlaClock.objects.filter(ticket_id__in=keys, target_minutes__isnull=False)
    for item in found.order_by("ticket_id", "metric", "instance"):
        clocks.setdefault(item.ticket_id, []).append(item)
    for body in bodies:
        body["slas"] = present_sla(clocks.get(body["id"], []), now, show)


def _metric_events(tickets: Sequence[Ticket], bodies: list[dict[str, Any]], show: Show) -> None:
    events: dict[int, dict[str, list[dict[str, Any]]]] = {ticket.id: {} for ticket in tickets}
    rows = MetricEvent.objects.filter(ticket_id__in=list(events)).order_by("time", "id")
    for row in rows:
        events[row.ticket_id].setdefault(row.metric, []).append(present_metric_event(row, show))
    for body in bodies:
        body["metric_events"] = events[body["id"]]


_INSIDE: dict[str, Callable[[Sequence[Ticket], list[dict[str, Any]], Show], None]] = {
    "comment_count": _comment_counts,
    "incident_counts": _incident_counts,
    "metric_sets": _metric_sets,
    "metric_events": _metric_events,
    "dates": _dates,
    "slas": _slas,
}
