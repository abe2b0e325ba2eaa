"""Content that is pinned to tickets: list, pin, unpin."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, Query, show
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.domain import desks
from clones.helpdesk.domain.changes import identifier
from clones.helpdesk.domain.errors import MissingParameter
from clones.helpdesk.domain.values import ACCOUNT_ID
from clones.helpdesk.models import ContentPin
from clones.helpdesk.queries.desks import pins_seen_by


class PinsQuery(Query):
    """The ticket whose content pins are listed."""

    ticket_id: str | None = None


class PinWrite(Body):
    """A content pin to create: the ticket, and the article that is pinned to it."""

    ticket_id: str
    content_id: str
    content_type: str
    locale: str | None = None


class PinBody(Body):
    """A content pin to create."""

    ticket_content_pin: PinWrite


def present_pin(pin: ContentPin, to: Show) -> dict[str, Any]:
    """Return a pin as JSON: all of its numbers are texts."""
    to.note(pin)
    return {
        "id": pin.id,
        "account_id": str(ACCOUNT_ID),
        "ticket_id": str(pin.ticket_id),
        "content_id": pin.content_id,
        "content_type": pin.content_type,
        "locale": pin.locale,
        "created_at": when(pin.created_at),
        "url": to.url(f"ticket_content_pins/{pin.id}"),
    }


def _ticket_id(text: str) -> int:
    return identifier("ticket_id", text) or 0


@OPERATIONS.operation(
    "ListTicketContentPins",
    "GET",
    "/ticket_content_pins",
    summary="List the content that is pinned to a ticket, the oldest first.",
    query=PinsQuery,
)
def list_pins(call: Call) -> dict[str, Any]:
    """List a ticket's pins."""
    if not call.query.ticket_id:
        raise MissingParameter("ticket_id")
    ticket = queries.ticket(call.actor, _ticket_id(call.query.ticket_id))
    rows = ticket.content_pins.order_by("created_at", "id")
    pins = [present_pin(row, show(call)) for row in rows]
    return {"ticket_content_pins": pins, "count": len(pins)}


@OPERATIONS.operation(
    "CreateTicketContentPin",
    "POST",
    "/ticket_content_pins",
    summary="Pin content to a ticket.",
    body=PinBody,
    status=201,
)
def create_pin(call: Call) -> Reply:
    """Pin content."""
    given = call.body.ticket_content_pin
    made = desks.pin_content(
        _ticket_id(given.ticket_id),
        actor=call.actor,
        content_type=given.content_type,
        content_id=given.content_id,
        locale=given.locale,
    )
    return Reply(present_pin(made, show(call, "detail")), 201)


@OPERATIONS.operation(
    "DeleteTicketContentPin",
    "DELETE",
    "/ticket_content_pins/{content_pin_id}",
    summary="Take pinned content off its ticket.",
)
def delete_pin(call: Call) -> dict[str, Any]:
    """Unpin content and return what it was."""
    found = queries.one(pins_seen_by(call.actor), "content pin", call.path["content_pin_id"])
    body = present_pin(found, show(call, "detail"))
    desks.unpin_content(found, actor=call.actor)
    return body
