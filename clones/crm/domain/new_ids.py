"""Ids of new records."""

from __future__ import annotations

from django.db import models

from clones.core import ids
from clones.crm.rules.record_ids import POD, long_id


def new_id(prefix: str, model: type[models.Model]) -> str:
    """Return the id of a new row of a table, beginning with an object's three characters."""
    return long_id(ids.next_keyed(prefix + POD, model))
