"""How a careful agent answers a question about one ticket: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from episodes.families.h01.reading import SERIAL, Wanted, likest, said_in, wanted_of
from episodes.families.h01.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

IN_COMMENTS = ("first_reply", "visit", "quoted", "pieces", "opened")


def by_api(space: ActingSpace) -> None:
    """Find the ticket, read it, answer."""
    space = RetryingSpace(space, {})
    wanted = wanted_of(space.goal)
    ticket = find(space, wanted)
    space.act("finish", status="done", answer=answer_from(space, wanted, ticket))


def tickets_found(space: ActingSpace, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the tickets that the search for the described one finds."""
    found = space.act("helpdesk_ListSearchResults", query=f"type:ticket {wanted.query}")
    return list(found["body"]["results"])


def find(space: ActingSpace, wanted: Wanted) -> dict[str, Any]:
    """Return the ticket that is described, as the search shows it."""
    results = tickets_found(space, wanted)
    return results[likest(wanted.topic, [ticket["subject"] for ticket in results])]


def answer_from(space: ActingSpace, wanted: Wanted, ticket: dict[str, Any]) -> Any:
    """Read a ticket and return what is asked of it.

    Raises:
        LookupError: it does not say it.
    """
    if wanted.fact in IN_COMMENTS:
        shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
        return _from_comments(wanted, shown["body"]["comments"])
    shown = space.act("helpdesk_ShowTicket", ticket_id=ticket["id"], include="users")
    return _from_ticket(wanted, shown["body"])


def _from_comments(wanted: Wanted, comments: list[dict[str, Any]]) -> Any:
    times = [datetime.fromisoformat(comment["created_at"]) for comment in comments]
    if wanted.fact == "opened":
        return f"{times[0].astimezone(ZoneInfo(wanted.zone)):%Y-%m-%d %H:%M}"
    if wanted.fact == "first_reply":
        customer = comments[0]["author_id"]
        ours = next(
            at
            for at, comment in zip(times, comments, strict=True)
            if comment["public"] and comment["author_id"] != customer
        )
        return (ours - times[0]) // timedelta(minutes=1)
    return said_in(wanted.fact, [comment["plain_body"] for comment in comments])


def _from_ticket(wanted: Wanted, body: dict[str, Any]) -> Any:
    ticket, users = body["ticket"], {user["id"]: user for user in body["users"]}
    if wanted.fact == "assignee":
        return users[ticket["assignee_id"]]["name"]
    if wanted.fact == "copied":
        return [users[key]["email"] for key in ticket["email_cc_ids"]]
    values = [str(field["value"]) for field in ticket["custom_fields"]]
    return next(value for value in values if SERIAL.fullmatch(value))


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
