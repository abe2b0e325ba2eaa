"""What changed since a time: the rows of incremental exports, in the order of their changes.

Every row comes with `changed`, when it last changed. The latest minute is left out, so that
whoever asks again from the end of an export misses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Case, DateTimeField, F, Q, QuerySet, When

from clones.core import clock
from clones.helpdesk.domain.errors import InvalidAttribute, StartTimeTooRecent
from clones.helpdesk.models import Audit, Organization, Ticket, User

LATEST = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Export:
    """The rows of one page, whether they are the last for now, and from when on the next begin.

    `next_start` is None where nothing changed.
    """

    rows: Sequence[Any]
    end_of_stream: bool
    next_start: int | None = None


def changed_tickets(*, deleted: bool = True) -> QuerySet[Any]:
    """Return tickets with when they changed; to be deleted is a change."""
    rows = Ticket.objects.annotate(
        changed=Case(
            When(deleted_at__gt=F("updated_at"), then=F("deleted_at")),
            default=F("updated_at"),
            output_field=DateTimeField(),
        )
    )
    return rows if deleted else rows.filter(deleted_at=None)


def changed_users() -> QuerySet[Any]:
    """Return users, deactivated ones too, with when they changed."""
    return User.objects.annotate(changed=F("updated_at"))


def changed_organizations() -> QuerySet[Any]:
    """Return organizations with when they changed."""
    return Organization.objects.annotate(changed=F("updated_at"))


def ticket_updates() -> QuerySet[Any]:
    """Return the audits of all tickets with when they were written."""
    return Audit.objects.annotate(changed=F("created_at"))


def start_moment(seconds: int) -> datetime:
    """Return the time to export from.

    Raises:
        InvalidAttribute: it lies before 1970.
        StartTimeTooRecent: it lies within the latest minute, or ahead.
    """
    if seconds < 0:
        raise InvalidAttribute("start_time", "a Unix epoch time")
    if seconds > (clock.now() - LATEST).timestamp():
        raise StartTimeTooRecent(int(LATEST.total_seconds()))
    return datetime.fromtimestamp(seconds, UTC)


def export_by_time(rows: QuerySet[Any], start: datetime, limit: int) -> Export:
    """Return what changed from a time on: a page holds whole seconds, so it may be longer.

    The next page begins with the second that this one ends with, and shows it again. Where that
    would be this page once more, it begins with the second after.
    """
    rows = rows.filter(changed__gte=start, changed__lte=clock.now() - LATEST)
    found = list(rows.order_by("changed", "id")[: limit + 1])
    if not found:
        return Export((), end_of_stream=True)
    more = len(found) > limit
    last = found[min(len(found), limit) - 1].changed.replace(microsecond=0)
    if not more:
        return Export(found, end_of_stream=True, next_start=int(last.timestamp()))
    # However many share the last second, they come together.
    found = [row for row in found[:limit] if row.changed < last]
    found += rows.filter(changed__gte=last, changed__lt=last + SECOND).order_by("changed", "id")
    if not rows.filter(changed__gte=last + SECOND).exists():
        return Export(found, end_of_stream=True, next_start=int(last.timestamp()))
    following = last + SECOND if last <= start else last
    return Export(found, end_of_stream=False, next_start=int(following.timestamp()))


def export_by_cursor(rows: QuerySet[Any], after: tuple[datetime, int], limit: int) -> Export:
    """Return what changed after a row, which is named by when it changed and its id."""
    moment, key = after
    beyond = Q(changed__gt=moment) | Q(changed=moment, id__gt=key)
    rows = rows.filter(beyond, changed__lte=clock.now() - LATEST)
    found = list(rows.order_by("changed", "id")[: limit + 1])
    return Export(found[:limit], end_of_stream=len(found) <= limit)
