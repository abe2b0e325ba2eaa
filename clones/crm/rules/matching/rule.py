"""A matching rule: fields that are compared, and which of them have to be alike together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clones.crm.rules.filter_logic import Joined, Logic, Row, WrongLogic, read_logic
from clones.crm.rules.matching.methods import METHODS

EXACT, FUZZY = "ExactMatchEngine", "FuzzyMatchEngine"
NO_BLANKS, BLANKS = "NullNotAllowed", "MatchBlanks"
MOST_ITEMS: Final = 10
_MOST_GROUPS: Final = 64

Values = Mapping[str, str | None]
# What a record is looked for by: a value, of several fields.
Key = Callable[[Values], str | None]


class WrongFilter(ValueError):
    """Raised where the logic of a rule cannot be read; its text says why."""


@dataclass(frozen=True, slots=True)
class MatchItem:
    """A field that is compared, by one of `METHODS`; `blanks` as the vendor's metadata say it."""

    field: str
    method: str = "Exact"
    blanks: str = NO_BLANKS


@dataclass(frozen=True, slots=True)
class MatchRule:
    """A matching rule of an object.

    Two records match where all items of one of `groups` (places of items) are alike. `own_keys` are
    what a standard rule looks for records by; a custom one has a key for each group. A rule that
    `swaps` takes first and last names for one another, too, and does not mind blank ones where an
    address of mail is compared.
    """

    name: str
    object: str
    engine: str
    items: tuple[MatchItem, ...]
    groups: tuple[tuple[int, ...], ...]
    own_keys: tuple[Key, ...] = ()
    swaps: tuple[str, str] | None = None
    ignores_blanks_with: str | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are compared."""
        return tuple(one.field for one in self.items)

    def keys(self, values: Values) -> list[str]:
        """Return what a record is found by, in order, each once."""
        found = [key(values) for key in self.own_keys]
        if not self.own_keys:
            found = [self._key(place, group, values) for place, group in enumerate(self.groups)]
        return list(dict.fromkeys(one for one in found if one))

    def keys_to_seek(self, values: Values) -> list[str]:
        """Return the keys by which records like one are looked for."""
        found = self.keys(values)
        if self.swaps is not None:
            found += self.keys(self._swapped(values))
        return list(dict.fromkeys(found))

    def likeness(self, values: Values, others: Values) -> float | None:
        """Return how alike two records are, in percent; None where they do not match."""
        found = [self._group(group, values, others) for group in self.groups]
        if self.swaps is not None:
            swapped = self._swapped(values)
            found += [self._group(group, swapped, others) for group in self.groups]
        return max((one for one in found if one is not None), default=None)

    def _swapped(self, values: Values) -> Values:
        one, other = self.swaps or ("", "")
        if not values.get(one) or not values.get(other):
            return values
        return {**values, one: values[other], other: values[one]}

    def _key(self, place: int, group: Sequence[int], values: Values) -> str | None:
        parts = []
        for number in group:
            item = self.items[number]
            value = values.get(item.field)
            if not value and item.blanks != BLANKS:
                return None
            parts.append(METHODS[item.method].key(value) if value else "")
        return f"{place}:{'|'.join(parts)}" if any(parts) else None

    def _group(self, group: Sequence[int], values: Values, others: Values) -> float | None:
        items = [self.items[number] for number in group]
        forgives = self.ignores_blanks_with in {one.field for one in items}
        found = []
        for item in items:
            mine, yours = values.get(item.field), others.get(item.field)
            if not mine or not yours:
                both = not mine and not yours
                if forgives and item.field != self.ignores_blanks_with:
                    continue
                if item.blanks == BLANKS and both:
                    continue
                return None
            method = METHODS[item.method]
            likeness = method.likeness(mine, yours)
            if likeness < method.threshold:
                return None
            found.append(likeness)
        return sum(found) / len(found) if found else None


def groups_of(text: str | None, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups that a logic over the numbers of items makes, as `1 AND (2 OR 3)`.

    Nothing said is all items together.

    Raises:
        WrongFilter: it is no such logic, leaves an item out, or makes too many groups.
    """
    if not text or not text.strip():
        return (tuple(range(count)),)
    try:
        groups = _groups(read_logic(text, count))
    except WrongLogic as error:
        raise WrongFilter(str(error)) from None
    if {number for group in groups for number in group} != set(range(count)):
        raise WrongFilter("The filter must use every matching criterion")
    least = [one for one in groups if not any(other < one for other in groups)]
    return tuple(dict.fromkeys(tuple(sorted(one)) for one in least))


def _groups(logic: Logic) -> list[frozenset[int]]:
    """Return the groups of places of items that make a logic hold, each by itself."""
    match logic:
        case Row(number):
            return [frozenset({number - 1})]
        case Joined("OR", parts):
            return _few([group for part in parts for group in _groups(part)])
        case Joined(_, parts):
            found = [frozenset[int]()]
            for part in parts:
                found = _few([one | more for one in found for more in _groups(part)])
            return found
    raise WrongFilter("The filter logic of a matching rule knows AND and OR alone")


def _few(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    found = list(dict.fromkeys(groups))
    if len(found) > _MOST_GROUPS:
        raise WrongFilter("The filter logic is too complex")
    return found
