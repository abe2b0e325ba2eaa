"""Making issues: what they hold, what is refused, one by one and many at once."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Issue, IssueText, Watcher
from tests.tracker.conftest import Site


def doc(text: str) -> dict[str, Any]:
    """Return a document of one paragraph."""
    words = {"type": "text", "text": text}
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [words]}]}


def fields(**given: Any) -> dict[str, Any]:
    """Return a body of a task in LAS."""
    base = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "It stops"}
    return {"fields": base | given}


def test_a_new_issue_holds_what_was_sent_and_the_defaults(site: Site) -> None:
    created = site.post(
        "issue?updateHistory=true",
        fields(
            description=doc("Laser drifts at noon"),
            labels=["hot", "beam"],
            priority={"name": "High"},
            duedate="2026-12-24",
        ),
        by="dev",
    )
    assert set(created) == {"id", "key", "self"}
    assert created["key"] == "LAS-1"
    assert created["self"].endswith(f"/rest/api/3/issue/{created['id']}")
    issue = site.get("issue/las-1", by="dev")
    assert issue["id"] == created["id"]
    shown = issue["fields"]
    assert shown["summary"] == "It stops"
    assert shown["description"] == doc("Laser drifts at noon")
    assert shown["labels"] == ["beam", "hot"]
    assert shown["priority"]["name"] == "High"
    assert shown["duedate"] == "2026-12-24"
    assert shown["status"]["name"] == "To Do"
    assert shown["statusCategory"]["key"] == "new"
    assert shown["resolution"] is None
    assert shown["reporter"]["accountId"] == shown["creator"]["accountId"] == site.ids["dev"]
    assert shown["lastViewed"] is not None
    assert shown["watches"] | {"self": ""} == {"self": "", "watchCount": 1, "isWatching": True}
    assert shown["project"]["key"] == "LAS"
    assert "parent" not in shown
    assert shown["workratio"] == -1
    with site.store():
        row = Issue.objects.get(key="LAS-1")
        assert row.rank
        assert Watcher.objects.filter(issue=row).count() == 1
        texts = dict(IssueText.objects.filter(issue=row).values_list("field", "text"))
        assert texts == {"summary": "It stops", "description": "Laser drifts at noon"}
