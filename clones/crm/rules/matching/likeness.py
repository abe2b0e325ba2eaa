"""How alike two words are, as numbers from 0 to 1, and how a word sounds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

# Letters that a finger hits instead of one another: they lie side by side on a keyboard.
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NOT_LETTERS: Final = re.compile(r"[^a-z]")
_LONGEST: Final = 255  # characters of a word that are compared
# How a word is written down by sound: the first pattern that fits at a place, and what stands for
# it. Vowels count at the beginning only.
_SOUNDS: Final = (
    (re.compile(r"^(?:kn|gn|pn)"), "n"),
    (re.compile(r"^wr"), "r"),
    (re.compile(r"^ps"), "s"),
    (re.compile(r"^x"), "s"),
    (re.compile(r"^wh"), "a"),
    (re.compile(r"^[aeiouy]+"), "a"),
    (re.compile(r"mb$"), "m"),
    (re.compile(r"sch(?=[^aeiouy]|$)"), "x"),
    (re.compile(r"tch|sch|ch|sh"), "x"),
    (re.compile(r"ti(?=[ao])|si(?=[ao])|ci(?=a)"), "x"),
    (re.compile(r"th"), "0"),
    (re.compile(r"ph|pf"), "f"),
    (re.compile(r"gh(?=[aeiouy])"), "k"),
    (re.compile(r"gh"), ""),
    (re.compile(r"dg(?=[eiy])"), "j"),
    (re.compile(r"ck|cq|q|cc(?![eiy])"), "k"),
    (re.compile(r"s?c(?=[eiy])"), "s"),
    (re.compile(r"g(?=[eiy])|j"), "j"),
    (re.compile(r"c|g|k"), "k"),
    (re.compile(r"x"), "ks"),
    (re.compile(r"z+|s+"), "s"),
    (re.compile(r"b+|p+"), "p"),
    (re.compile(r"d+|t+"), "t"),
    (re.compile(r"v+|f+|ff"), "f"),
    (re.compile(r"l+"), "l"),
    (re.compile(r"m+"), "m"),
    (re.compile(r"n+"), "n"),
    (re.compile(r"r+"), "r"),
    (re.compile(r"[aeiouyhw]+"), ""),
)


def folded(text: str) -> str:
    """Return a text in lower case, its letters without accents."""
    plain = unicodedata.normalize("NFKD", text[:_LONGEST])
    return "".join(one for one in plain if not unicodedata.combining(one)).casefold()


def sound_of(word: str) -> str:
    """Return how a word sounds, consonants alone; words that are not Latin stand for themselves."""
    text = _NOT_LETTERS.sub("", folded(word))
    if not text:
        return folded(word).strip()
    found, at = "", 0
    while at < len(text):
        for pattern, sound in _SOUNDS:
            hit = pattern.match(text, at)
            if hit is not None and hit.end() > at:
                found += sound
                at = hit.end()
                break
        else:
            at += 1
    return found


def jaro_winkler(one: str, other: str) -> float:
    """Return the likeness by Jaro and Winkler: common letters nearby, more for a common start."""
    if one == other:
        return 1.0
    reach = max(max(len(one), len(other)) // 2 - 1, 0)
    taken = [False] * len(other)
    common = []
    for place, letter in enumerate(one):
        for at in range(max(place - reach, 0), min(place + reach + 1, len(other))):
            if not taken[at] and other[at] == letter:
                taken[at] = True
                common.append(letter)
                break
    if not common:
        return 0.0
    theirs = [letter for letter, is_taken in zip(other, taken, strict=True) if is_taken]
    turned = sum(mine != yours for mine, yours in zip(common, theirs, strict=True)) / 2
    count = len(common)
    jaro = (count / len(one) + count / len(other) + (count - turned) / count) / 3
    start = 0
    for mine, yours in zip(one[:4], other[:4], strict=False):
        if mine != yours:
            break
        start += 1
    return jaro + start * 0.1 * (1 - jaro)


def edit_likeness(one: str, other: str) -> float:
    """Return the likeness by how many letters are put in, left out or exchanged."""
    return _by_edits(one, other, lambda _mine, _yours: 1.0)


def keyboard_likeness(one: str, other: str) -> float:
    """Return the likeness by letters, of which neighbours on a keyboard count half."""
    return _by_edits(one, other, lambda mine, yours: 0.5 if yours in _NEAR.get(mine, "") else 1.0)


def _by_edits(one: str, other: str, cost: Callable[[str, str], float]) -> float:
    if not one or not other:
        return 1.0 if one == other else 0.0
    above = [float(place) for place in range(len(other) + 1)]
    for row, mine in enumerate(one, 1):
        line = [float(row)]
        for place, yours in enumerate(other, 1):
            changed = above[place - 1] + (0.0 if mine == yours else cost(mine, yours))
            line.append(min(above[place] + 1, line[-1] + 1, changed))
        above = line
    return 1.0 - above[-1] / max(len(one), len(other))


def _neighbours() -> dict[str, str]:
    found: dict[str, str] = {}
    for number, row in enumerate(_ROWS):
        for place, letter in enumerate(row):
            near = row[max(place - 1, 0) : place] + row[place + 1 : place + 2]
            for beside in (number - 1, number + 1):
                if 0 <= beside < len(_ROWS):
                    near += _ROWS[beside][max(place - 1, 0) : place + 2]
            found[letter] = near
    return found


_NEAR: Final = _neighbours()
