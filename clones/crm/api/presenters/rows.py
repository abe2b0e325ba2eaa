"""A record, as answers have it: `attributes`, then its fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.core.sightings import note
from clones.crm.models import SObjectRow
from clones.crm.queries.milestone_times import OBJECT as MOVING_OBJECT
from clones.crm.queries.milestone_times import with_moving
from clones.crm.rules.schema import Field
from clones.crm.rules.shown_values import address_of, any_value, bytes_address, shown_value


def present_row(row: SObjectRow, root: str, fields: Sequence[Field]) -> dict[str, Any]:
    """Return a record with some of its fields; `root` is the address of the API's version."""
    note(row, "detail")
    of = row.sobject
    found: dict[str, Any] = {
        "attributes": {"type": of.name, "url": f"{root}/sobjects/{of.name}/{row.pk}"}
    }
    for field in fields:
        if field.type == "address":
            found[field.name] = address_of(of, field, lambda name: getattr(row, name))
        elif field.type == "base64":
            kept = getattr(row, field.name)
            found[field.name] = bytes_address(root, of.name, row.pk, field.name, kept)
        elif field.type == "anyType":
            found[field.name] = any_value(getattr(row, field.name))
        else:
            found[field.name] = shown_value(getattr(row, field.name))
    return with_moving(row.pk, found) if of.name == MOVING_OBJECT else found
