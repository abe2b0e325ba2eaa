"""Refunds."""

from __future__ import annotations

from clones.billing.api.presenters.shapes import Body, stamp
from clones.billing.models import Refund
from clones.core import sightings
from clones.core.sightings import Kind


def present_refund(refund: Refund, kind: Kind) -> Body:
    """Return a refund's body."""
    sightings.note(refund, kind)
    return {
        "id": refund.id,
        "object": "refund",
        "amount": refund.amount,
        "balance_transaction": refund.balance_transaction_id,
        "charge": refund.charge_id,
        "created": stamp(refund.created),
        "currency": refund.currency,
        "customer": refund.charge.customer_id,
        "customer_account": None,
        "destination_details": {
            "card": {
                "reference_status": "pending",
                "reference_type": "acquirer_reference_number",
                "type": "refund",
            },
            "type": "card",
        },
        "metadata": refund.metadata,
        "payment_intent": refund.payment_intent,
        "payment_method": refund.charge.payment_method,
        "reason": refund.reason,
        "receipt_number": refund.receipt_number,
        "source_transfer_reversal": None,
        "status": refund.status,
        "transfer_reversal": None,
    }
