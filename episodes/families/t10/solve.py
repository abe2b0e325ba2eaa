"""The oracles of T10: there is one, in a browser."""

from __future__ import annotations

from episodes.families.t10.solve_browser import in_browser
from episodes.tasks.acting import Script
from sandlot.service import Space

SOLVE: dict[Space, Script] = {"browser": in_browser}
