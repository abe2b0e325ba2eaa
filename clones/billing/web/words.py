"""Why a refund is refused, as the panel says it."""

from __future__ import annotations

from clones.billing import errors
from clones.billing.errors import BillingError
from clones.billing.rules.money import format_money


def words_for(error: BillingError) -> str:
    """Return a sentence for whoever filled in the refund form."""
    match error:
        case errors.ChargeAlreadyRefunded():
            return "This charge has already been refunded."
        case errors.RefundTooLarge():
            left = format_money(error.remaining, error.currency)
            return f"Only {left} of this charge is left to refund."
        case errors.BelowMinimum():
            return "Enter an amount above zero."
        case errors.NoSuccessfulCharge():
            return "This charge failed: there is nothing to refund."
        case errors.ChargeDisputed():
            return "This charge has been charged back; it cannot be refunded."
        case errors.UnknownChoice():
            return "Choose a reason from the list."
    return "This charge cannot be refunded."
