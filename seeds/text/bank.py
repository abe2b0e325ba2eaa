"""The bank of sentence patterns, and the expander that makes sentences of them.

A bank file has sections `== role`; each further line is a pattern: `[a|b]` picks one, `{slot}` is
filled from the record's facts or a pool, a prefix `@topic,flag:` limits a pattern to records of
that topic or with that flag, and a prefix `%5` makes it five times as likely. A pattern whose slots
the record cannot fill is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "bank"
PREFIX = re.compile(r"^@([a-z_0-9,.]+): ")
ARTICLE = re.compile(r"\b([Aa]) (?=(?!one|uni|use|euro)[aeio]|(?!One|Uni|Use|Euro)[AEIO][a-z])")
WEIGHT = re.compile(r"^%(\d) ")
SLOT = re.compile(r"\{([a-z0-9_]+)\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of the bank: `only` are the topics or flags it is for, empty for all."""

    text: str
    only: frozenset[str]


@cache
def sections(name: str) -> dict[str, tuple[Pattern, ...]]:
    """Return the patterns of a bank file (`en/login`) by role."""
    found: dict[str, list[Pattern]] = {}
    role = ""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            role = line[3:].strip()
            found[role] = []
        elif line.strip():
            weight = WEIGHT.match(line)
            count = int(weight.group(1)) if weight else 1
            found[role].extend([parse(line[weight.end() :] if weight else line)] * count)
    return {key: tuple(patterns) for key, patterns in found.items()}


def parse(line: str) -> Pattern:
    """Return the pattern of a bank line."""
    prefix = PREFIX.match(line)
    only = frozenset(prefix.group(1).split(",")) if prefix else frozenset()
    text = line[prefix.end() :] if prefix else line
    return Pattern(text, only)


@cache
def fitting(
    name: str, role: str, tags: frozenset[str], *, exclusive: bool = False
) -> tuple[Pattern, ...]:
    """Return the patterns of a role that suit a record; `exclusive` takes only limited ones."""
    patterns = sections(name).get(role, ())
    return tuple(
        pattern
        for pattern in patterns
        if (pattern.only & tags) or (not pattern.only and not exclusive)
    )


def expand(pattern: Pattern, rng: Random, fill: Callable[[str], str | None]) -> str | None:
    """Return the sentence of a pattern, or None if a slot has no value."""
    text = pattern.text
    while "[" in text:
        changed = CHOICE.sub(lambda found: rng.choice(found.group(1).split("|")), text)
        if changed == text:
            break
        text = changed
    values: dict[str, str] = {}
    for slot in SLOT.findall(text):
        value = fill(slot)
        if not value:
            return None
        values.setdefault(slot, value)
    text = SLOT.sub(lambda found: values[found.group(1)], text).replace(" ,", ",")
    return ARTICLE.sub(r"\1n ", text)


@cache
def cases(domain: str) -> dict[str, tuple[str, ...]]:
    """Return what can lie behind the topics of a domain: case keys by topic."""
    found: dict[str, tuple[str, ...]] = {}
    for pattern in sections(f"en/{domain}")["cases"]:
        topic = pattern.text.split(".")[0]
        found[topic] = (*found.get(topic, ()), pattern.text)
    return found


def pick(
    patterns: Iterable[Pattern], rng: Random, fill: Callable[[str], str | None], used: set[str]
) -> str | None:
    """Return a sentence of one of the patterns that was not used yet, or None if there is none."""
    rest = [pattern for pattern in patterns if pattern.text not in used]
    for _ in range(6):
        if not rest:
            return None
        pattern = rest.pop(rng.randrange(len(rest)))
        sentence = expand(pattern, rng, fill)
        if sentence:
            used.add(pattern.text)
            return sentence
    return None
