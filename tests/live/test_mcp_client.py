"""An unmodified `mcp-atlassian` serves an agent at a site, as it does at one of the vendor's.

Left out are tools that ask what is no part of the site (forms, development), those that the server
has for the vendor's other product only (queues), and a work log's `original_estimate`, which it
sends in a form that the vendor refuses too.
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

pytestmark = pytest.mark.slow(shares="done")

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
