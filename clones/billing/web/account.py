"""What the panel shows of the customers with one e-mail address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clones.billing.domain.refunds import taken_by
from clones.billing.models import (
    BalanceTransaction,
    Charge,
    Customer,
    Invoice,
    InvoiceLine,
    Refund,
    Subscription,
    SubscriptionItem,
)
from clones.billing.rules.money import format_money, plain_amount
from clones.billing.rules.refunds import is_refundable
from clones.core import sightings

SHOWN_CHARGES = 100
SHOWN_INVOICES = 20
BRANDS = {"visa": "Visa", "mastercard": "Mastercard", "amex": "American Express"}


@dataclass(frozen=True, slots=True)
class RefundRow:
    """One refund under its charge."""

    id: str
    amount: str
    made: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class ChargeRow:
    """One charge: sums as people read them; `rest` is what can go back, None when nothing can."""

    id: str
    customer: str
    made: datetime
    amount: str
    settled: str
    currency: str
    description: str
    invoice: str
    status: str
    failure: str
    card: str
    refunded: str
    refunds: list[RefundRow]
    rest: str | None
    rest_number: str


@dataclass(frozen=True, slots=True)
class SubscriptionRow:
    """One subscription in short."""

    id: str
    what: str
    status: str
    ends: datetime | None
    period_end: datetime


@dataclass(frozen=True, slots=True)
class InvoiceRow:
    """One invoice in short: lines are (description, sum)."""

    id: str
    number: str
    made: datetime
    total: str
    status: str
    lines: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BillingOfEmail:
    """All of it; `more_charges` says that older charges are not shown."""

    customers: list[Customer]
    charges: list[ChargeRow]
    more_charges: bool
    subscriptions: list[SubscriptionRow]
    invoices: list[InvoiceRow]


def billing_of(customers: list[Customer]) -> BillingOfEmail:
    """Return what the panel shows of these customers, newest first."""
    for customer in customers:
        sightings.note(customer, "detail")
    charges = Charge.objects.select_related("balance_transaction").filter(customer__in=customers)
    found = list(charges.order_by("-created", "-id")[: SHOWN_CHARGES + 1])
    return BillingOfEmail(
        customers=customers,
        charges=_charge_rows(found[:SHOWN_CHARGES]),
        more_charges=len(found) > SHOWN_CHARGES,
        subscriptions=_subscription_rows(customers),
        invoices=_invoice_rows(customers),
    )


def _charge_rows(charges: list[Charge]) -> list[ChargeRow]:
    refunds: dict[str, list[RefundRow]] = {}
    for refund in Refund.objects.filter(charge__in=charges).order_by("created", "id"):
        sightings.note(refund, "list")
        refunds.setdefault(refund.charge_id, []).append(_refund_row(refund))
    numbers = _invoice_numbers(charge.invoice for charge in charges)
    return [_charge_row(charge, refunds.get(charge.id, []), numbers) for charge in charges]


def _charge_row(charge: Charge, refunds: list[RefundRow], numbers: dict[str, str]) -> ChargeRow:
    sightings.note(charge, "list")
    taken = taken_by(charge)
    refundable = is_refundable(taken)
    return ChargeRow(
        id=charge.id,
        customer=charge.customer_id or "",
        made=charge.created,
        amount=format_money(charge.amount, charge.currency),
        settled=_settled(charge.balance_transaction),
        currency=charge.currency.upper(),
        description=charge.description or "",
        invoice=numbers.get(charge.invoice or "", ""),
        status=_status(charge),
        failure=charge.failure_message or "",
        card=_card(charge),
        refunded=format_money(charge.amount_refunded, charge.currency)
        if charge.amount_refunded
        else "",
        refunds=refunds,
        rest=format_money(taken.remaining, charge.currency) if refundable else None,
        rest_number=plain_amount(taken.remaining, charge.currency),
    )


def _refund_row(refund: Refund) -> RefundRow:
    return RefundRow(
        id=refund.id,
        amount=format_money(refund.amount, refund.currency),
        made=refund.created,
        reason=(refund.reason or "").replace("_", " "),
    )


def _status(charge: Charge) -> str:
    if charge.status != "succeeded":
        return "Failed"
    if charge.disputed:
        return "Disputed"
    if charge.refunded:
        return "Refunded"
    return "Partly refunded" if charge.amount_refunded else "Succeeded"


def _settled(transaction: BalanceTransaction | None) -> str:
    """Return what reached the merchant where it was converted, else nothing."""
    if transaction is None or transaction.exchange_rate is None:
        return ""
    return format_money(transaction.amount, transaction.currency)


def _card(charge: Charge) -> str:
    brand = str(charge.card.get("brand", ""))
    return f"{BRANDS.get(brand, brand.title())} ending in {charge.card.get('last4', '')}"


def _invoice_numbers(ids: Iterable[str | None]) -> dict[str, str]:
    wanted = [id for id in ids if id]
    found = Invoice.objects.filter(id__in=wanted).values_list("id", "number")
    return {id: number or id for id, number in found}


def _subscription_rows(customers: list[Customer]) -> list[SubscriptionRow]:
    found = Subscription.objects.filter(customer__in=customers).order_by("-created", "-id")
    items = SubscriptionItem.objects.select_related("price__product")
    rows = []
    for subscription in found:
        sightings.note(subscription, "list")
        parts = items.filter(subscription=subscription).order_by("created", "id")
        rows.append(
            SubscriptionRow(
                id=subscription.id,
                what=", ".join(_item_text(item) for item in parts),
                status=subscription.status.replace("_", " "),
                ends=subscription.ended_at or subscription.cancel_at,
                period_end=subscription.current_period_end,
            )
        )
    return rows


def _item_text(item: SubscriptionItem) -> str:
    price = format_money(item.price.unit_amount, item.price.currency)
    times = f" x {item.quantity}" if item.quantity != 1 else ""
    return f"{item.price.product.name}{times} ({price} per {item.price.interval})"


def _invoice_rows(customers: list[Customer]) -> list[InvoiceRow]:
    invoices = Invoice.objects.filter(customer__in=customers).order_by("-created", "-id")
    found = list(invoices[:SHOWN_INVOICES])
    lines: dict[str, list[tuple[str, str]]] = {}
    for line in InvoiceLine.objects.filter(invoice__in=found).order_by("position", "id"):
        sightings.note(line, "list")
        told = (line.description or "", format_money(line.amount, line.currency))
        lines.setdefault(line.invoice_id, []).append(told)
    rows = []
    for invoice in found:
        sightings.note(invoice, "list")
        rows.append(
            InvoiceRow(
                id=invoice.id,
                number=invoice.number or invoice.id,
                made=invoice.created,
                total=format_money(invoice.total, invoice.currency),
                status=invoice.status,
                lines=lines.get(invoice.id, []),
            )
        )
    return rows
