"""Who may hear what: the people of all clones as one circle, and what is private among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from clones.core.privacy import KnownPerson
from episodes.checks.spelling import SpelledText

Person = str
Known = Mapping[str, tuple[KnownPerson, ...]]


@dataclass
class _Together:
    """All that is known of a person, by whatever name."""

    names: set[str]
    called: set[str] = field(default_factory=set)
    firms: set[str] = field(default_factory=set)
    shares: set[str] = field(default_factory=set)
    inside: bool = False


def by_name(known: Iterable[KnownPerson]) -> Known:
    """Return what is known of people by each of their names."""
    found: dict[str, list[KnownPerson]] = {}
    for one in known:
        for name in one.names:
            found.setdefault(name, []).append(one)
    return {name: tuple(each) for name, each in found.items()}


class Acquaintance:
    """The people of a world: whoever shares a name in any clone is one person.

    `known` is what is known of them by name; of that what is `gone` counts no more, and what is
    `new` does besides. They are put together by name as somebody is asked for.
    """

    def __init__(
        self, known: Known, gone: Iterable[KnownPerson] = (), new: Iterable[KnownPerson] = ()
    ) -> None:
        self._known = known
        self._gone = Counter(gone)
        self._new = by_name(new)
        self._people: dict[str, _Together] = {}

    def person(self, name: str) -> Person:
        """Return who bears a name; somebody unknown is themselves."""
        return min(self._person(name).names)

    def works_here(self, name: str) -> bool:
        """Tell whether a name is of somebody of the house."""
        return self._person(name).inside

    def called(self, name: str) -> set[str]:
        """Return what people write for a name, in small letters."""
        return self._person(name).called

    def shares_with(self, name: str, other: str) -> bool:
        """Tell whether the tickets of somebody are shared with another, by a firm of both."""
        return bool(self._shares(name) & self._person(other).firms)

    def is_named(self, name: str, text: SpelledText) -> bool:
        """Tell whether a text names somebody, by an address or by their full name."""
        emails = [each for each in self._person(name).names if "@" in each]
        return any(map(text.emails, emails)) or any(map(text.names, self.called(name)))

    def may_hear(self, hearer: str, owners: Iterable[str], among: Iterable[str] = ()) -> bool:
        """Tell whether somebody may hear what is private to one of the owners.

        They may if it is their own or their firm's, if their firm shares its tickets with them, or
        if the owner is in the same conversation (`among`).
        """
        mine = {self.person(hearer), *map(self.person, among)}
        for owner in owners:
            if owner in self._person(hearer).firms or self.person(owner) in mine:
                return True
            if self.shares_with(hearer, owner) or self.called(hearer) & self.called(owner):
                return True
        return False

    def _shares(self, name: str) -> set[str]:
        """Return whose data somebody is told: what they share by themselves or by their firm."""
        found = self._person(name)
        return found.shares.union(*(self._person(firm).shares for firm in found.firms))

    def _person(self, name: str) -> _Together:
        """Return somebody put together from all that bears one of their names."""
        if name not in self._people:
            found = _Together({name})
            asked, further = set[str](), {name}
            while further:
                each = further.pop()
                asked.add(each)
                for one in self._told_of(each):
                    _put_to(found, one)
                    further |= one.names - asked
            self._people.update(dict.fromkeys(found.names, found))
        return self._people[name]

    def _told_of(self, name: str) -> Iterator[KnownPerson]:
        yield from self._new.get(name, ())
        told = Counter(self._known.get(name, ()))
        yield from (one for one, often in told.items() if often > self._gone[one])


def _put_to(found: _Together, one: KnownPerson) -> None:
    found.names |= one.names
    found.firms |= one.firms
    found.shares |= one.shares
    found.inside |= one.inside
    if one.called.strip():
        found.called.add(" ".join(one.called.casefold().split()))
