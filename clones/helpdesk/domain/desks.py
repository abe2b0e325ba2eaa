"""What agents keep for themselves: tickets they passed over, and bookmarks."""

from __future__ import annotations

from clones.core import clock, ids
from clones.helpdesk import queries
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import Bookmark, Skip, User

REASON_LIMIT = 65_535


def skip_ticket(ticket_id: int, *, actor: User, reason: str | None) -> Skip:
    """Record that an agent passed over a ticket.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordNotFound: there is no such ticket, or none that the actor may see.
        RecordInvalid: the reason is too long.
    """
    _agents_only(actor)
    now = clock.now()
    return Skip.objects.create(
        id=ids.next_stamp(Skip),
        user=actor,
        ticket=queries.ticket(actor, ticket_id),
        reason=plain_text("reason", reason, REASON_LIMIT) or "",
        created_at=now,
        updated_at=now,
    )


def add_bookmark(ticket_id: int, *, actor: User) -> tuple[Bookmark, bool]:
    """Mark a ticket for an agent and return the bookmark, and whether it is new.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordNotFound: there is no such ticket, or none that the actor may see.
    """
    _agents_only(actor)
    ticket = queries.ticket(actor, ticket_id)
    found = Bookmark.objects.filter(user=actor, ticket=ticket).select_related("ticket").first()
    if found is not None:
        return found, False
    made = Bookmark.objects.create(
        id=ids.next_stamp(Bookmark), user=actor, ticket=ticket, created_at=clock.now()
    )
    return made, True


def delete_bookmark(bookmark: Bookmark, *, actor: User) -> None:
    """Remove an agent's bookmark.

    Raises:
        AccessDenied: it is somebody else's.
    """
    if bookmark.user_id != actor.id:
        raise AccessDenied("bookmarks are their owner's")
    bookmark.delete()


def _agents_only(actor: User) -> None:
    if not actor.is_agent:
        raise AccessDenied("only agents have bookmarks and skip tickets")
