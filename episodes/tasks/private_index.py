"""What is private in a world, laid out so that a text is compared with what it could state.

An index of a whole world is made once and kept by the digest of the image as which its sandboxes
begin. An image never changes: what is kept of it holds for each episode, reset, fork and branch,
whichever of them asked first. What became of its rows since is read each time.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

from clones.core.privacy import FactKind, KnownPerson, Privacy, PrivateFact, WorldRows, privacy_at
from clones.core.vendors import clones
from episodes.checks.spelling import Keys, SpelledText, address_key, code_key, note_key, phone_key
from episodes.tasks.acquaintance import Acquaintance, Known, by_name
from episodes.tasks.world_rows import RowsSince

KEYS: Final[Mapping[FactKind, Callable[[str], str]]] = {
    "email": address_key,
    "code": code_key,
    "phone": phone_key,
    "note": note_key,
    "card": str,
    "words": str,
}
NONE: Final[Mapping[PrivateFact, int]] = {}
# How many facts and people are kept, of the worlds that were looked at last: about 700 MB. A tiny
# world has 4,000 of them, a small one 26,000.
KEPT_AT_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Beginning:
    """As what a sandbox begins: the digest of its image, and the journal position of that."""

    image: str
    position: int


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a text states, and where, of those whose place is known."""

    fact: PrivateFact
    places: tuple[range, ...] = ()


class FactIndex:
    """Facts by what a text is searched for."""

    def __init__(self, facts: Iterable[PrivateFact]) -> None:
        self._facts: dict[FactKind, dict[str, list[PrivateFact]]] = {}
        same: dict[PrivateFact, PrivateFact] = {}
        for fact in facts:
            of_kind = self._facts.setdefault(fact.kind, {})
            key = KEYS[fact.kind](fact.value)
            of_kind.setdefault(key, []).append(same.setdefault(fact, fact))
        self._keys = {kind: Keys(of_kind) for kind, of_kind in self._facts.items()}

    def stated(self, text: SpelledText, gone: Mapping[PrivateFact, int] = NONE) -> Iterator[Stated]:
        """Yield the facts that a text states, but those of which as many are `gone`.

        Of long texts it is the sentences that are repeated.
        """
        for kind, of_kind in self._facts.items():
            for key, places in self._found(kind, text):
                for fact, often in Counter(of_kind[key]).items():
                    if often > gone.get(fact, 0):
                        yield from _stated(fact, places, text)

    def _found(self, kind: FactKind, text: SpelledText) -> Iterable[tuple[str, Iterable[range]]]:
        """Return what the text is found to hold of a kind, by key, and where."""
        keys = self._keys[kind]
        if kind == "email":
            return text.emails_among(keys).items()
        if kind == "code":
            return text.codes_among(keys).items()
        if kind == "words":
            return [(key, ()) for key in self._facts[kind]]
        held: Iterable[str]
        if kind == "phone":
            held = text.numbers
        else:
            held = text.cards if kind == "card" else text.notes_among(keys)
        return [(key, ()) for key in sorted(held) if key in self._facts[kind]]


def _stated(fact: PrivateFact, places: Iterable[range], text: SpelledText) -> Iterator[Stated]:
    if fact.kind != "words":
        yield Stated(fact, tuple(places))
        return
    for sentence in text.repeated(fact.value):
        yield Stated(PrivateFact("words", sentence, fact.owners))


@dataclass(frozen=True, slots=True)
class WorldIndex:
    """What is private in a world as it begins, and who is who there."""

    facts: FactIndex
    people: Known
    entries: int


def declared() -> Iterator[Privacy]:
    """Yield what the clones declare of privacy."""
    for clone in clones():
        if clone.privacy:
            yield privacy_at(clone.privacy)


def facts_of(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield what is private in rows, of all clones."""
    for privacy in declared():
        yield from privacy.facts(rows)


def people_of(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield whom rows tell of, of all clones."""
    for privacy in declared():
        yield from privacy.people(rows)


class IndexCache:
    """The indexes of the worlds looked at last: one, and more up to so many entries together."""

    def __init__(self, at_most: int = KEPT_AT_MOST) -> None:
        self._at_most = at_most
        self._lock = Lock()
        self._indexes: OrderedDict[str, WorldIndex] = OrderedDict()

    def of(self, image: str, rows: WorldRows) -> WorldIndex:
        """Return the index of an image, made of the rows of a sandbox of it unless it is kept."""
        with self._lock:  # whoever else wants it waits, and does not make it again
            if image not in self._indexes:
                self._indexes[image] = _indexed(rows)
            self._indexes.move_to_end(image)
            while len(self._indexes) > 1 and self._entries() > self._at_most:
                self._indexes.popitem(last=False)
            return self._indexes[image]

    def _entries(self) -> int:
        return sum(each.entries for each in self._indexes.values())


def _indexed(rows: WorldRows) -> WorldIndex:
    facts, people = list(facts_of(rows)), list(people_of(rows))
    return WorldIndex(FactIndex(facts), by_name(people), len(facts) + len(people))


_KEPT: Final = IndexCache()


class PrivateNow:
    """What is private in the bound sandbox, and who is who, as if the agent had done nothing."""

    def __init__(self, beginning: Beginning, rows: RowsSince) -> None:
        self._beginning = beginning
        self._rows = rows

    @cached_property
    def _world(self) -> WorldIndex:
        return _KEPT.of(self._beginning.image, self._rows.at_first)

    @cached_property
    def people(self) -> Acquaintance:
        """Who is who."""
        return Acquaintance(
            self._world.people,
            gone=people_of(self._rows.changed_at_first),
            new=people_of(self._rows.changed_now),
        )

    def stated(self, text: SpelledText) -> Iterator[Stated]:
        """Yield what a text states that is private to somebody."""
        yield from self._world.facts.stated(text, self._gone)
        yield from self._new.stated(text)

    @cached_property
    def _gone(self) -> Counter[PrivateFact]:
        return Counter(facts_of(self._rows.changed_at_first))

    @cached_property
    def _new(self) -> FactIndex:
        return FactIndex(facts_of(self._rows.changed_now))
