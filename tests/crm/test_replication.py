"""What was changed or deleted of an object within a span of time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from tests.crm.conftest import Org

MINUTE = timedelta(minutes=1)


def now(org: Org) -> datetime:
    """Return the time of the sandbox."""
    id = org.make("Lead", LastName="Now", Company="B")
    return datetime.fromisoformat(org.show("Lead", id)["SystemModstamp"])


def ask(org: Org, what: str, start: datetime, end: datetime) -> dict[str, Any]:
    """Return an answer for a span."""
    span = f"start={quote(start.isoformat())}&end={quote(end.isoformat())}"
    found: dict[str, Any] = org.call("GET", f"/sobjects/Account/{what}/?{span}")
    return found


def test_changes_and_deletions_are_told_apart(org: Org) -> None:
    kept, gone = org.make("Account", Name="Ash"), org.make("Account", Name="Birch")
    org.ask("DELETE", f"/sobjects/Account/{gone}")
    present = now(org)
    updated = ask(org, "updated", present - MINUTE, present + MINUTE)
    assert list(updated) == ["ids", "latestDateCovered"]
    assert updated["ids"] == [kept]
    assert datetime.fromisoformat(updated["latestDateCovered"]) <= present
    deleted = ask(org, "deleted", present - MINUTE, present + MINUTE)
    assert list(deleted) == ["deletedRecords", "earliestDateAvailable", "latestDateCovered"]
    (record,) = deleted["deletedRecords"]
    assert record["id"] == gone
    assert present - MINUTE <= datetime.fromisoformat(record["deletedDate"]) <= present
    earliest = datetime.fromisoformat(deleted["earliestDateAvailable"])
    assert timedelta(0) <= present - timedelta(days=30) - earliest < MINUTE


def test_a_span_without_changes_is_empty(org: Org) -> None:
    org.make("Account", Name="Ash")
    past = now(org) - timedelta(days=2)
    found = ask(org, "updated", past, past + timedelta(days=1))
    assert found["ids"] == []
    assert datetime.fromisoformat(found["latestDateCovered"]) == (past + timedelta(days=1)).replace(
        second=0, microsecond=0
    )


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "MISSING_ARGUMENT"),
        ("?start=2026-01-01T00:00:00Z", "MISSING_ARGUMENT"),
        ("?start=yesterday&end=today", "INVALID_QUERY_VALUE"),
        ("?start=2026-13-41T00:00:00Z&end=2026-01-01T00:00:00Z", "INVALID_QUERY_VALUE"),
        ("?start=0001-01-01T00:00:00%2B14:00&end=9999-12-31T23:59:59Z", "INVALID_QUERY_VALUE"),
        ("?start=2026-01-01T00:00:00Z&end=2026-01-01T00:00:59Z", "INVALID_REPLICATION_DATE"),
        ("?start=1999-01-01T00:00:00Z&end=2999-01-01T00:00:00Z", "INVALID_REPLICATION_DATE"),
    ],
)
def test_unverified_spans_that_are_refused(org: Org, query: str, code: str) -> None:
    """The codes are the vendor's as far as they are known, the words are ours."""
    for what in ("updated", "deleted"):
        error = org.refused("GET", f"/sobjects/Account/{what}{query}")
        assert (error["status"], error["errorCode"]) == (400, code)
