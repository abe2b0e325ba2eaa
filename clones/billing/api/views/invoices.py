"""Invoices and their lines."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import operations, read, write
from clones.billing.api.paging import page_of, page_of_sequence, within
from clones.billing.api.parameters import Expanding, Listing, Period, Searching, Text
from clones.billing.api.presenters import present_invoice, present_line
from clones.billing.api.presenters.invoices import lines_of
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search import search_page
from clones.billing.domain.previews import preview_invoice
from clones.billing.errors import MissingParameter, NoUpcomingInvoice
from clones.billing.models import Customer, Invoice, Subscription
from clones.billing.queries import check_reference, get_object, invoices, subscriptions
from clones.core.operations import Call


class InvoiceList(Listing):
    """Filters of a list of invoices."""

    customer: Text | None = Field(None, description="only invoices of this customer")
    subscription: Text | None = Field(None, description="only invoices of this subscription")
    status: Literal["draft", "open", "paid", "uncollectible", "void"] | None = None
    collection_method: Literal["charge_automatically", "send_invoice"] | None = None
    created: Period | None = None
    due_date: Period | None = None


class InvoicePreview(Expanding):
    """The customer, or the subscription, whose next invoice is previewed."""

    customer: Text | None = None
    subscription: Text | None = None


def get_invoice(id: str) -> Invoice:
    """Return an invoice."""
    return get_object(invoices(), id, kind="invoice", param="invoice")


@read("GetInvoices", "/invoices", summary="List invoices, newest first.", query=InvoiceList)
def list_invoices(call: Call) -> Body:
    """Answer with a page of invoices."""
    query: InvoiceList = call.query
    check_reference(Customer, query.customer, param="customer")
    check_reference(Subscription, query.subscription, param="subscription")
    rows = within(invoices(), "created", query.created)
    rows = within(rows, "due_date", query.due_date)
    for field in ("customer", "subscription", "status", "collection_method"):
        value = getattr(query, field)
        if value is not None:
            rows = rows.filter(**{field: value})
    body = page_of(rows, query, url="/v1/invoices", kind="invoice", present=present_invoice)
    return expand(body, query.expand, of="invoice", kind="list")


@read(
    "GetInvoicesSearch",
    "/invoices/search",
    summary="Search invoices by number, customer, status, total, metadata or time.",
    query=Searching,
)
def search_invoices(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        invoices(), call.query, kind="invoice", url="/v1/invoices/search", present=present_invoice
    )


@write(
    "PostInvoicesCreatePreview",
    "/invoices/create_preview",
    summary="Show what a customer will be asked to pay next, without asking for it.",
    body=InvoicePreview,
)
def preview(call: Call) -> Body:
    """Answer with an invoice that is not kept."""
    given: InvoicePreview = call.body
    if given.customer is None and given.subscription is None:
        raise MissingParameter("customer")
    check_reference(Customer, given.customer, param="customer")
    check_reference(Subscription, given.subscription, param="subscription")
    rows = subscriptions().select_related("customer")
    if given.subscription is not None:
        rows = rows.filter(pk=given.subscription)
    if given.customer is not None:
        rows = rows.filter(customer=given.customer)
    found = list(rows.order_by("id"))
    if not found:
        raise NoUpcomingInvoice(given.customer or "")
    made = preview_invoice(found[0].customer, found, of=given.subscription)
    body = present_invoice(made.invoice, "detail", lines=made.lines)
    return expand(body, given.expand, of="invoice", kind="detail")


@read("GetInvoicesInvoice", "/invoices/{invoice}", summary="Show one invoice with its lines.")
def show_invoice(call: Call) -> Body:
    """Answer with an invoice."""
    body = present_invoice(get_invoice(call.path["invoice"]), "detail")
    return expand(body, call.query.expand, of="invoice", kind="detail")


@read(
    "GetInvoicesInvoiceLines",
    "/invoices/{invoice}/lines",
    summary="List the lines of an invoice.",
    query=Listing,
)
def list_lines(call: Call) -> Body:
    """Answer with a page of an invoice's lines."""
    invoice = get_invoice(call.path["invoice"])
    body = page_of_sequence(
        lines_of(invoice),
        call.query,
        url=f"/v1/invoices/{invoice.id}/lines",
        kind="line_item",
        present=present_line,
    )
    return expand(body, call.query.expand, of="line_item", kind="list")


# The vendor took it out of its newer versions in favour of `create_preview`.
operations.reserve("/invoices/upcoming", "/invoices/upcoming/lines")
