"""What was sold and paid, as the billing system has it."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from clones.billing import models as billing
from clones.billing.rules.money import processing_fee
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import FOUNDED, PLANS, PRESENT
from seeds.kestrel.story.model import Payer, Payment, Person, Subscription
from seeds.kestrel.story.people import slug
from seeds.kestrel.story.trade import months_after
from seeds.ledger import Ledger

SETTLING = timedelta(days=2)
DECLINE_TEXTS = {
    "card_declined": "Your card was declined.",
    "insufficient_funds": "Your card has insufficient funds.",
    "expired_card": "Your card has expired.",
    "processing_error": "An error occurred while processing your card. Try again in a little bit.",
    "currency_not_supported": "Your card does not support the requested currency.",
}


class Books:
    """Writes the billing system; `customers` and `charges` map the story's records to ids."""

    def __init__(self, writer: BulkWriter, ids: Identifiers, draws: Draws, ledger: Ledger) -> None:
        self.writer, self.ids, self.draws, self.ledger = writer, ids, draws, ledger
        self.customers: dict[int, str] = {}
        self.charges: dict[int, str] = {}
        self.subscriptions: dict[int, str] = {}
        self.items: dict[int, str] = {}
        self._prices: dict[tuple[str, str], str] = {}
        self._methods: dict[tuple[int, tuple[str, str]], tuple[str, dict[str, Any]]] = {}
        self._numbers: dict[int, int] = {}
        self._prefixes: dict[int, str] = {}

    def write(self, payers: list[Payer], people: list[Person]) -> None:
        """Write everything, each kind in the order of its creation."""
        self._catalogue()
        for payer in sorted(payers, key=lambda item: (item.since, item.index)):
            self._customer(payer, people[payer.person])
        owners = {payer.index: payer for payer in payers}
        agreements = [sub for payer in payers for sub in payer.subscriptions]
        for subscription in sorted(agreements, key=lambda item: (item.start, item.index)):
            self._subscription(subscription, owners[subscription.payer])
        charges = [charge for payer in payers for charge in payer.charges]
        for charge in sorted(charges, key=lambda item: (item.created, item.index)):
            self._charge(charge, owners[charge.payer])
        returned = [
            (refund[1], charge.index, charge, refund)
            for charge in charges
            for refund in charge.refunds
        ]
        for _, _, charge, refund in sorted(returned, key=lambda item: item[:2]):
            self._refund(charge, refund)

    def _catalogue(self) -> None:
        products: dict[str, str] = {}
        for plan in PLANS:
            if plan.name not in products:
                products[plan.name] = self.ids.code("prod_", billing.Product, length=14)
                self.writer.add(
                    billing.Product,
                    {
                        "id": products[plan.name],
                        "name": plan.name,
                        "created": FOUNDED,
                        "updated": FOUNDED,
                        "description": f"Kestrel {plan.name}, seats: {plan.seats}",
                    },
                )
            for currency, amount in plan.prices.items():
                number = self.ids.code("price_", billing.Price)
                self._prices[plan.key, currency] = number
                self.writer.add(
                    billing.Price,
                    {
                        "id": number,
                        "product_id": products[plan.name],
                        "currency": currency,
                        "unit_amount": amount,
                        "nickname": f"{plan.name} {plan.interval}ly",
                        "lookup_key": f"{plan.key}_{currency}",
                        "interval": plan.interval,
                        "created": FOUNDED,
                    },
                )

    def _customer(self, payer: Payer, person: Person) -> None:
        rng = self.draws.rng("customer", payer.index)
        number = self.ids.code("cus_", billing.Customer, length=14, skip=_gap(rng))
        self.customers[payer.index] = number
        self._prefixes[payer.index] = self.ids.code("", billing.Invoice, length=8).upper()
        email, name = payer.email, payer.name
        if chance(rng, 0.03):
            email = email.upper() if chance(rng, 0.3) else email.replace(".example", "-old.example")
            self.ledger.add(
                "billing_email", "billing_customer", number, "email", payer.email, email
            )
        if chance(rng, 0.05) and person.firm and person.firm.spellings:
            name = rng.choice(person.firm.spellings)
            self.ledger.add("billing_name", "billing_customer", number, "name", payer.name, name)
        methods = [self._method(rng, payer, card, number) for card in payer.cards]
        metadata = {"kestrel_account": f"ka_{slug(payer.name)[:12]}_{payer.index:05d}"}
        if person.machines and chance(rng, 0.5):
            metadata["serial"] = person.machines[0].serial
        self.writer.add(
            billing.Customer,
            {
                "id": number,
                "name": name,
                "email": email,
                "phone": person.phone if chance(rng, 0.4) else None,
                "description": None,
                "currency": payer.currency,
                "metadata": metadata,
                "created": payer.since,
                "address": self._address(person),
                "invoice_prefix": self._prefixes[payer.index],
                "next_invoice_sequence": 1 + sum(1 for c in payer.charges if c.subscription),
                "default_payment_method": methods[0],
                "delinquent": bool(payer.charges) and payer.charges[-1].status == "failed",
            },
        )

    def _address(self, person: Person) -> dict[str, Any]:
        city = person.firm.city if person.firm else None
        return {
            "city": city,
            "country": person.country.code,
            "line1": None,
            "line2": None,
            "postal_code": None,
            "state": None,
        }

    def _method(
        self, rng: Random, payer: Payer, card: tuple[str, str], customer: str | None
    ) -> str:
        number = self.ids.code("pm_", billing.PaymentMethod)
        details = {
            "brand": card[0],
            "last4": card[1],
            "exp_month": rng.randrange(1, 13),
            "exp_year": rng.choice((2026, 2027, 2028, 2029)),
            "funding": rng.choice(("credit", "debit", "debit")),
            "country": "US" if payer.currency == "usd" else "GB",
            "fingerprint": self.ids.code("", billing.PaymentMethod, length=16),
        }
        self._methods[payer.index, card] = (number, details)
        self.writer.add(
            billing.PaymentMethod,
            {
                "id": number,
                "customer_id": customer,
                "card": details,
                "created": payer.since,
                "billing_details": {
                    "name": payer.name,
                    "email": payer.email,
                    "phone": None,
                    "address": None,
                },
            },
        )
        return number

    def _subscription(self, subscription: Subscription, payer: Payer) -> None:
        rng = self.draws.rng("subscription-row", subscription.index)
        number = self.ids.code("sub_", billing.Subscription, skip=_gap(rng))
        self.subscriptions[subscription.index] = number
        months = 12 if subscription.plan.interval == "year" else 1
        last = subscription.ended or PRESENT
        count = 0
        while months_after(subscription.start, (count + 1) * months) <= last:
            count += 1
        begin, end = (
            months_after(subscription.start, count * months),
            months_after(subscription.start, (count + 1) * months),
        )
        ended = subscription.ended
        self.writer.add(
            billing.Subscription,
            {
                "id": number,
                "customer_id": self.customers[payer.index],
                "status": "canceled" if ended else "active",
                "currency": payer.currency,
                "billing_cycle_anchor": subscription.start,
                "start_date": subscription.start,
                "current_period_start": begin,
                "current_period_end": end,
                "canceled_at": ended,
                "ended_at": ended,
                "default_payment_method": None,
                "created": subscription.start,
                "cancellation": {
                    "comment": None,
                    "feedback": rng.choice(("too_expensive", "unused", "switched_service", None)),
                    "reason": "cancellation_requested",
                }
                if ended
                else {},
            },
        )
        item = self.ids.code("si_", billing.SubscriptionItem, length=14)
        self.items[subscription.index] = item
        self.writer.add(
            billing.SubscriptionItem,
            {
                "id": item,
                "subscription_id": number,
                "price_id": self._prices[subscription.plan.key, payer.currency],
                "created": subscription.start,
            },
        )

    def _charge(self, charge: Payment, payer: Payer) -> None:
        rng = self.draws.rng("charge-row", charge.index)
        number = self.ids.code("ch_", billing.Charge, skip=_gap(rng))
        self.charges[charge.index] = number
        if (payer.index, charge.card) not in self._methods:
            self._method(rng, payer, charge.card, self.customers[payer.index])
        method, card = self._methods[payer.index, charge.card]
        intent = self.ids.code("pi_", billing.PaymentIntent)
        paid = charge.status == "succeeded"
        invoice = self._invoice(charge, payer, intent, paid=paid) if charge.subscription else None
        movement = self._movement(charge, number) if paid else None
        common = {
            "customer_id": self.customers[payer.index],
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
                "customer_id": self.customers[payer.index],
                "subscription_id": self.subscriptions[subscription],
                "number": f"{self._prefixes[payer.index]}-{sequence:04d}",
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
                "subscription": self.subscriptions[subscription],
                "subscription_item": self.items[subscription],
                "proration": charge.proration,
                "period_start": begin,
                "period_end": end,
            },
        )
        return number

    def _refund(self, charge: Payment, refund: tuple[int, datetime, str]) -> None:
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


def _gap(rng: Random) -> int:
    return rng.randrange(1, 4) if rng.random() < 0.01 else 0


def _next_midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
