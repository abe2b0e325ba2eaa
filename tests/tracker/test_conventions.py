"""What reaches no operation: other paths, methods and types of bodies.

As recorded from a site in September 2026 (brekkylab/backlot, issues 191, 233, 255, 285).
"""

from __future__ import annotations

import pytest

from tests.tracker.site import Site

PROBLEM = "application/problem+json;charset=UTF-8"


def test_a_path_that_leads_nowhere_is_a_problem(site: Site) -> None:
    for path in ("/rest/api/3/nope", "/rest/api/2/serverInfo/extra"):
        answer = site.call("GET", path)
        assert (answer.status, answer.headers["Content-Type"]) == (404, PROBLEM)
        assert answer.body == {
            "type": "about:blank",
            "title": "Not Found",
            "status": 404,
            "detail": f"No endpoint GET {path}.",
            "instance": path,
        }


def test_another_method_is_a_problem_that_names_those_there_are(site: Site) -> None:
    path = f"/rest/api/3/issue/{site.issue()}"
    answer = site.call("POST", path, {})
    assert (answer.status, answer.headers["Content-Type"]) == (405, PROBLEM)
    assert answer.body["detail"] == "Method 'POST' is not supported."
    allowed = {"GET", "PUT", "DELETE", "HEAD"}
    assert set(answer.headers["Allow"].split(", ")) == allowed
    options = site.call("OPTIONS", path)
    assert (options.status, options.raw) == (200, b"")
    assert set(options.headers["Allow"].split(", ")) == {*allowed, "OPTIONS"}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("text/plain", "text/plain"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("", "null"),
    ],
)
def test_a_body_has_to_say_that_it_is_json(site: Site, kind: str, name: str) -> None:
    sent = {"fields": {"project": {"key": "LAS"}, "summary": "x", "issuetype": {"name": "Task"}}}
    answer = site.call("POST", "issue", sent, **{"Content-Type": kind})
    assert (answer.status, answer.headers["Content-Type"]) == (415, PROBLEM)
    assert answer.body["detail"] == f"Content-Type '{name}' is not supported."
    assert site.post("search/approximate-count", {"jql": "summary ~ x"}, status=200)["count"] == 0
    asked = site.call("POST", "issue", sent, **{"Content-Type": "application/json; charset=utf-8"})
    assert asked.status == 201


def test_where_nothing_is_sent_nothing_need_be_said(site: Site) -> None:
    key = site.issue()
    answer = site.call("POST", f"issue/{key}/watchers", **{"Content-Type": ""})
    assert answer.status == 204
