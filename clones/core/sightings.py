"""An access log of records: which ones a response showed.

Presenters and page views call `note`; the rows of one response are buffered and written in a short
transaction of their own after rendering, and only while an episode runs in the sandbox.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Literal

from django.db import models

from clones.core import counters
from clones.core.models.sightings import Sighting
from clones.core.state import read_state

Kind = Literal["list", "detail", "aggregate"]
Noted = dict[tuple[str, str, str], None]

_noted: ContextVar[Noted | None] = ContextVar("noted", default=None)


def note(record: models.Model, kind: Kind) -> None:
    """Note that the response at hand shows `record`, as one of a `list` or in `detail`."""
    note_key(record._meta.db_table, str(record.pk), kind)


def note_key(table: str, key: str, kind: Kind) -> None:
    """Note a record by its table and key: of rows that were read without their models."""
    noted = _noted.get()
    if noted is not None:
        noted[(table, key, kind)] = None


def start(*, wanted: bool) -> Token[Noted | None]:
    """Begin noting for one response, or, where nobody wants to know, see to it that nothing is."""
    return _noted.set({} if wanted else None)


def stop(token: Token[Noted | None]) -> list[list[str]]:
    """End noting and return [[table, key, kind], ...] in the order noted."""
    noted = _noted.get() or {}
    _noted.reset(token)
    return [list(entry) for entry in noted]


def record(shown: list[list[str]], *, request: str, account: int | None) -> None:
    """Write what one response showed. The caller holds a write transaction."""
    Sighting.objects.create(
        id=counters.take("core.sighting"),
        request=request,
        step=read_state().step,
        account=account,
        shown=shown,
    )
