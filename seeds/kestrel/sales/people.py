"""Sales' people: who leads, who sells, who rings first, and who looks after the CRM."""

from __future__ import annotations

from datetime import timedelta

from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.catalogue import DOMAIN, FOUNDED, PRESENT
from seeds.kestrel.sales.model import Seller
from seeds.kestrel.sales.numbers import SALES_SIZES
from seeds.kestrel.story.people import moment_between, slug
from seeds.pools import Half, pool

REGIONS = {"emea": "Europe/London", "dach": "Europe/Berlin", "amer": "America/New_York"}
OPERATIONS, HEAD, LISTED = 0, 1, 5
TITLES = Weighted(
    {
        "Account Executive": 0.5,
        "Sales Development Representative": 0.25,
        "Channel Manager": 0.15,
        "Key Account Manager": 0.1,
    }
)
LEFT = 0.16
LEAVER = 6  # one who has left in every world


def make_sellers(draws: Draws, half: Half, size: str, taken: set[str]) -> list[Seller]:
    """Return everybody with a seat in the CRM, under addresses that nobody else has.

    The first administers it, the second leads; then come a manager for each region, and sellers.
    """
    found: list[Seller] = []
    regions = list(REGIONS)
    for index in range(SALES_SIZES[size].sellers):
        rng = draws.rng("seller", index)
        country = Weighted({"en": 0.72, "de": 0.14, "nl": 0.06, "es": 0.04, "pl": 0.04}).draw(rng)
        while True:
            given = rng.choice(pool(half, f"given_{country}"))
            family = rng.choice(pool(half, f"family_{country}"))
            email = f"{slug(given)}.{slug(family)}@{DOMAIN}"
            if email not in taken:
                break
        taken.add(email)
        leads = index < HEAD + 1 + len(regions)
        region = regions[(index - HEAD - 1) % len(regions)]
        since = moment_between(rng, FOUNDED, PRESENT - timedelta(days=500 if leads else 60))
        left = None
        if not leads and index != LISTED and (chance(rng, LEFT) or index == LEAVER):
            first = since + timedelta(days=40)
            if index == LEAVER:
                first = max(first, PRESENT - timedelta(days=250))
            left = moment_between(rng, first, PRESENT - timedelta(days=10))
        found.append(
            Seller(
                index,
                given,
                family,
                email,
                _title(index, TITLES.draw(rng), len(regions)),
                region,
                REGIONS[region],
                FOUNDED if index == OPERATIONS else since,
                left,
                "System Administrator" if index == OPERATIONS else "Standard User",
                _manager(index, region, regions),
                listed={OPERATIONS: "admin", 2: "manager", LISTED: "seller"}.get(index),
            )
        )
    return found


def _title(index: int, usual: str, regions: int) -> str:
    if index == OPERATIONS:
        return "Sales Operations Manager"
    if index == HEAD:
        return "VP Sales"
    return "Regional Sales Manager" if index <= HEAD + regions else usual


def _manager(index: int, region: str, regions: list[str]) -> int | None:
    if index == HEAD:
        return None
    if index <= HEAD + len(regions):
        return HEAD
    return HEAD + 1 + regions.index(region)
