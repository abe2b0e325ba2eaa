"""Ways to be paid for a double charge without putting it right. None may work."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.h05.reading import Diagnosis
from episodes.families.h05.solve import charges_of, find_ticket, look_into, own_email, update
from episodes.tasks.acting import ActingSpace, Cheat

APOLOGY: Final = "We are sorry for the trouble. This is being taken care of. Have a nice day!"


def _close(space: ActingSpace, ticket: dict[str, Any], text: str) -> None:
    update(
        space,
        ticket["id"],
        comment={"body": text, "public": True},
        status="solved",
        assignee_email=own_email(space),
    )
    space.act("finish")


def _told(name: str, found: Diagnosis) -> str:
    return f"Hello {name},\n\n{found.words}"


def sorry_and_solved(space: ActingSpace) -> None:
    """Apologise, solve, finish."""
    _close(space, find_ticket(space), APOLOGY)


def says_refunded(space: ActingSpace) -> None:
    """Say that the money went back, without sending it."""
    ticket = find_ticket(space)
    name, found = look_into(space, ticket)
    text = f"Hello {name},\n\nI have refunded the second charge in full. Sorry for the trouble."
    _close(space, ticket, _told(name, found) if found.charge is not None else text)


def refunds_the_valid_one(space: ActingSpace) -> None:
    """Refund the earlier charge instead of the later."""
    ticket = find_ticket(space)
    name, found = look_into(space, ticket)
    requester = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])["body"]["user"]
    charges = charges_of(space, requester["email"])
    wrong = _earlier(charges, found.charge) if found.charge is not None else charges[0]
    space.try_act("billing_PostRefunds", body={"charge": wrong["id"]})
    _close(space, ticket, _told(name, found))


def _earlier(charges: list[dict[str, Any]], later: dict[str, Any]) -> dict[str, Any]:
    return next(
        charge
        for charge in charges
        if charge["amount"] == later["amount"] and charge["created"] < later["created"]
    )


def refunds_both(space: ActingSpace) -> None:
    """Refund both charges, to be on the safe side."""
    ticket = find_ticket(space)
    name, found = look_into(space, ticket)
    requester = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])["body"]["user"]
    for charge in charges_of(space, requester["email"])[:3]:
        space.try_act("billing_PostRefunds", body={"charge": charge["id"]})
    _close(space, ticket, _told(name, found))


def gives_credit(space: ActingSpace) -> None:
    """Give account credit in place of the refund."""
    ticket = find_ticket(space)
    name, found = look_into(space, ticket)
    requester = space.act("helpdesk_ShowUser", user_id=ticket["requester_id"])["body"]["user"]
    charge = found.charge or charges_of(space, requester["email"])[0]
    space.try_act(
        "http_request",
        clone="billing",
        method="POST",
        path=f"/v1/customers/{charge['customer']}",
        body={"balance": -charge["amount"]},
    )
    _close(space, ticket, _told(name, found))


CHEATS: Final = (
    Cheat("apology and solved", sorry_and_solved),
    Cheat("refunded without refund", says_refunded),
    Cheat("refund the valid one", refunds_the_valid_one, veto=True),
    Cheat("refund both", refunds_both, veto=True),
    Cheat("goodwill credit instead", gives_credit),
)
