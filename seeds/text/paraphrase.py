"""Say the same in other words: everybody has their own small words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from random import Random

from seeds.text.bank import FOLDER, expand, parse

# How many sentences are remembered with their phrases: many are said again and again.
KEPT = 16_384
# What people write another way has a number beside it.
DIGIT = re.compile(r"\d")
JOINTS = "and|but|so|which|although|because|I|we|it|that|the"
CLAUSE = re.compile(
    rf"^((?:\S+ ){{5,}}?\S+?)(?:,| and| but| although| because) (?:{JOINTS})\b.*\.$"
)
CUT = 0.2
# Where a small word may come in, and what is written one way or another without a thought.
SUBJECT = re.compile(r"\b(I|[Ww]e) (?=[a-z])")
TURNED = "there|it|that|this|he|she|they|we|you|to|in|on|at|for"
BEING = re.compile(rf"(?<=[a-z] )(is|was|are|were) (?=[a-z])(?!(?:{TURNED})\b)")
SMALL_WORDS = ("actually", "really", "also", "just", "simply", "certainly", "honestly")
LOOSE = re.compile(r"( and |, (?!\d))")
SMALL, BEEN, LOOSENED = 0.6, 0.4, 0.4
LED_WORDS = (
    "I|I'[a-z]+|We|We'[a-z]+|It|It's|The|There|There's|My|Our|This|That|All|Each|Both|One|Two|Some"
    "|Nothing|Nobody|At|In|On|With|After|Since|Every|Half|Small|Long"
)
LED = re.compile(rf"^(?:{LED_WORDS}) ")
NEVER_LED = (
    "could ", "can ", "please", "how ", "what ", "when ", "where ", "who ", "which ",
    "is ", "are ", "do ", "does ", "would ", "shall ", "should ", "will ", "may ", "why ",
    "i'd ", "any ", "also", "so ", "and ", "but ", "thank", "sorry", "yes", "no", "here",
    "see ", "serial", "not ", "to ", "as ",
)  # fmt: skip
KEPT_CAPITAL = re.compile(
    r"^(?!(?:My|Our|The|It|This|That|All|Each|Both|One|In|On|At|With|After) )"
    r"(?:I\b|[A-Z]{2}|[A-Z][a-z]+ (?:\d|[A-Z]))"
)


@cache
def _groups(*, more: bool) -> dict[str, tuple[str, ...]]:
    """Return the other ways to say a phrase, by phrase; `more` of them where many people write."""
    found: dict[str, tuple[str, ...]] = {}
    for name in ("variants", "variants_more")[: 1 + more]:
        for line in _lines(name):
            forms = line.split("|")
            found.setdefault(forms[0], tuple(forms[1:]))
    return found


@cache
def _measures() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return how else people write a number's company: its unit, or `about` before it."""
    text = (FOLDER / "manner" / "numbers.txt").read_text(encoding="utf-8")
    lines = (line.split("|") for line in text.split("\n") if line)
    return tuple((re.compile(pattern), tuple(forms)) for pattern, *forms in lines)


@cache
def _pattern(*, more: bool) -> re.Pattern[str]:
    """Return what finds the phrases in a text of small letters, the longest first."""
    rests = _rests(sorted({phrase.lower() for phrase in _groups(more=more)}))
    return re.compile(r"(?<![\w\"'/.@-])" + rests + r"(?![\w\"'/@-]|\.\w| >)")


def _rests(phrases: list[str]) -> str:
    """Return what matches any of the sorted phrases: what they begin with is read once.

    One that another begins with matches where the longer one does not.
    """
    following: dict[str, list[str]] = {}
    for phrase in phrases:
        if phrase:
            following.setdefault(phrase[0], []).append(phrase[1:])
    ways = [re.escape(first) + _rests(rests) for first, rests in following.items()]
    if "" not in phrases:
        return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{'|'.join(ways)})?" if ways else ""


