"""What a ticket is about: the values that its words and its fields share."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import chance
from seeds.kestrel.catalogue import FIRMWARES, MACHINES, PARTS, PLANS, STUDIO_VERSIONS
from seeds.kestrel.story.model import Incident, Payer, Payment, StoryPerson
from seeds.kestrel.story.topics import Topic

SIGNS = {"gbp": "£", "usd": "$", "eur": "€"}
ORDERED = ("refund", "shipping", "dealer")
PAID = ("billing", "cancel", "refund")


def money(amount: int, currency: str) -> str:
    """Return an amount as people write it: £34.00."""
    return f"{SIGNS[currency]}{amount // 100:,}.{amount % 100:02d}"


def ticket_facts(
    rng: Random,
    person: StoryPerson,
    payer: Payer | None,
    *,
    topic: Topic,
    created: datetime,
    incident: Incident | None,
) -> dict[str, str]:
    """Return the facts of a ticket as text by name."""
    facts: dict[str, str] = {}
    _machine_facts(rng, facts, person, created)
    released = [version for version, day in STUDIO_VERSIONS if day < created]
    newest = released[-1] if released else STUDIO_VERSIONS[0][0]
    facts["version"] = (
        incident.version
        if incident
        else (newest if chance(rng, 0.7) else rng.choice(released or [newest]))
    )
    facts["os"] = rng.choice(
        (
            "Windows 11",
            "Windows 11",
            "Windows 10",
            "Windows 11 Pro",
            "macOS 15.3",
            "macOS 14",
            "macOS Sequoia",
            "Ubuntu 24.04",
        )
    )
    if payer:
        _paid_facts(rng, facts, payer, topic, created)
    facts.setdefault("plan", rng.choice(PLANS).name)
    part = rng.choice(PARTS)
    facts["part"], facts["sku"] = part[1], part[0]
    facts.setdefault("order", f"KL-{rng.randrange(104_000, 188_000)}")
    facts["tracking"] = (
        rng.choice(("PW", "NX", "TR"))
        + str(rng.randrange(10**9, 10**10))
        + rng.choice(("GB", "EU", "US"))
    )
    facts["rma"] = f"RMA-{rng.randrange(20_000, 39_999)}"
    facts["seats"] = str(rng.choice((2, 3, 3, 4, 5, 6, 8, 12, 30)))
    facts["days"] = str(rng.choice((2, 3, 4, 5, 6, 8, 9, 10, 12, 14)))
    if person.firm:
        facts["firm"] = person.firm.name if chance(rng, 0.85) else rng.choice(person.firm.spellings)
    facts["city"] = person.firm.city if person.firm else ""
    if incident:
        facts["key"] = incident.key
    return facts


def _machine_facts(
    rng: Random, facts: dict[str, str], person: StoryPerson, created: datetime
) -> None:
    owned = [unit for unit in person.machines if unit.bought < created] or person.machines
    if owned:
        unit = rng.choice(owned)
        machine, facts["serial"], facts["firmware"] = unit.machine, unit.serial, unit.firmware
        if unit.dealer:
            facts["dealer"] = unit.dealer.name
        facts["age"] = str(max((created - unit.bought).days // 30, 1))
    else:
        machine = rng.choice(MACHINES)
        facts["firmware"] = rng.choice(FIRMWARES)
        facts["age"] = str(rng.randrange(1, 30))
    facts["machine"], facts["watts"], facts["tube"] = machine.name, str(machine.watts), machine.tube


def _paid_facts(
    rng: Random, facts: dict[str, str], payer: Payer, topic: Topic, created: datetime
) -> None:
    past = [charge for charge in payer.charges if charge.created < created]
    ordered = [charge for charge in past if charge.order]
    charge: Payment | None = None
    if topic.domain in ORDERED and ordered:
        charge = rng.choice(ordered[-4:])
    elif past:
        charge = rng.choice(past[-3:])
    if charge:
        set_charge(facts, charge)
    if payer.subscriptions:
        facts["plan"] = payer.subscriptions[0].plan.name


def set_charge(facts: dict[str, str], charge: Payment) -> None:
    """Put a charge among the facts."""
    facts["charge"] = str(charge.index)
    facts["amount"] = money(charge.amount, charge.currency)
    facts["date"] = f"{charge.created.day} {charge.created:%B}"
    facts["last4"] = charge.card[1]
    facts["brand"] = charge.card[0]
    if charge.order:
        facts["order"] = charge.order
        facts["item"] = charge.description
    facts["due"] = f"{charge.created + timedelta(days=5):%d %B}".lstrip("0")
