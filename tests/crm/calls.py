"""What the CRM's tests call, and what they vouch for (`tests.calls`)."""

from __future__ import annotations

from pathlib import Path

from tests.calls import Calls, WatchedClient

__all__ = ["CALLS", "WatchedClient", "named"]

FOLDER = Path(__file__).parent
WITNESSES = FOLDER / "witnesses.json"
CALLS = Calls.of(FOLDER)


def named(nodeid: str) -> str:
    """Return a test's name as the file has it: without this folder."""
    return nodeid.removeprefix("tests/crm/")
