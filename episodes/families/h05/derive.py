"""The facts of H05 a second time: plain loops over whole tables, and nothing of `arrange`.

What was planted is found again from what anybody could see: the ticket, the customer's charges and
the policy's text.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final

from clones.billing.models import Charge, Customer, Refund
from clones.core import clock
from clones.helpdesk.models import Comment, Macro, Organization, Ticket, TicketField, User

OPEN: Final = ("new", "open", "pending", "hold")
SUM: Final = re.compile(r"([\d,]+\.\d\d) ([A-Z]{3})")
LIMIT: Final = re.compile(r"up to (\d+)\.00")
WINDOW: Final = re.compile(r"older than (\d+) days")
REASONS: Final = {
    "gateway_retry": "res_duplicate_charge",
    "two_cards": "res_two_cards",
    "upgrade_proration": "res_proration",
    "two_subscriptions": "res_two_subscriptions",
    "already_refunded": "res_already_refunded",
    "currency_pair": "res_currency",
}


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    ticket = _ticket(goal)
    requester = next(user for user in _all(User) if user.id == ticket.requester_id)
    complaint = next(said for said in _all(Comment) if said.ticket_id == ticket.id)
    customer = next(payer for payer in _all(Customer) if payer.email == requester.email)
    shown = _shown(customer, complaint)
    cause = _cause(shown)
    field = next(entry for entry in _all(TicketField) if entry.title == "Resolution reason")
    return {
        "ticket": ticket.id,
        "requester": requester.id,
        "complaint": complaint.id,
        "customer": customer.id,
        "charges": [charge.id for charge in shown],
        "cause": cause,
        "owed": _owed(shown, cause),
        "policy": _policy(),
        "reason_field": field.id,
        "reason_value": REASONS[cause],
    }


def _all(model: Any) -> list[Any]:
    """Return every row of a table, oldest first."""
    moment = "created" if any(field.name == "created" for field in model._meta.fields) else "id"
    rows = list(model.objects.all())
    rows.sort(key=lambda row: (getattr(row, moment), row.pk))
    return rows


def _ticket(goal: str) -> Ticket:
    """Return the newest open ticket of somebody whom the goal names, or of their firm."""
    names = {user.id: user.name for user in _all(User)}
    firms = {firm.id: firm.name for firm in _all(Organization)}
    found: Ticket | None = None
    for ticket in _all(Ticket):
        if ticket.status not in OPEN:
            continue
        who, firm = names[ticket.requester_id], firms.get(ticket.organization_id or 0)
        named = who in goal or (firm is not None and firm in goal)
        if named and (found is None or ticket.created_at > found.created_at):
            found = ticket
    if found is None:
        raise LookupError("the goal names nobody with an open ticket")
    return found


def _shown(customer: Customer, complaint: Comment) -> list[Charge]:
    """Return the charges that the complaint means: of its sum, the newest and those close to it."""
    match = SUM.search(complaint.body)
    if match is None:
        raise LookupError("the complaint names no sum")
    minor, currency = round(float(match[1].replace(",", "")) * 100), match[2].lower()
    like = []
    for charge in _all(Charge):
        mine = charge.customer_id == customer.id
        if mine and charge.amount == minor and charge.currency == currency:
            like.append(charge)
    if not like:
        raise LookupError("the customer paid no such sum")
    newest = like[-1].created
    return [charge for charge in like if newest - charge.created < timedelta(days=4)]


def _cause(shown: list[Charge]) -> str:
    if len(shown) == 1:
        return "currency_pair"
    first, second = shown
    returned = {refund.charge_id for refund in _all(Refund)}
    if "proration" in (second.description or ""):
        return "upgrade_proration"
    if "workshop B" in (second.description or ""):
        return "two_subscriptions"
    if second.id in returned:
        return "already_refunded"
    same_card = first.payment_method == second.payment_method
    return "gateway_retry" if same_card else "two_cards"


def _owed(shown: list[Charge], cause: str) -> dict[str, Any] | None:
    if cause not in ("gateway_retry", "two_cards"):
        return None
    first, second = shown
    now: datetime = clock.now()
    return {
        "charge": second.id,
        "amount": second.amount,
        "currency": second.currency,
        "day": f"{second.created:%Y-%m-%d}",
        "age_days": int((now - second.created).total_seconds() // 86_400),
        "last4": second.card["last4"],
        "other_last4": first.card["last4"],
    }


def _policy() -> dict[str, Any]:
    texts = [
        str(action["value"])
        for macro in _all(Macro)
        if macro.active and "Refund policy" in macro.title
        for action in macro.actions
    ]
    text = " ".join(texts)
    window, limit = WINDOW.search(text), LIMIT.search(text)
    if window is None:
        raise LookupError("no macro states the refund window")
    return {"window_days": int(window[1]), "own_limit": int(limit[1]) if limit else None}
