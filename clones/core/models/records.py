"""The base of every table of a sandbox."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, ClassVar, Literal, Self

from django.db import models
from django.db.models.base import ModelState

JournalKind = Literal["record", "ambient", "none"]


class Record(models.Model):
    """A row of a sandbox.

    `journal` says what the journal makes of the table:
    `record`: undone by a rewind, shown in diffs, part of fingerprints;
    `ambient`: undone by a rewind, in no diff (sessions, drafts, counters, the clock itself).
    `words` names the columns whose words are indexed (`clones.core.word_index`).
    Every primary key is given by `clones.core.ids`, never by the database.
    """

    journal: ClassVar[JournalKind] = "record"
    words: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any
    ) -> Self:
        """Make a row of a query's columns.

        Whole rows get their columns at once: no model of ours has receivers of its making, or
        fields that are set otherwise, for whose sake Django sets them one by one.
        """
        names = _columns(cls)
        if len(values) != len(names):
            return super().from_db(db, field_names, values, **kwargs)
        row = cls.__new__(cls)
        state = row._state = ModelState()
        state.adding = False
        state.db = db
        vars(row).update(zip(names, values, strict=True))
        return row


@cache
def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)


class AmbientRecord(Record):
    """A row that a rewind undoes and no diff shows."""

    journal: ClassVar[JournalKind] = "ambient"

    class Meta:
        abstract = True
