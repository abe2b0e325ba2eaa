"""Finding records of what admins did."""

from __future__ import annotations

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from clones.core.words import asked_words
from clones.tracker.models import AuditRecord


def with_words(rows: QuerySet[AuditRecord], text: str) -> QuerySet[AuditRecord]:
    """Return the records that have each word of a text in one of their parts, in any case."""
    for word in asked_words(text):
        texts = rows.alias(
            item=Cast("object_item", TextField()), changes=Cast("changed_values", TextField())
        )
        rows = texts.filter(
            Q(summary__icontains=word)
            | Q(category__icontains=word)
            | Q(item__icontains=word)
            | Q(changes__icontains=word)
        )
    return rows
