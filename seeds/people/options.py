"""Which of the answers that come into question a text names: by word, or as a day however put."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from seeds.people.extraction import Extracted
from seeds.people.understanding import plain

ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def named_options(options: Iterable[Sequence[str]], said: str, facts: Extracted) -> tuple[int, ...]:
    """Return the places of the options that a text names; each is given by the ways to name it."""
    return tuple(place for place, ways in enumerate(options) if is_named(ways, said, facts))


def is_named(ways: Iterable[str], said: str, facts: Extracted) -> bool:
    """Tell whether a text names something in one of the ways. Days are given in ISO form."""
    words = _bare(said)
    return any(
        any(mention.matches(date.fromisoformat(way)) for mention in facts.days)
        if ISO_DAY.fullmatch(way)
        else f" {_bare(way).strip()} " in words
        for way in ways
    )


def _bare(text: str) -> str:
    """Return the words of a text with one space around each: case and points aside."""
    words = " ".join(re.findall(r"[^\W_]+", plain(text)))
    return f" {words} "
