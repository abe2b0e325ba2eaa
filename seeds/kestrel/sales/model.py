"""What the sales story is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.story.model import Firm, StoryPerson, Ticket, Unit

WON, LOST = "Closed Won", "Closed Lost"


@dataclass(slots=True)
class Seller:
    """Somebody with a seat in the CRM; `profile` is what they may do there."""

    index: int
    given: str
    family: str
    email: str
    title: str
    region: str
    zone: str
    since: datetime
    left_at: datetime | None = None
    profile: str = "Standard User"
    manager: int | None = None
    listed: str | None = None

    @property
    def name(self) -> str:
        """The seller's name."""
        return f"{self.given} {self.family}"

    def was_there(self, at: datetime) -> bool:
        """Tell whether they had their seat then."""
        return self.since <= at and (self.left_at is None or self.left_at > at)


@dataclass(frozen=True, slots=True)
class StageMove:
    """What a deal was from a moment on: its stage, its day, its sum in cents of a euro."""

    at: datetime
    stage: str
    due: date
    amount: int | None


@dataclass(slots=True)
class Deal:
    """A sale that somebody works on, or worked on.

    `amount` is in cents of a euro; `lines` are codes of what is sold with count and price; `due` is
    the day that the seller expects, `closed` when it was decided. `contacts` are the people of the
    firm who take part, with their roles, the first one being who is talked to. `units` are the
    machines that were sold by it.
    """

    index: int
    firm: Firm
    contacts: list[tuple[StoryPerson, str | None]]
    owner: int
    name: str
    machine: str
    kind: str
    source: str | None
    created: datetime
    due: date
    moves: list[StageMove] = field(default_factory=list)
    lines: list[tuple[str, int, int]] = field(default_factory=list)
    amount: int | None = None
    closed: datetime | None = None
    next_step: str | None = None
    pushes: int = 0
    loss: str | None = None
    competitor: int | None = None
    campaign: int | None = None
    units: list[Unit] = field(default_factory=list)

    @property
    def stage(self) -> str:
        """Where it stands."""
        return self.moves[-1].stage

    @property
    def is_won(self) -> bool:
        """Whether it was won."""
        return self.stage == WON

    @property
    def contact(self) -> StoryPerson | None:
        """Whom the seller talks to."""
        return self.contacts[0][0] if self.contacts else None


@dataclass(frozen=True, slots=True)
class SalesActivity:
    """Something that a seller did or means to do: a call, a mail, a task, a meeting.

    It is about a deal, a lead or a firm, by their indexes. `at` is when it was noted, `done` when
    it was over, None for what lies ahead; `starts` and `minutes` are a meeting's.
    """

    kind: str
    subject: str
    text: str | None
    owner: int
    at: datetime
    due: date | None
    done: datetime | None
    deal: int | None = None
    lead: int | None = None
    firm: int | None = None
    person: StoryPerson | None = None
    urgent: bool = False
    inbound: bool = False
    minutes: int = 0
    starts: datetime | None = None
    place: str | None = None
    result: str | None = None


@dataclass(slots=True)
class StoryLead:
    """Somebody who asked, or was put on a list.

    `deal` is what became of it, `twin` the lead that it repeats, `person` the contact that it is
    already, `repeats` how it differs from what it repeats. An `owner` of None is the queue.
    """

    index: int
    given: str | None
    family: str
    company: str
    title: str | None
    email: str | None
    phone: str | None
    country: str | None
    city: str | None
    source: str | None
    status: str
    rating: str | None
    owner: int | None
    created: datetime
    touched: datetime
    interest: str | None = None
    campaign: int | None = None
    deal: int | None = None
    twin: int | None = None
    person: int | None = None
    repeats: str | None = None
    junk: bool = False


@dataclass(frozen=True, slots=True)
class CampaignMove:
    """Somebody in a campaign: a lead or a person, how far they came, and when."""

    campaign: int
    at: datetime
    status: str
    responded: datetime | None
    lead: int | None = None
    person: StoryPerson | None = None


@dataclass(slots=True)
class SalesCampaign:
    """A fair, a mailing, a school programme; sums are whole euros."""

    index: int
    name: str
    kind: str
    starts: date
    ends: date
    created: datetime
    owner: int
    budget: int
    cost: int | None
    sent: int
    text: str
    statuses: tuple[tuple[str, bool], ...]
    parent: int | None = None
    members: list[CampaignMove] = field(default_factory=list)

    @property
    def status(self) -> str:
        """How far it is: what is over, what runs, what is planned."""
        today = PRESENT.date()
        if self.starts > today:
            return "Planned"
        return "Completed" if self.ends < today else "In Progress"


@dataclass(slots=True)
class ServiceCase:
    """A ticket of the helpdesk that sales follows too: `named` is the number that it is known by.

    `named` is None where nobody wrote it down, and another ticket's where they did so wrongly.
    """

    ticket: Ticket
    person: StoryPerson
    created: datetime
    status: str
    closed: datetime | None
    named: int | None
    unit: Unit | None
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Market:
    """Whom sales knows: firms of the story and others, and the people in them.

    `firms` and `people` are by index, `staff` by that of the firm; `rivals` are names of those who
    compete.
    """

    firms: dict[int, Firm]
    people: dict[int, StoryPerson]
    prospects: list[Firm]
    rivals: list[str]
    staff: dict[int, list[StoryPerson]]


@dataclass(frozen=True, slots=True)
class Sales:
    """The whole sales story."""

    sellers: list[Seller]
    market: Market
    deals: list[Deal]
    touches: list[SalesActivity]
    leads: list[StoryLead]
    campaigns: list[SalesCampaign]
    cases: list[ServiceCase]
