"""Who a simulated person is: parameters drawn once, and what they know about a matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any, Literal

from seeds.draw import lognormal
from seeds.people.satisfaction import BIAS_LIMIT

Kind = Literal["customer", "colleague", "approver", "impostor"]
Tone = Literal["warm", "plain", "terse", "angry", "rambling", "formal"]
Truthfulness = Literal["honest", "mistaken", "exaggerates", "impostor"]
Precision = Literal["all", "asked", "half"]
Reopen = Literal["failed_check", "wrong_fact", "silence"]
Slot = Literal[
    "charge", "order", "card", "date", "identity", "contact", "amount", "seat", "address"
]

TONES: tuple[Tone, ...] = ("warm", "plain", "terse", "angry", "rambling", "formal")
REOPENS: frozenset[Reopen] = frozenset({"failed_check", "wrong_fact", "silence"})

# Patience in business hours: five working days of eight hours at most.
PATIENCE_RANGE = (timedelta(hours=2), timedelta(hours=40))
PATIENCE_MEDIAN = {
    "urgent": timedelta(hours=4),
    "high": timedelta(hours=8),
    "normal": timedelta(hours=16),
    "low": timedelta(hours=24),
}
REPLY_MEDIAN = {
    "chat": timedelta(minutes=20),
    "mail": timedelta(hours=3),
    "approver": timedelta(days=1),
}
TYPO_CEILING = 0.06


@dataclass(frozen=True, slots=True)
class WorldCheck:
    """Something a person looks at before they are content, and how long after being told."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Authority:
    """What a person's yes can do: `limit` in minor units, None for any sum."""

    kind: Literal["none", "approver", "admin"] = "none"
    limit: int | None = None

    def covers(self, amount: int) -> bool:
        """Tell whether a yes to this sum counts."""
        return self.kind == "admin" or (
            self.kind == "approver" and (self.limit is None or amount <= self.limit)
        )


@dataclass(frozen=True, slots=True)
class Persona:
    """The parameters of one person.

    `patience` is τ in business hours of `zone`; `reply_median` the median time to answer;
    `mistaken_about` the slot whose first answer is wrong, for the mistaken and those who
    exaggerate; `bias` the person's own share of satisfaction.
    """

    kind: Kind = "customer"
    patience: timedelta = PATIENCE_MEDIAN["normal"]
    reply_median: timedelta = REPLY_MEDIAN["mail"]
    tone: Tone = "plain"
    typo_rate: float = 0.0
    language: str = "en"
    truthfulness: Truthfulness = "honest"
    mistaken_about: Slot | None = None
    precision: Precision = "asked"
    checks: tuple[WorldCheck, ...] = ()
    authority: Authority = Authority()
    reopen: frozenset[Reopen] = REOPENS
    zone: str = "UTC"
    bias: float = 0.0


@dataclass(frozen=True, slots=True)
class Owed:
    """What is owed to a person: so many minor units back on a charge."""

    charge: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a person asked to have changed: the ways to name it, and the value it should have.

    A day among them is written in ISO form and known however it is put.
    """

    names: tuple[str, ...]
    value: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChargeFact:
    """What a charge was, as somebody at the desk can look it up; sums in minor units."""

    amount: int
    refunded: int
    currency: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a person knows of one matter.

    `own` are the true values of slots they can answer, `first` what they say instead at first;
    `owed` what they should get; `causes` the explanations that are true, any if None; `settles`
    whether a true explanation is all they can get; `ids` the identifiers that are theirs (a text
    that names others is not meant for them; none known: nothing is suspected); `charges` what
    charges named to them were. `options` are, per slot, the answers that come into question, each
    in the ways it may be named; `on_record` the slots that the desk can look up, so that asking is
    a bother; `change` what they asked to have changed.
    """

    own: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    owed: Owed | None = None
    causes: frozenset[str] | None = None
    settles: bool = False
    ids: frozenset[str] = frozenset()
    charges: Mapping[str, ChargeFact] = field(default_factory=dict)
    options: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    on_record: frozenset[str] = frozenset()
    change: Change | None = None

    def accepts(self, causes: tuple[str, ...]) -> bool:
        """Tell whether an explanation is given and no untrue one among it."""
        return bool(causes) and (self.causes is None or set(causes) <= self.causes)


def draw_patience(rng: Random, priority: str | None = None) -> timedelta:
    """Draw τ, log-normal by priority within its range."""
    median = PATIENCE_MEDIAN[priority or "normal"]
    seconds = lognormal(rng, median.total_seconds(), 0.5)
    low, high = (bound.total_seconds() for bound in PATIENCE_RANGE)
    return timedelta(seconds=round(min(max(seconds, low), high)))


def draw_customer(
    rng: Random,
    *,
    tone: Tone,
    checks: tuple[WorldCheck, ...] = (),
    priority: str | None = None,
    channel: Literal["chat", "mail"] = "mail",
    language: str = "en",
    zone: str = "UTC",
) -> Persona:
    """Draw a customer of a given tone."""
    return Persona(
        kind="customer",
        patience=draw_patience(rng, priority),
        reply_median=REPLY_MEDIAN[channel],
        tone=tone,
        typo_rate=0.0 if tone == "formal" else round(rng.uniform(0.0, TYPO_CEILING), 4),
        language=language,
        precision=rng.choice(("all", "asked", "half")),
        checks=checks,
        zone=zone,
        bias=round(rng.uniform(-BIAS_LIMIT, BIAS_LIMIT), 4),
    )


def draw_approver(
    rng: Random, *, limit: int | None, language: str = "en", zone: str = "UTC"
) -> Persona:
    """Draw somebody whose yes counts up to `limit` minor units, or to any sum."""
    return Persona(
        kind="approver",
        reply_median=REPLY_MEDIAN["approver"],
        tone=rng.choice(("plain", "terse", "warm")),
        typo_rate=round(rng.uniform(0.0, TYPO_CEILING / 3), 4),
        language=language,
        authority=Authority("approver", limit),
        zone=zone,
    )
