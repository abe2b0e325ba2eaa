"""The records of the engineering story. Nothing here knows a tracker's tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


@dataclass(slots=True)
class Engineer:
    """Somebody, or some app, with a place on the tracker. `space` is where most of the work is.

    `kind` is atlassian, app or customer: colleagues elsewhere, who only ask the IT desk. `listed`
    is the role under which an account is handed out, if any.
    """

    index: int
    given: str
    family: str
    email: str | None
    space: str
    title: str
    weight: float
    since: datetime
    zone: str = "Europe/London"
    left_at: datetime | None = None
    kind: str = "atlassian"
    listed: str | None = None

    @property
    def name(self) -> str:
        """The display name."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Area:
    """A component of a space: what it is called, and what breaks there and is wished for."""

    name: str
    things: tuple[str, ...]
    symptoms: tuple[str, ...]
    wishes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the tracker; `share` is its part of all work, `inflated` that all is urgent.

    `review` says whether its workflow has a step for that, `levels` are its priorities from the
    lowest, `secret` the share of its work that not everybody sees, `fate` archived or trashed.
    """

    key: str
    name: str
    type: str
    way: str
    share: float
    lead: str
    versions: str
    areas: tuple[Area, ...]
    inflated: bool = False
    review: bool = False
    levels: tuple[str, ...] = ("Lowest", "Low", "Medium", "High", "Highest")
    secret: float = 0.0
    fate: str = ""

    def level(self, name: str) -> str:
        """Return a priority that the space has: the nearest one to `name`."""
        if name in self.levels:
            return name
        return self.levels[0] if name in ("Lowest", "Low") else self.levels[-1]


@dataclass(slots=True)
class Release:
    """A version: one that was never released although its day has passed has no `released`."""

    space: str
    name: str
    start: date
    due: date
    released: date | None
    archived: bool = False


@dataclass(slots=True)
class Iteration:
    """A sprint: `work` are those in it at its end, `committed` those at its start."""

    index: int
    space: str
    name: str
    goal: str
    start: datetime
    end: datetime
    completed: datetime | None
    state: str
    committed: list[int] = field(default_factory=list)
    work: list[int] = field(default_factory=list)


@dataclass(slots=True)
class WorkComment:
    """A comment: `blocks` are paragraphs, code (`("code", language, text)`), lists, quotes."""

    blocks: list[Any]
    public: bool = True


@dataclass(slots=True)
class Move:
    """One update of a piece of work: fields with their new values, and what was said or logged.

    `actor` is an engineer's index. Fields are the story's own: status, assignee, priority,
    resolution, sprints, release, summary, points, flag, space.
    """

    at: datetime
    actor: int
    changes: dict[str, Any] = field(default_factory=dict)
    said: WorkComment | None = None
    spent: int = 0


@dataclass(slots=True)
class RequestDetails:
    """What makes a piece of work a request: its form, the way it came, and what became of it.

    `rating` is when, from 1 to 5, and with which words.
    """

    form: str
    channel: str
    participants: tuple[int, ...] = ()
    rating: tuple[datetime, int, str] | None = None


@dataclass(slots=True)
class Work:
    """A piece of work. `start` are its fields when it was made; `moves` what came after.

    `space` and `number` are those of today, `former` those that it had before it was moved.
    """

    index: int
    space: str
    type: str
    created: datetime
    reporter: int
    start: dict[str, Any]
    summary: str
    blocks: list[Any]
    number: int = 0
    parent: int | None = None
    incident: int | None = None
    tickets: tuple[int, ...] = ()
    moves: list[Move] = field(default_factory=list)
    watchers: tuple[int, ...] = ()
    votes: tuple[int, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    asked: RequestDetails | None = None
    former: tuple[str, int] | None = None

    def at_the_end(self, name: str) -> Any:
        """Return a field's present value."""
        for move in reversed(self.moves):
            if name in move.changes:
                return move.changes[name]
        return self.start.get(name)

    @property
    def updated(self) -> datetime:
        """When it last changed."""
        return self.moves[-1].at if self.moves else self.created


@dataclass(frozen=True, slots=True)
class Tie:
    """A link between two pieces of work: what `source` does to `target`, in the type's name."""

    kind: str
    source: int
    target: int
    at: datetime


@dataclass(slots=True)
class Engineering:
    """The whole engineering story."""

    spaces: tuple[Space, ...]
    engineers: list[Engineer]
    releases: list[Release]
    iterations: list[Iteration]
    work: list[Work]
    ties: list[Tie]
