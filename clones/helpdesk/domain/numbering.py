"""Numbers that rise by one and leave gaps: those of tickets and of the audit log."""

from __future__ import annotations

from typing import Final

from clones.core import gaps

# How many are left out at most, by the sequence: spam that is deleted for good takes numbers.
PASSED_OVER: Final = {"helpdesk.ticket.serial": 80, "helpdesk.auditlog.serial": 200}


def pass_over_numbers(chance: gaps.Chance) -> None:
    """Leave out some numbers of tickets and of the audit log's entries."""
    gaps.pass_over_serials(PASSED_OVER, chance)
