"""Queries whose next pages somebody may ask for."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class QueryCursor(Record):
    """A query of a user, by the id that stands in the address of its next page."""

    journal = "ambient"

    id = models.CharField(max_length=18, primary_key=True)
    user = models.CharField(max_length=18)
    query = models.TextField()
    with_deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField()
