"""No fixed address of the description is taken for an id of its sibling.

`filter/favourite` beside `filter/{id}`: each such address has its operation, or is unknown.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from clones.tracker.api.entry import operations

FACTS: Final = Path(__file__).parents[1] / "facts" / "tracker" / "operations.json"


def fixed(segments: list[str]) -> list[str]:
    """Return an address whose parameters have values that are no words of the description."""
    return ["10001" if part.startswith("{") else part for part in segments]


def test_fixed_addresses_are_not_taken_for_ids() -> None:
    rows = json.loads(FACTS.read_text(encoding="utf-8"))
    assert len(rows) > 700
    taken = {}
    for row in rows:
        segments = re.sub(r"^/rest/api/2/", "/rest/api/3/", row["path"]).strip("/").split("/")
        methods, _ = operations()._find(fixed(segments))
        found = (methods or {}).get(row["method"])
        if found is None:
            continue
        for mine, theirs in zip(segments, found.segments, strict=True):
            if theirs.startswith("{") and not mine.startswith("{"):
                taken[f"{row['method']} {row['path']}"] = found.id
    assert taken == {}
