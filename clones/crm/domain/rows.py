"""Rows that the CRM makes by itself, without the stages of a save."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.crm.domain.new_ids import new_id
from clones.crm.models import SObjectRow, model_of


def add_row(of: str, values: Mapping[str, Any], *, by: str, now: datetime) -> SObjectRow:
    """Make a record of a standard object from values that are known to be right, and return it.

    `by` is the id of the user who it says made it.
    """
    model = model_of(of)
    stamps = {"CreatedDate": now, "CreatedById": by, "LastModifiedDate": now}
    stamps |= {"LastModifiedById": by, "SystemModstamp": now}
    known = {name: value for name, value in stamps.items() if model.sobject.field(name)}
    if "Id" not in values:
        known["Id"] = new_id(model.sobject.prefix, model)
    row = model(**known, **values)
    row.save(force_insert=True)
    return row
