"""What people make of how they were treated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clones.core import clock
from seeds.people.models import PersonState
from seeds.people.satisfaction import satisfaction, stars
from seeds.people.state import treatment
from seeds.people.store import persona_of, state_of


@dataclass(frozen=True, slots=True)
class PersonReport:
    """One person's view of one thread.

    `satisfaction` is z in (0, 1) and `stars` what a page shows of it, None for those who are not
    served (colleagues, approvers); `fixed` is the share of what they were owed that they got;
    `rating` the last one they gave.
    """

    person: str
    thread: str
    kind: str
    mood: str
    satisfaction: float | None
    stars: int | None
    fixed: float
    reopens: int
    untruths: int
    rating: str | None


def reports(people: Iterable[str]) -> list[PersonReport]:
    """Return the reports of people by id, in (person, thread) order."""
    found = (
        PersonState.objects.select_related("person")
        .filter(person_id__in=list(people))
        .order_by("person_id", "thread")
    )
    return [_report(row) for row in found]


def _report(row: PersonState) -> PersonReport:
    persona, state = persona_of(row.person), state_of(row)
    served = persona.kind == "customer"
    z = satisfaction(treatment(persona, state, clock.now())) if served else None
    return PersonReport(
        person=row.person_id,
        thread=row.thread,
        kind=persona.kind,
        mood=state.mood,
        satisfaction=z,
        stars=None if z is None else stars(z),
        fixed=state.fixed,
        reopens=state.reopens,
        untruths=state.untruths,
        rating=row.rating,
    )
