"""What of a charge may go back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.billing.errors import (
    BelowMinimum,
    ChargeAlreadyRefunded,
    ChargeDisputed,
    ChargeUncaptured,
    NoSuccessfulCharge,
    RefundTooLarge,
)

REASONS: Final = ("duplicate", "fraudulent", "requested_by_customer")


@dataclass(frozen=True, slots=True)
class ChargeBalance:
    """What a charge took and what of it went back, in minor units."""

    id: str
    payment_intent: str | None
    status: str
    captured: bool
    disputed: bool
    amount: int
    amount_refunded: int
    currency: str

    @property
    def remaining(self) -> int:
        """What has not gone back yet."""
        return self.amount - self.amount_refunded


def sum_to_refund(taken: ChargeBalance, amount: int | None) -> int:
    """Return the sum that a refund of `amount` (None: of all that is left) gives back.

    Raises:
        NoSuccessfulCharge: the charge failed.
        ChargeUncaptured: the money was only held.
        ChargeDisputed: the bank took it back.
        ChargeAlreadyRefunded: nothing is left.
        BelowMinimum: the sum is nothing, or less.
        RefundTooLarge: the sum is more than what is left.
    """
    if amount is not None and amount < 1:
        raise BelowMinimum("amount", 1)
    if taken.status != "succeeded":
        raise NoSuccessfulCharge(taken.id, taken.payment_intent)
    if not taken.captured:
        raise ChargeUncaptured(taken.id, taken.payment_intent)
    if taken.disputed:
        raise ChargeDisputed(taken.id)
    if taken.remaining <= 0:
        raise ChargeAlreadyRefunded(taken.id)
    if amount is not None and amount > taken.remaining:
        raise RefundTooLarge(
            amount, taken.remaining, taken.currency, partly_refunded=taken.amount_refunded > 0
        )
    return taken.remaining if amount is None else amount


def is_refundable(taken: ChargeBalance) -> bool:
    """Tell whether anything of the charge can still go back."""
    return (
        taken.status == "succeeded"
        and taken.captured
        and not taken.disputed
        and taken.remaining > 0
    )
