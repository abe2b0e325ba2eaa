"""Slips of spelling and of the keyboard."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

# A whole word that is no part of a link, a code or a file name, and not the end of the text.
WORD = re.compile(r"(?<![A-Za-z'@/._\-\\:0-9])[A-Za-z']{2,}(?=[^A-Za-z'@/_\-\\:0-9])(?!\.[^\W_])")
NEIGHBOURS = {
    "a": "sqz", "b": "vng", "c": "xvd", "d": "sfe", "e": "wrd", "f": "dgr",
    "g": "fht", "h": "gjy", "i": "uok", "j": "hku", "k": "jli", "l": "kop",
    "m": "nk", "n": "bmh", "o": "ipl", "p": "ol", "q": "wa", "r": "etf",
    "s": "adw", "t": "ryg", "u": "yij", "v": "cbf", "w": "qes", "x": "zcs",
    "y": "tuh", "z": "xa",
}  # fmt: skip
LISTED_FACTOR = 1.9
OTHER_FACTOR = 0.55


@cache
def misspellings() -> dict[str, tuple[str, ...]]:
    """Return the common misspellings of words."""
    found: dict[str, tuple[str, ...]] = {}
    text = (Path(__file__).parent / "misspellings.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        right, wrong = line.split("\t")
        found[right] = (*found.get(right, ()), wrong)
    return found


def misspell(text: str, rate: float, rng: Random) -> str:
    """Return the text with about `rate` slips per word; links, codes and file names stay right."""
    if rate <= 0:
        return text
    pieces: list[str] = []
    at = 0
    known = misspellings()
    listed, other = rate * LISTED_FACTOR, rate * OTHER_FACTOR
    for found in WORD.finditer(text):
        drawn = rng.random()
        if drawn >= listed:
            continue
        word = found.group()
        if drawn >= (listed if word in known else other):
            continue
        pieces += [text[at : found.start()], _wrong(word, known, rng)]
        at = found.end()
    return "".join(pieces) + text[at:]


def _wrong(word: str, known: dict[str, tuple[str, ...]], rng: Random) -> str:
    if word in known and rng.random() < 0.75:
        return rng.choice(known[word])
    if len(word) < 4:
        return word
    spot = rng.randrange(1, len(word) - 1)
    kind = rng.random()
    if kind < 0.34:
        return word[:spot] + word[spot + 1] + word[spot] + word[spot + 2 :]
    if kind < 0.62:
        return word[:spot] + word[spot + 1 :]
    if kind < 0.82:
        near = NEIGHBOURS.get(word[spot].lower())
        return word[:spot] + (rng.choice(near) if near else word[spot]) + word[spot + 1 :]
    return word[:spot] + word[spot] + word[spot:] if word[spot] != "'" else word.replace("'", "")
