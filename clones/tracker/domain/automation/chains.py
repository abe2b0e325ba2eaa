"""Which rules led to what is being written: rules do not set each other off unless they may.

Those that may end, however they lead to each other: a rule runs ten times at most for one work item
in all that follows of one event, and rules a hundred times together. Without that two rules that
answer each other would run a thousand times before the tenth link of their chains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal

from clones.core import counters

# The vendor stops rules that set each other off after so many.
DEEPEST: Final = 10
# Runs of all rules that may follow of one event.
BUDGET: Final = 100

Verdict = Literal["go", "loop", "spent", "over"]


@dataclass(slots=True)
class ChainOfRules:
    """The rules that led here, the first one first, and the event that it began with, if known."""

    rules: tuple[int, ...] = ()
    event: int | None = None


_chain: ContextVar[ChainOfRules | None] = ContextVar("automation_chain", default=None)


def current() -> tuple[int, ...]:
    """Return the rules that led to what is being written, the first one first."""
    chain = _chain.get()
    return () if chain is None else chain.rules


def event() -> int:
    """Return the number of the event that led to what is being written: a new one, if none did."""
    chain = _chain.get()
    if chain is None:
        return counters.take("tracker.automation")
    if chain.event is None:
        chain.event = counters.take("tracker.automation")
    return chain.event


@contextmanager
def acting(rule: int, led_by: Sequence[int], event: int | None = None) -> Iterator[None]:
    """Attribute what the block writes to a rule, those that led to it, and their first event."""
    token = _chain.set(ChainOfRules((*led_by, rule), event))
    try:
        yield
    finally:
        _chain.reset(token)


def verdict(rule: int, issue: int | None) -> Verdict:
    """Say whether a rule may be set off by what rules have written, and count that it is.

    `go`: it may; `loop`: it has run too often by now, or is too deep; `spent`: rules have, all
    together; `over`: one of these was said already.
    """
    chain = _chain.get()
    if chain is None:
        return "go"
    if len(chain.rules) >= DEEPEST:
        return "loop"
    place = f"tracker.automation:{event()}"
    times = counters.take(f"{place}:{rule}:{issue or 0}")
    if times >= DEEPEST:
        return "loop" if times == DEEPEST else "over"
    whole = counters.take(place)
    if whole > BUDGET:
        return "spent" if whole == BUDGET + 1 else "over"
    return "go"
