"""The words of sales: subjects and notes, made of the facts of what they are about."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from seeds.kestrel.catalogue import MACHINES
from seeds.kestrel.sales.model import Market
from seeds.kestrel.story.model import Firm, StoryPerson
from seeds.text.bank import expand, parse

FILE = Path(__file__).with_name("words.toml")
TRIES = 6


@cache
def patterns(name: str) -> tuple[str, ...]:
    """Return the patterns of a bank.

    Raises:
        KeyError: there is no such bank.
    """
    return tuple(_banks()[name])


@cache
def _banks() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _works(segment: str) -> tuple[str, ...]:
    return tuple(_banks()["works"][segment])


@dataclass(slots=True)
class SalesWriter:
    """Writes about one firm, or about a lead whose firm nobody knows: `facts` fill the slots."""

    rng: Random
    facts: dict[str, str]
    used: set[str] = field(default_factory=set)

    @classmethod
    def about(
        cls, rng: Random, firm: Firm | None, market: Market, *, machine: str, name: str = ""
    ) -> SalesWriter:
        """Return a writer about a firm and a machine; `name` is the firm's where it has no record.

        Each writer has one material, one rival and one kind of work in mind, as a deal has.
        """
        segment = firm.segment if firm is not None else "workshop"
        return cls(
            rng,
            {
                "firm": firm.name if firm is not None else name,
                "city": firm.city if firm is not None else "town",
                "machine": machine or rng.choice(MACHINES[2:]).name,
                "material": rng.choice(patterns("materials")),
                "thickness": rng.choice(patterns("thicknesses")),
                "rival": rng.choice(market.rivals).split()[0],
                "work": rng.choice(_works(segment)),
            },
        )

    def with_people(self, people: list[StoryPerson], person: StoryPerson | None) -> None:
        """Have it speak of somebody, and of somebody else who takes part, if there are any."""
        self.facts.pop("given", None)
        self.facts.pop("other", None)
        if person is not None and person.given:
            self.facts["given"] = person.given
        others = [one.given for one in people if one is not person and one.given]
        if others:
            self.facts["other"] = self.rng.choice(others)

    def line(self, bank: str) -> str:
        """Return one line of a bank: one whose slots the record can fill."""
        known = patterns(bank)
        for _ in range(TRIES):
            found = expand(parse(self.rng.choice(known)), self.rng, self.facts.get)
            if found is not None:
                return found
        return next(one for one in known if "{" not in one and "[" not in one)

    def note(self, bank: str, count: int) -> str:
        """Return a note of some sentences, none of which this writer has used before."""
        found: list[str] = []
        known = patterns(bank)
        for _ in range(count * 2):
            text = self.rng.choice(known)
            if text in self.used or len(found) == count:
                continue
            sentence = expand(parse(text), self.rng, self.facts.get)
            if sentence is not None:
                self.used.add(text)
                found.append(sentence)
        return " ".join(found)
