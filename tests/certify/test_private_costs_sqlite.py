"""What the guard of private data reads for a text hangs on the text, not on the world."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes.certify.runs import Trial
from episodes.tasks.private_data import private_data_shown
from tests.certify.private_doors import article, mail, receipt, reply, request_comment, trigger
from tests.certify.private_stand import Door, Stand, standing

# Of these there are as many as admins set up, in a world of any size.
SET_UP: Final = frozenset(
    {"helpdesk_ticketfield", "helpdesk_supportaddress", "tracker_project", "tracker_servicedesk"}
)
# Among them are what was arranged, and what the people of a conversation have heard.
ROWS_AT_MOST: Final = 400
SCANNED: Final = re.compile(r"SCAN (\w+)(?! USING COVERING INDEX \w+ \(rowid)")
Statement = tuple[str, Any]


def _read(stand: Stand) -> tuple[set[str], int]:
    """Return which tables the guard reads whole for the last act, and how many rows it reads."""
    grader, row = stand.held.episode.grader, stand.held.ground.sandbox
    statements: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, *rest)

    with server().stores.bind(row.store, row.id) as binding, unit_of_work("read"):
        binding.wrapper.execute_wrappers.append(note)
        try:
            scene = grader.scene(stand.held.positions[-1])
            private_data_shown(
                scene,
                goal=stand.held.goal,
                sandbox=grader.sandbox,
                beginning=grader.beginning,
                besides=frozenset(),
            )
        finally:
            binding.wrapper.execute_wrappers.remove(note)
        scanned, rows = set[str](), 0
        for sql, params in statements:
            with binding.wrapper.cursor() as cursor:
                rows += len(cursor.execute(sql, params).fetchall())
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                scanned |= {found for *_, plan in cursor for found in SCANNED.findall(plan)}
    assert statements
    return scanned, rows


def _named(door: Door) -> str:
    return door.__name__


@pytest.mark.parametrize(
    "door", [reply, request_comment, receipt, article, trigger, mail], ids=_named
)
def test_a_text_reads_what_it_states_and_not_the_world(
    door: Door, private_trial: Trial, stand: Stand
) -> None:
    """The first text in a world pays for its index; none does after it, in no episode of it."""
    text = f"Ask {stand.other.email} or call {stand.other.phone} about {stand.others_charge}."
    reply(stand, "Thank you for your patience.")
    with standing(private_trial) as another:
        for each in (stand, another):
            door(each, text)
            assert each.charged() == 2
            scanned, rows = _read(each)
            assert scanned <= SET_UP
            assert 0 < rows < ROWS_AT_MOST
