"""Whether the saves of a call assign their records by rules: what its caller asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from clones.crm.rules.record_ids import read_id

ACTIVE: Final = "active"


@dataclass(frozen=True, slots=True)
class Assigning:
    """What a call wants: `rule` is `ACTIVE`, the id of a rule, or None for none.

    `answers` has records that are made answered by the rule of responses.
    """

    rule: str | None = None
    answers: bool = False


NOTHING: Final = Assigning()
_asked: ContextVar[Assigning] = ContextVar("crm_assigning", default=NOTHING)


@contextmanager
def assigning(asked: Assigning) -> Iterator[None]:
    """Have what is saved within assigned and answered as is asked."""
    token = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(token)


def asked() -> Assigning:
    """Return what the call at hand wants."""
    return _asked.get()


def of_header(text: str | None) -> Assigning:
    """Return what a header of a request wants: a rule's id, or TRUE or FALSE in any case.

    Nothing said is TRUE; a text that is none of them, too (unverified).
    """
    said = (text or "").strip()
    if said.lower() == "false":
        return NOTHING
    return Assigning(read_id(said) or ACTIVE, answers=True)
