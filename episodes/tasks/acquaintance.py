"""Who may hear what: the people of all clones as one circle, and what is private among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from clones.core.privacy import KnownPerson
from episodes.checks.spelling import SpelledText

Person = str


class Acquaintance:
    """The people of a world: whoever shares a name in any clone is one person."""

    def __init__(self, known: Iterable[KnownPerson]) -> None:
        self._above: dict[str, str] = {}
        self._inside: set[Person] = set()
        self._names: defaultdict[Person, set[str]] = defaultdict(set)
        self._called: defaultdict[Person, set[str]] = defaultdict(set)
        self._firms: defaultdict[Person, set[str]] = defaultdict(set)
        self._shares: defaultdict[Person, set[str]] = defaultdict(set)
        everybody = list(known)
        for one in everybody:
            first, *others = sorted(one.names)
            for name in others:
                self._above[self.person(name)] = self.person(first)
        for one in everybody:
            who = self.person(next(iter(one.names)))
            self._names[who] |= one.names
            if one.inside:
                self._inside.add(who)
            if one.called.strip():
                self._called[who].add(" ".join(one.called.casefold().split()))
            self._firms[who] |= one.firms
            self._shares[who] |= one.shares

    def person(self, name: str) -> Person:
        """Return who bears a name; somebody unknown is themselves."""
        while name in self._above and self._above[name] != name:
            name = self._above[name]
        return name

    def works_here(self, name: str) -> bool:
        """Tell whether a name is of somebody of the house."""
        return self.person(name) in self._inside

    def called(self, name: str) -> set[str]:
        """Return what people write for a name, in small letters."""
        return self._called.get(self.person(name), set())

    def shares_with(self, name: str, other: str) -> bool:
        """Tell whether the tickets of somebody are shared with another, by a firm of both."""
        return bool(self._shares[self.person(name)] & self._firms[self.person(other)])

    def is_named(self, name: str, text: SpelledText) -> bool:
        """Tell whether a text names somebody, by an address or by their full name."""
        names = self._names.get(self.person(name), {name})
        emails = [each for each in names if "@" in each]
        return any(map(text.emails, emails)) or any(map(text.names, self.called(name)))

    def may_hear(self, hearer: str, owners: Iterable[str], among: Iterable[str] = ()) -> bool:
        """Tell whether somebody may hear what is private to one of the owners.

        They may if it is their own or their firm's, if their firm shares its tickets with them, or
        if the owner is in the same conversation (`among`).
        """
        who = self.person(hearer)
        mine = {who, *map(self.person, among)}
        for owner in owners:
            if owner in self._firms[who] or self.person(owner) in mine:
                return True
            if self.shares_with(hearer, owner) or self.called(hearer) & self.called(owner):
                return True
        return False
