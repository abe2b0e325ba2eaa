"""What a customer is asked, and what of it they tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil
from typing import Final

from seeds.people.events import Message
from seeds.people.options import named_options
from seeds.people.turn import Turn
from seeds.people.understanding import Reading, plain

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
    """Return the slots that a message asks for.

    Where somebody chooses between answers, what they know nothing of is not heard beside it.
    """
    claimed = bool(event.reading.slots & claims(turn))
    found = slots_asked(event.reading, event.said, turn.facts.options, claimed=claimed)
    if turn.facts.options:
        found = tuple(slot for slot in found if slot in turn.facts.own) or found
    return found


def slots_asked(
    reading: Reading,
    said: str,
    options: Mapping[str, tuple[tuple[str, ...], ...]],
    *,
    claimed: bool,
) -> tuple[str, ...]:
    """Return the slots that a text asks for: in words for them, or by naming the answers.

    A text that says something is done (`claimed`) names answers without asking.
    """
    found = list(reading.questions)
    for slot, ways in options.items():
        count = len(named_options(ways, said, reading.facts))
        wants = reading.asks or (count > 1 and WANTS.search(plain(said)))
        if count and wants and not claimed and slot not in found:
            found.append(slot)
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
