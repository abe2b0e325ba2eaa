"""Values of fields, as JSON has them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

from clones.core.strict_json import read_json
from clones.crm.rules.schema import Field, SObject

# The parts of an address, as its field's value names them and as their own fields end.
ADDRESS_PARTS = {
    "city": "City",
    "country": "Country",
    "geocodeAccuracy": "GeocodeAccuracy",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "postalCode": "PostalCode",
    "state": "State",
    "street": "Street",
}


def moment_text(moment: datetime) -> str:
    """Return a moment as answers have it: in UTC, to the millisecond."""
    text = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{moment.microsecond // 1000:03d}+0000"


def shown_value(value: Any) -> Any:
    """Return a column's value as JSON has it."""
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, date):
        return value.isoformat()
    return value


def bytes_address(root: str, of: str, id: str, field: str, value: Any) -> str | None:
    """Return where the bytes of a record's field are to be had; None where it has none."""
    return f"{root}/sobjects/{of}/{id}/{field}" if value else None


def kept_value(value: Any) -> str | None:
    """Return how a field of any type keeps a value of another field."""
    return None if value is None else json.dumps(shown_value(value), ensure_ascii=False)


def any_value(value: str | None) -> Any:
    """Return what a field of any type has, as JSON has it."""
    return None if value is None else read_json(value)


def address_of(of: SObject, field: Field, get: Any) -> dict[str, Any] | None:
    """Return the value of an address field; None where all its parts are empty.

    `get` returns the column of a field by its name.
    """
    stem = field.name.removesuffix("Address")
    found = {
        key: get(f"{stem}{part}") if of.field(f"{stem}{part}") is not None else None
        for key, part in ADDRESS_PARTS.items()
    }
    return found if any(value is not None for value in found.values()) else None
