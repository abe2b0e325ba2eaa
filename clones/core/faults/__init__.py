"""Faults that are injected on the data plane: seeded, off unless an episode asks for them."""

from clones.core.faults.answers import answer
from clones.core.faults.plan import KINDS, LEVELS, PREFIX, Fault, fault_at, setting
from clones.core.faults.turns import draw, may_strike
from clones.core.faults.wire import UNANSWERED, Wire, wire_of

__all__ = [
    "KINDS",
    "LEVELS",
    "PREFIX",
    "UNANSWERED",
    "Fault",
    "Wire",
    "answer",
    "draw",
    "fault_at",
    "may_strike",
    "setting",
    "wire_of",
]
