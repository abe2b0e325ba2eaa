"""One transition of a customer being worked out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

from seeds.people.events import Act, ActName, Mood, Timer
from seeds.people.persona import Knowledge, Persona
from seeds.people.state import ThreadState

Outcome = tuple[ThreadState, tuple[Act, ...], tuple[Timer, ...]]

# In these moods the next move is the desk's, and patience runs.
IMPATIENT: Final[frozenset[Mood]] = frozenset({"waiting", "doubting", "angry", "escalated"})
UNDECIDED: Final[frozenset[Mood]] = IMPATIENT | {"asked", "reading"}
SILENT_WHEN_CONTENT: Final = frozenset({"terse", "angry"})
PROMISE_GRACE: Final = timedelta(hours=24)
TOO_OFTEN: Final = 3
MENU: Final = ("charge", "order", "card", "date", "contact", "amount", "seat", "address")


@dataclass(slots=True)
class Turn:
    """One transition being worked out."""

    persona: Persona
    state: ThreadState
    facts: Knowledge
    acts: list[Act] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)

    def set(self, **changes: Any) -> None:
        """Change the state."""
        self.state = replace(self.state, **changes)

    def do(self, name: ActName, **details: Any) -> None:
        """Decide on an act."""
        if self.facts.change is not None:
            details["data"] = (*details.get("data", ()), ("matter", "change"))
        self.acts.append(Act(name, **details))

    def wait_anew(self) -> None:
        """Begin a wait: the count of nudges and their timer start afresh."""
        self.set(nudges=0)
        self.timers.append(Timer("nudge", self.persona.patience, business=True))

    def stop_waiting(self) -> None:
        """Take the nudge timer back."""
        self.timers.append(Timer("nudge", None))

    def outcome(self) -> Outcome:
        """Return what was worked out."""
        return self.state, tuple(self.acts), tuple(self.timers)
