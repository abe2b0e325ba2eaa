"""What the sales story is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from seeds.kestrel.story.model import Firm, StoryPerson


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


@dataclass(frozen=True, slots=True)
class StageMove:
    """A deal came to a stage."""

    at: datetime
    stage: str


@dataclass(slots=True)
class Deal:
    """A sale that somebody works on, or worked on.

    `amount` is in cents of a euro; `lines` are codes of what is sold with count and price; `due` is
    the day that the seller expects, `closed` when it was decided.
    """

    index: int
    firm: Firm
    contact: StoryPerson | None
    owner: int
    name: str
    kind: str
    source: str | None
    created: datetime
    due: date
    moves: list[StageMove]
    lines: list[tuple[str, int, int]] = field(default_factory=list)
    amount: int | None = None
    closed: datetime | None = None
    next_step: str | None = None

    @property
    def stage(self) -> str:
        """Where it stands."""
        return self.moves[-1].stage


@dataclass(frozen=True, slots=True)
class SalesActivity:
    """Something that a seller did or means to do about a deal: a call, a mail, a visit."""

    deal: int
    owner: int
    subject: str
    kind: str
    created: datetime
    due: date
    done: datetime | None


@dataclass(frozen=True, slots=True)
class StoryLead:
    """Somebody who asked, or was put on a list, and is no customer yet."""

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
    owner: int
    created: datetime
    touched: datetime


@dataclass(frozen=True, slots=True)
class Sales:
    """The whole sales story."""

    sellers: list[Seller]
    deals: list[Deal]
    touches: list[SalesActivity]
    leads: list[StoryLead]
