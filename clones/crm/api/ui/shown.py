"""Values as the UI resources carry them."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json


def ui_value(value: Any) -> Any:
    """Return a value of a query as UI resources carry it: moments end in Z, numbers are short."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and len(value) == 28 and value.endswith("+0000"):
        return f"{value[:23]}Z"
    return value


def milliseconds(moment: str | None) -> int | None:
    """Return the milliseconds since 1970 of a moment as queries have it."""
    if moment is None:
        return None
    return int(datetime.fromisoformat(f"{moment[:19]}+00:00").astimezone(UTC).timestamp()) * 1000


def etag_of(body: Any) -> str:
    """Return the tag of a body: the same for the same content."""
    return hashlib.md5(to_json(body), usedforsecurity=False).hexdigest()


def tagged(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body with its tag among its members, these in the order of their names."""
    return dict(sorted({**body, "eTag": etag_of(body)}.items()))
