"""Faults that are injected on the data plane: seeded, off unless an episode asks for them."""

from clones.core.faults.answers import REASONS, answer, gateway_page
from clones.core.faults.plan import KINDS, LEVELS, PREFIX, Fault, fault_at, setting
from clones.core.faults.turns import draw, may_strike
from clones.core.faults.wire import UNANSWERED, Wire, wire_of

__all__ = [
    "KINDS",
    "LEVELS",
    "PREFIX",
    "REASONS",
    "UNANSWERED",
    "Fault",
    "Wire",
    "answer",
    "draw",
    "fault_at",
    "gateway_page",
    "may_strike",
    "setting",
    "wire_of",
]
