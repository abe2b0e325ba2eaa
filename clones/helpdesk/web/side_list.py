"""The list of a ticket's side conversations, on the ticket page and on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from clones.core import sightings
from clones.helpdesk.domain import side_conversations
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.queries import side_conversations as threads
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.times import ShownTime, Times

STATES = {"open": "Open", "closed": "Done"}


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A side conversation in the list."""

    url: str
    subject: str
    preview: str
    people: str
    state: str
    state_label: str
    time: ShownTime


def list_context(agent: Agent, ticket: Ticket) -> dict[str, Any]:
    """Return what the list of a ticket's side conversations shows."""
    times = Times(agent.user)
    rows = []
    for thread in threads.threads_of(ticket).order_by("-message_added_at", "id"):
        sightings.note(thread, "list")
        rows.append(
            ThreadRow(
                reverse("helpdesk:side_conversation", args=[ticket.id, thread.id]),
                thread.subject or "No subject",
                thread.preview_text,
                names_of(thread.participants),
                thread.state,
                STATES[thread.state],
                times.show(thread.message_added_at),
            )
        )
    return {
        "template": "helpdesk/ticket/_side_conversations.html",
        "rows": rows,
        "list_url": reverse("helpdesk:side_conversations", args=[ticket.id]),
        "new_url": reverse("helpdesk:new_side_conversation", args=[ticket.id]),
        "may_write": may_write(agent.user, ticket),
    }


def may_write(actor: User, ticket: Ticket) -> bool:
    """Tell whether somebody may write in a ticket's side conversations."""
    return ticket.status != "closed" and side_conversations.may_converse(actor)


def names_of(people: Sequence[dict[str, Any]]) -> str:
    """Return the names of participants in a row."""
    return ", ".join(name_of(person) for person in people)


def name_of(person: dict[str, Any] | None) -> str:
    """Return what a participant is called: None is the system."""
    return "System" if person is None else person["name"] or person["email"] or "Unknown"