@lru_cache(maxsize=KEPT)
def _found(sentence: str, *, more: bool) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Return where the phrases of a sentence are, each with the ways to say it.

    The first way is the one that is there. Those of a phrase that nobody says otherwise are none.
    """
    low = sentence.lower()
    if len(low) != len(sentence):  # a few letters beyond ASCII are longer when small
        low = "".join(one if len(one) == 1 else "_" for one in map(str.lower, sentence))
    return tuple(
        (*found.span(), _ways(sentence[found.start() : found.end()], more=more))
        for found in _pattern(more=more).finditer(low)
    )


def _ways(word: str, *, more: bool) -> tuple[str, ...]:
    groups = _groups(more=more)
    forms = groups.get(word) or groups.get(word[:1].lower() + word[1:])
    if not forms:
        return ()
    ways = (word, *forms)
    if word[:1].isupper() and word[:1] != "I":
        return tuple(way[:1].upper() + way[1:] for way in ways)
    return ways


@cache
def _lines(name: str) -> tuple[str, ...]:
    text = (FOLDER / "manner" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.split("\n") if line)


def reword(sentence: str, odds: float, rng: Random, *, more: bool = False) -> str:
    """Return the sentence with some of its phrases said another way; quoted words stay.

    With `more`, from a longer list: in a desk's whole year few sentences should come twice.
    """
    if sentence.count('"') > 1:
        return sentence

    pieces: list[str] = []
    at = 0
    for start, end, ways in _found(sentence, more=more):
        if rng.random() > odds or not ways:
            continue
        pieces += (sentence[at:start], rng.choice(ways))
        at = end
    sentence = "".join(pieces) + sentence[at:]
    measured = DIGIT.search(sentence) is not None
    for pattern, forms in _measures():
        if rng.random() < odds * 0.4:
            form = rng.choice(forms)
            sentence = pattern.sub(form, sentence) if measured else sentence
    return _loosened(sentence, odds, rng) if more else sentence


def _loosened(sentence: str, odds: float, rng: Random) -> str:
    """Return the sentence with a small word more, a comma less, another `and`, as it comes."""
    if rng.random() < odds * SMALL:
        sentence = SUBJECT.sub(rf"\1 {rng.choice(SMALL_WORDS)} ", sentence, count=1)
    if rng.random() < odds * BEEN:
        sentence = BEING.sub(rf"\1 {rng.choice(SMALL_WORDS)} ", sentence, count=1)
    pieces = LOOSE.split(sentence)
    for place in range(1, len(pieces), 2):
        if rng.random() < odds * LOOSENED:
            pieces[place] = rng.choice((" & ", ", and ")) if "and" in pieces[place] else " "
    return "".join(pieces)


PLURALS = tuple(
    (re.compile(pattern), pattern.removeprefix(r"\b").removesuffix(r"\b"), text)
    for pattern, text in (
        (r"\bI'm\b", "we're"),
        (r"\bI am\b", "we are"),
        (r"\bam I\b", "are we"),
        (r"\bI\b", "we"),
        (r"\bmy\b", "our"),
        (r"\bMy\b", "Our"),
        (r"\bme\b", "us"),
        (r"\bmine\b", "ours"),
    )
)
KIN = "wife|husband|son|daughter|partner|bank|boss|phone|inbox|trade"
SINGULAR = re.compile(
    rf"\b(?:I'm an?|I'm [A-Z][a-z]+|I am an?|I was|I wasn't|[Mm]y (?:{KIN})|[Mm]yself"
    r"|as an? [a-z]+ I|I run)\b"
)


def plural(sentence: str) -> str:
    """Return the sentence as somebody writes it who speaks for a firm."""
    if SINGULAR.search(sentence):
        return sentence
    for pattern, word, text in PLURALS:
        if word in sentence:
            sentence = pattern.sub(text, sentence)
    return sentence[:1].upper() + sentence[1:]


def frame(
    role: str,
    sentence: str,
    odds: tuple[float, float],
    rng: Random,
    fill: Callable[[str], str | None],
) -> str:
    """Return a statement with an opening phrase or a tail, as people add them to such a role.

    `odds` are those of an opening phrase and of a tail.
    """
    lead, tail = odds
    if len(sentence) < 18 or not sentence.endswith(".") or "\n" in sentence:
        return sentence
    cut = CLAUSE.match(sentence)
    if cut and rng.random() < CUT:
        sentence = cut.group(1) + "."
    low = sentence.lower()
    if LED.match(sentence) and rng.random() < lead and not low.startswith(NEVER_LED):
        first = sentence if KEPT_CAPITAL.match(sentence) else sentence[:1].lower() + sentence[1:]
        opener = expand(parse(rng.choice(_lines(f"openers_{role}"))), rng, fill)
        sentence = f"{opener[:1].upper()}{opener[1:]} {first}" if opener else sentence
    if rng.random() < tail and sentence.count(",") < 2 and not sentence.endswith(("..", '".')):
        end = expand(parse(rng.choice(_lines(f"tails_{role}"))), rng, fill)
        sentence = f"{sentence[:-1]}{end}." if end else sentence
    return sentence
