"""Which records a response showed."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class Sighting(AmbientRecord):
    """What one response showed to an account: `shown` is [[table, primary key, kind], ...]."""

    id = models.BigIntegerField(primary_key=True)
    request = models.CharField(max_length=40)
    step = models.PositiveIntegerField()
    account = models.BigIntegerField(null=True)
    shown = models.JSONField()

    class Meta:
        db_table = "core_sighting"
