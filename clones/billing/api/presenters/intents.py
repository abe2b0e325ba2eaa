"""Payment intents, and what they pay of invoices."""

from __future__ import annotations

from clones.billing.api.presenters.shapes import Body, stamp
from clones.billing.models import Charge, PaymentIntent
from clones.core import sightings
from clones.core.ids import code_text
from clones.core.sightings import Kind

PAYMENT_PREFIX = "inpay_"


def present_payment_intent(intent: PaymentIntent, kind: Kind) -> Body:
    """Return a payment intent's body."""
    sightings.note(intent, kind)
    return {
        "id": intent.id,
        "object": "payment_intent",
        "amount": intent.amount,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": intent.amount_received,
        "application": None,
        "application_fee_amount": None,
        "automatic_payment_methods": None,
        "canceled_at": stamp(intent.canceled_at),
        "cancellation_reason": intent.cancellation_reason,
        "capture_method": "automatic",
        "client_secret": f"{intent.id}_secret_{code_text(intent.id, 25)}",
        "confirmation_method": "automatic",
        "created": stamp(intent.created),
        "currency": intent.currency,
        "customer": intent.customer_id,
        "customer_account": None,
        "description": intent.description,
        "excluded_payment_method_types": None,
        "last_payment_error": _last_error(intent),
        "latest_charge": intent.latest_charge,
        "livemode": False,
        "managed_payments": {"enabled": False},
        "metadata": intent.metadata,
        "next_action": None,
        "on_behalf_of": None,
        "payment_method": intent.payment_method,
        "payment_method_configuration_details": None,
        "payment_method_options": {
            "card": {
                "installments": None,
                "mandate_options": None,
                "network": None,
                "request_three_d_secure": "automatic",
            }
        },
        "payment_method_types": ["card"],
        "processing": None,
        "receipt_email": intent.receipt_email,
        "review": None,
        "setup_future_usage": None,
        "shipping": None,
        "source": None,
        "statement_descriptor": intent.statement_descriptor,
        "statement_descriptor_suffix": None,
        "status": intent.status,
        "transfer_data": None,
        "transfer_group": None,
    }


def _last_error(intent: PaymentIntent) -> Body | None:
    """Return why the last attempt failed, None when none did."""
    if intent.status != "requires_payment_method" or intent.latest_charge is None:
        return None
    charge = Charge.objects.filter(id=intent.latest_charge, status="failed").first()
    if charge is None:
        return None
    code = charge.failure_code or "card_declined"
    return {
        "charge": charge.id,
        "code": code,
        "doc_url": f"https://stripe.com/docs/error-codes/{code.replace('_', '-')}",
        "message": charge.failure_message,
        "type": "card_error",
    }


def present_invoice_payment(intent: PaymentIntent, kind: Kind) -> Body:
    """Return what a payment intent pays of its invoice.

    The vendor keeps these as objects of their own; here one is a view of a payment intent that has
    an invoice, and its id is the intent's under another prefix.
    """
    sightings.note(intent, kind)
    paid = intent.status == "succeeded"
    status = "canceled" if intent.status == "canceled" else "open"
    return {
        "id": PAYMENT_PREFIX + intent.id.removeprefix("pi_"),
        "object": "invoice_payment",
        "amount_paid": intent.amount_received if paid else None,
        "amount_requested": intent.amount,
        "created": stamp(intent.created),
        "currency": intent.currency,
        "invoice": intent.invoice,
        "is_default": True,
        "livemode": False,
        "payment": {"payment_intent": intent.id, "type": "payment_intent"},
        "status": "paid" if paid else status,
        "status_transitions": {
            "canceled_at": stamp(intent.canceled_at),
            "paid_at": stamp(intent.created) if paid else None,
        },
    }
