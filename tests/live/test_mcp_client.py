"""An unmodified `mcp-atlassian` serves an agent at a site, as it does at one of the vendor's.

Each of its tools for Jira is called. Some answer by themselves: forms want an id of the vendor's
own servers, queues of desks are for the vendor's other product, files are not fetched from
addresses of one's own machine, and the fields of a project are looked for under a name that the
cloud does not use. A work log's `original_estimate` is left out: the server sends it in a form that
the vendor refuses too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sandlot.client import http_client
from tests.clients import client_python, run_client
from tests.live.apart import serve_apart, with_world
from tests.live.conftest import account
from tests.snapshots.test_full_disk import own_mounts

pytestmark = [pytest.mark.slow(shares="done"), pytest.mark.in_turn(at=2)]

REQUIREMENTS = ("mcp-atlassian==0.23.1",)
SCRIPT = Path(__file__).with_name("jira_over_mcp.py")
SCRUM = "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic"
EXPECTED: dict[str, dict[str, Any]] = {
    "site": {
        "tools": [True, True],
        "user": True,
        "projects": True,
        "types": ["Bug", "Epic", "Story", "Sub-task", "Task"],
        "field": ["Flagged", ["Impediment"]],
        "form": ["summary", "issuetype", "reporter", "project"],
        "people": [True],
        "links": [["Blocks", "is blocked by"]],
    },
    "issues": {
        "made": [
            ["Over MCP", "# Head\n\nSome **bold** words\n\n- one\n- two", ["mcp"]],
            ["High", "To Do"],
            True,
        ],
        "changed": ["Changed over MCP", "Now *this*", True],
        "said": [["All of it"], [["1h 30m", "Looked"]]],
        "moved": [
            {"name": "Done", "category": "Done", "color": "green"},
            ["To Do", "Done"],
            [["To Do", "Done"]],
        ],
        "no transition": "Transition id '9999' is not valid for this issue.",
        "gone": "Issue KEY not found. Verify the issue key and project access.",
        "wrong": "Specify a valid project ID or key",
    },
    "search": {
        "pages": [2, True, None],
        "unknown": "Field 'colour' does not exist or you do not have permission to view it.",
        "unbounded": (
            "Unbounded JQL queries are not allowed here."
            " Please add a search restriction to your query."
        ),
    },
    "ties": {
        "epic": True,
        "link": ["Blocks", True],
        "unlinked": [],
        "watchers": [2, 1],
        "moved": [True, True],
    },
    "plans": {
        "sprint": ["future", "Over MCP"],
        "planned": [[True], []],
        "renamed": ["Renamed over MCP"],
        "board": [True],
        "version": [True],
    },
    "desk": {"form": ["summary"], "asked": ["A screen", True], "said": ["Within"]},
    "files_and_forms": {
        "downloaded": [1, [["spot.png", "Fetch failed"]]],
        "pictures": [1, [["spot.png", "Fetch failed"]]],
        "forms": [True, True, True],
        "developed": [None, [], 2],
    },
    "overviews": {
        "issues": True,
        "searched": ["MCA"],
        "fields": [],
        "versions": [True, True, False],
        "components": [],
        "tree": ["Power"],
        "ties": 0,
        "times": "Issue not resolved",
        "desk": [True, True, True],
    },
}


def make_spaces(sandbox: dict[str, Any], authority: Path, admin: dict[str, Any]) -> None:
    """Make the two spaces that the agent works in: the server has no tool for that."""
    with http_client(authority=authority, auth=(admin["email"], admin["api_token"])) as http:
        for key in ("MCA", "MCB"):
            body = {
                "key": key,
                "name": f"Agents {key}",
                "projectTypeKey": "software",
                "projectTemplateKey": SCRUM,
                "leadAccountId": admin["account_id"],
            }
            answer = http.post(f"{sandbox['origin']}/rest/api/3/project", json=body)
            assert answer.status_code == 201, answer.text


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of each step, by area."""
    data = tmp_path_factory.mktemp("mcp")
    mounts = own_mounts(tmp_path_factory.mktemp("mounts"))
    python = client_python("mcp", REQUIREMENTS)
    with_world(data)
    flags = ("--tls", "--domain", "atlassian.net", "--workers", "1")
    # The server works off its jobs itself: no worker looks after its folder.
    with serve_apart(data, *flags, SANDLOT_REDIS="") as server:
        sandbox = server.control.post("/v1/sandboxes", {"size": "tiny"})
        admin, developer = (account(sandbox, "tracker", role) for role in ("admin", "developer"))
        authority = data / "tls" / "ca.pem"
        make_spaces(sandbox, authority, admin)
        url = str(sandbox["apps"]["tracker"]["url"])
        hosts = data / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {urlsplit(url).hostname}\n")
        ran = run_client(
            python,
            SCRIPT,
            url,
            str(authority),
            str(hosts),
            admin["email"],
            admin["api_token"],
            developer["email"],
            developer["account_id"],
            *mounts,
        )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("area", EXPECTED)
def test_what_is_done_in_an_area_is_there_for_the_agent(done: dict[str, Any], area: str) -> None:
    assert done[area] == EXPECTED[area]


def test_every_tool_is_called(done: dict[str, Any]) -> None:
    assert done["not called"] == []
