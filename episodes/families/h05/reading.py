"""What a careful agent makes of what it reads: the policy's limits, and what the charges are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

DAY: Final = 86_400
PAIR_SPAN: Final = 4 * DAY


@dataclass(frozen=True, slots=True)
class Limits:
    """The agent's own limits as the policy document words them; `own_limit` in whole units."""

    window_days: int
    own_limit: int | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What lies behind the complaint: `charge` is what to refund, None when nothing is owed.

    `reason` is the option of the ticket's reason field, `words` what to tell the customer.
    """

    reason: str
    charge: dict[str, Any] | None
    words: str


def limits_of(text: str) -> Limits:
    """Return the limits that a policy document states.

    Raises:
        LookupError: it states no window.
    """
    window = re.search(r"not older than (\d+) days", text)
    if window is None:
        raise LookupError(f"no refund window in the policy: {text[:200]}")
    limit = re.search(r"up to (\d+)\.00", text)
    return Limits(int(window.group(1)), int(limit.group(1)) if limit else None)


def diagnose(charges: list[dict[str, Any]], complaint: str) -> Diagnosis:
    """Tell what happened from a customer's charges (newest first) and their complaint.

    Raises:
        LookupError: no charge fits the complaint.
    """
    named = _named_charges(charges, complaint)
    pair = _pair(named or charges)
    if pair is None:
        return _single(named, complaint)
    earlier, later = pair
    texts = f"{earlier['description']} {later['description']}".lower()
    if "proration" in texts:
        return Diagnosis("res_proration", None, _proration_words(earlier, later))
    if "workshop a" in texts:
        return Diagnosis("res_two_subscriptions", None, _subscription_words(earlier, later))
    if later["refunded"]:
        return Diagnosis("res_already_refunded", None, _refunded_words(later))
    same_card = earlier["payment_method"] == later["payment_method"]
    reason = "res_duplicate_charge" if same_card else "res_two_cards"
    return Diagnosis(reason, later, _refund_words(later))


def _pair(charges: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return two charges of one sum within a few days, the newest such pair."""
    for place, later in enumerate(charges):
        for earlier in charges[place + 1 :]:
            same = later["amount"] == earlier["amount"] and later["currency"] == earlier["currency"]
            if same and later["created"] - earlier["created"] < PAIR_SPAN:
                return earlier, later
    return None


def _named_charges(charges: list[dict[str, Any]], complaint: str) -> list[dict[str, Any]]:
    """Return the charges whose sum the complaint names."""
    return [charge for charge in charges if f"{charge['amount'] / 100:,.2f}" in complaint]


def _single(named: list[dict[str, Any]], complaint: str) -> Diagnosis:
    """Tell of one charge that the bank shows in two currencies."""
    if not named:
        raise LookupError(f"no charge fits the complaint: {complaint[:200]}")
    charge = named[0]
    words = (
        f"there is only one charge of {money(charge)} on {day_of(charge)}. We settle it in another"
        " currency, so some banks show both sums: the money was taken once."
    )
    return Diagnosis("res_currency", None, words)


def money(charge: dict[str, Any]) -> str:
    """Return a charge's sum as text."""
    return f"{charge['amount'] / 100:,.2f} {charge['currency'].upper()}"


def day_of(charge: dict[str, Any]) -> str:
    """Return the day of a charge as text."""
    return datetime.fromtimestamp(charge["created"], UTC).strftime("%d %B %Y").lstrip("0")


def age_days(charge: dict[str, Any], now: str) -> int:
    """Return how many whole days old a charge is."""
    moment = datetime.fromisoformat(now)
    return (moment - datetime.fromtimestamp(charge["created"], UTC)).days


def _refund_words(charge: dict[str, Any]) -> str:
    return (
        f"you are right: we took the payment of {day_of(charge)} twice. I have refunded"
        f" {money(charge)} on charge {charge['id']}. It will be on your statement within two to"
        " five working days."
    )


def _refunded_words(charge: dict[str, Any]) -> str:
    return (
        f"we did take {money(charge)} twice on {day_of(charge)}, and a colleague has refunded the"
        " second charge already. The refund is on its way to your card."
    )


def _proration_words(first: dict[str, Any], second: dict[str, Any]) -> str:
    return (
        f"these are two different charges: {money(first)} for your plan, and {money(second)} for"
        f" the upgrade of {day_of(second)}, prorated for the rest of the period. Nothing was"
        " charged twice."
    )


def _subscription_words(first: dict[str, Any], second: dict[str, Any]) -> str:
    return (
        "you have two subscriptions, one for each workshop, and both fell due on"
        f" {day_of(second)}: {money(first)} and {money(second)}. Nothing was charged twice."
    )
