"""Factories of the billing system's models."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from factory.django import DjangoModelFactory

from clones.billing import models
from clones.billing.rules.money import processing_fee
from seeds.factories.values import code, drawn, full_name, lazy, made, now, same, sub
from seeds.kestrel.story.people import slug
from seeds.kestrel.story.trade import BRANDS, months_after


def card_of(chance: Any) -> dict[str, Any]:
    """Return a card as charges show it."""
    return {
        "brand": BRANDS.draw(chance),
        "last4": f"{chance.randrange(10_000):04d}",
        "exp_month": chance.randrange(1, 13),
        "exp_year": 2028,
        "funding": "credit",
        "country": "GB",
    }


class CustomerFactory(DjangoModelFactory[models.Customer]):
    """Somebody who pays."""

    class Meta:
        model = models.Customer

    id = code("cus_", models.Customer, 14)
    name = drawn("payer", full_name)
    email = lazy(lambda row: f"{slug(row.name)}@postbox.example")
    currency = "gbp"
    created = now()


class PaymentMethodFactory(DjangoModelFactory[models.PaymentMethod]):
    """A card on file."""

    class Meta:
        model = models.PaymentMethod

    id = code("pm_", models.PaymentMethod)
    customer = sub(CustomerFactory)
    card = drawn("card", card_of)
    created = now()


class ProductFactory(DjangoModelFactory[models.Product]):
    """Something that is sold."""

    class Meta:
        model = models.Product

    id = code("prod_", models.Product, 14)
    name = "Studio Solo"
    created = now()
    updated = same("created")


class PriceFactory(DjangoModelFactory[models.Price]):
    """A monthly price."""

    class Meta:
        model = models.Price

    id = code("price_", models.Price)
    product = sub(ProductFactory)
    currency = "gbp"
    unit_amount = 1500
    interval = "month"
    created = now()


class SubscriptionFactory(DjangoModelFactory[models.Subscription]):
    """A running subscription."""

    class Meta:
        model = models.Subscription

    id = code("sub_", models.Subscription)
    customer = sub(CustomerFactory)
    status = "active"
    currency = lazy(lambda row: row.customer.currency or "gbp")
    created = now()
    start_date = same("created")
    billing_cycle_anchor = same("created")
    current_period_start = same("created")
    current_period_end = lazy(lambda row: months_after(row.created, 1))


class SubscriptionItemFactory(DjangoModelFactory[models.SubscriptionItem]):
    """A price of a subscription."""

    class Meta:
        model = models.SubscriptionItem

    id = code("si_", models.SubscriptionItem, 14)
    subscription = sub(SubscriptionFactory)
    price = sub(PriceFactory)
    created = now()


class InvoiceFactory(DjangoModelFactory[models.Invoice]):
    """A paid invoice, without lines."""

    class Meta:
        model = models.Invoice

    id = code("in_", models.Invoice)
    customer = sub(CustomerFactory)
    status = "paid"
    currency = lazy(lambda row: row.customer.currency or "gbp")
    total = 1500
    subtotal = same("total")
    amount_due = same("total")
    amount_paid = same("total")
    amount_remaining = 0
    created = now()
    period_start = same("created")
    period_end = lazy(lambda row: months_after(row.created, 1))


class PaymentIntentFactory(DjangoModelFactory[models.PaymentIntent]):
    """An intent that was paid."""

    class Meta:
        model = models.PaymentIntent

    id = code("pi_", models.PaymentIntent)
    customer = sub(CustomerFactory)
    amount = 1500
    amount_received = same("amount")
    currency = lazy(lambda row: row.customer.currency or "gbp")
    status = "succeeded"
    created = now()


class BalanceTransactionFactory(DjangoModelFactory[models.BalanceTransaction]):
    """What a charge brought in."""

    class Meta:
        model = models.BalanceTransaction

    id = code("txn_", models.BalanceTransaction)
    amount = 1500
    currency = "gbp"
    fee = lazy(lambda row: processing_fee(row.amount))
    net = lazy(lambda row: row.amount - row.fee)
    type = "charge"
    reporting_category = "charge"
    source = ""
    created = now()
    available_on = lazy(lambda row: settled_on(row.created))


class ChargeFactory(DjangoModelFactory[models.Charge]):
    """Money that was taken, with its intent and its balance transaction."""

    class Meta:
        model = models.Charge

    id = code("ch_", models.Charge)
    customer = sub(CustomerFactory)
    amount = 1500
    amount_captured = same("amount")
    currency = lazy(lambda row: row.customer.currency or "gbp")
    description = "Studio Solo (monthly)"
    status = "succeeded"
    card = drawn("card", card_of)
    created = now()
    payment_intent = lazy(
        lambda row: (
            made(
                PaymentIntentFactory,
                customer=row.customer,
                amount=row.amount,
                currency=row.currency,
                latest_charge=row.id,
            ).id
        )
    )
    balance_transaction = lazy(
        lambda row: made(
            BalanceTransactionFactory, amount=row.amount, currency=row.currency, source=row.id
        )
    )


class RefundFactory(DjangoModelFactory[models.Refund]):
    """A refund's row alone: `domain.create_refund` makes real ones."""

    class Meta:
        model = models.Refund

    id = code("re_", models.Refund)
    charge = sub(ChargeFactory)
    amount = lazy(lambda row: row.charge.amount)
    currency = lazy(lambda row: row.charge.currency)
    status = "succeeded"
    created = now()


def settled_on(moment: datetime) -> datetime:
    """Return when the money of a charge is there."""
    return moment.replace(hour=0, minute=0, second=0) + timedelta(days=3)
