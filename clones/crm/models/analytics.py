"""What reports ask, beside their records, and runs of them that are kept."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class ReportDefinition(Record):
    """What a report asks, by the id of its record of Report; `rules.reports` reads it."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    definition = models.JSONField()


class ReportInstance(Record):
    """A run of a report whose result is kept."""

    journal = "ambient"

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    report = models.CharField(max_length=ID_LENGTH, db_index=True)
    user = models.CharField(max_length=ID_LENGTH)
    has_details = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    definition = models.JSONField()
