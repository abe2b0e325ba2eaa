"""Disputes: what a customer's bank took back."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from clones.billing.api.presenters.shapes import Body, card_facts, stamp
from clones.billing.models import Charge
from clones.core import clock, sightings
from clones.core.sightings import Kind

DISPUTE_PREFIX: Final = "dp_"
# Days that a merchant has to answer.
ANSWER: Final = timedelta(days=9)
EVIDENCE: Final = (
    "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure "
    "cancellation_rebuttal customer_communication customer_email_address customer_name "
    "customer_purchase_ip customer_signature duplicate_charge_documentation "
    "duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy "
    "refund_policy_disclosure refund_refusal_explanation service_date service_documentation "
    "shipping_address shipping_carrier shipping_date shipping_documentation "
    "shipping_tracking_number uncategorized_file uncategorized_text"
).split()


def present_dispute(charge: Charge, kind: Kind) -> Body:
    """Return the dispute of a charge.

    The vendor keeps these as objects of their own; here one is a view of a charge that was
    disputed, and its id is the charge's under another prefix.
    """
    sightings.note(charge, kind)
    brand = card_facts(charge.card)["brand"]
    due = charge.created + ANSWER
    return {
        "id": DISPUTE_PREFIX + charge.id.removeprefix("ch_"),
        "object": "dispute",
        "amount": charge.amount,
        "balance_transactions": [],
        "charge": charge.id,
        "created": stamp(charge.created),
        "currency": charge.currency,
        "enhanced_eligibility_types": [],
        "evidence": {**dict.fromkeys(EVIDENCE), "enhanced_evidence": {}},
        "evidence_details": {
            "due_by": stamp(due),
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": due < clock.now(),
            "submission_count": 0,
        },
        "is_charge_refundable": False,
        "livemode": False,
        "metadata": {},
        "payment_intent": charge.payment_intent,
        "payment_method_details": {
            "card": {
                "brand": brand,
                "case_type": "chargeback",
                "network": brand,
                "network_reason_code": None,
            },
            "type": "card",
        },
        "reason": "general",
        "status": "lost" if due < clock.now() else "needs_response",
    }
