"""Reads of mail that was held back."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet

from clones.core import clock
from clones.core.prepared import Prepared
from clones.helpdesk import queries
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import Audit, SuspendedTicket, User

_ALL: Prepared[int] = Prepared(
    lambda: SuspendedTicket.objects.order_by().values_list("id", flat=True)
)


def may_manage_suspended(actor: User) -> bool:
    """Tell whether somebody may see and decide over mail that was held back."""
    return actor.is_agent and not actor.ticket_restriction


def check_may_manage(actor: User) -> None:
    """Refuse who may not see mail that was held back.

    Raises:
        AccessDenied: the actor may not.
    """
    if not may_manage_suspended(actor):
        raise AccessDenied("only agents who see all tickets see suspended ones")


def suspended_tickets(actor: User) -> QuerySet[SuspendedTicket]:
    """Return all mail that is held back.

    Raises:
        AccessDenied: the actor may not see it.
    """
    check_may_manage(actor)
    return SuspendedTicket.objects.all()


def count_suspended(actor: User) -> int:
    """Return how much mail is held back, for somebody who may see it.

    Raises:
        AccessDenied: the actor may not see it.
    """
    check_may_manage(actor)
    return _ALL.count()


def suspended_ticket(actor: User, key: int) -> SuspendedTicket:
    """Return one mail that is held back.

    Raises:
        AccessDenied: the actor may not see it.
        RecordNotFound: there is none of that id.
    """
    rows = suspended_tickets(actor).select_related("author", "ticket")
    return queries.one(rows, "suspended ticket", key)


def mails_within(author: User | None, email: str, span: timedelta) -> int:
    """Count the mails that somebody sent within the latest span, held back or not."""
    since = clock.now() - span
    count = SuspendedTicket.objects.filter(author_email=email, created_at__gt=since).count()
    if author is not None:
        let_in = Audit.objects.filter(author=author, created_at__gt=since, via__channel="email")
        count += let_in.count()
    return count
