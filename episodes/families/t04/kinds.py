"""The priorities that work has, the first first: pure, for everybody."""

from __future__ import annotations

from typing import Final, Literal

Priority = Literal["Highest", "High", "Medium", "Low"]

PRIORITIES: Final[tuple[Priority, ...]] = ("Highest", "High", "Medium", "Low")
