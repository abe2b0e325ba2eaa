"""Waiting requests of many sandboxes, each of which gets its share of the thread that answers.

A worker answers one request at a time. Were they answered in the order in which they came, whoever
sends a hundred at once, or one that works for seconds, would hold up everybody else for as long as
that takes. Here each sandbox has a queue and some seconds to spend (a token bucket): they run out
as its requests are answered and come back by and by, the fewer sandboxes ask the sooner. Who has
most left is next. What those ask who have spent more than there was is for somebody else to answer,
though nobody else waits just then: a request under way cannot be put aside for one that comes. So
is what those ask of whom the next request may be a long one: by the longest of late.
"""

from __future__ import annotations

import base64
import binascii
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item")

# Seconds of answering that a sandbox can have in hand, and that it can be behind.
IN_HAND: Final = 2.0
BEHIND: Final = 3.0
# Of a second, what comes back each second: so many times a sandbox's equal part, and this at least.
PARTS: Final = 2.0
LEAST_SHARE: Final = 0.02
# A sandbox asks as long as it has in so many seconds: agents think between their requests.
LATELY: Final = 10.0
# A sandbox is to have so many times in hand what its next request may take.
SPARE: Final = 4.0
# Seconds after which half of what its longest request took is expected of its next.
HALF_LIFE: Final = 10.0
# Requests of one sandbox that may wait: their bodies are held in memory.
WAITING: Final = 128
REMEMBERED: Final = 4_096
# Seconds after which those who wait are looked at anew: what comes back wakes nobody.
LOOK: Final = 0.1

BY_NAME: Final = re.compile(r"\.(sb-[a-z2-7]{10})\.")
# A secret of ours, in which its sandbox comes first (clones.core.accounts.secrets).
BY_SECRET: Final = re.compile(
    r"(?<![0-9A-Za-z])([a-z2-7]{10})[a-zA-Z][0-9A-Za-z]{29}(?![0-9A-Za-z])"
)


@dataclass(slots=True)
class _Share(Generic[Item]):
    """What a sandbox has in hand as of a time, and what of it waits."""

    at: float
    in_hand: float = IN_HAND
    expected: float = 0.0  # seconds that its next item may take
    waiting: deque[Item] = field(default_factory=deque)
    answered: bool = False  # an item of it was taken and not charged yet

    @property
    def is_overdrawn(self) -> bool:
        """Whether somebody else is to answer its next item."""
        return self.in_hand < self.expected * SPARE


