"""How a careful agent empties a queue of held mail: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from episodes.families.h08.looking import LOOKS
from episodes.families.h08.reading import HeldMail, Rules, is_real, rules_of
from episodes.families.h08.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

Mails = list[dict[str, Any]]


def by_api(space: ActingSpace) -> None:
    """Read the rules and the queue, let in what is real, delete the rest, look, finish."""
    space = RetryingSpace(space, LOOKS)
    real, junk = look_into(space)
    recover(space, real)
    delete(space, junk)
    space.act("helpdesk_ListSuspendedTickets", per_page=100)
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> tuple[Mails, Mails]:
    """Read the rules and the queue; return what is real and what is not, oldest first."""
    rules = read_rules(space)
    mails = queue(space)
    owners = _owners(space, mails)
    real: Mails = []
    junk: Mails = []
    for mail in mails:
        (real if is_real(_read(mail, owners), rules) else junk).append(mail)
    return real, junk


def read_rules(space: ActingSpace) -> Rules:
    """Read the rules for held mail.

    Raises:
        LookupError: there are none.
    """
    macros = space.act("helpdesk_ListMacros", active=True, per_page=100)["body"]["macros"]
    texts = [
        str(action["value"])
        for macro in macros
        if macro["title"] == "Held mail"
        for action in macro["actions"]
    ]
    if not texts:
        raise LookupError("no macro holds the rules for held mail")
    return rules_of(" ".join(texts))


def queue(space: ActingSpace) -> Mails:
    """Return the mails that are held, oldest first."""
    listed = space.act("helpdesk_ListSuspendedTickets", per_page=100)
    return sorted(listed["body"]["suspended_tickets"], key=lambda mail: mail["id"])


def _owners(space: ActingSpace, mails: Mails) -> dict[int, str]:
    """Return the addresses of the requesters of the tickets that mails answer."""
    keys = sorted({mail["ticket_id"] for mail in mails if mail["ticket_id"] is not None})
    if not keys:
        return {}
    body = space.act("helpdesk_TicketsShowMany", ids=",".join(map(str, keys)))["body"]
    requesters = {ticket["id"]: ticket["requester_id"] for ticket in body["tickets"]}
    named = ",".join(map(str, sorted(set(requesters.values()))))
    users = space.act("helpdesk_ShowManyUsers", ids=named)["body"]["users"]
    emails = {user["id"]: user["email"] for user in users}
    return {ticket: emails[requester] for ticket, requester in requesters.items()}


def _read(mail: dict[str, Any], owners: Mapping[int, str]) -> HeldMail:
    return HeldMail(
        cause=mail["cause"],
        sender=mail["author"]["email"],
        subject=mail["subject"],
        content=mail["content"],
        owner=owners.get(mail["ticket_id"]),
    )


def recover(space: ActingSpace, mails: Mails) -> None:
    """Let mails in for their senders."""
    if mails:
        space.act("helpdesk_RecoverSuspendedTickets", ids=keys_of(mails))


def delete(space: ActingSpace, mails: Mails) -> None:
    """Delete mails."""
    if mails:
        space.act("helpdesk_DeleteSuspendedTickets", ids=keys_of(mails))


def keys_of(mails: Iterable[Mapping[str, Any]]) -> str:
    """Return the ids of mails as calls take them."""
    return ",".join(str(mail["id"]) for mail in mails)


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
