"""Leads: people who asked or were put on a list; some are nobody, some are customers already."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal, zipf
from seeds.kestrel.catalogue import COUNTRIES, PRESENT
from seeds.kestrel.sales.model import Seller, StoryLead
from seeds.kestrel.story.people import TRADES, moment_between, slug
from seeds.pools import Half, pool

COUNTS = {"tiny": 70, "small": 480, "standard": 4_000, "large": 14_000}
# Shares with a tail, as lists grow in years: values that nobody chose on purpose among them.
SOURCES = Weighted(
    {
        "Web": 0.37,
        "Purchased List": 0.22,
        "Phone Inquiry": 0.14,
        "Partner Referral": 0.11,
        "Other": 0.06,
        "web": 0.02,
        "Trade Show": 0.02,
        "Laser Expo 2024": 0.01,
        "LinkedIn": 0.01,
        None: 0.04,
    }
)
STATUSES = Weighted(
    {
        "Open - Not Contacted": 0.41,
        "Working - Contacted": 0.24,
        "Closed - Not Converted": 0.35,
    }
)
TITLES = (
    "Owner",
    "Head of Design & Technology",
    "Workshop Manager",
    "Purchasing",
    "Director",
    "Teacher",
    "Technician",
    "Production Manager",
    "Founder",
)
JUNK = (
    ("test", "test", "test", "test@test.example"),
    ("asdf", "asdf", "asdf", "asdf@asdf.example"),
    ("SEO", "Expert", "Rank No. 1 Agency", "growth@rankfast.example"),
    ("Mickey", "Mouse", "n/a", "no@thanks.example"),
)
REACH = timedelta(days=720)


def make_leads(draws: Draws, half: Half, size: str, sellers: list[Seller]) -> list[StoryLead]:
    """Return the leads, oldest first."""
    found = [_lead(draws.rng("lead", index), half, index, sellers) for index in range(COUNTS[size])]
    return sorted(found, key=lambda lead: (lead.created, lead.index))


def _lead(rng: Random, half: Half, index: int, sellers: list[Seller]) -> StoryLead:
    created = moment_between(rng, PRESENT - REACH, PRESENT - timedelta(hours=1))
    ringing = [
        seller
        for seller in sellers[2:]
        if seller.since <= created and (seller.left_at is None or seller.left_at > created)
    ]
    owner = zipf(rng, ringing, 0.7).index if ringing else 1
    age = (PRESENT - created).days
    status = STATUSES.draw(rng)
    if status.startswith("Open") and age > 120 and chance(rng, 0.5):
        status = "Closed - Not Converted"
    touched = min(created + timedelta(hours=lognormal(rng, 20, 1.5)), PRESENT)
    if chance(rng, 0.025):
        given, family, company, email = rng.choice(JUNK)
        return StoryLead(
            index,
            given,
            family,
            company,
            None,
            email,
            None,
            None,
            None,
            "Web",
            status,
            None,
            owner,
            created,
            touched,
        )
    country = Weighted([(one, one.weight) for one in COUNTRIES]).draw(rng)
    given = rng.choice(pool(half, f"given_{country.names}"))
    family = rng.choice(pool(half, f"family_{country.names}"))
    trade = rng.choice(TRADES[rng.choice(tuple(TRADES))])
    company = f"{rng.choice(pool(half, 'firm_stems'))} {trade}"
    # What a form asks for is there together or not at all.
    is_full = chance(rng, 0.72)
    asked = is_full or chance(rng, 0.3)
    return StoryLead(
        index,
        given if chance(rng, 0.94) else None,
        family,
        company,
        rng.choice(TITLES) if is_full and chance(rng, 0.8) else None,
        f"{slug(given) or 'x'}.{slug(family) or 'y'}@{slug(company)}.example" if asked else None,
        f"+{rng.randint(30, 49)} {rng.randint(100, 999)} {rng.randint(100_000, 999_999)}"
        if is_full and chance(rng, 0.6)
        else None,
        country.code if is_full else None,
        rng.choice(pool(half, f"city_{country.names}")) if is_full else None,
        SOURCES.draw(rng),
        status,
        Weighted({"Hot": 0.1, "Warm": 0.25, "Cold": 0.25, None: 0.4}).draw(rng),
        owner,
        created,
        touched,
    )
