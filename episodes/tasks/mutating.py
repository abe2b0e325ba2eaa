"""Changing recorded acts: what mutants, the common ones and a family's own, are made with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct

# In place of a ticket's number: one of which nothing was asked, and which can be changed.
BESIDE: Final = "a ticket beside"


def replaced(acts: Acts, place: int, *others: RecordedAct) -> list[RecordedAct]:
    """Return the acts with the one at `place` replaced by others, or by none."""
    return [*acts[:place], *others, *acts[place + 1 :]]


def place_of(acts: Acts, fits: Callable[[RecordedAct], bool]) -> int | None:
    """Return the place of the first act that fits, None if none does."""
    return next((place for place, taken in enumerate(acts) if fits(taken)), None)


def ticket_beside(ticket: int, tickets: Sequence[int]) -> int:
    """Return the nearest number before a ticket's among `tickets`, else the nearest after it.

    Numbers have gaps: that of one before it may be nobody's.

    Raises:
        LookupError: there is no other.
    """
    before = [number for number in tickets if number < ticket]
    after = [number for number in tickets if number > ticket]
    if not (before or after):
        raise LookupError(f"beside ticket {ticket} there is none that can be changed")
    return max(before) if before else min(after)


def placed(mutant: Mutant, beside: int) -> Mutant:
    """Return a mutant in which `BESIDE` is the number of a ticket."""
    if all(taken.arguments.get("ticket_id") != BESIDE for taken in mutant.acts):
        return mutant
    acts = [
        RecordedAct(taken.tool, {**taken.arguments, "ticket_id": beside})
        if taken.arguments.get("ticket_id") == BESIDE
        else taken
        for taken in mutant.acts
    ]
    return replace(mutant, acts=acts, beside=beside)


def ticket_fields(taken: RecordedAct) -> dict[str, Any]:
    """Return what an act sets on a ticket, empty if it sets nothing."""
    body = taken.arguments.get("body")
    fields = body.get("ticket") if isinstance(body, Mapping) else None
    return dict(fields) if isinstance(fields, Mapping) else {}


def with_fields(taken: RecordedAct, fields: Mapping[str, Any]) -> RecordedAct:
    """Return an act that sets other things on its ticket."""
    return RecordedAct(taken.tool, {**taken.arguments, "body": {"ticket": dict(fields)}})


def comment_of(taken: RecordedAct) -> dict[str, Any]:
    """Return the comment that an act adds to a ticket, empty if it adds none."""
    found = ticket_fields(taken).get("comment")
    return dict(found) if isinstance(found, Mapping) else {}


def reply_place(acts: Acts) -> int:
    """Return the place of the first public reply.

    Raises:
        LookupError: there is none.
    """
    place = place_of(acts, lambda taken: bool(comment_of(taken).get("public")))
    if place is None:
        raise LookupError("the oracle replies to nobody")
    return place


def saying(taken: RecordedAct, **comment: Any) -> RecordedAct:
    """Return an act whose comment, public unless told otherwise, is another."""
    return with_fields(taken, {**ticket_fields(taken), "comment": {"public": True, **comment}})


def told_on_page(taken: RecordedAct) -> dict[str, Any]:
    """Return what a recorded act on a page is, empty of what is none.

    `act` (click, type, select...), `role` and `name` of what it is on, `text` and `options`.
    """
    if taken.tool != "replay":
        return {}
    target = taken.arguments.get("target") or {}
    told = {name: taken.arguments.get(name) for name in ("act", "text", "options")}
    return {**told, "role": target.get("role", ""), "name": target.get("name", "")}


def on_page(taken: RecordedAct, **changes: Any) -> RecordedAct:
    """Return a recorded act on a page with another text or other options."""
    return RecordedAct(taken.tool, {**taken.arguments, **changes})
