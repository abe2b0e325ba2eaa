"""Charges."""

from __future__ import annotations

from clones.billing.api.presenters.shapes import Body, billing_details, card_facts, stamp
from clones.billing.models import Charge
from clones.core import sightings
from clones.core.sightings import Kind


def present_charge(charge: Charge, kind: Kind) -> Body:
    """Return a charge's body. Its refunds are shown only where `expand` asks for them."""
    sightings.note(charge, kind)
    return {
        "id": charge.id,
        "object": "charge",
        "amount": charge.amount,
        "amount_captured": charge.amount_captured,
        "amount_refunded": charge.amount_refunded,
        "application": None,
        "application_fee": None,
        "application_fee_amount": None,
        "balance_transaction": charge.balance_transaction_id,
        "billing_details": billing_details(charge.billing_details),
        "calculated_statement_descriptor": charge.statement_descriptor,
        "captured": charge.captured,
        "created": stamp(charge.created),
        "currency": charge.currency,
        "customer": charge.customer_id,
        "description": charge.description,
        "disputed": charge.disputed,
        "failure_balance_transaction": None,
        "failure_code": charge.failure_code,
        "failure_message": charge.failure_message,
        "fraud_details": charge.fraud_details,
        "livemode": False,
        "metadata": charge.metadata,
        "on_behalf_of": None,
        "outcome": _outcome(charge),
        "paid": charge.paid,
        "payment_intent": charge.payment_intent,
        "payment_method": charge.payment_method,
        "payment_method_details": {"card": _card(charge), "type": "card"},
        "receipt_email": charge.receipt_email,
        "receipt_number": charge.receipt_number,
        "receipt_url": None,
        "refunded": charge.refunded,
        "review": None,
        "shipping": None,
        "source": None,
        "source_transfer": None,
        "statement_descriptor": charge.statement_descriptor,
        "statement_descriptor_suffix": None,
        "status": charge.status,
        "transfer_data": None,
        "transfer_group": None,
    }


def _outcome(charge: Charge) -> Body:
    approved = charge.status == "succeeded"
    return {
        "advice_code": None,
        "network_advice_code": None,
        "network_decline_code": None,
        "network_status": "approved_by_network" if approved else "declined_by_network",
        "reason": None if approved else charge.failure_code or "generic_decline",
        "risk_level": "normal",
        "seller_message": (
            "Payment complete."
            if approved
            else "The bank did not return any further details with this decline."
        ),
        "type": "authorized" if approved else "issuer_declined",
    }


def _card(charge: Charge) -> Body:
    facts = card_facts(charge.card)
    return {
        "amount_authorized": charge.amount if charge.status == "succeeded" else None,
        "authorization_code": None,
        **facts,
        "extended_authorization": {"status": "disabled"},
        "incremental_authorization": {"status": "unavailable"},
        "installments": None,
        "mandate": None,
        "multicapture": {"status": "unavailable"},
        "network": facts["brand"],
        "network_token": {"used": False},
        "network_transaction_id": None,
        "overcapture": {"maximum_amount_capturable": charge.amount, "status": "unavailable"},
        "regulated_status": None,
        "three_d_secure": None,
        "transaction_link_id": None,
        "wallet": None,
    }
