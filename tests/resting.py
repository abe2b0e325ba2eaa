"""Servers that run in a test's own process, so that tests can keep them from their upkeep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from episodes.caretaker import Caretaker

CARETAKERS: list[Caretaker] = []


@contextmanager
def resting() -> Iterator[None]:
    """Let every server of this process rest for the length of the block."""
    with ExitStack() as stack:
        for caretaker in CARETAKERS:
            stack.enter_context(caretaker.resting())
        yield
