"""Payment intents and what they pay of invoices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import Listing, Parameters, Period, Searching, Text
from clones.billing.api.presenters import present_invoice_payment, present_payment_intent
from clones.billing.api.presenters.intents import PAYMENT_PREFIX
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search import search_page
from clones.billing.errors import NoSuchObject
from clones.billing.models import Customer, Invoice, PaymentIntent
from clones.billing.queries import check_reference, get_object
from clones.core.operations import Call

STATUSES = {"paid": ("succeeded",), "canceled": ("canceled",)}


class PaymentIntentList(Listing):
    """Filters of a list of payment intents."""

    customer: Text | None = Field(None, description="only payment intents of this customer")
    created: Period | None = Field(None, description="only those made within these bounds")


class Payment(Parameters):
    """Filter of invoice payments by what paid: type, payment intent or payment record."""

    type: Literal["payment_intent", "payment_record"]
    payment_intent: Text | None = None
    payment_record: Text | None = None


class InvoicePaymentList(Listing):
    """Filters of a list of invoice payments."""

    invoice: Text | None = Field(None, description="only payments of this invoice")
    payment: Payment | None = Field(None, description="only what this payment intent pays")
    status: Literal["canceled", "open", "paid"] | None = None
    created: Period | None = None


@read(
    "GetPaymentIntents",
    "/payment_intents",
    summary="List payment intents, newest first.",
    query=PaymentIntentList,
)
def list_payment_intents(call: Call) -> Body:
    """Answer with a page of payment intents."""
    query: PaymentIntentList = call.query
    check_reference(Customer, query.customer, param="customer")
    rows = within(PaymentIntent.objects.all(), "created", query.created)
    if query.customer is not None:
        rows = rows.filter(customer=query.customer)
    body = page_of(
        rows,
        query,
        url="/v1/payment_intents",
        kind="payment_intent",
        present=present_payment_intent,
    )
    return expand(body, query.expand, of="payment_intent", kind="list")


@read(
    "GetPaymentIntentsSearch",
    "/payment_intents/search",
    summary="Search payment intents by amount, customer, status, metadata or time.",
    query=Searching,
)
def search_payment_intents(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        PaymentIntent.objects.all(),
        call.query,
        kind="payment_intent",
        url="/v1/payment_intents/search",
        present=present_payment_intent,
    )


@read("GetPaymentIntentsIntent", "/payment_intents/{intent}", summary="Show one payment intent.")
def show_payment_intent(call: Call) -> Body:
    """Answer with a payment intent."""
    intent = get_object(
        PaymentIntent.objects.all(), call.path["intent"], kind="payment_intent", param="intent"
    )
    return expand(
        present_payment_intent(intent, "detail"),
        call.query.expand,
        of="payment_intent",
        kind="detail",
    )


@read(
    "GetInvoicePayments",
    "/invoice_payments",
    summary="List which payment intents pay which invoices, newest first.",
    query=InvoicePaymentList,
)
def list_invoice_payments(call: Call) -> Body:
    """Answer with a page of invoice payments."""
    query: InvoicePaymentList = call.query
    check_reference(Invoice, query.invoice, param="invoice")
    rows = within(PaymentIntent.objects.exclude(invoice=None), "created", query.created)
    if query.invoice is not None:
        rows = rows.filter(invoice=query.invoice)
    if query.payment is not None:
        rows = rows.filter(id=query.payment.payment_intent or "")
    if query.status == "open":
        rows = rows.exclude(status__in=("succeeded", "canceled"))
    elif query.status is not None:
        rows = rows.filter(status__in=STATUSES[query.status])
    body = page_of(
        rows,
        query,
        url="/v1/invoice_payments",
        kind="invoice_payment",
        present=present_invoice_payment,
        key_of=_intent_id,
    )
    return expand(body, query.expand, of="invoice_payment", kind="list")


@read(
    "GetInvoicePaymentsInvoicePayment",
    "/invoice_payments/{invoice_payment}",
    summary="Show one payment of an invoice.",
)
def show_invoice_payment(call: Call) -> Body:
    """Answer with an invoice payment."""
    id = call.path["invoice_payment"]
    rows = PaymentIntent.objects.exclude(invoice=None)
    intent = rows.filter(pk=_intent_id(id)).first() if id.startswith(PAYMENT_PREFIX) else None
    if intent is None:
        raise NoSuchObject("invoice_payment", id, "invoice_payment")
    return expand(
        present_invoice_payment(intent, "detail"),
        call.query.expand,
        of="invoice_payment",
        kind="detail",
    )


def _intent_id(id: str) -> str:
    return "pi_" + id.removeprefix(PAYMENT_PREFIX)
