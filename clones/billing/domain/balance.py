"""Movements on the merchant's balance."""

from __future__ import annotations

from datetime import datetime, timedelta

from clones.billing.models import BalanceTransaction, Charge
from clones.billing.rules.money import processing_fee, settled
from clones.core import clock, ids

SETTLING = timedelta(days=2)


def book_charge(
    charge_id: str,
    *,
    amount: int,
    currency: str,
    description: str | None,
    settlement: tuple[str, str] | None = None,
) -> BalanceTransaction:
    """Book what a charge brings in, less the processor's fee.

    `settlement` is (currency, exchange rate) when the merchant is paid in another currency.
    """
    rate = None if settlement is None else settlement[1]
    gross = settled(amount, rate)
    fee = processing_fee(gross)
    now = clock.now()
    return BalanceTransaction.objects.create(
        id=ids.next_code("txn_", BalanceTransaction),
        amount=gross,
        currency=currency if settlement is None else settlement[0],
        fee=fee,
        net=gross - fee,
        exchange_rate=rate,
        type="charge",
        reporting_category="charge",
        source=charge_id,
        description=description,
        available_on=_next_midnight(now + SETTLING),
        created=now,
    )


def book_refund(charge: Charge, refund_id: str, amount: int) -> BalanceTransaction:
    """Book what a refund takes out, at the charge's own exchange rate. The fee stays paid."""
    original = charge.balance_transaction
    rate = None if original is None else original.exchange_rate
    taken = -settled(amount, rate)
    now = clock.now()
    return BalanceTransaction.objects.create(
        id=ids.next_code("txn_", BalanceTransaction),
        amount=taken,
        currency=charge.currency if original is None else original.currency,
        fee=0,
        net=taken,
        exchange_rate=rate,
        type="refund",
        reporting_category="refund",
        source=refund_id,
        description=_refund_text(charge),
        available_on=now,
        created=now,
    )


def _refund_text(charge: Charge) -> str:
    return (
        f"REFUND FOR CHARGE ({charge.description})" if charge.description else "REFUND FOR CHARGE"
    )


def _next_midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
