"""An unmodified `node-zendesk` works with tickets, people, views, searches and exports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import ControlClient, http_client
from tests.clients import client_modules, install_node, run_node
from tests.live.conftest import account

FOLDER = Path(__file__).with_name("node")


@pytest.fixture(scope="module")
def report(control: ControlClient) -> Iterator[dict[str, Any]]:
    """What the client says of its work, and how many records there are after it."""
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    found = play(sandbox, "work")
    # Exports leave out the last minute.
    control.post(f"/v1/sandboxes/{sandbox['id']}/advance", {"seconds": 300})
    found |= play(sandbox, "export")
    found["truth"] = counted(sandbox)
    yield found
    control.delete(f"/v1/sandboxes/{sandbox['id']}")


def play(sandbox: dict[str, Any], part: str) -> dict[str, Any]:
    """Let the client do a part of its work in a sandbox, and return what it says."""
    admin = account(sandbox, "helpdesk", "admin")
    given = (sandbox["origin"], admin["email"], admin["api_token"], part)
    modules = client_modules("node", FOLDER / "package-lock.json")
    done = run_node(modules, FOLDER / "shift.cjs", *given)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def counted(sandbox: dict[str, Any]) -> dict[str, int]:
    """Return how many tickets and people the API counts."""
    admin = account(sandbox, "helpdesk", "admin")
    url = sandbox["apps"]["helpdesk"]["url"]
    with http_client(auth=(f"{admin['email']}/token", admin["api_token"])) as http:
        return {
            name: http.get(f"{url}/api/v2/{name}/count.json").json()["count"]["value"]
            for name in ("tickets", "users")
        }


def test_people_are_listed_to_the_last_page_made_changed_and_found(report: dict[str, Any]) -> None:
    people = report["people"]
    assert people["listed"] == people["distinct"] == report["truth"]["users"] - 1 > 200
    assert people["found"] == [people["made"]]
    assert (people["phone"], people["tags"]) == ("+49 30 1", ["laser"])
    assert people["twice"] == 422


def test_tickets_are_made_answered_tagged_and_listed_to_the_last_page(
    report: dict[str, Any],
) -> None:
    tickets = report["tickets"]
    assert tickets["status"] == "pending"
    assert tickets["comments"] == ["Help?", "Please wipe it."]
    assert tickets["tags"] == ["mirror", "optics"]
    assert tickets["audits"] == 4, "made, answered, tagged twice"
    assert tickets["requested"] == [tickets["made"]]
    assert tickets["after"] == tickets["before"] + 1 == tickets["distinct"]
    assert tickets["job"] == ["completed", 2]
    assert report["truth"]["tickets"] == tickets["after"] + 2
    assert (tickets["absent"], tickets["wordless"]) == (404, 422)


def test_a_view_shows_what_it_counts(report: dict[str, Any]) -> None:
    views, made = report["views"], report["tickets"]["made"]
    assert views["all"] > 5
    assert (views["rows"], views["count"], views["title"]) == ([made], 1, "Mirrors")


def test_searches_find_all_and_are_refused(report: dict[str, Any]) -> None:
    search = report["search"]
    assert search["found"] == [["ticket", report["tickets"]["made"]]]
    assert (
        search["count"] == search["everything"] == search["exported"] == report["truth"]["tickets"]
    )
    assert search["wrong"] == 422


def test_exports_reach_the_end_of_the_stream(report: dict[str, Any]) -> None:
    stream, by_time = report["stream"], report["byTime"]
    assert stream["pages"] >= 4
    assert report["tickets"]["made"] in stream["tickets"]
    assert sorted(stream["tickets"]) == sorted(by_time["tickets"])
    assert len(stream["tickets"]) >= report["truth"]["tickets"], "deleted ones are told too"
    assert report["people"]["made"] in by_time["users"]
    assert len(set(by_time["users"])) == len(by_time["users"]) >= report["truth"]["users"]
