"""The words of engineering's work: titles, descriptions, comments, made of the facts of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from seeds.draw import chance
from seeds.kestrel.engineering.model import Area, WorkComment
from seeds.kestrel.story.people import slug

FILE = Path(__file__).with_name("words.toml")
TITLES = {
    "Bug": "bug_title",
    "Story": "story_title",
    "Task": "task_title",
    "Sub-task": "subtask_title",
    "Epic": "epic_title",
}


def mark(index: int) -> str:
    """Return what stands in a text for the key of a piece of work, as long as that has none."""
    return f"[[{index}]]"


@cache
def bank(name: str) -> tuple[str, ...]:
    """Return the sentences of a bank.

    Raises:
        KeyError: there is no such bank.
    """
    return tuple(_banks()[name])


@cache
def _banks() -> dict[str, list[str]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@dataclass(slots=True)
class WorkWriter:
    """Writes about one piece of work: `facts` fill the places of the banks' sentences."""

    rng: Random
    facts: dict[str, str]
    used: set[str] = field(default_factory=set)

    @classmethod
    def about(cls, rng: Random, area: Area, facts: dict[str, str]) -> WorkWriter:
        """Return a writer about something in an area."""
        given = {
            "area": area.name,
            "thing": rng.choice(area.things),
            "symptom": rng.choice(area.symptoms),
            "wish": rng.choice(area.wishes),
            "machine": rng.choice(bank("machine")),
            "os": rng.choice(bank("os")),
            "firmware": rng.choice(bank("firmware")),
            **facts,
        }
        return cls(rng, given)

    def line(self, name: str) -> str:
        """Return a sentence of a bank, filled."""
        return self.fill(self.rng.choice(bank(name)))

    def fill(self, text: str) -> str:
        """Return a text with its places filled."""
        rng = self.rng
        facts = {
            **self.facts,
            "number": str(rng.choice((2, 3, 4, 5, 6, 8, 12, 15, 20, 40, 110, 731, 1204, 2291))),
            "line": str(rng.randrange(12, 900)),
            "column": str(rng.randrange(3, 80)),
            "slug": slug(self.facts["thing"])[:24],
            "hash": f"{rng.getrandbits(28):07x}",
            "pr": str(rng.randrange(180, 4900)),
            "build": f"{rng.randrange(20, 31)}{rng.randrange(1000, 9999)}",
            "percent": str(rng.randrange(10, 96)),
            "file": f"{rng.choice(bank('file'))}{rng.choice(bank('suffix'))}",
        }
        for name in ("module", "function", "statement", "error", "reason"):
            if f"{{{name}}}" in text:
                facts[name] = rng.choice(bank(name))
        return text.format(**facts)

    def title(self, kind: str) -> str:
        """Return the title of a piece of work, capital first, at most 200 characters long."""
        text = self.line(TITLES.get(kind, "task_title"))[:200]
        return text[0].upper() + text[1:]

    def trace(self) -> tuple[str, str, str]:
        """Return a block of code: what a program said when it failed."""
        return ("code", "", self.fill(self.rng.choice(bank("trace"))))

    def description(self, kind: str) -> list[Any]:
        """Return the blocks of a description; some have none."""
        if chance(self.rng, 0.075):
            return []
        if kind == "Bug":
            return self._bug()
        if kind in ("Story", "Epic"):
            return self._story()
        return self._paragraphs("task_body", 1, 3)

    def _paragraphs(self, name: str, least: int, most: int) -> list[Any]:
        count = min(self.rng.randint(least, most), len(bank(name)))
        lines = [self.fill(text) for text in self.rng.sample(bank(name), count)]
        if chance(self.rng, 0.5):
            return [" ".join(lines)]
        return list(lines)

    def _bug(self) -> list[Any]:
        rng = self.rng
        found = self._paragraphs("bug_opening", 1, 2)
        if chance(rng, 0.45):
            steps = [self.fill(text) for text in rng.sample(bank("step"), rng.randint(2, 5))]
            found += [("heading", "Steps to reproduce"), ("numbers", steps)]
            found += [("heading", "Expected"), self.line("expected")]
            found += [("heading", "Actual"), self.line("actual")]
        if chance(rng, 0.3):
            found.append(self.trace())
        found += self._paragraphs("detail", 0, 3) if chance(rng, 0.7) else []
        return [block for block in found if block]

    def _story(self) -> list[Any]:
        rng = self.rng
        found = self._paragraphs("story_body", 1, 4)
        if chance(rng, 0.4):
            items = [self.fill(text) for text in rng.sample(bank("criterion"), rng.randint(2, 5))]
            found += [("heading", "Acceptance criteria"), ("bullets", items)]
        return found

    def comment(self, name: str) -> WorkComment:
        """Return a comment of one or two sentences of a bank, now and then with a trace."""
        rng = self.rng
        fresh = [text for text in bank(name) if text not in self.used] or list(bank(name))
        chosen = rng.sample(fresh, min(rng.choice((1, 1, 1, 2)), len(fresh)))
        if sum("{key}" in text for text in chosen) > 1:
            chosen.pop()
        # Nobody says the same twice about one thing.
        self.used |= set(chosen)
        blocks: list[Any] = [" ".join(self.fill(text) for text in chosen)]
        if name in ("bug_open", "bug_doing") and chance(rng, 0.09):
            blocks.append(self.trace())
        return WorkComment(blocks)
