"""The records of the story."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from seeds.kestrel.catalogue import Country, Machine, Plan


@dataclass(slots=True)
class Firm:
    """A company, school or club: `spellings` are what people make of its name."""

    index: int
    name: str
    spellings: tuple[str, ...]
    domain: str
    segment: str
    country: Country
    city: str
    since: datetime
    dealer: bool = False


@dataclass(slots=True)
class StoryPerson:
    """Somebody who may write: `weight` is how readily they do."""

    index: int
    given: str
    family: str
    email: str
    firm: Firm | None
    country: Country
    zone: str
    iana: str
    language: str
    phone: str | None
    style: int
    weight: float
    since: datetime
    shared: bool = False
    left_at: datetime | None = None
    other_emails: tuple[str, ...] = ()
    twin: int | None = None
    vip: bool = False
    machines: list[Unit] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The person's true name."""
        return f"{self.given} {self.family}".strip()


@dataclass(slots=True)
class Agent:
    """Somebody who works at the desk: `groups` with the own one first."""

    index: int
    given: str
    family: str
    email: str
    groups: tuple[str, ...]
    weight: float
    region: str
    role: str
    since: datetime
    left_at: datetime | None = None
    title: str = "Customer Support"
    listed: bool = False

    @property
    def name(self) -> str:
        """The agent's name."""
        return f"{self.given} {self.family}"


@dataclass(slots=True)
class Unit:
    """One machine that was sold."""

    machine: Machine
    serial: str
    owner: int
    bought: datetime
    dealer: Firm | None
    firmware: str


@dataclass(slots=True)
class Payer:
    """A paying account: a customer of the billing system."""

    index: int
    person: int
    name: str
    email: str
    currency: str
    since: datetime
    cards: tuple[tuple[str, str], ...]
    charges: list[Payment] = field(default_factory=list)
    subscriptions: list[Subscription] = field(default_factory=list)


@dataclass(slots=True)
class Subscription:
    """A plan somebody pays for."""

    index: int
    payer: int
    plan: Plan
    start: datetime
    ended: datetime | None = None
    ends_on: datetime | None = None


@dataclass(slots=True)
class Payment:
    """A charge, with what is true of it. `refunds` are (amount, time, reason)."""

    index: int
    payer: int
    amount: int
    currency: str
    created: datetime
    description: str
    card: tuple[str, str]
    subscription: int | None = None
    order: str | None = None
    status: str = "succeeded"
    failure: str | None = None
    refunds: list[tuple[int, datetime, str]] = field(default_factory=list)
    disputed: bool = False
    period: tuple[datetime, datetime] | None = None
    proration: bool = False


@dataclass(slots=True)
class DoubleCharge:
    """A pair of charges that looks like one too many, with its true cause."""

    index: int
    payer: int
    cause: str
    first: int
    second: int
    owed: int


@dataclass(slots=True)
class Incident:
    """A bug or an outage that made many people write."""

    index: int
    kind: str
    domain: str
    title: str
    onset: datetime
    hours: float
    version: str
    key: str
    tickets: int
    problem: int | None = None


@dataclass(slots=True)
class Attachment:
    """A file of a comment."""

    name: str
    content_type: str
    size: int
    inline: bool = False


@dataclass(slots=True)
class StoryComment:
    """One comment: the words are made from `intent` and the ticket's facts."""

    intent: str
    public: bool = True
    text: str = ""
    words: int = 0
    quoted: bool = False
    attachments: list[Attachment] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """One update of a ticket: who, when, what was said, which fields changed.

    `actor` is ("person", index), ("agent", index) or ("system", "trigger" or "automation").
    """

    at: datetime
    actor: tuple[str, Any]
    channel: str
    said: StoryComment | None = None
    changes: dict[str, Any] = field(default_factory=dict)
    rule: str | None = None


@dataclass(slots=True)
class Ticket:
    """A ticket's true story, from which its rows and words are made."""

    key: int
    created: datetime
    person: int
    channel: str
    domain: str
    topic: str
    language: str
    facts: dict[str, str]
    number: int = 0
    incident: int | None = None
    steps: list[Step] = field(default_factory=list)
    subject: str = ""
    notes: dict[str, Any] = field(default_factory=dict)
