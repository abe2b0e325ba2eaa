"""What lists and pages remember: how a list view lists, what somebody saw last, favorites."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class ListViewDefinition(Record):
    """What a list view shows, by the id of its record of ListView; `rules.listing` reads it."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    definition = models.JSONField()


class RecentItem(Record):
    """A record that somebody saw, and when last; `id` is the user's and the record's together.

    `place` counts what the user saw: of two records the one with the larger place was seen later.
    """

    journal = "ambient"

    id = models.CharField(max_length=2 * ID_LENGTH, primary_key=True)
    user = models.CharField(max_length=ID_LENGTH)
    object = models.CharField(max_length=80)
    record = models.CharField(max_length=ID_LENGTH)
    viewed_at = models.DateTimeField()
    place = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=["user", "object", "place"], name="crm_recent_of"),)


class Favorite(Record):
    """A page that somebody wants at hand: a record, a list view, an object's home."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    user = models.CharField(max_length=ID_LENGTH, db_index=True)
    name = models.CharField(max_length=100)
    target = models.CharField(max_length=255)
    target_type = models.CharField(max_length=40)
    object = models.CharField(max_length=80, null=True)
    sort_order = models.IntegerField()
    access_count = models.IntegerField(default=0)
    last_access_at = models.DateTimeField(null=True)
