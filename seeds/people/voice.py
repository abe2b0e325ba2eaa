"""The words of people: templates by act, tone and language, with slips of the keyboard.

The machine has decided what is said; here is only how. Every slot value occurs exactly once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from seeds.people.events import Act
from seeds.people.persona import Persona
from seeds.text.typos import misspell

PHRASES = Path(__file__).parent / "phrases"
LANGUAGES = ("en", "de", "fr", "es")
FIELD = re.compile(r"(\{[a-z]+\})")
# Notes among colleagues have neither greeting nor closing.
BARE = frozenset({"grant", "refuse", "ask_missing"})


class Unsayable(ValueError):
    """Raised when an act has no words, or a slot's value would not occur exactly once."""


def render(act: Act, persona: Persona, rng: Random) -> str:
    """Return the text of an act.

    Raises:
        Unsayable: the act has no words, or a value would not occur exactly once.
    """
    phrases = _phrases(persona.language)
    core = _core(act, persona, phrases, rng)
    text = core if act.name in BARE else _dressed(core, persona, phrases, rng)
    for _, value in act.slots:
        count = len(re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", text))
        if count != 1:
            raise Unsayable(f"{value!r} occurs {count} times in {text!r}")
    return text


def remark(act: Act, persona: Persona, rng: Random) -> str | None:
    """Return the words that go with a rating, None if it is given without."""
    if not act.topics:
        return None
    acts, matter = _phrases(persona.language)["acts"], dict(act.data).get("matter")
    ways = acts.get(f"{act.topics[0]}_{matter}") or acts[act.topics[0]]
    return misspell(rng.choice(ways.get(persona.tone) or ways["plain"]), persona.typo_rate, rng)


def topics_of(act: Act, language: str) -> str:
    """Return what an act is about, in words."""
    phrases = _phrases(language)
    join = phrases["joins"]["or" if act.name == "clarify" else "and"]
    return _joined([phrases["topics"][topic] for topic in act.topics], join)


def _core(act: Act, persona: Persona, phrases: dict[str, Any], rng: Random) -> str:
    if act.name == "reveal":
        told = [
            _filled(rng.choice(phrases["slots"][slot]), {"value": value}, persona, rng)
            for slot, value in act.slots
        ]
        return " ".join(told)
    matter = dict(act.data).get("matter")
    ways = phrases["acts"].get(f"{act.name}_{matter}") or phrases["acts"].get(act.name)
    if ways is None:
        raise Unsayable(f"{act.name} has no words in {persona.language}")
    template = rng.choice(ways.get(persona.tone) or ways["plain"])
    values = dict(act.slots)
    if "{value}" in template:
        values = {"value": act.slots[0][1]}
    if "{topics}" in template:
        values["topics"] = topics_of(act, persona.language)
    if "{reason}" in template:
        values["reason"] = phrases["reasons"][act.topics[0]]
    return _filled(template, values, persona, rng)


def _dressed(core: str, persona: Persona, phrases: dict[str, Any], rng: Random) -> str:
    """Add greeting, aside and closing in the person's tone."""
    tone = persona.tone
    slip = persona.typo_rate
    opener = misspell(rng.choice(phrases["openers"][tone]), slip, rng)
    closer = misspell(rng.choice(phrases["closers"][tone]), slip, rng)
    asides: Sequence[str] = phrases["asides"].get(tone, ())
    aside = misspell(rng.choice(asides), slip, rng) if asides else ""
    body = f"{core} {aside}".strip()
    if tone == "terse":
        return body
    return "\n\n".join(part for part in (opener, body, closer) if part)


def _filled(template: str, values: dict[str, str], persona: Persona, rng: Random) -> str:
    """Return a template with its values, slips in its own words only."""
    slips = persona.typo_rate if persona.kind in ("customer", "impostor") else 0.0
    pieces = []
    for piece in FIELD.split(template):
        if FIELD.fullmatch(piece):
            pieces.append(values[piece[1:-1]])
        else:
            pieces.append(misspell(piece, slips, rng))
    text = "".join(pieces)
    return text[:1].upper() + text[1:] if template.startswith("{topics}") else text


def _joined(words: list[str], last: str) -> str:
    return last.join(words) if len(words) < 3 else f"{', '.join(words[:-1])}{last}{words[-1]}"


@cache
def _phrases(language: str) -> dict[str, Any]:
    name = language if language in LANGUAGES else "en"
    return tomllib.loads((PHRASES / f"{name}.toml").read_text(encoding="utf-8"))
