"""Pieces that several objects share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, overload

Body = dict[str, Any]

ADDRESS = ("city", "country", "line1", "line2", "postal_code", "state")
NO_CHECKS = {"address_line1_check": None, "address_postal_code_check": None, "cvc_check": None}


@overload
def stamp(moment: datetime) -> int: ...
@overload
def stamp(moment: None) -> None: ...
def stamp(moment: datetime | None) -> int | None:
    """Return a moment as the API counts time: seconds since 1970."""
    return None if moment is None else int(moment.timestamp())


def address(known: Mapping[str, Any] | None) -> Body | None:
    """Return an address with every key, None when there is none."""
    return None if not known else {key: known.get(key) for key in ADDRESS}


def billing_details(known: Mapping[str, Any]) -> Body:
    """Return who paid, with every key."""
    found: Mapping[str, Any] = known.get("address") or {}
    return {
        "address": {key: found.get(key) for key in ADDRESS},
        "email": known.get("email"),
        "name": known.get("name"),
        "phone": known.get("phone"),
        "tax_id": None,
    }


def card_facts(known: Mapping[str, Any]) -> Body:
    """Return what is known of a card, under the names that every object uses for it."""
    return {
        "brand": known.get("brand", "visa"),
        "checks": {**NO_CHECKS, **known.get("checks", {})},
        "country": known.get("country", "US"),
        "exp_month": known.get("exp_month", 1),
        "exp_year": known.get("exp_year", 2030),
        "fingerprint": known.get("fingerprint"),
        "funding": known.get("funding", "credit"),
        "last4": known.get("last4", ""),
    }


def list_body(url: str, data: Sequence[Body], *, has_more: bool) -> Body:
    """Return a list in its envelope."""
    return {"object": "list", "data": list(data), "has_more": has_more, "url": url}
