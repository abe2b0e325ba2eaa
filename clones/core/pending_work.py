"""What a store still asks of its server: that of a rewound sandbox, or of a fork, anew."""

from __future__ import annotations

from django.db import connection

from clones.core import execution
from clones.core.models import Delivery
from clones.core.state import COLUMNS, ROW, state_of
from clones.core.webhooks import outbox

# Resets wait for the answer, so both questions are one statement.
ASKED = (
    f"SELECT {COLUMNS}, EXISTS (SELECT 1 FROM {Delivery._meta.db_table}"  # noqa: S608 - constants
    f" WHERE status = '{Delivery.PENDING}') FROM {ROW}"
)


def announce_pending_work(sandbox: str, generation: int) -> None:
    """Note the next timer of the bound sandbox, if its clock is live, and what it has to send.

    Notes are of one sandbox and one generation.

    Raises:
        NoState: the store has no clock.
    """
    with connection.cursor() as cursor:
        cursor.execute(ASKED)
        row = cursor.fetchone()
    if state_of(row and row[:-1]).mode == "live":
        execution.note_live(sandbox, generation)
    if row[-1]:
        outbox.note_pending(sandbox, generation)
