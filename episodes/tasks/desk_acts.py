"""What oracles and cheats do at the helpdesk again and again, by API: from goal and acts alone."""

from __future__ import annotations

from typing import Any

from episodes.tasks.acting import ActingSpace


def find_ticket(space: ActingSpace) -> dict[str, Any]:
    """Return the newest open ticket of someone whom the goal names, or of their firm.

    Raises:
        LookupError: there is none.
    """
    found = space.act(
        "helpdesk_ListTickets",
        include="users,organizations",
        sort_by="created_at",
        sort_order="desc",
        per_page=100,
    )
    body = found["body"]
    users = {user["id"]: user["name"] for user in body.get("users", [])}
    firms = {firm["id"]: firm["name"] for firm in body.get("organizations", [])}
    for ticket in body["tickets"]:
        if ticket["status"] in ("solved", "closed"):
            continue
        who = users.get(ticket["requester_id"], "")
        firm = firms.get(ticket["organization_id"], "")
        if (who and who in space.goal) or (firm and firm in space.goal):
            return dict(ticket)
    raise LookupError("no open ticket is of anybody whom the goal names")


def own_email(space: ActingSpace) -> str:
    """Return the agent's own address at the helpdesk."""
    return str(space.accounts["helpdesk"]["accounts"][0]["email"])


def update(space: ActingSpace, ticket: int, **changes: Any) -> None:
    """Change a ticket."""
    space.act("helpdesk_UpdateTicket", ticket_id=ticket, body={"ticket": changes})
