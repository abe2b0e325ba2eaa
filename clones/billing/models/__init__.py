"""Billing's tables: money is integer minor units of its currency."""

from clones.billing.models.payments import BalanceTransaction, Charge, Customer, Refund

__all__ = ["BalanceTransaction", "Charge", "Customer", "Refund"]
