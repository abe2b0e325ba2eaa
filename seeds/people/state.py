"""What a person has in mind about one matter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from seeds.people.events import Mood
from seeds.people.hours import business_between
from seeds.people.persona import Persona
from seeds.people.satisfaction import Treatment


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The state of one person in one thread.

    `wrote_at` is when the matter began, `answered_at` when what settled it was said, if it was.
    `nudges` counts those of the present wait, `asked` the slots they owe an answer on, `revealed`
    those they told, `corrected` those they told right after telling them wrong. `claimed` says
    that the desk said it was done, `tells` that it told rightly what; `pending` names checks under
    way. `tone_fit` and `replies` count replies, and those in the person's language. `wanted` is
    what an approver is asked: (charge, minor units as text, currency).
    """

    wrote_at: datetime
    mood: Mood = "waiting"
    status: str = "open"
    answered_at: datetime | None = None
    nudges: int = 0
    unclear: int = 0
    failed: int = 0
    reopens: int = 0
    untruths: int = 0
    repeats: int = 0
    told: int = 0
    fixed: float = 0.0
    replies: int = 0
    tone_fit: int = 0
    insisted: int = 0
    claimed: bool = False
    tells: bool = False
    promised: bool = False
    flagged: bool = False
    asked: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()

    @property
    def is_solved(self) -> bool:
        """Whether the thread is in a finished state, as far as the person knows."""
        return self.status in ("solved", "closed")


def treatment(persona: Persona, state: ThreadState, now: datetime) -> Treatment:
    """Return how the person was treated so far."""
    until = state.answered_at if state.answered_at is not None else now
    waited = business_between(state.wrote_at, until, persona.zone) / persona.patience
    return Treatment(
        fixed=state.fixed,
        reopens=state.reopens,
        waited=waited,
        told=state.told,
        untruths=state.untruths,
        repeats=state.repeats,
        tone_fit=state.tone_fit / state.replies if state.replies else 0.0,
        bias=persona.bias,
    )
