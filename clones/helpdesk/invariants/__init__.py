"""What holds of the helpdesk's rows in every world: rules over the rows, each of which can fail."""

from __future__ import annotations

from typing import Final

from clones.core.vendors import Invariant
from clones.helpdesk.invariants.articles import articles
from clones.helpdesk.invariants.people import accounts, people
from clones.helpdesk.invariants.slas import slas
from clones.helpdesk.invariants.tickets import metrics, problems, tickets

INVARIANTS: Final[tuple[Invariant, ...]] = (
    tickets,
    people,
    problems,
    metrics,
    slas,
    accounts,
    articles,
)
