"""Transitions: which there are, what they ask for, and what they do to an issue."""

from __future__ import annotations

from typing import Any

from tests.tracker.conftest import Site


def moves(site: Site, key: str, query: str = "", *, by: str | None = "ada") -> dict[str, Any]:
    """Return the transitions of an issue by name."""
    found = site.get(f"issue/{key}/transitions{query}", by=by)
    assert found["expand"] == "transitions"
    return {move["name"]: move for move in found["transitions"]}


def take(site: Site, key: str, id: str, *, by: str = "ada", status: int = 204, **more: Any) -> Any:
    """Take a transition."""
    body = {"transition": {"id": id}, **more}
    return site.post(f"issue/{key}/transitions", body, by=by, status=status)


def test_a_board_workflow_resolves_what_is_done_and_clears_it_again(site: Site) -> None:
    key = site.issue()
    found = moves(site, key)
    assert list(found) == ["To Do", "In Progress", "Done"]
    assert found["Done"]["id"] == "31"
    assert found["Done"]["to"]["statusCategory"]["key"] == "done"
    assert (found["Done"]["isGlobal"], found["Done"]["hasScreen"]) == (True, False)
    assert found["To Do"]["isLooped"] is True
    begun = site.get(f"issue/{key}")["fields"]
    take(site, key, "31")
    fields = site.get(f"issue/{key}")["fields"]
    assert fields["status"]["name"] == "Done"
    assert fields["resolution"]["name"] == "Done"
    assert fields["resolutiondate"] is not None
    assert fields["statuscategorychangedate"] > begun["statuscategorychangedate"]
    [entry] = site.get(f"issue/{key}/changelog")["values"]
    assert {item["field"]: (item["fromString"], item["toString"]) for item in entry["items"]} == {
        "resolution": (None, "Done"),
        "status": ("To Do", "Done"),
    }
    take(site, key, "21", by="dev")
    fields = site.get(f"issue/{key}")["fields"]
    assert (fields["resolution"], fields["resolutiondate"]) == (None, None)
    assert fields["status"]["name"] == "In Progress"
