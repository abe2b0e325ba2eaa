"""What acts cost that cannot be taken back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from episodes.rewards.model import Charge
from episodes.rewards.prices import FALSEHOOD, NUISANCE_CEILING, NUISANCE_DECAY, VETOES


@dataclass(frozen=True, slots=True)
class PricedCharge:
    """A charge and what it costs here; 0 when another charge of the request covers it."""

    charge: Charge
    price: float


def nuisance_total(count: int) -> float:
    """Return what `count` nuisances cost together: 0.05, 0.0875, ... below 0.2."""
    return NUISANCE_CEILING * (1.0 - NUISANCE_DECAY**count)


def price_charges(charges: Iterable[Charge], *, nuisances: int = 0) -> tuple[PricedCharge, ...]:
    """Price the charges of one step, after `nuisances` earlier ones in the episode.

    A false close and a false statement of one request about one obligation are one falsehood.
    """
    priced: list[PricedCharge] = []
    covered: set[tuple[str, str]] = set()
    for charge in charges:
        if charge.is_veto:
            price = VETOES[charge.kind]
        elif charge.is_falsehood:
            price = FALSEHOOD
            if charge.request is not None and charge.obligation is not None:
                about = (charge.request, charge.obligation)
                price = 0.0 if about in covered else FALSEHOOD
                covered.add(about)
        else:
            price = nuisance_total(nuisances + 1) - nuisance_total(nuisances)
            nuisances += 1
        priced.append(PricedCharge(charge, price))
    return tuple(priced)


def total(priced: Iterable[PricedCharge]) -> float:
    """Return the sum of the prices."""
    return math.fsum(entry.price for entry in priced)
