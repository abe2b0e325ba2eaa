"""Which rules led to what is being written: rules do not set each other off unless they may."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# The vendor stops rules that set each other off after so many.
DEEPEST: Final = 10
_chain: ContextVar[tuple[int, ...]] = ContextVar("automation_chain", default=())


def current() -> tuple[int, ...]:
    """Return the rules that led to what is being written, the first one first."""
    return _chain.get()


@contextmanager
def acting(rule: int, led_by: Sequence[int]) -> Iterator[None]:
    """Attribute what the block writes to a rule, and those that led to it."""
    token = _chain.set((*led_by, rule))
    try:
        yield
    finally:
        _chain.reset(token)
