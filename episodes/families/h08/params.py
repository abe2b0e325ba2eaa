"""The parameter space of H08: how much is held, what there is most of, and what the rules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

# Sorts of held mail. Which of them are real `HeldMailPolicy.is_real` says.
Kind = Literal[
    "vip",
    "customer",
    "newcomer",
    "forwarded",
    "colleague_reply",
    "outsider_reply",
    "dealer_order",
    "carrier_notice",
    "phishing",
    "advert",
    "newsletter",
    "away",
    "away_again",
    "bounce",
    "blank",
    "own_address",
]
Mix = Literal["phishing", "colleague_reply", "newsletter", "newcomer", "bounce"]

SIZES: Final = (8, 16, 24)
MIXES: Final[tuple[Mix, ...]] = (
    "phishing",
    "colleague_reply",
    "newsletter",
    "newcomer",
    "bounce",
)
PEOPLE: Final[frozenset[Kind]] = frozenset(
    {"vip", "customer", "newcomer", "forwarded", "colleague_reply"}
)
# What every queue has.
ALWAYS: Final[tuple[Kind, ...]] = (
    "vip",
    "phishing",
    "away",
    "away_again",
    "dealer_order",
    "carrier_notice",
    "outsider_reply",
)
# What larger queues have besides, by size; the mix fills up the rest.
MORE: Final[dict[int, tuple[Kind, ...]]] = {
    8: (),
    16: ("customer", "newcomer", "forwarded", "advert", "blank", "colleague_reply"),
    24: (
        "customer",
        "customer",
        "newcomer",
        "newcomer",
        "forwarded",
        "advert",
        "advert",
        "blank",
        "colleague_reply",
        "newsletter",
        "bounce",
        "own_address",
    ),
}


@dataclass(frozen=True, slots=True)
class HeldMailPolicy:
    """Which of the doubtful sorts are let in; people always are, and the rest never."""

    dealer_orders: bool
    carrier_notices: bool
    outsiders: bool

    def is_real(self, kind: Kind) -> bool:
        """Tell whether mail of a sort is to be let in."""
        doubtful = {
            "dealer_order": self.dealer_orders,
            "carrier_notice": self.carrier_notices,
            "outsider_reply": self.outsiders,
        }
        return kind in PEOPLE or doubtful.get(kind, False)

    def text(self) -> str:
        """Return the rules as their documents word them."""
        orders = (
            "Purchase orders that dealers' systems send by themselves are let in."
            if self.dealer_orders
            else "Purchase orders that dealers' systems send by themselves are deleted: they reach"
            " us through the dealer portal as well."
        )
        carriers = (
            "A carrier's notice about one of our shipments is let in, from a noreply address too."
            if self.carrier_notices
            else "A carrier's notice is deleted, even about one of our shipments: logistics sees it"
            " in the carrier's portal."
        )
        outsiders = (
            "A reply to a ticket from an address that we do not know is let in, whatever its"
            " domain, if it is about that ticket."
            if self.outsiders
            else "A reply to a ticket from an address that we do not know is let in only from the"
            " mail domain of the ticket's requester; from any other domain it is deleted."
        )
        return (
            "Held mail: what we let in and what we delete.\n\n"
            "Let in what a person wrote to us about a machine, an order or an account, whatever it"
            " was held for: the filter is wrong about customers every day, with capitals and"
            " exclamation marks, and forwarding breaks authentication. We need not know the writer"
            f" yet.\n\n{orders}\n\n{carriers}\n\n{outsiders}\n\n"
            "Delete everything else: adverts, newsletters, out-of-office replies, delivery"
            " failures, mail without content, mail that claims to come from our own addresses, and"
            " whatever asks for passwords or bank details from a domain that only looks like ours."
            "\n\nRecover automatically, so that the sender is the requester and not you. Do not"
            " answer anything while you are at it, and leave nothing in the queue."
        )


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H08."""

    size: int
    policy: HeldMailPolicy
    mix: Mix

    @property
    def kinds(self) -> list[Kind]:
        """What is held, one sort for each mail."""
        fixed: list[Kind] = [*ALWAYS, *MORE[self.size]]
        return [*fixed, *([self.mix] * (self.size - len(fixed)))]


def structural_variants() -> list[Params]:
    """Return all 120 variants, in a fixed order."""
    return [
        Params(size, HeldMailPolicy(orders, carriers, outsiders), mix)
        for size in SIZES
        for orders in (True, False)
        for carriers in (True, False)
        for outsiders in (True, False)
        for mix in MIXES
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in more than one parameter."""
    variants = structural_variants()
    # 47 and 120 have no common factor, so 120 numbers in a row meet every variant once.
    return variants[(instance.number * 47 + 2) % len(variants)]
