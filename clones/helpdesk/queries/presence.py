"""Reads of who has which ticket open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from clones.core import clock
from clones.core.lookups import key_list
from clones.core.prepared import Prepared
from clones.helpdesk.domain.drafts import draft_key
from clones.helpdesk.models import OpenTicket, Ticket, User

# Somebody of whom nothing was heard for so long is not there any more.
PRESENT_FOR = timedelta(minutes=5)
_OPEN: Prepared[OpenTicket] = Prepared(
    lambda keys, since, besides: (
        OpenTicket.objects.filter(ticket_id__in_csv=keys, seen_at__gte=since, user__active=True)
        .exclude(user_id=besides)
        .select_related("user")
        .order_by("user__name", "user_id")
    ),
    str,
    datetime,
    int,
)


def viewers_of(keys: Iterable[int], *, besides: User) -> dict[int, list[User]]:
    """Return who else has tickets before them now, by ticket, the first by name first."""
    since = clock.now() - PRESENT_FOR
    found: dict[int, list[User]] = {}
    for row in _OPEN.all(key_list(keys), since, besides.id):
        found.setdefault(row.ticket_id, []).append(row.user)
    return found


def tickets_taken(*, besides: User) -> set[int]:
    """Return the tickets that others have before them now."""
    since = clock.now() - PRESENT_FOR
    rows = OpenTicket.objects.filter(seen_at__gte=since, user__active=True).exclude(user=besides)
    return set(rows.order_by("id").values_list("ticket_id", flat=True))


def unsent_form(ticket: Ticket, user: User) -> OpenTicket | None:
    """Return what a user changed in a ticket's form and have not sent, or None."""
    found = OpenTicket.objects.filter(id=draft_key(ticket, user)).first()
    return found if found is not None and found.form else None
