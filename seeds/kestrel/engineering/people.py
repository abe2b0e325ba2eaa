"""Engineering's people: those who build, those of the desk who report bugs, and the apps."""

from __future__ import annotations

from datetime import timedelta

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import DOMAIN, FOUNDED, PRESENT
from seeds.kestrel.engineering.model import Engineer
from seeds.kestrel.engineering.spaces import spaces
from seeds.kestrel.story.model import Agent
from seeds.kestrel.story.people import moment_between, slug
from seeds.pools import Half, pool

COUNTS = {"tiny": 14, "small": 28, "standard": 64, "large": 96}
TITLES = Weighted(
    {
        "Software Engineer": 0.34,
        "Senior Software Engineer": 0.22,
        "QA Engineer": 0.12,
        "Product Manager": 0.09,
        "Engineering Manager": 0.07,
        "Embedded Engineer": 0.07,
        "Designer": 0.05,
        "Site Reliability Engineer": 0.04,
    }
)
ZONES = Weighted(
    {
        "Europe/London": 0.46,
        "Europe/Berlin": 0.18,
        "America/Denver": 0.2,
        "Europe/Warsaw": 0.1,
        "Asia/Kolkata": 0.06,
    }
)
EMPLOYEES = {"tiny": 6, "small": 25, "standard": 120, "large": 200}
DEPARTMENTS = Weighted(
    {
        "Sales": 0.22,
        "Production": 0.2,
        "Warehouse": 0.14,
        "Service": 0.12,
        "Finance": 0.1,
        "Marketing": 0.09,
        "Purchasing": 0.07,
        "People": 0.06,
    }
)
APPS = ("Build Bot", "Crash Reporter", "Automation for Jira")
# Agents of these groups report bugs, and so have accounts on the tracker.
REPORTING = frozenset({"escalations", "studio", "hardware", "billing"})


def make_engineers(draws: Draws, half: Half, size: str, staff: list[Agent]) -> list[Engineer]:
    """Return everybody with an account on the tracker; the first one administers it.

    Agents of the desk come after the engineers, under their own names, then apps, and colleagues
    of other departments, who only ask the IT desk, last.
    """
    taken = {agent.email for agent in staff}
    found: list[Engineer] = []
    keys = [space.key for space in spaces()]
    for index in range(COUNTS[size]):
        rng = draws.rng("engineer", index)
        country = Weighted({"en": 0.7, "de": 0.1, "pl": 0.08, "nl": 0.06, "es": 0.06}).draw(rng)
        while True:
            given = rng.choice(pool(half, f"given_{country}"))
            family = rng.choice(pool(half, f"family_{country}"))
            email = f"{slug(given)}.{slug(family)}@{DOMAIN}"
            if email not in taken:
                break
        taken.add(email)
        space = (
            keys[index]
            if index < len(keys)
            else Weighted({item.key: item.share for item in spaces()}).draw(rng)
        )
        lead = index < len(keys)
        since = moment_between(rng, FOUNDED, PRESENT - timedelta(days=400 if lead else 120))
        left = None
        if not lead and chance(rng, 0.14):
            left = moment_between(rng, since + timedelta(days=90), PRESENT - timedelta(days=20))
        found.append(
            Engineer(
                index,
                given,
                family,
                email,
                space,
                "Engineering Manager" if lead else TITLES.draw(rng),
                lognormal(rng, 1.0, 0.8),
                since,
                ZONES.draw(rng),
                left,
                listed={0: "admin", 1: "developer", 2: "developer"}.get(index),
            )
        )
    _add_agents(draws, found, staff)
    for name in APPS:
        given, _, family = name.partition(" ")
        found.append(Engineer(len(found), given, family, None, "", "App", 0.0, FOUNDED, kind="app"))
    taken |= {person.email for person in found if person.email is not None}
    for index in range(EMPLOYEES[size]):
        found.append(_employee(draws, half, index, len(found), taken))
    return found


def _employee(draws: Draws, half: Half, index: int, place: int, taken: set[str]) -> Engineer:
    rng = draws.rng("employee", index)
    country = Weighted({"en": 0.78, "de": 0.08, "pl": 0.08, "nl": 0.03, "es": 0.03}).draw(rng)
    while True:
        given = rng.choice(pool(half, f"given_{country}"))
        family = rng.choice(pool(half, f"family_{country}"))
        email = f"{slug(given)}.{slug(family)}@{DOMAIN}"
        if email not in taken:
            break
    taken.add(email)
    since = moment_between(rng, FOUNDED, PRESENT - timedelta(days=90))
    left = None
    if index and chance(rng, 0.08):
        left = moment_between(rng, since + timedelta(days=60), PRESENT - timedelta(days=10))
    return Engineer(
        place,
        given,
        family,
        email,
        "",
        DEPARTMENTS.draw(rng),
        lognormal(rng, 1.0, 0.9),
        since,
        left_at=left,
        kind="customer",
        listed=None if index else "customer",
    )


def _add_agents(draws: Draws, found: list[Engineer], staff: list[Agent]) -> None:
    for agent in staff:
        rng = draws.rng("tracker-agent", agent.index)
        if agent.role != "admin" and not (REPORTING & set(agent.groups)) and not agent.listed:
            continue
        zone = "America/Denver" if agent.region == "us" else "Europe/London"
        since = agent.since + timedelta(days=rng.randrange(2, 60))
        found.append(
            Engineer(
                len(found),
                agent.given,
                agent.family,
                agent.email,
                "",
                agent.title,
                agent.weight * 0.3,
                min(since, PRESENT - timedelta(days=30)),
                zone,
                agent.left_at,
            )
        )


def of_space(engineers: list[Engineer], key: str) -> list[Engineer]:
    """Return those who work in a space."""
    return [person for person in engineers if person.space == key and person.kind == "atlassian"]


def reporters(engineers: list[Engineer]) -> list[Engineer]:
    """Return the people of the desk who report bugs."""
    return [person for person in engineers if not person.space and person.kind == "atlassian"]


def apps(engineers: list[Engineer]) -> list[Engineer]:
    """Return the apps: what builds, what reports crashes, what automates."""
    return [person for person in engineers if person.kind == "app"]


def customers(engineers: list[Engineer]) -> list[Engineer]:
    """Return the colleagues of other departments: they only ask the IT desk."""
    return [person for person in engineers if person.kind == "customer"]
