"""Bytes of attachments, by content."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import Record


class Blob(Record):
    """Immutable bytes, named by their SHA-256."""

    sha256 = models.CharField(primary_key=True, max_length=64)
    data = models.BinaryField()

    class Meta:
        db_table = "core_blob"
