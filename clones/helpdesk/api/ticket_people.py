"""Who takes part in a ticket, and the tickets that hang together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import OPERATIONS, show
from clones.helpdesk.api.presenters.people import present_user
from clones.helpdesk.api.tickets import (
    TicketList,
    TicketPage,
    ticket_page,
)
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Ticket, User


def _users(call: Call, keys: Sequence[int]) -> dict[str, Any]:
    found = User.objects.filter(id__in=keys).order_by("id")
    bodies = [present_user(user, show(call)) for user in found]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"users": bodies, **around}


@OPERATIONS.operation(
    "ListTicketCollaborators",
    "GET",
    "/tickets/{ticket_id:int}/collaborators",
    summary="List who is copied on a ticket or follows it.",
)
def list_collaborators(call: Call) -> dict[str, Any]:
    """List a ticket's CCs and followers."""
    found = ticket_of(call)
    return _users(call, [*found.email_cc_ids, *found.follower_ids])


@OPERATIONS.operation(
    "ListTicketEmailCCs",
    "GET",
    "/tickets/{ticket_id:int}/email_ccs",
    summary="List who is copied on a ticket.",
)
def list_email_ccs(call: Call) -> dict[str, Any]:
    """List a ticket's CCs."""
    return _users(call, ticket_of(call).email_cc_ids)


@OPERATIONS.operation(
    "ListTicketFollowers",
    "GET",
    "/tickets/{ticket_id:int}/followers",
    summary="List the agents who follow a ticket.",
)
def list_followers(call: Call) -> dict[str, Any]:
    """List a ticket's followers."""
    return _users(call, ticket_of(call).follower_ids)


@OPERATIONS.operation(
    "TicketRelatedInformation",
    "GET",
    "/tickets/{ticket_id:int}/related",
    summary="Count what hangs together with a ticket.",
)
def related(call: Call) -> dict[str, Any]:
    """Show what hangs together with a ticket."""
    found = ticket_of(call)
    followups = Ticket.objects.filter(via_followup_source_id=found.id).order_by("id")
    return {
        "ticket_related": {
            "topic_id": None,
            "jira_issue_ids": [],
            "followup_source_ids": [str(key) for key in followups.values_list("id", flat=True)],
            "from_archive": False,
            "incidents": Ticket.objects.filter(problem=found, deleted_at=None).count(),
            "twitter": {},
            "url": show(call).url(f"tickets/{found.id}/related"),
        }
    }


@OPERATIONS.operation(
    "ListTicketIncidents",
    "GET",
    "/tickets/{ticket_id:int}/incidents",
    summary="List the incidents of a problem.",
    query=TicketList,
)
def list_incidents(call: Call) -> dict[str, Any]:
    """List the incidents that are linked to a problem."""
    found = ticket_of(call)
    if found.type != "problem":
        raise RecordNotFound("problem", found.id)
    return ticket_page(call, queries.visible_tickets(call.actor).filter(problem=found))


@OPERATIONS.operation(
    "ListTicketProblems",
    "GET",
    "/problems",
    summary="List the tickets that are problems.",
    query=TicketList,
)
def list_problems(call: Call) -> dict[str, Any]:
    """List problems."""
    return ticket_page(call, queries.visible_tickets(call.actor).filter(type="problem"))


class ProblemText(TicketPage):
    """A part of a problem's subject."""

    text: str | None = None


@OPERATIONS.operation(
    "AutocompleteProblems",
    "POST",
    "/problems/autocomplete",
    summary="Find open problems by subject.",
    query=ProblemText,
    writes=False,
)
def autocomplete_problems(call: Call) -> dict[str, Any]:
    """Find problems that are not solved by a part of their subject."""
    return ticket_page(call, queries.open_problems(call.actor, call.query.text or ""))
