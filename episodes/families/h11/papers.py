"""The rules for changes in a world: a macro and a note pinned for the team."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Final

from clones.helpdesk.models import User
from episodes.tasks.team_documents import pin_note, publish_macro

RULES: Final = (
    "Changes that customers ask us to make.\n\n"
    "Read the whole request first. If it fits two orders, people, dates, quantities, seats or"
    " addresses, look whether our records decide it: what has been delivered, who has left, what"
    " the notes on the order or on the profile say. If they decide it, make the change and do not"
    " ask. If they do not, ask the customer the one question, which of the two is meant, and change"
    " nothing before the answer has come. Ask again only if the answer fits neither.\n\n"
    "Then change exactly what was meant and nothing besides, and tell the customer in a reply what"
    " you changed and what it says now. Do not pass such requests on to others. Do not solve the"
    " ticket before the change is made."
)


def publish_rules(by: User, chance: Random, *, before: datetime) -> None:
    """Write the rules down some weeks before the request: a macro, and an internal ticket."""
    at = before - timedelta(days=chance.randrange(30, 45), minutes=chance.randrange(0, 600))
    publish_macro(
        "Orders::Changes that customers ask for",
        "When to ask back, and what to change",
        RULES,
        at=at,
    )
    pin_note("changes that customers ask for", RULES, by=by, at=at)
