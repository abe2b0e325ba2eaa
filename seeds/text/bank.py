"""The bank of sentence patterns, and the expander that makes sentences of them.

A bank file has sections `== role`; each further line is a pattern: `[a|b]` picks one, `{slot}` is
filled from the record's facts or a pool, a prefix `@topic,flag:` limits a pattern to records of
that topic or with that flag, `@topic+later:` to those that have `later` as well, and a prefix `%5`
makes it five times as likely. A pattern whose slots the record cannot fill is left out. A suffix
`#key` names a question; what is said in return is limited to `q_key`.

A domain may have a sheet in `cases`: sections are the cases they are for, and each line starts with
the letter of its role. `q key| ...` is a question, `a key| ...` an answer to it.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "bank"
PREFIX = re.compile(r"^@([a-z_0-9,.]*)((?:\+[a-z_0-9]+)*): ")
SUFFIX = re.compile(r" #([a-z_0-9]+)$")
# Beginning with a letter it is found twice as fast as by the boundary before the letter.
ARTICLE = re.compile(
    r"[Aa](?<!\w[Aa]) (?=(?!one|uni|use|euro)[aeio]|up|un(?!i)|(?!One|Uni|Use|Euro)[AEIO][a-z])"
)
ONE = re.compile(r"(?<![\d.,-])1 (month|week|day|minute|hour|seat|second|time)s\b")
MONTHS = {"Monaten": "einem Monat", "meses": "un mes", "mesi": "un mese", "maanden": "een maand"}
MONTH = re.compile(rf"\b1 ({'|'.join(MONTHS)})\b")
# How many lines for the same records a role must have to be dealt out between the halves.
SPLIT_FROM = 16
# How many patterns are remembered with their slots, and sets of tags with what suits them.
KEPT = 16_384
LETTERS = {
    "j": "subject", "o": "ack", "s": "symptom", "d": "detail", "t": "tried", "k": "ask",
    "q": "q", "a": "answer", "v": "advise", "r": "still", "z": "resolve", "n": "note",
}  # fmt: skip
WEIGHT = re.compile(r"^%(\d) ")
SLOT = re.compile(r"\{([a-z0-9_]+)\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of the bank: `only` are the topics or flags it is for, empty for all.

    `needs` are flags that a record must have besides; `key` names a question or a piece of advice.
    """

    text: str
    only: frozenset[str]
    needs: frozenset[str] = frozenset()
    key: str = ""
    english: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Patterns in the order of the bank; `places` is where each text stands among them.

    They are made once for what asks for the same ones, so each is equal to itself alone.
    """

    patterns: tuple[Pattern, ...]
    places: dict[str, list[int]]

    @classmethod
    def of(cls, patterns: Iterable[Pattern]) -> Lines:
        """Return patterns with the places of their texts."""
        found, places = tuple(patterns), dict[str, list[int]]()
        for place, pattern in enumerate(found):
            places.setdefault(pattern.text, []).append(place)
        return cls(found, places)

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __len__(self) -> int:
        return len(self.patterns)

    def taken(self, used: set[str]) -> list[int]:
        """Return the places of those that were used, in order."""
        places = self.places
        if len(used) < len(places):
            return sorted(chain.from_iterable(filter(None, map(places.get, used))))
        return [place for place, pattern in enumerate(self.patterns) if pattern.text in used]


@cache
def sections(name: str) -> dict[str, tuple[Pattern, ...]]:
    """Return the patterns of a bank file (`en/login`) by role, with those of its case sheet."""
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
    folder, _, file = name.partition("/")
    sheet = FOLDER / folder / "cases" / f"{file}.txt"
    if sheet.exists():
        for role, pattern in _sheet(sheet):
            found.setdefault(role, []).append(pattern)
    if folder != "en":
        found = {
            role: [replace(pattern, english=False) for pattern in patterns]
            for role, patterns in found.items()
        }
    return {key: tuple(patterns) for key, patterns in found.items()}


def _sheet(path: Path) -> Iterator[tuple[str, Pattern]]:
    """Yield the roles and patterns of a case sheet."""
    only: frozenset[str] = frozenset()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            only = frozenset(line[3:].strip().split(",")) - {"*"}
        elif line.strip():
            role, text = LETTERS[line[0]], line[2:]
            key, _, rest = text.partition("| ") if line[0] in "qavr" else ("", "", "")
            if not rest:
                key, rest = "", text
            if role in ("answer", "still") and key:
                yield role, Pattern(rest, frozenset({f"q_{key}"}))
            else:
                yield role, Pattern(rest, only, frozenset(), key)


@cache
def parse(line: str) -> Pattern:
    """Return the pattern of a bank line."""
    prefix, suffix = PREFIX.match(line), SUFFIX.search(line)
    text = line[: suffix.start()] if suffix else line
    key = suffix.group(1) if suffix else ""
    if not prefix:
        return Pattern(text, frozenset(), frozenset(), key)
    only = frozenset(prefix.group(1).split(",")) - {""}
    needs = frozenset(prefix.group(2).split("+")) - {""}
    return Pattern(text[prefix.end() :], only, needs, key)


@lru_cache(maxsize=KEPT)
def fitting(
    name: str, role: str, tags: frozenset[str], *, exclusive: bool = False, half: str = ""
) -> Lines:
    """Return the patterns of a role that suit a record; `exclusive` takes only limited ones.

    With a `half`, worlds of training and of test share no line of a role that has enough of them.
    """
    return _fitting(name, role, tags & _limits(name, role), exclusive, half)


@cache
def all_lines(name: str, role: str) -> Lines:
    """Return all patterns of a role."""
    return Lines.of(sections(name)[role])


@lru_cache(maxsize=KEPT)
def with_texts(known: Lines, texts: frozenset[str]) -> Lines:
    """Return those of known patterns that have one of the texts."""
    return Lines.of(pattern for pattern in known if pattern.text in texts)


@cache
def _limits(name: str, role: str) -> frozenset[str]:
    """Return the tags that make a difference to the patterns of a role."""
    return frozenset[str]().union(*(p.only | p.needs for p in sections(name).get(role, ())))


@cache
def _fitting(name: str, role: str, tags: frozenset[str], exclusive: object, half: str) -> Lines:
    elsewhere = _held_back(name, role, half)
    return Lines.of(
        pattern
        for pattern in sections(name).get(role, ())
        if pattern.needs <= tags
        and ((pattern.only & tags) or (not pattern.only and not exclusive))
        and pattern.text not in elsewhere
    )


@cache
def _held_back(name: str, role: str, half: str) -> frozenset[str]:
    """Return the lines of a role that only worlds of the other half use.

    Lines for the same records are dealt out by their hash, two in three to `train`; where there
    are too few of them both halves use all.
    """
    groups: dict[tuple[frozenset[str], frozenset[str]], set[str]] = {}
    for pattern in sections(name).get(role, ()):
        groups.setdefault((pattern.only, pattern.needs), set()).add(pattern.text)
    found: set[str] = set()
    for lines in groups.values():
        if half and len(lines) >= SPLIT_FROM:
            ordered = sorted(lines, key=lambda line: blake2b(line.encode()).digest())
            kept = len(ordered) // 3
            found.update(ordered[kept:] if half == "test" else ordered[:kept])
    return frozenset(found)


def expand(pattern: Pattern, rng: Random, fill: Callable[[str], str | None]) -> str | None:
    """Return the sentence of a pattern, or None if a slot has no value."""
    text = _chosen(pattern.text, rng)
    if "{" in text:
        pieces = list(_slots(text))
        values = [fill(slot) for slot in pieces[1::2]]
        if not all(values):
            return None
        pieces[1::2] = [value or "" for value in values]
        text = "".join(pieces)
    text = text.replace(" ,", ",")
    if pattern.english:
        text = with_articles(text)
        return ONE.sub(r"1 \1", text) if "1 " in text else text
    return MONTH.sub(lambda found: MONTHS[found.group(1)], text)


def with_articles(text: str) -> str:
    """Return an English text with `an` where it is not `a`."""
    return ARTICLE.sub(_an, text)


def _an(found: re.Match[str]) -> str:
    return f"{found.group()[0]}n "


def _chosen(text: str, rng: Random) -> str:
    """Return a text with one of each of its choices; one choice may lie in another."""
    if "[" not in text:
        return text
    pieces = [part if isinstance(part, str) else rng.choice(part) for part in _choices(text)]
    found = "".join(pieces)
    return found if found == text else _chosen(found, rng)


@lru_cache(maxsize=KEPT)
def _choices(text: str) -> tuple[str | tuple[str, ...], ...]:
    """Return what a text is made of: plain pieces, and the choices between them."""
    parts = CHOICE.split(text)
    return tuple(tuple(part.split("|")) if place % 2 else part for place, part in enumerate(parts))


@lru_cache(maxsize=KEPT)
def _slots(text: str) -> tuple[str, ...]:
    """Return a text's plain pieces, and between them the names of its slots."""
    return tuple(SLOT.split(text))


