"""What agents keep beside tickets: those they passed over, bookmarks, and pinned content."""

from __future__ import annotations

from clones.core import clock, ids
from clones.helpdesk import queries
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, DuplicateRecord, RecordInvalid
from clones.helpdesk.models import Bookmark, ContentPin, Skip, User

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


def pin_content(
    ticket_id: int, *, actor: User, content_type: str, content_id: str, locale: str | None
) -> ContentPin:
    """Pin content to a ticket.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordNotFound: there is no such ticket, or none that the actor may see.
        RecordInvalid: a name is missing or too long, or an article has no language.
        DuplicateRecord: it is pinned there already.
    """
    _agents_only(actor)
    ticket = queries.ticket(actor, ticket_id)
    kind = plain_text("content_type", content_type.strip(), 64)
    key = plain_text("content_id", content_id.strip(), 255)
    if not kind or not key:
        name = "content_id" if kind else "content_type"
        raise RecordInvalid.of(name, f"{name}: cannot be blank", "BlankValue")
    if kind == "article" and not locale:
        raise RecordInvalid.of("locale", "locale: cannot be blank", "BlankValue")
    if ContentPin.objects.filter(ticket=ticket, content_type=kind, content_id=key).exists():
        raise DuplicateRecord(
            f"The content with ID {key} is already pinned to this ticket.",
            reason="ContentAlreadyPinned",
        )
    return ContentPin.objects.create(
        id=ids.next_ulid(ContentPin),
        ticket=ticket,
        content_type=kind,
        content_id=key,
        locale=plain_text("locale", locale, 16),
        created_at=clock.now(),
    )


def unpin_content(pin: ContentPin, *, actor: User) -> None:
    """Take pinned content off its ticket.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    _agents_only(actor)
    pin.delete()


def _agents_only(actor: User) -> None:
    if not actor.is_agent:
        raise AccessDenied("only agents have bookmarks, skip tickets and pin content")
