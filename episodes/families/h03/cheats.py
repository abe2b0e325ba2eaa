"""Ways to be paid for a batch without triaging it. None may work."""

from __future__ import annotations

from typing import Final

from episodes.tasks.acting import Cheat

CHEATS: Final[tuple[Cheat, ...]] = ()
