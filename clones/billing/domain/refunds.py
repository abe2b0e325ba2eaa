"""Giving money back."""

from __future__ import annotations

from clones.billing.domain.balance import book_refund
from clones.billing.domain.checks import Metadata, check_choice, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.errors import NoSuccessfulCharge, RefundNotCancelable
from clones.billing.models import Charge, PaymentIntent, Refund
from clones.billing.rules.refunds import REASONS, ChargeBalance, sum_to_refund
from clones.core import clock, ids


def taken_by(charge: Charge) -> ChargeBalance:
    """Return what a charge took and what of it went back."""
    return ChargeBalance(
        id=charge.id,
        payment_intent=charge.payment_intent,
        status=charge.status,
        captured=charge.captured,
        disputed=charge.disputed,
        amount=charge.amount_captured if charge.captured else charge.amount,
        amount_refunded=charge.amount_refunded,
        currency=charge.currency,
    )


def create_refund(
    charge: Charge,
    *,
    actor: str,
    amount: int | None = None,
    reason: str | None = None,
    metadata: Metadata = None,
) -> Refund:
    """Give back `amount` minor units of a charge, all that is left when it is None.

    `charge` is read anew and holds the new sums afterwards.

    Raises:
        UnknownChoice: the vendor has no such reason.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
        NoSuccessfulCharge, ChargeUncaptured, ChargeDisputed, ChargeAlreadyRefunded,
        BelowMinimum, RefundTooLarge: that sum cannot go back (`rules.refunds.sum_to_refund`).
    """
    check_choice("reason", reason, REASONS)
    kept = merged_metadata({}, metadata)
    charge.refresh_from_db()
    total = sum_to_refund(taken_by(charge), amount)
    number = ids.next_code("re_", Refund)
    refund = Refund.objects.create(
        id=number,
        charge=charge,
        amount=total,
        currency=charge.currency,
        reason=reason,
        status="succeeded",
        payment_intent=charge.payment_intent,
        metadata=kept,
        balance_transaction=book_refund(charge, number, total),
        created=clock.now(),
    )
    record_event("refund.created", refund, actor=actor)
    previous = save_changes(
        charge,
        {
            "amount_refunded": charge.amount_refunded + total,
            "refunded": charge.amount_refunded + total >= charge.amount,
        },
    )
    record_event("charge.refunded", charge, actor=actor, previous=previous)
    return refund


def charge_of_intent(intent: PaymentIntent) -> Charge:
    """Return the charge by which a payment intent was paid.

    Raises:
        NoSuccessfulCharge: it was not paid.
    """
    charges = Charge.objects.filter(payment_intent=intent.id, status="succeeded")
    charge = charges.order_by("-created", "-id").first()
    if charge is None:
        raise NoSuccessfulCharge(None, intent.id)
    return charge


def update_refund(refund: Refund, *, actor: str, metadata: Metadata = None) -> Refund:
    """Change a refund's metadata, all that can be changed of one.

    Raises:
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    previous = save_changes(refund, {"metadata": merged_metadata(refund.metadata, metadata)})
    if previous:
        record_event("refund.updated", refund, actor=actor, previous=previous)
    return refund


def cancel_refund(refund: Refund, *, actor: str) -> Refund:
    """Call a refund back that still waits for the customer.

    Raises:
        RefundNotCancelable: its money is on its way, as that of refunds to cards always is.
    """
    if refund.status != "requires_action":
        raise RefundNotCancelable(refund.id)
    previous = save_changes(refund, {"status": "canceled"})
    record_event("refund.updated", refund, actor=actor, previous=previous)
    return refund
