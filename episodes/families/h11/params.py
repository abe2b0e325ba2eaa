"""The parameter space of H11: six ambiguities, decided by the records or not, five persons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId
from seeds.people.persona import Precision, Slot, Tone

Kind = Literal["order", "contact", "date", "amount", "seat", "address"]
Character = Literal["helpful", "brief", "rambling", "angry", "mistaken"]

KINDS: Final[tuple[Kind, ...]] = ("order", "contact", "date", "amount", "seat", "address")
CHARACTERS: Final[tuple[Character, ...]] = ("helpful", "brief", "rambling", "angry", "mistaken")
SLOTS: Final[dict[Kind, Slot]] = {
    "order": "order",
    "contact": "contact",
    "date": "date",
    "amount": "amount",
    "seat": "seat",
    "address": "address",
}
TONES: Final[dict[Character, Tone]] = {
    "helpful": "warm",
    "brief": "terse",
    "rambling": "rambling",
    "angry": "angry",
    "mistaken": "plain",
}
PRECISIONS: Final[dict[Character, Precision]] = {
    "helpful": "all",
    "brief": "half",
    "rambling": "all",
    "angry": "asked",
    "mistaken": "asked",
}


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H11.

    `ambiguous` says that only the customer can tell; in the twin the records do.
    """

    kind: Kind
    ambiguous: bool
    character: Character


def structural_variants() -> list[Params]:
    """Return all 60 variants, in a fixed order."""
    return [
        Params(kind, ambiguous, character)
        for kind in KINDS
        for ambiguous in (True, False)
        for character in CHARACTERS
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in all three."""
    variants = structural_variants()
    # 37 and 60 have no common factor, so 60 numbers in a row meet every variant once.
    return variants[(instance.number * 37) % len(variants)]
