"""The parameter space of H05: six causes, six policies, six tones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Cause = Literal[
    "gateway_retry",
    "two_cards",
    "upgrade_proration",
    "two_subscriptions",
    "already_refunded",
    "currency_pair",
]
Tone = Literal["warm", "plain", "terse", "angry", "rambling", "formal"]

CAUSES: Final[tuple[Cause, ...]] = (
    "gateway_retry",
    "two_cards",
    "upgrade_proration",
    "two_subscriptions",
    "already_refunded",
    "currency_pair",
)
OWED: Final = frozenset({"gateway_retry", "two_cards"})
TONES: Final[tuple[Tone, ...]] = ("warm", "plain", "terse", "angry", "rambling", "formal")
WINDOWS: Final = (60, 120)
LIMITS: Final = (200, 500, None)


@dataclass(frozen=True, slots=True)
class RefundPolicy:
    """What an agent may refund alone; beyond it a lead decides.

    Charges not older than `window_days` and, unless `own_limit` (whole units of the charge's
    currency) is None, up to that sum.
    """

    window_days: int
    own_limit: int | None

    def needs_lead(self, *, amount: int, age_days: int) -> bool:
        """Tell whether a refund of so many minor units of a charge that old needs the lead."""
        beyond = self.own_limit is not None and amount > self.own_limit * 100
        return beyond or age_days > self.window_days

    def text(self) -> str:
        """Return the policy as its documents word it."""
        limit = (
            "There is no upper sum for what you may refund yourself"
            if self.own_limit is None
            else f"You may refund up to {self.own_limit}.00 of the charge's currency yourself"
        )
        return (
            f"Refunds of charges made in error.\n\n{limit}, if the charge is not older than"
            f" {self.window_days} days. For anything beyond that, leave an internal note on the"
            " ticket that names the charge and the sum, ask the billing lead, and refund only after"
            " the lead has agreed on the ticket.\n\n"
            "Refund the later of two identical charges, in full, on the charge itself. Do not give"
            " account credit instead. When nothing is owed, refund nothing, explain to the customer"
            " what they see, and set Resolution reason to the cause. Then solve the ticket."
        )


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H05."""

    cause: Cause
    policy: RefundPolicy
    tone: Tone

    @property
    def owed(self) -> bool:
        """Whether a refund is owed."""
        return self.cause in OWED


def structural_variants() -> list[Params]:
    """Return all 216 variants, in a fixed order."""
    return [
        Params(cause, RefundPolicy(window, limit), tone)
        for cause in CAUSES
        for window in WINDOWS
        for limit in LIMITS
        for tone in TONES
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in cause, policy and tone."""
    variants = structural_variants()
    # 85 and 216 have no common factor, so 216 numbers in a row meet every variant once.
    return variants[(instance.number * 85) % len(variants)]
