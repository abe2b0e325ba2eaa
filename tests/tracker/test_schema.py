"""Operations called by their schemas and oddly: that it is done, and that it would be noticed.

The document is what `python -m tools.openapi tracker` writes. The calls themselves are made in the
tests that vouch for operations (`tests.tracker.rounds`).
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from clones.core.operations.registry import Dialect
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.api.description import description
from clones.tracker.api.entry import operations
from clones.tracker.api.operations import OPERATIONS
from snapshots.sandboxes import Sandboxes
from tests.odd_calls import CALLS
from tests.tracker.rounds import ROUNDS, described
from tests.tracker.site import Site

pytestmark = pytest.mark.skipif(not CALLS, reason="no odd calls are wanted")


def test_the_document_describes_every_operation() -> None:
    document = description()
    assert set(described()) == set(operations().all)
    issue = document["paths"]["/rest/api/3/issue"]["post"]
    assert (issue["operationId"], set(issue["responses"])) == ("createIssue", {"201", "default"})
    refusals = issue["responses"]["default"]["content"]["application/json"]["schema"]["oneOf"]
    assert {one["$ref"].rpartition("/")[2] for one in refusals} <= set(
        document["components"]["schemas"]
    )
    board = document["paths"]["/rest/agile/1.0/board/{board}"]["get"]
    assert board["parameters"] == [
        {
            "name": "board",
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 1},
        }
    ]


def test_odd_calls_are_made_beside_a_good_one(site: Site, sandboxes: Sandboxes) -> None:
    """On a fork, which is gone after; the site itself is only asked well."""
    rows = len(sandboxes.all())
    ROUNDS.begin({"createIssue", "getIssue"}, sandboxes)
    key = site.issue()
    assert ROUNDS.wanted == {"getIssue"}
    site.get("issue/NONE-1", status=404)
    assert ROUNDS.wanted == {"getIssue"}, "a call that is refused says nothing"
    site.get(f"/rest/api/2/issue/{key}?fields=summary", by="dev")
    assert (ROUNDS.wanted, ROUNDS.wrong) == (set(), [])
    seen = {name: set(answers) for name, answers in ROUNDS.answers.items()}
    assert {200, 404} <= seen["getIssue"] <= {200, 400, 404}
    assert 400 in seen["createIssue"] <= {201, 400}
    found = site.post("search/jql", {"jql": "project = LAS"}, status=200)
    assert len(found["issues"]) == 1
    assert len(sandboxes.all()) == rows


def test_what_breaks_or_refuses_otherwise_is_told(
    site: Site, sandboxes: Sandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    intact = OPERATIONS.dispatch
    asked: list[str] = []

    def otherwise(request: SandboxRequest, dialect: Dialect, **more: Any) -> HttpResponse:
        asked.append(request.get_full_path())
        if len(asked) == 1 or not ROUNDS.aside:  # the test's own
            return intact(request, dialect, **more)
        if len(asked) == 2:
            raise ZeroDivisionError
        return HttpResponse(b'{"oops": 1}', status=400, content_type="application/json")

    ROUNDS.begin({"getAllLabels"}, sandboxes)
    monkeypatch.setattr("tests.tracker.rounds.CALLS", 3)
    monkeypatch.setattr(OPERATIONS, "dispatch", otherwise)
    site.get("label")
    monkeypatch.undo()
    broken, *odd = ROUNDS.wrong
    assert broken.startswith("getAllLabels: 500 breaks: ")
    assert odd
    assert {text[:48] for text in odd} == {"getAllLabels: 400 refuses in a way of its own: b"}
    ROUNDS.begin((), sandboxes)
