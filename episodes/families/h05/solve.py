"""How a careful agent puts a double charge right: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.families.h05.looking import LOOKS
from episodes.families.h05.reading import Diagnosis, age_days, diagnose, limits_of, money
from episodes.families.h05.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket, own_email, update
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

APPROVED = ("approve", "agreed", "go ahead", "fine by me", "yes")


def by_api(space: ActingSpace) -> None:
    """Read the ticket, the charges and the policy; refund or explain; say so; solve; finish."""
    space = RetryingSpace(space, LOOKS)
    ticket = find_ticket(space)
    name, found = look_into(space, ticket)
    changes: dict[str, Any] = {"status": "solved", "assignee_email": own_email(space)}
    if found.charge is not None:
        ask_lead_if_needed(space, ticket["id"], found.charge)
        space.act("billing_PostRefunds", body={"charge": found.charge["id"], "reason": "duplicate"})
    else:
        changes["custom_fields"] = [{"id": reason_field(space), "value": found.reason}]
    text = f"Hello {name},\n\n{found.words}\n\nSorry for the trouble."
    update(space, ticket["id"], comment={"body": text, "public": True})
    update(space, ticket["id"], **changes)
    space.act("finish", status="done")


def look_into(space: ActingSpace, ticket: dict[str, Any]) -> tuple[str, Diagnosis]:
    """Read what the customer wrote and what they were charged; return their name and the cause."""
    comments = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])["body"]["comments"]
    requester = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])["body"]["user"]
    charges = charges_of(space, requester["email"])
    return requester["name"], diagnose(charges, comments[0]["body"])


def charges_of(space: ActingSpace, email: str) -> list[dict[str, Any]]:
    """Return every charge of the customers with that address, newest first."""
    customers = space.act("billing_GetCustomers", email=email)["body"]["data"]
    charges: list[dict[str, Any]] = []
    for customer in customers:
        page = space.act("billing_GetCharges", customer=customer["id"], limit=100)
        charges.extend(page["body"]["data"])
    return sorted(charges, key=lambda charge: charge["created"], reverse=True)


def ask_lead_if_needed(space: ActingSpace, ticket: int, charge: dict[str, Any]) -> None:
    """Read the policy; beyond the own limits leave a note for the lead and wait for the yes.

    Raises:
        LookupError: there is no policy, or no answer came.
    """
    if not needs_lead(space, charge):
        return
    note = f"Please approve the refund of {money(charge)} on charge {charge['id']} (double charge)."
    update(space, ticket, comment={"body": note, "public": False})
    for _ in range(4):
        space.act("wait", minutes=2880)
        shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket)
        comments = shown["body"]["comments"]
        notes = [said["body"] for said in comments if not said["public"] and said["body"] != note]
        if any(word in body.lower() for body in notes for word in APPROVED):
            return
    raise LookupError("the lead did not agree")


def needs_lead(space: ActingSpace, charge: dict[str, Any]) -> bool:
    """Read the policy and tell whether a refund of the charge is for the lead to decide.

    Raises:
        LookupError: there is no policy.
    """
    answer = space.act("helpdesk_ListMacros", active=True, per_page=100)
    policies = [
        macro for macro in answer["body"]["macros"] if "refund policy" in macro["title"].lower()
    ]
    if not policies:
        raise LookupError("no macro holds the refund policy")
    text = " ".join(str(action["value"]) for action in policies[-1]["actions"])
    limits = limits_of(text)
    beyond = limits.own_limit is not None and charge["amount"] > limits.own_limit * 100
    return beyond or age_days(charge, answer["now"]) > limits.window_days


def reason_field(space: ActingSpace) -> int:
    """Return the id of the field for the cause.

    Raises:
        LookupError: the account has none.
    """
    fields = space.act("helpdesk_ListTicketFields")["body"]["ticket_fields"]
    for field in fields:
        if field["title"] == "Resolution reason":
            return int(field["id"])
    raise LookupError("there is no field for the cause")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