@cache
def cases(domain: str) -> dict[str, tuple[str, ...]]:
    """Return what can lie behind the topics of a domain: case keys by topic."""
    found: dict[str, tuple[str, ...]] = {}
    for pattern in sections(f"en/{domain}")["cases"]:
        topic = pattern.text.split(".")[0]
        found[topic] = (*found.get(topic, ()), pattern.text)
    return found


@cache
def told_cases(folder: str, topic: str) -> tuple[str, ...]:
    """Return the cases of a topic that can be told in a language."""
    found = {
        tag
        for pattern in sections(f"{folder}/all")["symptom"]
        for tag in pattern.only
        if tag.split(".")[0] == topic
    }
    return tuple(sorted(found))


def choose(
    patterns: Iterable[Pattern], rng: Random, fill: Callable[[str], str | None], used: set[str]
) -> tuple[str, Pattern] | None:
    """Return a sentence that was not used yet, with its pattern, or None if there is none."""
    lines = patterns if isinstance(patterns, Lines) else Lines.of(patterns)
    taken = lines.taken(used)
    for _ in range(6):
        if len(taken) == len(lines.patterns):
            return None
        place = rng.randrange(len(lines.patterns) - len(taken))
        for other in taken:
            if other > place:
                break
            place += 1
        insort(taken, place)
        pattern = lines.patterns[place]
        sentence = expand(pattern, rng, fill)
        if sentence:
            used.add(pattern.text)
            return sentence, pattern
    return None


def pick(
    patterns: Iterable[Pattern], rng: Random, fill: Callable[[str], str | None], used: set[str]
) -> str | None:
    """Return a sentence of one of the patterns that was not used yet, or None if there is none."""
    found = choose(patterns, rng, fill, used)
    return found[0] if found else None
