"""Tickets that are written apart, and the fair copy that is made of them in their order.

Rows of a draft have tokens in place of the identifiers that depend on all the tickets before: the
first identifier that a ticket asks for has the token 1, the next one 2.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Model

from clones.core import ids
from clones.core.models import Blob
from clones.helpdesk import models as helpdesk
from seeds.bulk import BulkTable, BulkWriter, Identifiers, adapts_moments
from seeds.kestrel.projection.slas import BreachTimer

# The models that tickets have rows of, with the columns that hold tokens.
TOKENS: dict[type[Model], tuple[str, ...]] = {
    helpdesk.Ticket: (),
    helpdesk.TicketMetric: ("id",),
    helpdesk.Audit: ("id",),
    helpdesk.AuditEvent: ("id", "audit_id"),
    helpdesk.Comment: ("id", "audit_id"),
    helpdesk.Attachment: ("id", "comment_id"),
    helpdesk.SatisfactionRating: ("id",),
    helpdesk.SlaClock: ("id",),
    helpdesk.MetricEvent: ("id",),
}
MODELS = tuple(TOKENS)
PLACES = {model: place for place, model in enumerate(MODELS)}


class Draft(NamedTuple):
    """One ticket's rows.

    `asked` are the places of models among `MODELS`, `firsts` the first stamps that would do, both
    in the order of the tokens; `rows` are stored rows by model, `files` bytes by their SHA-256,
    `case` what the words made of the ticket's case.
    """

    number: int
    case: str | None
    asked: bytes
    firsts: array[int]
    rows: list[list[tuple[Any, ...]]]
    files: list[tuple[str, bytes]]
    timers: list[BreachTimer]


class Scribe:
    """Takes the rows of one ticket after the other, and gives tokens."""

    def __init__(self) -> None:
        moments = adapts_moments()
        self._tables = [BulkTable(model, moments) for model in MODELS]
        self._last: tuple[datetime | None, int] = (None, 0)
        self._begin()

    def _begin(self) -> None:
        self._asked, self._firsts = bytearray(), array("q")
        self._rows: list[list[tuple[Any, ...]]] = [[] for _ in MODELS]
        self._files: list[tuple[str, bytes]] = []

    def add(self, model: type[Model], row: Mapping[str, Any]) -> None:
        """Take a row of a model, or a file."""
        if model is Blob:
            self._files.append((row["sha256"], row["data"]))
            return
        place = PLACES[model]
        self._rows[place].append(self._tables[place].stored(row))

    def stamp(self, model: type[Model], moment: datetime) -> int:
        """Return a token for the stamp of a moment."""
        before, first = self._last
        if before is not moment:
            first = ids.stamp_of(moment)
            self._last = (moment, first)
        self._asked.append(PLACES[model])
        self._firsts.append(first)
        return len(self._firsts)

    def draft(self, number: int, case: str | None, timers: list[BreachTimer]) -> Draft:
        """Return what there is of a ticket; the next one begins."""
        found = Draft(
            number=number,
            case=case,
            asked=bytes(self._asked),
            firsts=self._firsts,
            rows=self._rows,
            files=self._files,
            timers=timers,
        )
        self._begin()
        return found


class FairCopy:
    """Writes drafts, given in the order of their tickets; `timers` are those that wait."""

    def __init__(self, writer: BulkWriter, ids: Identifiers) -> None:
        self.writer, self.ids = writer, ids
        # Other files may have the same bytes; those are written by now.
        self._known: set[str] = set(Blob.objects.values_list("sha256", flat=True))
        self._places = [
            tuple(writer.table(model).columns.index(column) for column in columns)
            for model, columns in TOKENS.items()
        ]
        self.timers: list[BreachTimer] = []

    def write(self, draft: Draft) -> None:
        """Write a ticket."""
        stamp = self.ids.stamp_from
        given = [0, *map(stamp, map(MODELS.__getitem__, draft.asked), draft.firsts)]
        for digest, data in draft.files:
            if digest not in self._known:
                self._known.add(digest)
                self.writer.add(Blob, {"sha256": digest, "data": data})
        for model, places, rows in zip(MODELS, self._places, draft.rows, strict=True):
            if rows:
                self.writer.put(model, (_given(row, places, given) for row in rows))
        self.timers += [
            BreachTimer(given[item.clock], item.due, item.set_at) for item in draft.timers
        ]


def _given(row: tuple[Any, ...], places: tuple[int, ...], given: list[int]) -> tuple[Any, ...]:
    """Return a row with identifiers in the place of its tokens."""
    if not places:
        return row
    filled = list(row)
    for place in places:
        filled[place] = given[filled[place]]
    return tuple(filled)
