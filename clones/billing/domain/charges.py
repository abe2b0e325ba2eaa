"""Taking money, and what may be said of it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clones.billing.domain.balance import book_charge
from clones.billing.domain.checks import Metadata, check_email, check_text, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.models import Charge, Customer, Invoice, PaymentIntent, PaymentMethod
from clones.core import clock, ids


@dataclass(frozen=True, slots=True)
class Decline:
    """Why a bank refused: the vendor's code and words."""

    code: str = "card_declined"
    message: str = "Your card was declined."


def create_charge(
    customer: Customer,
    method: PaymentMethod,
    *,
    actor: str,
    amount: int,
    currency: str,
    description: str | None = None,
    invoice: Invoice | None = None,
    metadata: Metadata = None,
    settlement: tuple[str, str] | None = None,
    decline: Decline | None = None,
) -> Charge:
    """Take `amount` minor units by a card, through a payment intent of its own.

    `settlement` is (currency, exchange rate) when the merchant is paid in another currency;
    `decline` says why the bank refuses, None when it does not.

    Raises:
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
        TooLong, InvalidText: a description that cannot be kept.
    """
    check_text("description", description)
    kept = merged_metadata({}, metadata)
    intent = PaymentIntent(
        id=ids.next_code("pi_", PaymentIntent),
        customer=customer,
        amount=amount,
        amount_received=amount if decline is None else 0,
        currency=currency,
        description=description,
        status="succeeded" if decline is None else "requires_payment_method",
        payment_method=method.id if decline is None else None,
        invoice=None if invoice is None else invoice.id,
        metadata=kept,
        created=clock.now(),
    )
    charge = _charge(customer, method, intent, decline)
    if decline is None:
        charge.balance_transaction = book_charge(
            charge.id,
            amount=amount,
            currency=currency,
            description=description,
            settlement=settlement,
        )
    intent.latest_charge = charge.id
    intent.save(force_insert=True)
    charge.save(force_insert=True)
    record_event("payment_intent.created", intent, actor=actor)
    outcome = "succeeded" if decline is None else "failed"
    record_event(f"charge.{outcome}", charge, actor=actor)
    outcome = "succeeded" if decline is None else "payment_failed"
    record_event(f"payment_intent.{outcome}", intent, actor=actor)
    return charge


def _charge(
    customer: Customer, method: PaymentMethod, intent: PaymentIntent, decline: Decline | None
) -> Charge:
    known = {"name": customer.name, "email": customer.email}
    return Charge(
        id=ids.next_code("ch_", Charge),
        customer=customer,
        amount=intent.amount,
        amount_captured=intent.amount if decline is None else 0,
        currency=intent.currency,
        description=intent.description,
        status="succeeded" if decline is None else "failed",
        paid=decline is None,
        captured=decline is None,
        failure_code=None if decline is None else decline.code,
        failure_message=None if decline is None else decline.message,
        payment_intent=intent.id,
        invoice=intent.invoice,
        payment_method=method.id,
        card=method.card,
        billing_details=method.billing_details or known,
        metadata=intent.metadata,
        created=intent.created,
    )


def update_charge(
    charge: Charge,
    *,
    actor: str,
    description: str | None = None,
    receipt_email: str | None = None,
    metadata: Metadata = None,
    fraud_report: str | None = None,
) -> Charge:
    """Change what may be said of a charge: None leaves a field, "" unsets it.

    Raises:
        InvalidEmail, TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    check_text("description", description)
    check_email("receipt_email", receipt_email or None)
    changes: dict[str, Any] = {}
    if description is not None:
        changes["description"] = description or None
    if receipt_email is not None:
        changes["receipt_email"] = receipt_email or None
    if metadata is not None:
        changes["metadata"] = merged_metadata(charge.metadata, metadata)
    if fraud_report is not None:
        changes["fraud_details"] = {"user_report": fraud_report} if fraud_report else {}
    previous = save_changes(charge, changes)
    if previous:
        record_event("charge.updated", charge, actor=actor, previous=previous)
    return charge
