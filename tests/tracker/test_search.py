"""Searching by HTTP: pages by token, counting, matching, picking; what is refused."""

from __future__ import annotations

from typing import Any

from tests.tracker.conftest import Site


def keys(body: Any) -> list[str]:
    return [issue["key"] for issue in body["issues"]]


def test_smoke(site: Site) -> None:
    made = [site.issue(f"Beam {number}", labels=["red"]) for number in range(5)]
    found = site.post("search/jql", {"jql": "project = LAS", "fields": ["summary"]}, status=200)
    assert keys(found) == made[::-1]
