"""The operations and their views: importing this package registers every one of them."""

from clones.billing.api.operations import operations
from clones.billing.api.views import (
    balance,
    catalogue,
    charges,
    customers,
    events,
    intents,
    invoices,
    refunds,
    subscriptions,
)

__all__ = [
    "balance",
    "catalogue",
    "charges",
    "customers",
    "events",
    "intents",
    "invoices",
    "operations",
    "refunds",
    "subscriptions",
]
