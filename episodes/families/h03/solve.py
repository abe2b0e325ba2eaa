"""How a careful agent triages a batch: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.families.h03.looking import LOOKS
from episodes.families.h03.reading import Guide, guide_of, in_force, is_spam, sort_out
from episodes.families.h03.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

Ticket = Mapping[str, Any]


def by_api(space: ActingSpace) -> None:
    """Read guide and tickets, mark the spam, file the rest in one go, see that it was done."""
    space = RetryingSpace(space, LOOKS)
    guide = read_guide(space)
    tickets = new_tickets(space)
    spam = [ticket for ticket in tickets if is_spam(ticket["description"])]
    changes = filings(space, guide, [ticket for ticket in tickets if ticket not in spam])
    for ticket in spam:
        mark_as_spam(space, ticket["id"])
    file_all(space, changes)
    space.act("finish", status="done")


def read_guide(space: ActingSpace) -> Guide:
    """Return the guide in force: of the macros that hold one, the latest.

    Raises:
        LookupError: there is none.
    """
    return guide_of(in_force(guide_texts(space)))


def guide_texts(space: ActingSpace) -> list[str]:
    """Return the texts of all macros that hold a routing guide, superseded ones too."""
    answer = space.act("helpdesk_ListMacros", active=True, per_page=100)
    macros = answer["body"]["macros"]
    return [
        " ".join(text for action in macro["actions"] for text in _texts(action["value"]))
        for macro in macros
        if "routing guide" in macro["title"].lower()
    ]


def _texts(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def new_tickets(space: ActingSpace) -> list[Ticket]:
    """Return the tickets whose status is new, the oldest first."""
    found = space.act(
        "helpdesk_ListSearchResults",
        query="type:ticket status:new",
        sort_by="created_at",
        sort_order="asc",
        per_page=100,
    )
    return list(found["body"]["results"])


def filings(space: ActingSpace, guide: Guide, tickets: list[Ticket]) -> list[dict[str, Any]]:
    """Return, for each ticket that is not right already, the changes that make it so."""
    groups = {
        group["name"]: group["id"] for group in space.act("helpdesk_ListGroups")["body"]["groups"]
    }
    fields = space.act("helpdesk_ListTicketFields")["body"]["ticket_fields"]
    field = next(entry for entry in fields if entry["title"] == "Machine")
    machines = {option["name"]: option["value"] for option in field["custom_field_options"]}
    found = []
    for ticket in tickets:
        sorted_out = sort_out(guide, ticket["description"], ticket["tags"], machines)
        changes: dict[str, Any] = {
            "id": ticket["id"],
            "group_id": groups[sorted_out.group],
            "priority": sorted_out.priority,
            "type": sorted_out.type,
            "status": "open",
        }
        if sorted_out.machine is not None:
            value = machines[sorted_out.machine]
            changes["custom_fields"] = [{"id": field["id"], "value": value}]
        as_it_is = all(ticket[name] == changes[name] for name in ("group_id", "priority", "type"))
        if not as_it_is or not set(sorted_out.tags) <= set(ticket["tags"]):
            found.append({**changes, "additional_tags": list(sorted_out.tags)})
    return found


def mark_as_spam(space: ActingSpace, ticket: int) -> None:
    """Mark a ticket as spam, which deletes it and suspends its requester."""
    space.act("helpdesk_MarkTicketAsSpamAndSuspendRequester", ticket_id=ticket)


def file_all(space: ActingSpace, changes: list[dict[str, Any]]) -> None:
    """Change tickets, each in its own way, as one job, and see how the job went.

    Raises:
        LookupError: the job changed not all of them.
    """
    answer = space.act("helpdesk_TicketsUpdateMany", body={"tickets": changes})
    job = answer["body"].get("job_status")
    if job is None:
        return  # the answer was lost, and a look has shown that all is done
    shown = space.act("helpdesk_ShowJobStatus", job_id=job["id"])["body"]["job_status"]
    if shown["status"] not in ("queued", "working", "completed"):
        raise LookupError(f"the job did not change the tickets: {shown}")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
