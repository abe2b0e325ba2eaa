"""Diagrams: where a workflow's statuses stand when nobody put them anywhere."""

from __future__ import annotations

from typing import Final

START: Final = {"x": -100.0, "y": -153.0}
LEFT: Final = 115.0
TOP: Final = -16.0
STEP: Final = 200.0


def point_of(position: int) -> dict[str, float]:
    """Return where the status at a position stands: in a row, from the left."""
    return {"x": LEFT + STEP * position, "y": TOP}
