"""What was sold and paid, as the billing system has it."""

from seeds.kestrel.projection.billing.books import Books

__all__ = ["Books"]
