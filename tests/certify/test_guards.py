"""Guards charge what the agent itself changed: neither people, nor rules of the world, nor jobs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clones.core.journal.engine import ActRow
from clones.core.journal.layout import TableLayout
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import own

TICKETS = TableLayout(1, "helpdesk_ticket", "record", "id", ("id", "status"), ())
USERS = TableLayout(2, "helpdesk_user", "record", "id", ("id", "status"), ())
OPEN, SOLVED = {"id": 1, "status": "open"}, {"id": 1, "status": "solved"}


def act_of(actor: str, number: int = 1) -> ActRow:
    return ActRow(number, datetime(2026, 6, 16, tzinfo=UTC), 1, "r1", actor, None, "")


def closing(
    actor: str | None, *, root: str | None = None, table: TableLayout = TICKETS
) -> RowWrite:
    """Return a change of a status, by an act of `actor` that `root` led to."""
    done = act_of(actor, 2) if actor is not None else None
    led = act_of(root) if root is not None else done
    return RowWrite(1, done, led, table, 1, OPEN, SOLVED)


@pytest.mark.parametrize(
    ("write", "is_own"),
    [
        (closing("helpdesk.account:3"), True),
        (closing("helpdesk.anonymous"), True),
        (closing("helpdesk.trigger:9", root="helpdesk.account:3"), True),
        (closing("person:ana"), False),
        (closing("helpdesk.trigger:9", root="person:ana"), False),
        (closing("helpdesk.automation:4"), False),
        (closing("world"), False),
        (closing(None), False),
        (closing("helpdesk.account:3", table=USERS), False),
    ],
)
def test_only_what_the_agent_led_to_is_its_own(write: RowWrite, is_own: bool) -> None:
    assert own([write], "helpdesk_ticket", "update") == ([write] if is_own else [])


def test_other_operations_are_not_asked_for() -> None:
    act = act_of("helpdesk.account:3")
    made = RowWrite(1, act, act, TICKETS, 1, None, OPEN)
    gone = RowWrite(2, act, act, TICKETS, 1, OPEN, None)
    assert own([made, gone], "helpdesk_ticket", "update") == []
    assert own([made, gone], "helpdesk_ticket", "insert") == [made]
    assert own([made, gone], "helpdesk_ticket", "delete") == [gone]
