"""The lexicon's training list and the phrasings kept apart from it, read from their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seeds.people.understanding import HINT, LEXICON, SLOTS_FOR, Audience, plain

KEPT = Path(__file__).parent / "data"
# Values in several formats and currencies; each phrasing is tried with one of them, in turn.
VALUES = (
    {
        "sum": "$129.00",
        "charge": "ch_3Pq9ZkLmN0aBcDeFgHiJkLmN",
        "order": "KL-10482",
        "card": "4242",
        "date": "12 May",
    },
    {
        "sum": "1.299,00 €",
        "charge": "ch_1Ab2Cd3Ef4Gh5Ij6Kl7Mn8Op",
        "order": "KLW-93821",
        "card": "0071",
        "date": "2026-05-12",
    },
    {
        "sum": "GBP 34.00",
        "charge": "ch_9zYxWvUtSrQpOnMlKjIhGfEd",
        "order": "KL-20114",
        "card": "8821",
        "date": "May 12, 2026",
    },
)


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One way to say something: what it says, in which language, and to whom."""

    slots: frozenset[str]
    language: str
    text: str
    audience: Audience


def phrasings(*files: Path) -> Iterator[Phrasing]:
    """Yield the phrasings of files in the form that `kept_claims.txt` explains."""
    for file in files:
        section = "-"
        count = 0
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                section = line[3:].strip()
            elif line.strip() and not line.startswith("#"):
                yield _phrasing(line, section, VALUES[count % len(VALUES)])
                count += 1


def _phrasing(line: str, section: str, values: dict[str, str]) -> Phrasing:
    language = "en"
    if line[2:4] == ": " and line[:2] in ("de", "fr", "es"):
        language, line = line[:2], line[4:]
    text, _, extra = line.partition("||")
    slots = {*extra.split(), section} - {"-"}
    at_desk = any(slot.startswith("approval") for slot in slots)
    audience: Audience = "desk" if at_desk else "customer"
    return Phrasing(frozenset(slots), language, text.strip().format(**values), audience)


def training() -> list[Phrasing]:
    """Return the phrasings that the lexicon was made with."""
    return list(phrasings(*sorted(LEXICON.glob("training_*.txt"))))


def kept() -> list[Phrasing]:
    """Return the phrasings that it was not."""
    return list(phrasings(*sorted(KEPT.glob("kept_*.txt"))))


def listened_for(audience: Audience) -> list[str]:
    """Return the slots that an audience decides by."""
    return [slot for slot in SLOTS_FOR[audience] if slot != HINT]


def skeleton(text: str) -> str:
    """Return a text as it is compared for being the same."""
    return " ".join(plain(text).split())
