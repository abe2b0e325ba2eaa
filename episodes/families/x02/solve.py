"""How a careful agent passes a fault on to engineering: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.families.x02.looking import LOOKS
from episodes.families.x02.reading import (
    IN_FORCE,
    Known,
    Note,
    Plan,
    Report,
    note_of,
    note_on,
    plan,
    report_of,
)
from episodes.families.x02.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket, update
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import create, document, quoted, say, search
from sandlot.service import Space

PINNED: Final = "type:ticket PINNED raising bugs"


def by_api(space: ActingSpace) -> None:
    """Read ticket, note and record; raise the bug or join it; link, tell, hold; finish."""
    space = RetryingSpace(space, LOOKS)
    ticket, found = look_into(space)
    key = report(space, found)
    link_to_ticket(space, key, ticket["id"])
    note_key(space, ticket["id"], key)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> tuple[dict[str, Any], Plan]:
    """Return the ticket that the goal speaks of, and what is to be done about it."""
    ticket = find_ticket(space)
    shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
    mails = [
        comment["body"]
        for comment in shown["body"]["comments"]
        if comment["author_id"] == ticket["requester_id"]
    ]
    told, note = report_of(mails), note_in_force(space)
    return ticket, plan(note, told, on_record(space, note, told))


def note_in_force(space: ActingSpace) -> Note:
    """Find the pinned notes on raising bugs and read the one in force.

    Raises:
        LookupError: there is none.
    """
    found = space.act("helpdesk_ListSearchResults", query=PINNED, per_page=100)
    for row in found["body"]["results"]:
        if IN_FORCE in row["description"]:
            shown = space.act("helpdesk_ListTicketComments", ticket_id=row["id"])
            return note_of(shown["body"]["comments"][0]["body"])
    raise LookupError("no note on raising bugs is in force")


def on_record(space: ActingSpace, note: Note, told: Report) -> Known | None:
    """Return what the tracker has on record of the same fault: what is open rather than done."""
    where = f"project = {quoted(note.space)} AND text ~ {quoted(told.code)}"
    rows = search(space, where, "status", "priority", "fixVersions", most=10)
    found = [_known(row) for row in rows]
    return next(iter(sorted(found, key=lambda one: one.done)), None)


def _known(row: Mapping[str, Any]) -> Known:
    fields = row["fields"]
    versions = fields["fixVersions"]
    return Known(
        row["key"],
        fields["status"]["statusCategory"]["key"] == "done",
        fields["priority"]["name"],
        versions[0]["name"] if versions else None,
    )


def report(space: ActingSpace, found: Plan) -> str:
    """Raise the bug, or comment on the one on record; return its key."""
    if found.joined is not None:
        say(space, found.joined, "\n\n".join(found.paragraphs))
        return found.joined
    project = project_key(space, found.note)
    return create(space, project, "Bug", found.summary, **fields_of(found))


def fields_of(found: Plan) -> dict[str, Any]:
    """Return the fields of a new bug beside its summary."""
    return {
        "description": document("\n\n".join(found.paragraphs)),
        "components": [{"name": found.component}],
        "priority": {"name": found.priority},
    }


def project_key(space: ActingSpace, note: Note) -> str:
    """Return the key of the space that the note names.

    Raises:
        LookupError: there is none of that name.
    """
    found = space.act("tracker_searchProjects", query=note.space)["body"]["values"]
    for one in found:
        if one["name"] == note.space:
            return str(one["key"])
    raise LookupError(f"there is no space {note.space}")


def ticket_address(space: ActingSpace, ticket: int) -> str:
    """Return the address of a ticket's page."""
    return f"{space.accounts['helpdesk']['url']}/agent/tickets/{ticket}"


def link_to_ticket(space: ActingSpace, key: str, ticket: int) -> None:
    """Link a bug to the ticket."""
    target = {"url": ticket_address(space, ticket), "title": f"Ticket {ticket}"}
    space.act("tracker_createOrUpdateRemoteIssueLink", key=key, body={"object": target})


def note_key(space: ActingSpace, ticket: int, key: str) -> None:
    """Leave an internal note that names the bug."""
    update(space, ticket, comment={"body": note_on(key), "public": False})


def answer(space: ActingSpace, ticket: int, found: Plan, status: str = "hold") -> None:
    """Tell the customer, and put the ticket on hold."""
    text = f"Hello,\n\n{found.answer}"
    update(space, ticket, comment={"body": text, "public": True}, status=status)


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
