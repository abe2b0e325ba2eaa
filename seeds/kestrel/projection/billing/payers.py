"""Who pays, by which card, and what they subscribed to, as the billing system has it."""

from __future__ import annotations

from random import Random
from typing import Any

from clones.billing import models as billing
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import FOUNDED, PLANS, PRESENT
from seeds.kestrel.story.model import Payer, StoryPerson, Subscription
from seeds.kestrel.story.people import slug
from seeds.kestrel.story.trade import months_after
from seeds.ledger import Ledger


class Payers:
    """Writes customers, cards and subscriptions.

    `customers`, `subscriptions` and `items` map the story's records to ids, `prefixes` customers to
    what their invoices' numbers begin with.
    """

    def __init__(self, writer: BulkWriter, ids: Identifiers, draws: Draws, ledger: Ledger) -> None:
        self.writer, self.ids, self.draws, self.ledger = writer, ids, draws, ledger
        self.customers: dict[int, str] = {}
        self.subscriptions: dict[int, str] = {}
        self.items: dict[int, str] = {}
        self.prefixes: dict[int, str] = {}
        self._prices: dict[tuple[str, str], str] = {}
        self._methods: dict[tuple[int, tuple[str, str]], tuple[str, dict[str, Any]]] = {}

    def write_catalogue(self) -> None:
        """Write products and prices."""
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

    def write_customer(self, payer: Payer, person: StoryPerson) -> None:
        """Write a customer with their cards; a few have an old address or another spelling."""
        rng = self.draws.rng("customer", payer.index)
        number = self.ids.code("cus_", billing.Customer, length=14, skip=gap(rng))
        self.customers[payer.index] = number
        self.prefixes[payer.index] = self.ids.code("", billing.Invoice, length=8).upper()
        email, name = payer.email, payer.name
        if chance(rng, 0.03):
            email = email.upper() if chance(rng, 0.3) else email.replace(".example", "-old.example")
            self.ledger.add(
                "billing_email", "billing_customer", number, "email", payer.email, email
            )
        if chance(rng, 0.05) and person.firm and person.firm.spellings:
            name = rng.choice(person.firm.spellings)
            self.ledger.add("billing_name", "billing_customer", number, "name", payer.name, name)
        methods = [self._method(rng, payer, card) for card in payer.cards]
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
                "invoice_prefix": self.prefixes[payer.index],
                "next_invoice_sequence": 1 + sum(1 for c in payer.charges if c.subscription),
                "default_payment_method": methods[0],
                "delinquent": bool(payer.charges) and payer.charges[-1].status == "failed",
            },
        )

    def _address(self, person: StoryPerson) -> dict[str, Any]:
        city = person.firm.city if person.firm else None
        return {
            "city": city,
            "country": person.country.code,
            "line1": None,
            "line2": None,
            "postal_code": None,
            "state": None,
        }

    def method_of(
        self, rng: Random, payer: Payer, card: tuple[str, str]
    ) -> tuple[str, dict[str, Any]]:
        """Return the id and details of a payer's card, writing it if it is new."""
        if (payer.index, card) not in self._methods:
            self._method(rng, payer, card)
        return self._methods[payer.index, card]

    def _method(self, rng: Random, payer: Payer, card: tuple[str, str]) -> str:
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
                "customer_id": self.customers[payer.index],
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

    def write_subscription(self, subscription: Subscription, payer: Payer) -> None:
        """Write a subscription and its one item."""
        rng = self.draws.rng("subscription-row", subscription.index)
        number = self.ids.code("sub_", billing.Subscription, skip=gap(rng))
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


def gap(rng: Random) -> int:
    """Return how many ids are left out before the next: the numbers of what was deleted."""
    return rng.randrange(1, 4) if rng.random() < 0.01 else 0
