"""What a customer will be asked to pay next: an invoice that nobody writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clones.billing.errors import NoUpcomingInvoice
from clones.billing.models import Customer, Invoice, InvoiceLine, Subscription, SubscriptionItem
from clones.billing.rules.periods import add_interval

RUNNING = ("active", "trialing", "past_due")


@dataclass(frozen=True, slots=True)
class Preview:
    """An invoice and its lines, neither of them kept."""

    invoice: Invoice
    lines: list[InvoiceLine]


def preview_invoice(
    customer: Customer, subscriptions: Iterable[Subscription], *, of: str | None = None
) -> Preview:
    """Return what a customer's next period costs: of one subscription, or of the next to renew.

    `subscriptions` are the customer's; `of` is the one that is asked for.

    Raises:
        NoUpcomingInvoice: none renews.
    """
    renewing = [
        found
        for found in subscriptions
        if found.status in RUNNING and not found.cancel_at_period_end and of in (None, found.id)
    ]
    if not renewing:
        raise NoUpcomingInvoice(customer.id)
    found = min(renewing, key=lambda item: (item.current_period_end, item.id))
    start = found.current_period_end
    number = found.id.removeprefix("sub_")
    invoice = Invoice(
        id=f"upcoming_in_{number}",
        customer=customer,
        subscription=found,
        number=None,
        status="draft",
        currency=found.currency,
        billing_reason="upcoming",
        collection_method=found.collection_method,
        customer_name=customer.name,
        customer_email=customer.email,
        customer_address=customer.address,
        period_start=found.current_period_start,
        period_end=start,
        starting_balance=customer.balance,
        next_payment_attempt=start,
        created=start,
    )
    lines = [
        _line(invoice, item, position) for position, item in enumerate(found.items.all(), start=1)
    ]
    total = sum(line.amount for line in lines)
    due = max(total + customer.balance, 0)
    invoice.subtotal = invoice.total = total
    invoice.amount_due = invoice.amount_remaining = due
    invoice.ending_balance = min(total + customer.balance, 0)
    return Preview(invoice, lines)


def _line(invoice: Invoice, item: SubscriptionItem, position: int) -> InvoiceLine:
    """Return what the next period of an item costs."""
    start, price = invoice.period_end, item.price
    return InvoiceLine(
        id=f"il_tmp_{item.id.removeprefix('si_')}",
        invoice=invoice,
        position=position,
        amount=price.unit_amount * item.quantity,
        currency=invoice.currency,
        description=f"{item.quantity} x {price.product.name}",
        quantity=item.quantity,
        price=price,
        subscription=invoice.subscription_id,
        subscription_item=item.id,
        period_start=start,
        period_end=add_interval(start, price.interval or "month", price.interval_count),
    )
