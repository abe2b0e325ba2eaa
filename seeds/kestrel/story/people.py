"""Who there is: the desk's staff, the firms that bought machines, the people in them."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import datetime, timedelta
from random import Random
from statistics import NormalDist

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import COUNTRIES, DOMAIN, FOUNDED, PRESENT, US_ZONES, Country
from seeds.kestrel.sizes import Size
from seeds.kestrel.story.model import Agent, Firm, StoryPerson
from seeds.pools import Half, pool

SEGMENTS = Weighted(
    {
        "workshop": 0.24,
        "signs": 0.14,
        "gifts": 0.15,
        "school": 0.11,
        "makerspace": 0.08,
        "manufacturer": 0.11,
        "models": 0.06,
        "jewellery": 0.05,
        "packaging": 0.03,
        "dealer": 0.03,
    }
)
TRADES = {
    "workshop": ("Workshop", "Joinery", "Woodcraft", "Makers", "Craft", "Timber", "Furniture"),
    "signs": ("Signs", "Sign Co", "Signage", "Graphics", "Print & Sign", "Display"),
    "gifts": ("Gifts", "Engraving", "Keepsakes", "Paper Co", "Studio", "Home", "Trophies"),
    "school": (
        "School",
        "College",
        "Academy",
        "High School",
        "Community College",
        "Technical School",
    ),
    "makerspace": ("Makerspace", "Hackspace", "Fab Lab", "Makers Guild", "Tool Library"),
    "manufacturer": ("Fabrication", "Components", "Gaskets", "Plastics", "Precision", "Enclosures"),
    "models": ("Models", "Architects", "Model Makers", "Scenics", "Dioramas"),
    "jewellery": ("Jewellery", "Silver", "Leather Goods", "Bags", "Accessories"),
    "packaging": ("Packaging", "Cartons", "Displays", "Inserts"),
    "dealer": (
        "Laser Supplies",
        "Machine Tools",
        "Laser Centre",
        "Tool & Laser",
        "Maschinen",
        "CNC Supply",
    ),
}
ENDINGS = {
    "GB": ("Ltd", "Ltd", "", "", "& Co", "Limited"),
    "IE": ("Ltd", "", "Teo"),
    "US": ("LLC", "Inc", "", "", "Co"),
    "CA": ("Inc", "", "Ltd"),
    "AU": ("Pty Ltd", "", ""),
    "DE": ("GmbH", "GmbH & Co. KG", "e.K.", ""),
    "NL": ("B.V.", "", "VOF"),
    "FR": ("SARL", "SAS", ""),
    "ES": ("S.L.", "", "S.A."),
    "IT": ("S.r.l.", "snc", ""),
    "PL": ("Sp. z o.o.", ""),
    "PT": ("Lda", ""),
    "SE": ("AB", ""),
}
FREE_MAIL = Weighted(
    {
        "postbox.example": 0.34,
        "quickmail.example": 0.26,
        "inboxly.example": 0.16,
        "mailwise.example": 0.10,
        "homenet.example": 0.08,
        "fastbridge.example": 0.06,
    }
)
SHARED = ("info", "office", "workshop", "orders", "accounts", "hello", "laser", "studio", "service")
STYLES = Weighted({0: 16, 1: 12, 2: 12, 3: 9, 4: 9, 5: 8, 6: 8, 7: 7, 8: 6, 9: 5, 10: 4, 11: 4})


def slug(text: str) -> str:
    """Return a text as it would stand in a mail address."""
    plain = unicodedata.normalize(
        "NFKD", text.replace("ß", "ss").replace("ł", "l").replace("ø", "o")
    )
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower()).strip("-")


def moment_between(rng: Random, first: datetime, last: datetime) -> datetime:
    """Return a whole second between two moments, within working hours when there is room."""
    seconds = max(int((last - first).total_seconds()), 1)
    day = first + timedelta(days=rng.randrange(max(seconds // 86_400, 1)))
    moment = day.replace(hour=0, minute=0, second=0) + timedelta(
        seconds=int(rng.triangular(8, 19, 12) * 3600)
    )
    return min(max(moment, first), last)


GROUP_SHARES = {
    "support": 0.30,
    "studio": 0.17,
    "hardware": 0.19,
    "billing": 0.09,
    "logistics": 0.12,
    "dealers": 0.07,
    "escalations": 0.06,
}
# The groups of the first agents, so that each group has one and billing has two.
FIRST_GROUPS = (
    *("support", "billing", "hardware", "studio", "logistics", "dealers", "escalations"),
    "billing",
)
SECOND_GROUPS = (("support", 0.34), ("escalations", 0.18), ("hardware", 0.1), ("studio", 0.1))


def make_staff(draws: Draws, half: Half, size: Size) -> list[Agent]:
    """Return the desk's staff: an admin, agents of each group, and some who have left."""
    plan, fixed = Weighted(GROUP_SHARES), FIRST_GROUPS
    weights = _diligence(draws, size.agents)
    leaving = _leaving(draws, weights, len(fixed))
    staff: list[Agent] = []
    taken: set[str] = set()
    for index in range(size.agents):
        rng = draws.rng("agent", index)
        country = Weighted({"en": 0.84, "de": 0.04, "nl": 0.05, "fr": 0.03, "es": 0.04}).draw(rng)
        while True:
            given = rng.choice(pool(half, f"given_{country}"))
            family = rng.choice(pool(half, f"family_{country}"))
            email = f"{slug(given)}.{slug(family)}@{DOMAIN}"
            if email not in taken:
                break
        taken.add(email)
        own = fixed[index] if index < len(fixed) else plan.draw(rng)
        others = [key for key, odds in SECOND_GROUPS if key != own and chance(rng, odds)]
        since = moment_between(rng, FOUNDED, PRESENT - timedelta(days=200))
        left = None
        if index in leaving:
            left = moment_between(
                rng, size.start + timedelta(days=size.days // 4), PRESENT - timedelta(days=12)
            )
        staff.append(
            Agent(
                index,
                given,
                family,
                email,
                (own, *others),
                weights[index],
                "us" if chance(rng, 0.28) else "uk",
                "agent",
                since,
                left,
                _title(rng, own),
            )
        )
    _list_accounts(staff)
    return staff


def _leaving(draws: Draws, weights: list[float], kept: int) -> frozenset[int]:
    """Return which agents have left: about one in nine, none of the first `kept`.

    Drawn one by one, now and then nobody would have left, and nobody's tickets be lying about; had
    those left who did most of the work, they would be lying about everywhere.
    """
    count = len(weights)
    others = sorted(range(min(kept, count - 1), count), key=weights.__getitem__)
    light = others[: max(1, len(others) * 2 // 3)]
    wanted = min(max(1, round(count * 0.11)), len(light))
    return frozenset(draws.rng("leaving").sample(light, k=wanted))


def _diligence(draws: Draws, count: int) -> list[float]:
    """Return how much each agent takes on: log-normal, as evenly spread over it as can be.

    Drawn one by one, so few agents would share the work now much alike and now hardly at all.
    """
    places = [(place + 0.5) / count for place in range(count)]
    draws.rng("diligence").shuffle(places)
    return [math.exp(1.3 * NormalDist().inv_cdf(place)) for place in places]


def _title(rng: Random, group: str) -> str:
    titles = {
        "support": ("Customer Support", "Support Specialist", "Customer Care"),
        "studio": ("Software Support", "Cloud Support Engineer", "Studio Support"),
        "hardware": ("Hardware Support Engineer", "Repairs", "Technical Support"),
        "billing": ("Billing", "Accounts & Billing", "Billing Specialist"),
        "logistics": ("Returns & Logistics", "Order Desk", "Spare Parts"),
        "dealers": ("Dealer Support", "Dealer Desk"),
        "escalations": ("Senior Support Engineer", "Escalations"),
    }
    return rng.choice(titles[group])


def _list_accounts(staff: list[Agent]) -> None:
    """Name the accounts that a sandbox hands out: an admin and agents of three groups."""
    for index, role in ((0, "agent"), (1, "agent"), (2, "agent"), (6, "admin")):
        staff[index].role, staff[index].listed = role, True
        staff[index].weight = max(staff[index].weight, 0.6)
    staff[7].title = "Billing Team Lead"
    staff[6].title = "Support Operations"
    staff[6].weight = 0.25


def make_firms(draws: Draws, half: Half, size: Size) -> list[Firm]:
    """Return the firms whose people write to the desk."""
    countries = Weighted([(country, country.weight) for country in COUNTRIES])
    firms: list[Firm] = []
    taken: dict[str, int] = {}
    for index in range(size.firms):
        rng = draws.rng("firm", index)
        country = countries.draw(rng)
        segment = SEGMENTS.draw(rng)
        city = rng.choice(pool(half, f"city_{country.names}"))
        stem = _stem(rng, half, country, segment=segment, city=city)
        trade = rng.choice(TRADES[segment])
        ending = "" if segment in ("school", "makerspace") else rng.choice(ENDINGS[country.code])
        core = f"{stem} {trade}"
        name = f"{core} {ending}".strip()
        domain = slug(core) + ".example"
        taken[domain] = taken.get(domain, 0) + 1
        if taken[domain] > 1:
            domain = f"{slug(core)}-{slug(city) or index}-{taken[domain]}.example"
        firms.append(
            Firm(
                index,
                name,
                _spellings(core, name, ending),
                domain,
                segment,
                country,
                city,
                moment_between(rng, FOUNDED, PRESENT - timedelta(days=30)),
                segment == "dealer",
            )
        )
    return firms


def _stem(rng: Random, half: Half, country: Country, *, segment: str, city: str) -> str:
    if segment == "school" and chance(rng, 0.8):
        return city
    if segment == "makerspace" and chance(rng, 0.6):
        return city
    if chance(rng, 0.30):
        family = rng.choice(pool(half, f"family_{country.names}"))
        return (
            family
            if chance(rng, 0.7)
            else f"{family} & {rng.choice(pool(half, f'family_{country.names}'))}"
        )
    return rng.choice(pool(half, "firm_stems"))


def _spellings(core: str, name: str, ending: str) -> tuple[str, ...]:
    forms = [core, name, name.upper(), core.lower(), core.replace(" & ", " and ")]
    if ending == "Ltd":
        forms += [f"{core} Limited", f"{core} Ltd."]
    if ending == "Inc":
        forms += [f"{core}, Inc.", f"{core} Incorporated"]
    return tuple(dict.fromkeys(form for form in forms if form != name))


def make_people(draws: Draws, half: Half, size: Size, firms: list[Firm]) -> list[StoryPerson]:
    """Return the people who may write, some of them hobbyists without a firm."""
    countries = Weighted([(country, country.weight) for country in COUNTRIES])
    people: list[StoryPerson] = []
    taken: set[str] = set()
    for index in range(size.people):
        rng = draws.rng("person", index)
        firm = _firm_of(rng, firms, index)
        country = firm.country if firm else countries.draw(rng)
        given = rng.choice(pool(half, f"given_{country.names}"))
        family = rng.choice(pool(half, f"family_{country.names}"))
        shared = firm is not None and chance(rng, 0.24 if firm.dealer else 0.055)
        email = _address(rng, given, family, firm, shared=shared)
        while email in taken:
            email = email.replace("@", f"{rng.randrange(2, 99)}@", 1)
        taken.add(email)
        iana, zone = country.iana, country.zone
        if country.code == "US":
            iana, zone = Weighted([((a, b), w) for a, b, w in US_ZONES]).draw(rng)
        since = moment_between(
            rng, max(firm.since if firm else FOUNDED, FOUNDED), PRESENT - timedelta(days=2)
        )
        language = country.language if chance(rng, 0.17) else "en"
        people.append(
            StoryPerson(
                index,
                "" if shared else given,
                email.split("@")[0].title() if shared else family,
                email,
                firm,
                country,
                zone,
                iana,
                language,
                _phone(rng, country) if chance(rng, 0.42) else None,
                STYLES.draw(rng),
                _weight(rng, firm, shared=shared),
                since,
                shared,
                _departure(rng, firm, since),
                vip=chance(rng, 0.012),
            )
        )
    return people


def _firm_of(rng: Random, firms: list[Firm], index: int) -> Firm | None:
    """Return where the person works: each firm has somebody first, larger ones get more."""
    if index < len(firms):
        return firms[index]
    if chance(rng, 0.40):
        return None
    return firms[int(len(firms) * rng.random() ** 2.2)]


def _address(rng: Random, given: str, family: str, firm: Firm | None, *, shared: bool) -> str:
    first, last = slug(given) or "x", slug(family) or "y"
    if shared and firm:
        return f"{rng.choice(SHARED)}@{firm.domain}"
    if firm and chance(rng, 0.80):
        form = rng.choice(
            (f"{first}.{last}", f"{first}.{last}", first, f"{first[0]}{last}", f"{first[0]}.{last}")
        )
        return f"{form}@{firm.domain}"
    year = rng.randrange(61, 99) if chance(rng, 0.5) else rng.randrange(1, 12)
    form = rng.choice(
        (
            f"{first}.{last}",
            f"{first}{last}",
            f"{first}.{last}{year:02d}",
            f"{last}.{first}",
            f"{first[0]}{last}{rng.randrange(10, 999)}",
            f"{first}_{last}",
            f"{first}.makes",
            f"{last}workshop",
        )
    )
    return f"{form}@{FREE_MAIL.draw(rng)}"


def _weight(rng: Random, firm: Firm | None, *, shared: bool) -> float:
    weight = lognormal(rng, 1.0, 1.05)
    if firm and firm.dealer:
        weight *= 4.0
    return weight * (2.6 if shared else 1.0)


def _departure(rng: Random, firm: Firm | None, since: datetime) -> datetime | None:
    if firm is None or not chance(rng, 0.05):
        return None
    first = max(since, PRESENT - timedelta(days=360)) + timedelta(days=1)
    return None if first >= PRESENT else moment_between(rng, first, PRESENT)


def _phone(rng: Random, country: Country) -> str | None:
    """Return a number of a range that the country keeps for fiction."""
    number = rng.randrange(1000)
    forms = {
        "GB": (
            f"+44 1632 960{number:03d}",
            f"01632 960{number:03d}",
            f"07700 900{number:03d}",
            f"+44 7700 900 {number:03d}",
        ),
        "US": (
            f"({rng.randrange(201, 989)}) 555-01{number % 100:02d}",
            f"+1 {rng.randrange(201, 989)}-555-01{number % 100:02d}",
        ),
        "CA": (f"+1 {rng.randrange(201, 989)}-555-01{number % 100:02d}",),
        "DE": (f"030 23125 {number:03d}", f"+49 30 23125{number:03d}"),
        "FR": (f"01 99 00 {number // 10:02d} {number % 100:02d}",),
        "AU": (f"(02) 5550 {rng.randrange(10000):04d}",),
    }
    return rng.choice(forms[country.code]) if country.code in forms else None
