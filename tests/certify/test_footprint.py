"""Allowances beside rows of the agent's own: only what it made itself counts as its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from clones.core.journal import ActRow, TableLayout
from episodes.tasks.footprint import Allow, RowWrite, stray_rows
from episodes.tasks.tracker_allowances import beside_new_issues

NOW = datetime(2026, 6, 16, tzinfo=UTC)
OWN, PERSON = "tracker.account:7", "person:3"
ISSUES = Allow("tracker_issue", frozenset({"insert"}))


def inserted(table: str, key: int, seq: int, actor: str = OWN, **row: Any) -> RowWrite:
    """Return the insert of a row by somebody."""
    layout = TableLayout(seq, table, "record", "id", ("id", *row), ())
    act = ActRow(seq, NOW, 1, "r1", actor, None, "write")
    return RowWrite(seq, act, act, layout, key, None, {"id": key, **row})


def strays(*writes: RowWrite, at_most: int | None = None) -> list[str]:
    allows = (ISSUES, *beside_new_issues("tracker_issuelabel", at_most=at_most))
    return [row.key for row in stray_rows(writes, allows)]


def test_rows_beside_what_the_agent_made_are_its_own() -> None:
    made = inserted("tracker_issue", 5, 1)
    beside = inserted("tracker_issuelabel", 50, 2, issue_id=5)
    elsewhere = inserted("tracker_issuelabel", 51, 3, issue_id=4)
    other = inserted("tracker_issuecomponent", 52, 4, issue_id=5)
    assert strays(made, beside) == []
    assert strays(made, beside, elsewhere, other) == ["51", "52"]


def test_what_others_made_is_none_of_it() -> None:
    made = inserted("tracker_issue", 5, 1, PERSON)
    assert strays(made, inserted("tracker_issuelabel", 50, 2, issue_id=5)) == ["50"]


def test_their_number_is_bounded() -> None:
    made = inserted("tracker_issue", 5, 1)
    rows = [inserted("tracker_issuelabel", key, key, issue_id=5) for key in (50, 51)]
    assert strays(made, *rows) == []
    assert strays(made, *rows, at_most=1) == ["51"]
