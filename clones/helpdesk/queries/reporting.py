"""What reports count: one query for each thing counted, however much there is of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet
from django.db.models.fields.json import KT, KeyTextTransform

from clones.helpdesk.models import SatisfactionRating, Ticket
from clones.helpdesk.rules.lifecycle import UNSOLVED


@dataclass(frozen=True, slots=True)
class Came:
    """A ticket that came in a report's time: when, to which group, how, answered how soon."""

    at: datetime
    group: int | None
    channel: str
    reply_seconds: int | None


@dataclass(frozen=True, slots=True)
class Went:
    """A ticket that was solved in a report's time, and is still."""

    at: datetime
    group: int | None
    channel: str


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating that was given in a report's time."""

    good: bool
    group: int | None
    channel: str


def tickets_that_came(tickets: QuerySet[Ticket], since: datetime) -> list[Came]:
    """Return the tickets that came since a time."""
    rows = tickets.filter(created_at__gte=since).annotate(channel=KT("via__channel"))
    columns = ("created_at", "group_id", "channel", "metric__reply_time_in_seconds")
    return [
        Came(at, group, channel or "web", reply)
        for at, group, channel, reply in rows.order_by("id").values_list(*columns)
    ]


def tickets_that_went(tickets: QuerySet[Ticket], since: datetime) -> list[Went]:
    """Return the tickets that were solved since a time and were not opened again."""
    rows = tickets.exclude(status__in=UNSOLVED).filter(metric__solved_at__gte=since)
    rows = rows.annotate(channel=KT("via__channel")).order_by("id")
    return [
        Went(at, group, channel or "web")
        for at, group, channel in rows.values_list("metric__solved_at", "group_id", "channel")
        if at is not None
    ]


def unsolved_at(tickets: QuerySet[Ticket], moment: datetime) -> int:
    """Count the tickets that were unsolved at a time, as far as their last solving tells."""
    open_then = Q(status__in=UNSOLVED) | Q(metric__solved_at__gte=moment)
    return tickets.filter(open_then, created_at__lt=moment).count()


def unsolved_now(tickets: QuerySet[Ticket]) -> list[tuple[int | None, str, int]]:
    """Count the unsolved tickets by group and channel."""
    rows = tickets.filter(status__in=UNSOLVED).annotate(channel=KT("via__channel"))
    counts = rows.order_by().values_list("group_id", "channel").annotate(count=Count("id"))
    return [(group, channel or "web", count) for group, channel, count in counts]


def ratings_given(tickets: QuerySet[Ticket], since: datetime) -> list[Rated]:
    """Return the ratings that were given since a time."""
    rows = SatisfactionRating.objects.filter(
        ticket__in=tickets.values("id"), score__in=("good", "bad"), updated_at__gte=since
    ).annotate(channel=KeyTextTransform("channel", F("ticket__via")))
    columns = ("score", "ticket__group_id", "channel")
    return [
        Rated(score == "good", group, channel or "web")
        for score, group, channel in rows.order_by("id").values_list(*columns)
    ]
