"""What happens to a person, and what they decide to do: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from seeds.people.understanding import Reading

Mood = Literal[
    "waiting",
    "reading",
    "content",
    "asked",
    "doubting",
    "angry",
    "escalated",
    "gone",
    "trying",
]
TimerKind = Literal["nudge", "check", "promise"]
Pace = Literal["reply", "at_once"]
ActName = Literal[
    "nudge",
    "ask_manager",
    "flag",
    "reveal",
    "dont_know",
    "clarify",
    "thank",
    "settled",
    "reopen",
    "dispute",
    "disagree",
    "ask_reason",
    "promise_broken",
    "rate",
    "grant",
    "refuse",
    "ask_missing",
    "false_identity",
    "insist",
    "give_up",
]


@dataclass(frozen=True, slots=True)
class Message:
    """Somebody else said something where the person can read it.

    `digest` names the text, so that a repetition is known; `public` is False for notes among
    colleagues; `said` is the text itself, for names that only this person knows.
    """

    at: datetime
    reading: Reading
    digest: str
    public: bool = True
    said: str = ""


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """Somebody else moved the person's ticket."""

    at: datetime
    status: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The person looked: what the check named `name` says."""

    at: datetime
    name: str
    holds: bool


@dataclass(frozen=True, slots=True)
class FactCame:
    """The world changed where a check of the person looks (money, a parcel, a version)."""

    at: datetime
    name: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A time the person set themselves has come."""

    at: datetime
    kind: Literal["nudge", "promise"]


@dataclass(frozen=True, slots=True)
class Spoke:
    """The person has now written what they decided to."""

    at: datetime
    act: ActName


@dataclass(frozen=True, slots=True)
class SurveyOffered:
    """The person was asked for a rating."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Merged:
    """The person's thread went into another one."""

    at: datetime


@dataclass(frozen=True, slots=True)
class OtherActed:
    """Another person wrote, bought or moved something nearby."""

    at: datetime


Event = (
    Message
    | StatusChanged
    | Checked
    | FactCame
    | TimerFired
    | Spoke
    | SurveyOffered
    | Merged
    | OtherActed
)


@dataclass(frozen=True, slots=True)
class Act:
    """Something to do: at once, or when the person gets round to answering.

    `slots` are values that the text must hold, each exactly once; `topics` what it speaks about
    (for a rating, the act whose words go with it); `data` what is written besides the text.
    """

    name: ActName
    slots: tuple[tuple[str, str], ...] = ()
    topics: tuple[str, ...] = ()
    pace: Pace = "reply"
    data: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Timer:
    """A time to set: `after` from now, in business hours if `business`; None takes it back.

    `name` tells checks apart.
    """

    kind: TimerKind
    after: timedelta | None
    business: bool = False
    name: str = ""
