"""How people write: twelve author styles, applied to finished sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from seeds.draw import chance


@dataclass(frozen=True, slots=True)
class Style:
    """One way of writing. Odds are 0 to 1; `length` and `typos` multiply the usual."""

    name: str
    length: float = 1.0
    greeting: float = 0.72
    signoff: float = 0.75
    ramble: float = 0.25
    typos: float = 1.0
    lower: float = 0.0
    formal: bool = False
    broken: float = 0.0
    shout: float = 0.0
    bangs: float = 0.0
    dots: float = 0.0
    emoji: float = 0.0
    runon: float = 0.0
    lists: float = 0.08
    facts: float = 0.2
    paragraphs: float = 0.45
    logs: float = 0.08
    unpunctuated: float = 0.0
    mobile: float = 0.1
    own_words: float = 0.95
    clipped: float = 0.08
    leads: float = 0.25
    tails: float = 0.18


STYLES = (
    Style("plain"),
    Style(
        "formal", 1.15, 0.97, 0.97, formal=True, typos=0.3, paragraphs=0.6, mobile=0.02, tails=0.04
    ),
    Style(
        "terse",
        0.5,
        0.3,
        0.35,
        ramble=0.02,
        clipped=0.6,
        leads=0.03,
        tails=0.03,
        mobile=0.2,
        paragraphs=0.1,
    ),
    Style("chatty", 1.6, 0.9, 0.85, ramble=0.85, emoji=0.12, bangs=0.1, leads=0.2, tails=0.15),
    Style(
        "phone",
        0.5,
        0.45,
        0.3,
        clipped=0.4,
        lower=0.75,
        typos=2.6,
        mobile=0.9,
        unpunctuated=0.3,
        paragraphs=0.1,
    ),
    Style("angry", 1.0, 0.5, 0.5, shout=0.13, bangs=0.3, ramble=0.1, typos=1.3),
    Style("second language", 0.9, 0.9, 0.9, broken=0.2, typos=1.6, leads=0.06, tails=0.04),
    Style(
        "engineer",
        1.25,
        0.7,
        0.75,
        clipped=0.35,
        lists=0.45,
        facts=0.8,
        logs=0.35,
        typos=0.6,
        ramble=0.1,
    ),
    Style("lower case", 0.7, 0.6, 0.5, lower=1.0, typos=1.7, unpunctuated=0.6, paragraphs=0.15),
    Style("one breath", 1.3, 0.7, 0.6, runon=0.5, ramble=0.5, paragraphs=0.0, typos=1.4),
    Style("dots", 0.9, 0.8, 0.7, dots=0.45, ramble=0.4),
    Style("cheerful", 1.0, 0.95, 0.9, bangs=0.3, emoji=0.35, ramble=0.3),
)
BROKEN = (
    (re.compile(r"\bthe "), ""),
    (re.compile(r"\ba (?=[a-z])"), ""),
    (re.compile(r"\bhas been\b"), "is"),
    (re.compile(r"\bhave been\b"), "are"),
    (re.compile(r"\bdoesn't\b"), "don't"),
    (re.compile(r"\binformation\b"), "informations"),
    (re.compile(r"\bsince\b"), "from"),
    (re.compile(r"\bI've tried\b"), "I have try"),
    (re.compile(r"\bdidn't work\b"), "not worked"),
    (re.compile(r"\bhow to\b"), "how can I"),
    (re.compile(r"\bmany\b"), "much"),
    (re.compile(r"\bvery\b"), "very much"),
    (re.compile(r"\bit's\b"), "is"),
    (re.compile(r"\bthere is\b"), "it gives"),
)
EMOJI = (":)", ":-)", ";)", ":(", "😊", "🙂", "😅", "🙏", "😕", "👍", "🤔", "😩")


@cache
def _long_forms() -> dict[str, str]:
    text = (Path(__file__).parent / "bank" / "manner" / "long_forms.txt").read_text()
    return dict(line.split("|", 1) for line in text.splitlines())


@cache
def _short_form() -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(map(re.escape, _long_forms())) + r")\b")


def _in_full(sentence: str) -> str:
    """Return a sentence without contractions."""
    return _short_form().sub(lambda found: _long_forms()[found.group(1)], sentence)


def dress(sentence: str, style: Style, rng: Random) -> str:
    """Return a sentence as somebody of that style would write it."""
    if style.formal:
        sentence = _in_full(sentence)
    if style.clipped and chance(rng, style.clipped):
        sentence = _clip(sentence)
    if style.broken:
        sentence = _break(sentence, style.broken, rng)
    if style.lower and chance(rng, style.lower):
        sentence = _lower(sentence)
    if style.shout and chance(rng, style.shout):
        sentence = _shout(sentence, rng)
    if sentence.endswith("."):
        sentence = _ending(sentence, style, rng)
    if style.emoji and chance(rng, style.emoji * 0.16):
        sentence = f"{sentence} {rng.choice(EMOJI)}"
    return sentence


SUBJECT = r"^(?:I've|I have|We've|We have|I|We) "
DEED = r"(?:[a-z]+ed|went|did|found|got|took|let|put|read|ran|sent|wrote|rang|bought|saw|held)\b"
CLIPPED = re.compile(rf"{SUBJECT}(?={DEED})|^(?:I'm|I am) (?=on|in|at|using)")


def _clip(sentence: str) -> str:
    """Return a sentence without its subject, as in notes."""
    short = CLIPPED.sub("", sentence)
    return short[:1].upper() + short[1:]


def _break(sentence: str, odds: float, rng: Random) -> str:
    for pattern, instead in BROKEN:
        if pattern.search(sentence) and chance(rng, odds):
            sentence = pattern.sub(instead, sentence, count=1)
    return sentence[:1].upper() + sentence[1:]


def _lower(sentence: str) -> str:
    """Return the sentence in small letters, codes and addresses aside."""
    words = sentence.split(" ")
    return " ".join(
        word if any(c.isdigit() for c in word) or "@" in word else word.lower() for word in words
    )


def _shout(sentence: str, rng: Random) -> str:
    words = sentence.split(" ")
    long = [index for index, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not long:
        return sentence
    if len(words) < 9 and chance(rng, 0.12):
        return sentence.upper()
    spot = rng.choice(long)
    words[spot] = words[spot].upper()
    return " ".join(words)


def _ending(sentence: str, style: Style, rng: Random) -> str:
    if chance(rng, style.unpunctuated):
        return sentence[:-1]
    if chance(rng, style.bangs):
        return sentence[:-1] + rng.choice(("!", "!", "!!", "!!!"))
    if chance(rng, style.dots):
        return sentence[:-1] + rng.choice(("...", "..", "...."))
    return sentence


AND = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "pt": "e", "nl": "en"}


def join(sentences: list[str], style: Style, rng: Random, language: str = "en") -> str:
    """Return sentences as one run of text."""
    also = AND[language]
    if not style.runon:
        return " ".join(sentences)
    text = sentences[0] if sentences else ""
    for sentence in sentences[1:]:
        if text.endswith(".") and chance(rng, style.runon):
            first = (
                sentence
                if sentence.startswith(("I ", "I'"))
                else sentence[:1].lower() + sentence[1:]
            )
            text = text[:-1] + rng.choice((", ", f" {also} ", f", {also} ", " - ")) + first
        else:
            text = f"{text} {sentence}"
    return text
