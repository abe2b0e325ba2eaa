"""Billing's tables: money is integer minor units of its currency."""

from clones.billing.models.catalogue import Price, Product
from clones.billing.models.customers import Customer, PaymentMethod
from clones.billing.models.events import Event
from clones.billing.models.idempotency import IdempotencyKey
from clones.billing.models.invoices import Invoice, InvoiceLine
from clones.billing.models.payments import BalanceTransaction, Charge, PaymentIntent, Refund
from clones.billing.models.subscriptions import Subscription, SubscriptionItem

__all__ = [
    "BalanceTransaction",
    "Charge",
    "Customer",
    "Event",
    "IdempotencyKey",
    "Invoice",
    "InvoiceLine",
    "PaymentIntent",
    "PaymentMethod",
    "Price",
    "Product",
    "Refund",
    "Subscription",
    "SubscriptionItem",
]
