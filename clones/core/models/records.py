"""The base of every table of a sandbox."""

from __future__ import annotations

from typing import ClassVar, Literal

from django.db import models

JournalKind = Literal["record", "ambient", "none"]


class Record(models.Model):
    """A row of a sandbox.

    `journal` says what the journal makes of the table:
    `record`: undone by a rewind, shown in diffs, part of fingerprints;
    `ambient`: undone by a rewind, in no diff (sessions, drafts, counters, the clock itself).
    `words` names the column whose words are indexed (`clones.core.word_index`), if any.
    Every primary key is given by `clones.core.ids`, never by the database.
    """

    journal: ClassVar[JournalKind] = "record"
    words: ClassVar[str | None] = None

    class Meta:
        abstract = True


class AmbientRecord(Record):
    """A row that a rewind undoes and no diff shows."""

    journal: ClassVar[JournalKind] = "ambient"

    class Meta:
        abstract = True
