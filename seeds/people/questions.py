"""What a customer is asked, and what of it they tell."""

from __future__ import annotations

import re
from math import ceil
from typing import Final

from seeds.people.events import Message
from seeds.people.options import named_options
from seeds.people.turn import Turn
from seeds.people.understanding import plain

CLAIMS_DONE: Final = frozenset({"refund_done", "resolved"})
# What asks for a choice without a question mark.
WANTS: Final = re.compile(
    r"\b(?:which|please (?:confirm|tell|say|let|reply)|let (?:me|us) know|need to know|clarify|"
    r"welche[rsn]?|bitte (?:sagen|teilen|bestatigen)|laquelle|lequel|merci de|"
    r"cual|por favor)\b"
)


def claims(turn: Turn) -> frozenset[str]:
    """Return what a person takes for word that it is done."""
    return CLAIMS_DONE if turn.facts.change is None else CLAIMS_DONE | {"change_done"}


def asked_for(turn: Turn, event: Message) -> tuple[str, ...]:
    """Return the slots that a message asks for: in words for them, or by naming the answers.

    Of slots that nothing is known of, none is heard beside one that something is.
    """
    found = list(event.reading.questions)
    if not event.reading.slots & claims(turn):
        for slot, options in turn.facts.options.items():
            count = len(named_options(options, event.said, event.reading.facts))
            wants = event.reading.asks or (count > 1 and WANTS.search(plain(event.said)))
            if count and wants and slot not in found:
                found.append(slot)
    if turn.facts.options:
        found = [slot for slot in found if slot in turn.facts.own] or found
    return tuple(found)


def may_tell(turn: Turn, slot: str) -> bool:
    """Tell whether a slot was not told yet, or was told wrong and may be put right."""
    if slot not in turn.state.revealed:
        return True
    lies = turn.persona.truthfulness in ("mistaken", "exaggerates")
    wrong = slot == turn.persona.mistaken_about and slot in turn.facts.first
    return lies and wrong and slot not in turn.state.corrected


def value_of(turn: Turn, slot: str) -> str:
    """Return what the person says for a slot: at first perhaps not the truth."""
    truth = turn.facts.own[slot]
    if turn.persona.truthfulness == "impostor":
        return turn.facts.first.get(slot, truth)
    wrong = turn.persona.truthfulness != "honest" and slot == turn.persona.mistaken_about
    if wrong and slot not in turn.state.revealed:
        return turn.facts.first.get(slot, truth)
    return truth


def by_precision(turn: Turn, fresh: list[str]) -> list[str]:
    """Return which of the slots asked for are told now, and what is added unasked."""
    if turn.persona.precision == "half":
        return fresh[: ceil(len(fresh) / 2)]
    if turn.persona.precision == "all" and fresh:
        taken = {*fresh, *turn.state.revealed, *turn.state.asked, "identity"}
        spare = [slot for slot in turn.facts.own if slot not in taken]
        return fresh + spare[:1]
    return fresh
