"""What a routing guide says: conditions as neutral data, and which new tickets meet them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final

SOURCES: Final = ("mail", "repairs", "orders", "studio", "web", "desk")
FILLERS: Final = (
    "A question about our machine",
    "hello again",
    "Need some help please",
    "Problem since yesterday",
    "follow up",
    "Second try",
    "from the workshop",
    "URGENT please read",
    "Quick one",
    "Re: your visit",
)
BODIES: Final = (
    "Could you have a look at this when you find the time?",
    "We have tried everything in the manual, no luck so far.",
    "It started on Monday. Nothing was changed before that.",
    "pls advise, customer is waiting",
    "Thanks in advance for any hint you can give us.",
    "Attached is what we see here.",
)
DRAWS: Final = 6000

# A condition: {"side": all or any, "field": source, subject or first, "test", "value"}.
# A mail or form: {"source", "subject", "body"}.
Condition = Mapping[str, Any]
Item = Mapping[str, str]


def holds(condition: Condition, item: Item) -> bool:
    """Tell whether something that comes in meets one condition."""
    value, test = str(condition["value"]), condition["test"]
    if condition["field"] == "source":
        return item["source"] in SENT[value]
    text = (item["subject"] if condition["field"] == "subject" else item["body"]).lower()
    if test == "part":
        return value in text
    return (value in re.findall(r"[a-z0-9]+", text)) is (test == "word")


SENT: Final = {
    "mail": ("mail", "repairs", "orders", "studio"),
    "web": ("web", "desk"),
    "repairs": ("repairs",),
    "orders": ("orders",),
    "customer": ("mail", "repairs", "orders", "studio", "web"),
}


def applies(conditions: Iterable[Condition], item: Item) -> bool:
    """Tell whether all that must hold does, and one of those of which one must."""
    every = [holds(each, item) for each in conditions if each["side"] == "all"]
    some = [holds(each, item) for each in conditions if each["side"] == "any"]
    return all(every) and (not some or any(some))


class Writer:
    """Writes what might come in, near the edges of a guide.

    `others` are words of other rules: half of what `aside` writes has one.
    """

    def __init__(self, conditions: Iterable[Condition], others: Iterable[str]) -> None:
        self._conditions = list(conditions)
        self._others = list(others)

    def inside(self, chance: Random, count: int) -> list[dict[str, str]]:
        """Return items that the guide means: for each of `any` some are in by it alone."""
        some = [each for each in self._conditions if each["side"] == "any"]
        found: list[dict[str, str]] = []
        for item in self._drawn(chance, meant=True):
            fresh = len(found) >= len(some)
            if not fresh:
                wanted = some[len(found)]
                fresh = [each for each in some if holds(each, item)] == [wanted]
            if fresh:
                found.append(item)
            if len(found) == count:
                return found
        raise LookupError("too few items meet the guide")

    def outside(self, chance: Random, count: int) -> list[dict[str, str]]:
        """Return items that the guide does not mean: each edge is missed by it alone first."""
        found: list[dict[str, str]] = []
        every = [each for each in self._conditions if each["side"] == "all"]
        missed: set[int] = set()
        plain = []
        for item in self._drawn(chance, meant=False):
            failing = [place for place, each in enumerate(every) if not holds(each, item)]
            key = failing[0] if len(failing) == 1 else (-1 if not failing else None)
            if key is not None and key not in missed:
                missed.add(key)
                found.append(item)
            else:
                plain.append(item)
            if len(found) + len(plain) >= 4 * count:
                break
        return (found + plain)[:count]

    def aside(self, chance: Random, count: int) -> list[dict[str, str]]:
        """Return what comes in besides, half of it with a word that another rule looks for."""
        found = []
        for place in range(count):
            item = self.item(chance)
            if self._others and place % 2 == 0:
                item["subject"] = f"{item['subject']} {chance.choice(self._others)}"
            found.append(item)
        return found

    def _drawn(self, chance: Random, *, meant: bool) -> Iterable[dict[str, str]]:
        for _ in range(DRAWS):
            item = self.item(chance)
            if applies(self._conditions, item) is meant:
                yield item

    def item(self, chance: Random) -> dict[str, str]:
        """Return something that might come in; each condition is met more often than not."""
        source = chance.choice(SOURCES)
        subject, body = [chance.choice(FILLERS)], [chance.choice(BODIES)]
        for each in self._conditions:
            roll = chance.random()
            if each["field"] == "source":
                source = chance.choice(SENT[str(each["value"])]) if roll < 0.75 else source
                continue
            place = subject if each["field"] == "subject" else body
            other = body if place is subject else subject
            often = 0.45 if each["side"] == "any" else 0.75
            lacking = each["test"] == "lacks"
            if (roll < often) is not lacking:
                word = str(each["value"])
                place.append(f"{word}s" if each["test"] == "part" and roll < 0.3 else word)
            elif roll < 0.9:
                # Nearly the word, or the word in the other place.
                if each["test"] == "part":
                    other.append(str(each["value"]))
                else:
                    chance.choice((place, place, other)).append(f"{each['value']}ful")
        chance.shuffle(subject)
        return {"source": source, "subject": _joined(subject), "body": " ".join(body)}


def _joined(parts: list[str]) -> str:
    return ", ".join(parts)
