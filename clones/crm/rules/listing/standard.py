"""The list views that every organization begins with, as `standard.toml` declares them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("standard.toml")
_SHOWN: Final = ("scope", "columns", "order")


def standard_views() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each list view: the fields of its record, and its definition."""
    for of, views in _declared().items():
        for one in views:
            row = {
                "Name": one["label"],
                "DeveloperName": one["name"],
                "SobjectType": of,
                "IsSoqlCompatible": True,
            }
            filters = [
                {"field": field, "operation": operation, "value": value}
                for field, operation, value in one.get("filters", ())
            ]
            definition: dict[str, Any] = {
                key: one[key] for key in ("scope", "columns", "order") if key in one
            }
            yield row, definition | {"filters": filters}


@cache
def _declared() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
