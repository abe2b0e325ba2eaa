"""Invoices: made, and paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from clones.billing.domain.charges import Decline, create_charge
from clones.billing.domain.checks import Metadata, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.errors import InvoiceNotPayable
from clones.billing.models import (
    Charge,
    Customer,
    Invoice,
    InvoiceLine,
    PaymentMethod,
    Price,
    Subscription,
    SubscriptionItem,
)
from clones.core import clock, ids


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line to write on an invoice: `amount` in minor units, negative for a credit.

    `period` is what it is for, from and to; None means now.
    """

    amount: int
    description: str
    quantity: int = 1
    price: Price | None = None
    item: SubscriptionItem | None = None
    proration: bool = False
    period: tuple[datetime, datetime] | None = None


def create_invoice(
    customer: Customer,
    lines: Sequence[DraftLine],
    *,
    actor: str,
    currency: str,
    subscription: Subscription | None = None,
    billing_reason: str = "manual",
    description: str | None = None,
    metadata: Metadata = None,
) -> Invoice:
    """Make an invoice that is final and waits to be paid.

    Raises:
        ValueError: there is no line.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    if not lines:
        raise ValueError("an invoice needs a line")
    total, now = sum(line.amount for line in lines), clock.now()
    due = max(total, 0)
    periods = [line.period or (now, now) for line in lines]
    invoice = Invoice.objects.create(
        id=ids.next_code("in_", Invoice),
        customer=customer,
        subscription=subscription,
        number=_take_number(customer, currency),
        status="open",
        currency=currency,
        subtotal=total,
        total=total,
        amount_due=due,
        amount_remaining=due,
        ending_balance=0,
        billing_reason=billing_reason,
        description=description,
        customer_name=customer.name,
        customer_email=customer.email,
        customer_address=customer.address,
        period_start=min(start for start, _ in periods),
        period_end=max(end for _, end in periods),
        finalized_at=now,
        metadata=merged_metadata({}, metadata),
        created=now,
    )
    for position, (line, period) in enumerate(zip(lines, periods, strict=True), start=1):
        _write_line(invoice, position, line, period)
    if subscription is not None:
        save_changes(subscription, {"latest_invoice": invoice.id})
    record_event("invoice.created", invoice, actor=actor)
    record_event("invoice.finalized", invoice, actor=actor)
    return invoice


def pay_invoice(
    invoice: Invoice,
    method: PaymentMethod,
    *,
    actor: str,
    settlement: tuple[str, str] | None = None,
    decline: Decline | None = None,
) -> Charge:
    """Charge a card with what an invoice asks for; it stays open when the bank refuses.

    Raises:
        InvoiceNotPayable: it is not open.
    """
    if invoice.status != "open":
        raise InvoiceNotPayable(invoice.id, invoice.status)
    charge = create_charge(
        invoice.customer,
        method,
        actor=actor,
        amount=invoice.amount_remaining,
        currency=invoice.currency,
        description=_charge_text(invoice),
        invoice=invoice,
        settlement=settlement,
        decline=decline,
    )
    changes: dict[str, Any] = {
        "attempted": True,
        "attempt_count": invoice.attempt_count + 1,
        "payment_intent": charge.payment_intent,
    }
    if decline is None:
        changes |= {
            "status": "paid",
            "amount_paid": invoice.amount_paid + charge.amount,
            "amount_remaining": 0,
            "paid_at": clock.now(),
        }
    previous = save_changes(invoice, changes)
    outcome = "paid" if decline is None else "payment_failed"
    record_event(f"invoice.{outcome}", invoice, actor=actor, previous=previous)
    return charge


def _write_line(
    invoice: Invoice, position: int, line: DraftLine, period: tuple[datetime, datetime]
) -> None:
    InvoiceLine.objects.create(
        id=ids.next_code("il_", InvoiceLine),
        invoice=invoice,
        position=position,
        amount=line.amount,
        currency=invoice.currency,
        description=line.description,
        quantity=line.quantity,
        price=line.price,
        subscription=invoice.subscription_id,
        subscription_item=None if line.item is None else line.item.id,
        proration=line.proration,
        period_start=period[0],
        period_end=period[1],
    )


def _take_number(customer: Customer, currency: str) -> str:
    """Return the customer's next invoice number. The first invoice fixes their currency."""
    prefix = customer.invoice_prefix or ids.code_text(customer.id, 8).upper()
    sequence = customer.next_invoice_sequence
    save_changes(
        customer,
        {
            "currency": customer.currency or currency,
            "invoice_prefix": prefix,
            "next_invoice_sequence": sequence + 1,
        },
    )
    return f"{prefix}-{sequence:04d}"


def _charge_text(invoice: Invoice) -> str:
    return {
        "subscription_create": "Subscription creation",
        "subscription_cycle": "Subscription update",
        "subscription_update": "Subscription update",
    }.get(invoice.billing_reason, "Payment for Invoice")
