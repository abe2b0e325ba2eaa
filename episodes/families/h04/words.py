"""What customers write about their machines, and what the macros say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from episodes.families.h04.guide import FAMILY_OF_MACROS, Matter
from seeds.kestrel.catalogue import MACHINES, Machine

ENDS: Final = ("until March 2026", "until April 2026", "until 31 May 2026", "until end of May 2026")


@cache
def bank() -> dict[str, Any]:
    """Return what is written in such mails and macros, by kind."""
    found: dict[str, Any] = json.loads(
        Path(__file__).with_name("bank.json").read_text(encoding="utf-8")
    )
    return found


def topics() -> tuple[str, ...]:
    """Return what macros can be about."""
    return tuple(bank()["topics"])


def machines() -> list[Machine]:
    """Return the models that customers ask about: those that are still made."""
    return [machine for machine in MACHINES if machine.last_year >= 2026]


@dataclass(frozen=True, slots=True)
class Told:
    """What a macro tells about one machine: a part and a number with its unit."""

    topic: str
    machine: str
    code: str
    number: int
    ends: str | None = None

    @property
    def unit(self) -> str:
        """The unit of the number."""
        return str(bank()["topics"][self.topic]["unit"])

    @property
    def title(self) -> str:
        """The title of the macro; one that no longer counts says until when it did."""
        end = f" ({self.ends})" if self.ends else ""
        return f"{FAMILY_OF_MACROS}::{self.topic}: {self.machine}{end}"

    @property
    def text(self) -> str:
        """The text of the macro."""
        told = str(bank()["topics"][self.topic]["macro"])
        told = told.format(machine=self.machine, code=self.code, number=self.number)
        return f"Hello,\n\nthank you for your message. {told}\n\nBest wishes, Kestrel support"


def tellings(topic: str, names: list[str], chance: Random) -> list[Told]:
    """Return what macros tell of a topic for machines, all parts and numbers different.

    The last is what was told of the first machine before.
    """
    about = bank()["topics"][topic]
    numbers = chance.sample(range(*about["range"]), len(names) + 1)
    codes = chance.sample(range(101, 989, 4), len(names) + 1)
    found = [
        Told(topic, name, f"{about['prefix']}-{code}", number)
        for name, number, code in zip([*names, names[0]], numbers, codes, strict=True)
    ]
    last = found[-1]
    return [*found[:-1], Told(topic, last.machine, last.code, last.number, chance.choice(ENDS))]


def serial_of(machine: Machine, chance: Random) -> str:
    """Return a number as it stands on a machine's plate."""
    return f"{machine.code}-{chance.randrange(2101, 2623)}-{chance.randrange(100, 9999):04d}"


@dataclass(frozen=True, slots=True)
class Mail:
    """The first message of a ticket."""

    subject: str
    body: str


def mail(kind: str, machine: str, serial: str, name: str, chance: Random) -> Mail:
    """Return a mail about a topic of macros, a matter, or something `unknown`."""
    texts = bank()
    about = texts["topics"].get(kind) or texts["matters"].get(kind) or texts[kind]
    asked = chance.choice(about["asks"]).format(machine=machine)
    plate = chance.choice(texts["plates"]).format(serial=serial)
    parts = [
        chance.choice(texts["openers"]),
        f"{asked} {plate}",
        f"{chance.choice(texts['closers'])}\n{name}",
    ]
    return Mail(chance.choice(about["subjects"]), "\n\n".join(parts))


def addition(matter: Matter, chance: Random) -> str:
    """Return what a second mail adds, which is not tier 1's to answer."""
    return str(chance.choice(bank()["matters"][matter]["adds"]))


def one_of(kind: str, chance: Random, **filled: str) -> str:
    """Return one of the bank's texts of a kind, filled in."""
    return str(chance.choice(bank()[kind]).format(**filled))
