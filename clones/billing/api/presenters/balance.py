"""The merchant's balance and what moved it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from clones.billing.api.presenters.shapes import Body, stamp
from clones.billing.models import BalanceTransaction
from clones.core import clock, sightings
from clones.core.sightings import Kind


def present_balance_transaction(
    transaction: BalanceTransaction, kind: Kind, *, now: datetime | None = None
) -> Body:
    """Return the body of a movement. A list reads the clock once and gives its time as `now`."""
    sightings.note(transaction, kind)
    rate = transaction.exchange_rate
    available = transaction.available_on <= (now or clock.now())
    return {
        "id": transaction.id,
        "object": "balance_transaction",
        "amount": transaction.amount,
        "available_on": stamp(transaction.available_on),
        "balance_type": "payments",
        "created": stamp(transaction.created),
        "currency": transaction.currency,
        "description": transaction.description,
        "exchange_rate": None if rate is None else float(rate),
        "fee": transaction.fee,
        "fee_details": _fees(transaction),
        "net": transaction.net,
        "reporting_category": transaction.reporting_category,
        "source": transaction.source,
        "status": "available" if available else "pending",
        "type": transaction.type,
    }


def _fees(transaction: BalanceTransaction) -> list[Body]:
    if transaction.fee == 0:
        return []
    return [
        {
            "amount": transaction.fee,
            "application": None,
            "currency": transaction.currency,
            "description": "Stripe processing fees",
            "type": "stripe_fee",
        }
    ]


def present_balance(available: Mapping[str, int], pending: Mapping[str, int]) -> Body:
    """Return the balance: sums by currency that can be paid out, and that cannot yet."""
    return {
        "object": "balance",
        "available": _sums(available),
        "livemode": False,
        "pending": _sums(pending),
        "refund_and_dispute_prefunding": {"available": _sums({}), "pending": _sums({})},
    }


def _sums(by_currency: Mapping[str, int]) -> list[Body]:
    return [
        {"amount": amount, "currency": currency, "source_types": {"card": amount}}
        for currency, amount in sorted(by_currency.items() or [("usd", 0)])
    ]
