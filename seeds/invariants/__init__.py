"""What must hold in every store: what each clone says of its rows, and what holds of them all.

`violations` returns sentences; an empty list means that whoever wrote the rows (the bulk writer of
worlds, a family's plant, an agent through the API) kept to the rules.
"""

from __future__ import annotations

from clones.core.vendors import clones
from seeds.invariants.store import sequences, times


def violations() -> list[str]:
    """Return every broken rule of the bound store as a sentence."""
    checks = [check for clone in clones() for check in clone.invariants]
    return [sentence for check in (*checks, times, sequences) for sentence in check()]
