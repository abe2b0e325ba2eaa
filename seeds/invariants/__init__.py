"""What must hold in every world: the domain's own rules, checked over the rows.

`violations` returns sentences; an empty list means that the bulk writer kept to the rules.
"""

from __future__ import annotations

from seeds.invariants.levels import levels
from seeds.invariants.money import invoices, money
from seeds.invariants.people import accounts, people
from seeds.invariants.store import sequences, times
from seeds.invariants.tickets import metrics, problems, tickets

CHECKS = (
    tickets,
    people,
    problems,
    metrics,
    levels,
    money,
    invoices,
    times,
    sequences,
    accounts,
)


def violations() -> list[str]:
    """Return every broken rule of the bound store as a sentence."""
    return [sentence for check in CHECKS for sentence in check()]
