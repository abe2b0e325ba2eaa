"""Records by their keys, read by statements that are the same for any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Model

from clones.core.lookups import key_list
from clones.core.prepared import Prepared
from clones.helpdesk.models import (
    Brand,
    Group,
    Organization,
    SatisfactionRating,
    Ticket,
    TicketForm,
    TicketMetric,
    User,
)

_TICKETS: Prepared[Ticket] = Prepared(
    lambda keys: Ticket.objects.filter(id__in_csv=keys).order_by("id"), str
)
_METRICS: Prepared[TicketMetric] = Prepared(
    lambda keys: TicketMetric.objects.filter(ticket_id__in_csv=keys).order_by("id"), str
)
_RATINGS: Prepared[SatisfactionRating] = Prepared(
    lambda keys: SatisfactionRating.objects.filter(ticket_id__in_csv=keys).order_by("id"), str
)
_INCIDENTS: Prepared[int] = Prepared(
    lambda keys: (
        Ticket.objects.filter(problem_id__in_csv=keys, deleted_at=None)
        .order_by()
        .values_list("problem_id", flat=True)
    ),
    str,
)
_FOLLOWUPS: Prepared[tuple[int, int]] = Prepared(
    lambda keys: (
        Ticket.objects.filter(via_followup_source_id__in_csv=keys)
        .order_by("id")
        .values_list("via_followup_source_id", "id")
    ),
    str,
)


def _names(model: type[Model]) -> Prepared[tuple[int, str]]:
    rows = model._default_manager
    return Prepared(
        lambda keys: rows.filter(id__in_csv=keys).order_by("id").values_list("id", "name"), str
    )


_NAMES: dict[type[Model], Prepared[tuple[int, str]]] = {
    model: _names(model) for model in (User, Group, Organization, Brand, TicketForm)
}


def tickets_by_keys(keys: Sequence[int]) -> list[Ticket]:
    """Return the tickets of some keys, in that order; unknown keys are left out."""
    found = {ticket.id: ticket for ticket in _TICKETS.all(key_list(keys))}
    return [found[key] for key in keys if key in found]


def names_of(model: type[Model], keys: Iterable[int | None]) -> dict[int, str]:
    """Return the names of records of a kind, by key."""
    return dict(_NAMES[model].all(key_list(keys)))


def metrics_of(keys: Iterable[int]) -> dict[int, TicketMetric]:
    """Return the measures of tickets, by ticket."""
    return {metric.ticket_id: metric for metric in _METRICS.all(key_list(keys))}


def ratings_of(keys: Iterable[int]) -> dict[int, SatisfactionRating]:
    """Return the last rating of each ticket that has any, by ticket."""
    return {rating.ticket_id: rating for rating in _RATINGS.all(key_list(keys))}


def with_incidents(keys: Iterable[int]) -> set[int]:
    """Return which of some problems have incidents that are not deleted."""
    return set(_INCIDENTS.all(key_list(keys)))


def followups_of(keys: Iterable[int]) -> dict[int, list[int]]:
    """Return the follow-ups of tickets, oldest first, by ticket."""
    found: dict[int, list[int]] = {}
    for source, follower in _FOLLOWUPS.all(key_list(keys)):
        found.setdefault(source, []).append(follower)
    return found
