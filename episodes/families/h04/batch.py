"""The tickets of an instance before they are planted: what each asks, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

from episodes.families.h04 import words
from episodes.families.h04.guide import LINES, Matter
from episodes.families.h04.pace import Way
from episodes.families.h04.params import WORK, Params
from episodes.families.h04.words import Told

Priority = Literal["urgent", "high", "normal", "low"]
Level = tuple[Priority, bool]

PRIORITIES: Final[tuple[Priority, ...]] = ("urgent", "high", "normal", "low")
# First replies in minutes: of business hours where no plan is, else of the calendar.
STANDARD: Final[Mapping[Priority, int]] = {"urgent": 60, "high": 180, "normal": 480, "low": 1200}
PLAN: Final[Mapping[Priority, int]] = {"urgent": 60, "high": 120, "normal": 300, "low": 600}
WAIT: Final[Mapping[Priority, int]] = {"urgent": 240, "high": 480, "normal": 960, "low": 1920}
# How customers and colleagues go on in a ticket.
Later = Literal["correction", "called", "addition", "chase"]
Reason = Literal["matter", "added", "other"]
REASONS: Final[tuple[Reason, ...]] = ("matter", "added", "other")


@dataclass(frozen=True, slots=True)
class Case:
    """One ticket to be: what its mail asks of which machine, and what comes after.

    `kind` is a topic of macros, a matter or `unknown`; `said` the machine that the mail names,
    `machine` the true one. `told` is what its macro tells, None where it is handed over to `group`.
    """

    kind: str
    machine: str
    said: str
    serial: str
    told: Told | None = None
    wrong: tuple[Told, ...] = ()
    group: str | None = None
    later: Later | None = None
    added: Matter | None = None

    @property
    def way(self) -> Way:
        """What becomes of it."""
        return "answer" if self.told is not None else "hand_over"


@dataclass(slots=True)
class Batch:
    """The six in the order in which they are due, each one's level, and all that macros tell."""

    cases: list[Case] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    macros: list[Told] = field(default_factory=list)


def compose(params: Params, chance: Random, elapsed: Callable[[Level], float]) -> Batch:
    """Return the batch of an instance.

    `elapsed` tells how long ago, for a level, a ticket came in that is due now.
    """
    batch = Batch()
    topics = iter(chance.sample(words.topics(), len(words.topics())))
    cases = [
        _handed_over(reason, params, next(topics), batch, chance)
        for reason in chance.sample(REASONS, params.handed_over)
    ]
    later: list[Later | None] = ["correction", "called", "chase"]
    later += [None] * WORK
    cases += [
        _answered(next(topics), how, batch, chance) for how in later[: WORK - params.handed_over]
    ]
    chance.shuffle(cases)
    batch.cases = cases
    batch.levels = _levels(params, chance, elapsed)
    return batch


def _levels(params: Params, chance: Random, elapsed: Callable[[Level], float]) -> list[Level]:
    """Return priority and plan of each, in the order of their breach.

    The lowest priority comes first, or the youngest ticket.
    """
    count = params.round_the_clock
    found = [(priority, True) for priority in chance.sample(PRIORITIES, count)]
    found += [(priority, False) for priority in chance.sample(PRIORITIES, WORK - count)]
    chance.shuffle(found)
    if params.order == "priority":
        return sorted(found, key=lambda level: -PRIORITIES.index(level[0]))
    return sorted(found, key=elapsed)


def _machine(chance: Random) -> tuple[str, str, str]:
    """Return a machine, another one, and the serial number of the first."""
    one, other = chance.sample(words.machines(), 2)
    return one.name, other.name, words.serial_of(one, chance)


def _answered(topic: str, later: Later | None, batch: Batch, chance: Random) -> Case:
    """Return a ticket that a macro answers, with that macro and those beside it."""
    machine, other, serial = _machine(chance)
    told = words.tellings(topic, [machine, other], chance)
    batch.macros += told
    said = other if later in ("correction", "called") else machine
    return Case(topic, machine, said, serial, told=told[0], wrong=tuple(told[1:]), later=later)


def _handed_over(reason: Reason, params: Params, topic: str, batch: Batch, chance: Random) -> Case:
    """Return a ticket that tier 1 does not answer, and for what reason."""
    machine, other, serial = _machine(chance)
    matter: Matter = chance.choice(list(LINES))
    if reason == "matter":
        return Case(matter, machine, machine, serial, group=params.rules.group(matter))
    if reason == "added":
        batch.macros += words.tellings(topic, [machine, other], chance)
        group = params.rules.group(matter)
        return Case(topic, machine, machine, serial, group=group, later="addition", added=matter)
    group = params.rules.group(None)
    if chance.random() < 0.5:
        return Case("unknown", machine, machine, serial, group=group)
    batch.macros += words.tellings(topic, [other], chance)
    return Case(topic, machine, machine, serial, group=group)
