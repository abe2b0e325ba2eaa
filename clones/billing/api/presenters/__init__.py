"""One presenter per kind of object: the same body wherever the object is shown."""

from clones.billing.api.presenters.balance import present_balance, present_balance_transaction
from clones.billing.api.presenters.catalogue import present_price, present_product
from clones.billing.api.presenters.charges import present_charge
from clones.billing.api.presenters.customers import (
    present_customer,
    present_deleted_customer,
    present_payment_method,
)
from clones.billing.api.presenters.disputes import present_dispute
from clones.billing.api.presenters.intents import present_invoice_payment, present_payment_intent
from clones.billing.api.presenters.invoices import present_invoice, present_line
from clones.billing.api.presenters.refunds import present_refund
from clones.billing.api.presenters.subscriptions import (
    present_subscription,
    present_subscription_item,
)

__all__ = [
    "present_balance",
    "present_balance_transaction",
    "present_charge",
    "present_customer",
    "present_deleted_customer",
    "present_dispute",
    "present_invoice",
    "present_invoice_payment",
    "present_line",
    "present_payment_intent",
    "present_payment_method",
    "present_price",
    "present_product",
    "present_refund",
    "present_subscription",
    "present_subscription_item",
]
