"""The whole story of a world: everybody, everything, and what happened."""

from __future__ import annotations

from dataclasses import dataclass, field

from seeds.draw import Draws
from seeds.kestrel.sizes import Size
from seeds.kestrel.story.model import (
    Agent,
    DoubleCharge,
    Firm,
    Incident,
    Payer,
    StoryPerson,
    Ticket,
    Unit,
)
from seeds.ledger import Ledger
from seeds.pools import Half


@dataclass(slots=True)
class Story:
    """One world before any clone has its version of it; `ledger` fills while it is told."""

    draws: Draws
    half: Half
    size: Size
    staff: list[Agent]
    firms: list[Firm]
    people: list[StoryPerson]
    units: list[Unit]
    payers: list[Payer]
    doubles: list[DoubleCharge]
    incidents: list[Incident]
    ledger: Ledger
    tickets: list[Ticket] = field(default_factory=list)
