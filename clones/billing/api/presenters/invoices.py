"""Invoices and their lines."""

from __future__ import annotations

from collections.abc import Sequence

from clones.billing.api.presenters.shapes import Body, address, list_body, stamp
from clones.billing.models import Invoice, InvoiceLine
from clones.billing.rules.merchant import COUNTRY
from clones.core import sightings
from clones.core.sightings import Kind

EMBEDDED_LINES = 10


def present_invoice(
    invoice: Invoice, kind: Kind, *, lines: Sequence[InvoiceLine] | None = None
) -> Body:
    """Return an invoice's body with its first lines: those that are kept, unless given."""
    if lines is None:
        sightings.note(invoice, kind)
    return {
        "id": invoice.id,
        "object": "invoice",
        "account_country": COUNTRY,
        "account_name": None,
        "account_tax_ids": None,
        **_sums(invoice),
        **_progress(invoice),
        "application": None,
        "automatic_tax": {
            "disabled_reason": None,
            "enabled": False,
            "liability": None,
            "provider": None,
            "status": None,
        },
        "billing_reason": invoice.billing_reason,
        "collection_method": invoice.collection_method,
        "created": stamp(invoice.created),
        "currency": invoice.currency,
        "custom_fields": None,
        **_customer(invoice),
        "default_payment_method": None,
        "default_source": None,
        "default_tax_rates": [],
        "description": invoice.description,
        "discounts": [],
        "footer": None,
        "from_invoice": None,
        "hosted_invoice_url": None,
        "invoice_pdf": None,
        "issuer": {"type": "self"},
        "last_finalization_error": None,
        "latest_revision": None,
        "lines": _lines(invoice, lines, kind),
        "livemode": False,
        "metadata": invoice.metadata,
        "number": invoice.number,
        "on_behalf_of": None,
        "parent": _parent(invoice),
        "payment_settings": {
            "default_mandate": None,
            "payment_method_options": None,
            "payment_method_types": None,
        },
        "period_end": stamp(invoice.period_end),
        "period_start": stamp(invoice.period_start),
        "receipt_number": None,
        "rendering": None,
        "shipping_cost": None,
        "shipping_details": None,
        "statement_descriptor": None,
        "test_clock": None,
    }


def _progress(invoice: Invoice) -> Body:
    """Return how far the invoice got, and when."""
    return {
        "attempt_count": invoice.attempt_count,
        "attempted": invoice.attempted,
        "auto_advance": invoice.status in ("draft", "open"),
        "automatically_finalizes_at": None,
        "due_date": stamp(invoice.due_date),
        "effective_at": stamp(invoice.finalized_at),
        "next_payment_attempt": stamp(invoice.next_payment_attempt),
        "status": invoice.status,
        "status_transitions": {
            "finalized_at": stamp(invoice.finalized_at),
            "marked_uncollectible_at": stamp(invoice.marked_uncollectible_at),
            "paid_at": stamp(invoice.paid_at),
            "voided_at": stamp(invoice.voided_at),
        },
        "webhooks_delivered_at": stamp(invoice.finalized_at),
    }


def _sums(invoice: Invoice) -> Body:
    return {
        "amount_due": invoice.amount_due,
        "amount_overpaid": 0,
        "amount_paid": invoice.amount_paid,
        "amount_remaining": invoice.amount_remaining,
        "amount_shipping": 0,
        "ending_balance": invoice.ending_balance,
        "post_payment_credit_notes_amount": 0,
        "pre_payment_credit_notes_amount": 0,
        "starting_balance": invoice.starting_balance,
        "subtotal": invoice.subtotal,
        "subtotal_excluding_tax": invoice.subtotal,
        "total": invoice.total,
        "total_discount_amounts": [],
        "total_excluding_tax": invoice.total,
        "total_pretax_credit_amounts": [],
        "total_taxes": [],
    }


def _customer(invoice: Invoice) -> Body:
    return {
        "customer": invoice.customer_id,
        "customer_account": None,
        "customer_address": address(invoice.customer_address),
        "customer_email": invoice.customer_email,
        "customer_name": invoice.customer_name,
        "customer_phone": None,
        "customer_shipping": None,
        "customer_tax_exempt": "none",
        "customer_tax_ids": [],
    }


def _parent(invoice: Invoice) -> Body | None:
    if invoice.subscription_id is None:
        return None
    return {
        "quote_details": None,
        "subscription_details": {"metadata": {}, "subscription": invoice.subscription_id},
        "type": "subscription_details",
    }


def _lines(invoice: Invoice, given: Sequence[InvoiceLine] | None, kind: Kind) -> Body:
    found = lines_of(invoice) if given is None else given
    return list_body(
        f"/v1/invoices/{invoice.id}/lines",
        [present_line(line, kind, kept=given is None) for line in found[:EMBEDDED_LINES]],
        has_more=len(found) > EMBEDDED_LINES,
    )


def lines_of(invoice: Invoice) -> list[InvoiceLine]:
    """Return an invoice's lines in their order."""
    return sorted(invoice.lines.all(), key=lambda line: (line.position, line.id))


def present_line(line: InvoiceLine, kind: Kind, *, kept: bool = True) -> Body:
    """Return the body of one line."""
    if kept:
        sightings.note(line, kind)
    return {
        "id": line.id,
        "object": "line_item",
        "amount": line.amount,
        "currency": line.currency,
        "description": line.description,
        "discount_amounts": [],
        "discountable": not line.proration,
        "discounts": [],
        "invoice": line.invoice_id,
        "livemode": False,
        "metadata": line.metadata,
        "parent": _line_parent(line),
        "period": {"end": stamp(line.period_end), "start": stamp(line.period_start)},
        "pretax_credit_amounts": [],
        "pricing": _pricing(line),
        "quantity": line.quantity,
        "quantity_decimal": None if line.quantity is None else str(line.quantity),
        "subscription": line.subscription,
        "subtotal": line.amount,
        "taxes": [],
    }


def _line_parent(line: InvoiceLine) -> Body:
    proration = {"proration": line.proration, "proration_details": {"credited_items": None}}
    if line.subscription_item is None:
        return {
            "invoice_item_details": {
                "invoice_item": "ii_" + line.id.removeprefix("il_"),
                **proration,
                "subscription": line.subscription,
            },
            "subscription_item_details": None,
            "type": "invoice_item_details",
        }
    return {
        "invoice_item_details": None,
        "subscription_item_details": {
            "invoice_item": None,
            **proration,
            "subscription": line.subscription,
            "subscription_item": line.subscription_item,
        },
        "type": "subscription_item_details",
    }


def _pricing(line: InvoiceLine) -> Body | None:
    if line.price is None:
        return None
    return {
        "price_details": {"price": line.price_id, "product": line.price.product_id},
        "type": "price_details",
        "unit_amount_decimal": str(line.price.unit_amount),
    }
