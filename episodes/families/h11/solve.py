"""How a careful agent meets a request that fits two things: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.families.h11.looking import LOOKS
from episodes.families.h11.reading import (
    ADDRESSES,
    ORDER,
    SEATS,
    Case,
    Change,
    Known,
    Option,
    Order,
    Person,
    Wanted,
    case_of,
    wanted_of,
)
from episodes.families.h11.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket, update
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

DONE: Final = ("solved", "closed")
ROUNDS: Final = 3


def by_api(space: ActingSpace) -> None:
    """Read the request and what may decide it; ask if nothing does; change; tell; finish."""
    space = RetryingSpace(space, LOOKS)
    ticket, wanted, name, known = look_into(space)
    case = case_of(wanted, known)
    option = case.decided or ask(space, ticket, name, case)
    make(space, option.change)
    say(space, ticket, told(name, option))
    space.act("finish", status="done")


def say(space: ActingSpace, ticket: dict[str, Any], text: str) -> None:
    """Write to the customer and leave the ticket open."""
    update(space, ticket["id"], comment={"body": text, "public": True}, status="open")


def told(name: str, option: Option) -> str:
    """Return the reply once the change is made."""
    return f"Hello {name},\n\n{option.told}\n\nKind regards"


def look_into(space: ActingSpace) -> tuple[dict[str, Any], Wanted, str, Known]:
    """Read the ticket, the rules and what the request may mean.

    Returns:
        The ticket, what is wanted, the customer's name, and what was read.
    """
    ticket = find_ticket(space)
    comments = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])["body"]["comments"]
    space.act("helpdesk_ListMacros", active=True, per_page=100)
    shown = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])["body"]["user"]
    wanted = wanted_of(comments[0]["body"])
    known = Known(requester=shown["id"], notes=shown["notes"] or "")
    held = shown["user_fields"]
    for label in (*SEATS, *ADDRESSES):
        known.entries[label] = held.get(key_of(label)) or ""
    if wanted.kind in ("order", "date", "amount"):
        _read_orders(space, wanted, known)
    elif wanted.kind == "contact":
        _read_people(space, shown["organization_id"], known)
    return ticket, wanted, str(shown["name"]), known


def key_of(label: str) -> str:
    """Return the key of a profile's field."""
    return label.lower().replace(" ", "_")


def _read_orders(space: ActingSpace, wanted: Wanted, known: Known) -> None:
    found = space.act("helpdesk_ListUserRequestedTickets", user_id=known.requester, per_page=100)
    for ticket in found["body"]["tickets"]:
        code = ORDER.match(ticket["subject"] or "")
        if code is not None:
            known.orders.append(Order(ticket["id"], code[1], ticket["status"] in DONE))
    for order in known.orders:
        if order.code == wanted.code:
            read = space.act("helpdesk_ListTicketComments", ticket_id=order.ticket)
            known.order_note = " ".join(said["body"] for said in read["body"]["comments"])


def _read_people(space: ActingSpace, organization: int, known: Known) -> None:
    found = space.act("helpdesk_ListOrganizationUsers", organization_id=organization, per_page=100)
    known.people = [
        Person(user["id"], user["name"], user["notes"] or "") for user in found["body"]["users"]
    ]


def ask(space: ActingSpace, ticket: dict[str, Any], name: str, case: Case) -> Option:
    """Ask which is meant and wait; ask again if the answer fits nothing.

    Raises:
        LookupError: no answer came that fits.
    """
    lead = "before I change anything:"
    for _ in range(ROUNDS):
        text = f"Hello {name},\n\n{lead} {case.question}"
        say(space, ticket, text)
        said = answers(space, ticket, text)
        option = case.meant(" ".join(said))
        if option is not None:
            return option
        lead = "I cannot find that with us, sorry."
    raise LookupError("the customer did not say which is meant")


def answers(space: ActingSpace, ticket: dict[str, Any], question: str) -> list[str]:
    """Wait for the customer and return what they wrote after a question."""
    for _ in range(4):
        space.act("wait", minutes=2880)
        shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
        comments = shown["body"]["comments"]
        asked = max(
            (place for place, said in enumerate(comments) if said["body"].strip() == question),
            default=len(comments),
        )
        found = [
            said["body"]
            for said in comments[asked + 1 :]
            if said["author_id"] == ticket["requester_id"]
        ]
        if found:
            return found
    return []


def make(space: ActingSpace, change: Change) -> None:
    """Write a change into its record."""
    if change.record == "ticket":
        field = field_named(space, change.label)
        update(space, change.key, custom_fields=[{"id": field, "value": change.value}])
        return
    if change.label == "Phone":
        fields: dict[str, Any] = {"phone": change.value}
    else:
        fields = {"user_fields": {key_of(change.label): change.value}}
    space.act("helpdesk_UpdateUser", user_id=change.key, body={"user": fields})


def field_named(space: ActingSpace, title: str) -> int:
    """Return the id of a ticket field.

    Raises:
        LookupError: the account has none of that title.
    """
    fields = space.act("helpdesk_ListTicketFields")["body"]["ticket_fields"]
    for field in fields:
        if field["title"] == title:
            return int(field["id"])
    raise LookupError(f"there is no field {title}")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
