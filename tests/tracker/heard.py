"""What the tracker publishes while a test runs."""

from __future__ import annotations

from clones.tracker.domain.events import Event, listen
from tests.tracker.rounds import ROUNDS


def heard(*kinds: str) -> list[Event]:
    """Return a list that grows by each event of some kinds, from any sandbox.

    What odd calls publish is left out, and so is what a good call publishes that is taken back for
    them (see `tests.tracker.rounds`).
    """
    events: list[Event] = []

    @listen(*kinds)
    def hear(event: Event) -> None:
        if not ROUNDS.aside:
            events.append(event)

    return events
