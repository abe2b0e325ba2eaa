"""Customers and their payment methods."""

from __future__ import annotations

from clones.billing.api.presenters.shapes import (
    Body,
    address,
    billing_details,
    card_facts,
    stamp,
)
from clones.billing.models import Customer, PaymentMethod
from clones.core import sightings
from clones.core.sightings import Kind


def present_customer(customer: Customer, kind: Kind) -> Body:
    """Return a customer's body; a deleted one shows nothing but its id."""
    if customer.deleted:
        return present_deleted_customer(customer)
    sightings.note(customer, kind)
    return {
        "id": customer.id,
        "object": "customer",
        "address": address(customer.address),
        "balance": customer.balance,
        "created": stamp(customer.created),
        "currency": customer.currency,
        "default_source": None,
        "delinquent": customer.delinquent,
        "description": customer.description,
        "discount": None,
        "email": customer.email,
        "invoice_prefix": customer.invoice_prefix,
        "invoice_settings": {
            "custom_fields": None,
            "default_payment_method": customer.default_payment_method,
            "footer": None,
            "rendering_options": None,
        },
        "livemode": False,
        "metadata": customer.metadata,
        "name": customer.name,
        "next_invoice_sequence": customer.next_invoice_sequence,
        "phone": customer.phone,
        "preferred_locales": customer.preferred_locales,
        "shipping": customer.shipping,
        "tax_exempt": customer.tax_exempt,
        "test_clock": None,
    }


def present_deleted_customer(customer: Customer) -> Body:
    """Return what is left of a deleted customer."""
    return {"id": customer.id, "object": "customer", "deleted": True}


def present_payment_method(method: PaymentMethod, kind: Kind) -> Body:
    """Return the body of a card on file."""
    sightings.note(method, kind)
    facts = card_facts(method.card)
    return {
        "id": method.id,
        "object": "payment_method",
        "allow_redisplay": "unspecified",
        "billing_details": billing_details(method.billing_details),
        "card": {
            **facts,
            "display_brand": facts["brand"],
            "generated_from": None,
            "networks": {"available": [facts["brand"]], "preferred": None},
            "regulated_status": None,
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        },
        "created": stamp(method.created),
        "customer": method.customer_id,
        "customer_account": None,
        "livemode": False,
        "metadata": method.metadata,
        "type": "card",
    }
