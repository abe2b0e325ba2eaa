"""What records are compared by, and what rules on duplicates do."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from clones.core.models import Record
from clones.core.models.records import JournalKind
from clones.crm.models.sobjects import ID_LENGTH


class MatchKey(Record):
    """What a record can be found by as a match: what a matching rule makes of its values."""

    journal: ClassVar[JournalKind] = "ambient"

    id = models.CharField(max_length=120, primary_key=True)
    rule = models.CharField(max_length=80)
    key = models.TextField()
    record = models.CharField(max_length=ID_LENGTH, db_index=True)

    class Meta:
        indexes = (models.Index(fields=["rule", "key"], name="crm_match_key"),)


class DuplicateRuleMetadata(Record):
    """What a duplicate rule (by its id) does, as the vendor's metadata say it."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    definition = models.JSONField()