class FairQueue(Generic[Item]):
    """A queue from which one thread takes, and where it `overflows` a second one.

    Each names whose item it is, and is to `charge` what that used before it takes the next.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, overflows: bool = False
    ) -> None:
        self._clock = clock
        self._overflows = overflows
        lock = threading.RLock()
        self._changed = threading.Condition(lock)
        self._overdrawn = threading.Condition(lock)
        self._shares: dict[str, _Share[Item]] = {}
        self._waiting: dict[str, _Share[Item]] = {}  # by how long they wait
        self._asked: dict[str, float] = {}  # when each asked last, of late

    def put(self, whose: str, item: Item) -> bool:
        """Add an item; tell whether there was room for it."""
        with self._changed:
            now = self._clock()
            self._note_asking(whose, now)
            share = self._shares.get(whose)
            if share is None:
                self._forget(now)
                share = self._shares[whose] = _Share(now)
            if len(share.waiting) >= WAITING:
                return False
            share.waiting.append(item)
            self._waiting.setdefault(whose, share)
            self._tell(share)
        return True

    def take(self) -> tuple[str, Item]:
        """Wait for an item, and return the first of who has most in hand."""
        with self._changed:
            while (whose := self._next()) is None:
                self._changed.wait(LOOK if self._waiting else None)
            return whose, self._taken(whose)

    def take_overdrawn(self) -> tuple[str, Item]:
        """Wait for an item of who has nothing in hand, and return the first of who has most."""
        with self._overdrawn:
            while (whose := self._next(overdrawn=True)) is None:
                self._overdrawn.wait(LOOK if self._waiting else None)
            return whose, self._taken(whose)

    def _taken(self, whose: str) -> Item:
        share = self._waiting.pop(whose)
        share.answered = True
        item = share.waiting.popleft()
        if share.waiting:
            self._waiting[whose] = share  # behind its equals
        return item

    def charge(self, whose: str, seconds: float, *, elsewhere: bool = False) -> None:
        """Note for how long an item was answered that was taken, here or by the second thread.

        What takes long elsewhere, with what the machine has left, may be short here.
        """
        with self._changed:
            share = self._shares[whose]
            share.answered = False
            self._refill(share, self._clock())
            share.in_hand = max(share.in_hand - seconds, -BEHIND)
            if not elsewhere:
                share.expected = max(share.expected, seconds)
            if share.waiting:
                self._tell(share)

    def _tell(self, share: _Share[Item]) -> None:
        """Wake who may have an item of a share to take."""
        if share.is_overdrawn and self._overflows:
            self._overdrawn.notify()
        self._changed.notify()

    def _next(self, *, overdrawn: bool = False) -> str | None:
        """Return whose item is next, None where nobody's may be.

        Of one sandbox no two are answered at a time: each may ask what the one before has done.
        """
        now = self._clock()
        self._note_asking(None, now)
        free = {name: share for name, share in self._waiting.items() if not share.answered}
        for share in free.values():
            self._refill(share, now)
        if self._overflows and self._part() < 1.0:
            free = {name: one for name, one in free.items() if one.is_overdrawn is overdrawn}
        elif overdrawn:
            return None
        # Of equals the one who has waited longest comes first.
        return max(free, key=lambda name: free[name].in_hand, default=None)

    def _part(self) -> float:
        """Return which part of the time comes back to each sandbox."""
        return min(1.0, max(LEAST_SHARE, PARTS / max(len(self._asked), 1)))

    def _refill(self, share: _Share[Item], now: float) -> None:
        passed = now - share.at
        share.in_hand = min(IN_HAND, share.in_hand + passed * self._part())
        share.expected *= 0.5 ** (passed / HALF_LIFE)
        share.at = now

    def _note_asking(self, whose: str | None, now: float) -> None:
        """Keep that a sandbox asks, and forget those that have not of late."""
        if whose is not None:
            self._asked.pop(whose, None)
            self._asked[whose] = now
        while self._asked:
            first = next(iter(self._asked))
            if now - self._asked[first] < LATELY:
                return
            del self._asked[first]

    def _forget(self, now: float) -> None:
        """Make room: forget those for whom nothing waits, who has all in hand first."""
        if len(self._shares) < REMEMBERED:
            return
        idle = [
            name for name, share in self._shares.items() if not share.waiting and not share.answered
        ]
        for name in idle:
            self._refill(self._shares[name], now)
        idle.sort(key=lambda name: -self._shares[name].in_hand)
        for name in idle[: REMEMBERED // 2]:
            del self._shares[name]


def asked_of(scope: dict[str, Any]) -> str:
    """Return of which sandbox a request asks, as far as its first look tells.

    By its name, else by the secret that it brings; who brings neither is one with all who use that
    host.
    """
    host = str(scope.get("HTTP_HOST", ""))
    named = BY_NAME.search(host.lower())
    if named is not None:
        return named.group(1)
    scheme, _, rest = str(scope.get("HTTP_AUTHORIZATION", "")).partition(" ")
    if scheme.lower() == "basic":
        try:
            rest = base64.b64decode(rest, validate=True).decode("latin-1")
        except (binascii.Error, ValueError):
            rest = ""
    said = BY_SECRET.search(rest) or BY_SECRET.search(str(scope.get("PATH_INFO", "")))
    return host if said is None else f"sb-{said.group(1)}"
