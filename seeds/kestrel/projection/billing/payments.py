"""What was paid, invoiced and given back, as the billing system has it."""

from __future__ import annotations

from datetime import datetime, timedelta

from clones.billing import models as billing
from clones.billing.rules.money import processing_fee
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.projection.billing.payers import Payers, gap
from seeds.kestrel.story.model import Payer, Payment

SETTLING = timedelta(days=2)
DECLINE_TEXTS = {
    "card_declined": "Your card was declined.",
    "insufficient_funds": "Your card has insufficient funds.",
    "expired_card": "Your card has expired.",
    "processing_error": "An error occurred while processing your card. Try again in a little bit.",
    "currency_not_supported": "Your card does not support the requested currency.",
}


class Payments:
    """Writes charges, invoices and refunds; `charges` maps the story's payments to ids."""

    def __init__(self, writer: BulkWriter, ids: Identifiers, draws: Draws, payers: Payers) -> None:
        self.writer, self.ids, self.draws, self.payers = writer, ids, draws, payers
        self.charges: dict[int, str] = {}
        self._numbers: dict[int, int] = {}

    def write_charge(self, charge: Payment, payer: Payer) -> None:
        """Write a charge with its intent, and its invoice and movement where it has them."""
        rng = self.draws.rng("charge-row", charge.index)
        number = self.ids.code("ch_", billing.Charge, skip=gap(rng))
        self.charges[charge.index] = number
        method, card = self.payers.method_of(rng, payer, charge.card)
        intent = self.ids.code("pi_", billing.PaymentIntent)
        paid = charge.status == "succeeded"
        invoice = self._invoice(charge, payer, intent, paid=paid) if charge.subscription else None
        movement = self._movement(charge, number) if paid else None
        common = {
            "customer_id": self.payers.customers[payer.index],
            "amount": charge.amount,
            "currency": charge.currency,
            "description": charge.description,
            "payment_method": method,
            "invoice": invoice,
            "receipt_email": payer.email if paid else None,
            "created": charge.created,
            "metadata": {"order": charge.order} if charge.order else {},
        }
        self.writer.add(
            billing.PaymentIntent,
            {
                "id": intent,
                "amount_received": charge.amount if paid else 0,
                "latest_charge": number,
                "status": "succeeded" if paid else "requires_payment_method",
                **common,
            },
        )
        returned = sum(amount for amount, _, _ in charge.refunds)
        self.writer.add(
            billing.Charge,
            {
                "id": number,
                "amount_captured": charge.amount if paid else 0,
                "amount_refunded": returned,
                "status": charge.status,
                "paid": paid,
                "captured": paid,
                "refunded": returned == charge.amount,
                "disputed": charge.disputed,
                "failure_code": charge.failure,
                "failure_message": DECLINE_TEXTS.get(charge.failure or ""),
                "payment_intent": intent,
                "card": card,
                "billing_details": {
                    "name": payer.name,
                    "email": payer.email,
                    "phone": None,
                    "address": None,
                },
                "statement_descriptor": "KESTREL LASER",
                "balance_transaction_id": movement,
                **common,
            },
        )

    def _movement(self, charge: Payment, source: str) -> str:
        number = self.ids.code("txn_", billing.BalanceTransaction)
        fee = processing_fee(charge.amount)
        self.writer.add(
            billing.BalanceTransaction,
            {
                "id": number,
                "amount": charge.amount,
                "currency": charge.currency,
                "fee": fee,
                "net": charge.amount - fee,
                "type": "charge",
                "reporting_category": "charge",
                "source": source,
                "description": charge.description,
                "available_on": _next_midnight(charge.created + SETTLING),
                "created": charge.created,
            },
        )
        return number

    def _invoice(self, charge: Payment, payer: Payer, intent: str, *, paid: bool) -> str:
        number = self.ids.code("in_", billing.Invoice)
        sequence = self._numbers[payer.index] = self._numbers.get(payer.index, 0) + 1
        subscription = charge.subscription or 0
        begin, end = charge.period or (charge.created, charge.created)
        first = paid and sequence == 1
        self.writer.add(
            billing.Invoice,
            {
                "id": number,
                "customer_id": self.payers.customers[payer.index],
                "subscription_id": self.payers.subscriptions[subscription],
                "number": f"{self.payers.prefixes[payer.index]}-{sequence:04d}",
                "status": "paid" if paid else "void",
                "currency": charge.currency,
                "subtotal": charge.amount,
                "total": charge.amount,
                "amount_due": charge.amount,
                "amount_paid": charge.amount if paid else 0,
                "amount_remaining": 0 if paid else charge.amount,
                "billing_reason": "subscription_update"
                if charge.proration
                else "subscription_create"
                if first
                else "subscription_cycle",
                "customer_name": payer.name,
                "customer_email": payer.email,
                "attempt_count": 1,
                "attempted": True,
                "period_start": begin,
                "period_end": end,
                "finalized_at": charge.created,
                "paid_at": charge.created if paid else None,
                "voided_at": None if paid else charge.created + timedelta(days=3),
                "payment_intent": intent,
                "created": charge.created,
            },
        )
        self.writer.add(
            billing.InvoiceLine,
            {
                "id": self.ids.code("il_", billing.InvoiceLine),
                "invoice_id": number,
                "position": 0,
                "amount": charge.amount,
                "currency": charge.currency,
                "description": charge.description,
                "quantity": 1,
                "subscription": self.payers.subscriptions[subscription],
                "subscription_item": self.payers.items[subscription],
                "proration": charge.proration,
                "period_start": begin,
                "period_end": end,
            },
        )
        return number

    def write_refund(self, charge: Payment, refund: tuple[int, datetime, str]) -> None:
        """Write what went back on a charge: amount, moment and reason."""
        amount, at, reason = refund
        number = self.ids.code("re_", billing.Refund)
        movement = self.ids.code("txn_", billing.BalanceTransaction)
        self.writer.add(
            billing.BalanceTransaction,
            {
                "id": movement,
                "amount": -amount,
                "currency": charge.currency,
                "fee": 0,
                "net": -amount,
                "type": "refund",
                "reporting_category": "refund",
                "source": number,
                "description": f"REFUND FOR CHARGE ({charge.description})",
                "available_on": at,
                "created": at,
            },
        )
        self.writer.add(
            billing.Refund,
            {
                "id": number,
                "charge_id": self.charges[charge.index],
                "amount": amount,
                "currency": charge.currency,
                "reason": reason,
                "status": "succeeded",
                "balance_transaction_id": movement,
                "created": at,
            },
        )


def _next_midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
