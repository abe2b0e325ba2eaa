"""An unmodified `jira` works in every area of the site that it knows.

Left out are calls that cannot reach the vendor's Cloud either: `add_user` names no products,
`add_user_to_group` a username, `issue_type_schemes` reads a list under another name, `delete_board`
has no address, `project_issue_types` refuses by itself, and a gadget's `module_key` is misspelt.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.conftest import account

REQUIREMENTS = ("jira==3.10.5",)
SCRIPT = Path(__file__).with_name("jira_areas.py")
EXPECTED: dict[str, dict[str, Any]] = {
    "site": {
        "kind": ["Cloud", True],
        "me": [True, True],
        "session": True,
        "rank": ["com.pyxis.greenhopper.jira:gh-lexo-rank"],
        "issue types": True,
        "priorities": True,
        "resolutions": True,
        "statuses": True,
        "link types": True,
        "categories": ["done", "indeterminate", "new", "undefined"],
        "category": True,
        "admin may": {"BROWSE_PROJECTS": True, "ADMINISTER": True},
        "developer may": False,
        "no permission": [400, "Unrecognized permission"],
        "lists": [True, True, True, True, True, True, True],
    },
    "projects": {
        "made": ["JCL", True, "Client works"],
        "lead": True,
        "listed": True,
        "described": "Made by a client",
        "kinds": ["Bug", "Epic", "Story", "Sub-task", "Task"],
        "taken": [400, "A project with that project key already exists."],
        "no project": [404, "No project could be found with key 'NONE'."],
        "role": "Administrators",
        "actors": True,
        "schemes": ["Default Permission Scheme", "Default Notification Scheme"],
        "components": ["Optical path", ["Optical path"], 1, ["Optical path"], 404],
        "versions": [[1, 1], True, ["2.1"], ["2.1"], None],
    },
    "issues": {
        "made": ["It hums", "*Loud* hum", "Task", ["noise"], True, True],
        "changed": ["It hums loudly", "h1. Loud", ["motor", "night", "noise"], False],
        "many": [
            ["Success", None, "First of many"],
            ["Error", {"summary": "You must specify a summary of the issue."}, None],
            ["Success", None, "Last of many"],
        ],
        "assigned": ["other", None, "me", None],
        "moved": [
            ["To Do", "In Progress", "Done"],
            ["In Progress", []],
            ["Done", "done"],
            [["In Progress", "Done"], ["To Do", "In Progress"]],
            [400, "Transition id '9999' is not valid for this issue."],
        ],
        "children": [
            [True],
            True,
            [
                400,
                (
                    "The issue 'JCL-3' has subtasks."
                    "  You must specify the 'deleteSubtasks' parameter"
                    " to delete this issue and all its subtasks."
                ),
            ],
        ],
        "gone": [[404, "Issue does not exist or you do not have permission to see it."], 404],
        "wrong": [400, "Summary can't exceed 255 characters."],
    },
    "search": {
        "pages": [[2, 2, 1], True],
        "all": True,
        "every": [True, True, 0],
        "posted": [["Searched 0", "To Do", False]],
        "raw": [3, False, [0, 0, 0]],
        "by name": ["0", "0", "0", "0", "0"],
        "count": 5,
        "unbounded": [
            400,
            (
                "Unbounded JQL queries are not allowed here."
                " Please add a search restriction to your query."
            ),
        ],
        "unknown": [400, "Field 'colour' does not exist or you do not have permission to view it."],
        "of others": 5,
    },
    "words": {
        "comments": ["Hello again", "Admins only", "Inside"],
        "page": ["Admins only"],
        "rendered": "<p>Hello again</p>",
        "visibility": "Administrators",
        "left": ["Hello again", "Inside"],
        "no comment": 404,
        "attachments": [["Größe 1.txt"], [True], 10, "0123456789", "0123456789", True, []],
        "worklogs": [
            [["1h 30m", 5400], ["1h", 3600]],
            ["Looked", True],
            ["1d", "3h 30m", "2h 30m"],
            ["3h 30m", "1h"],
        ],
    },
    "ties": {
        "links": [["Blocks", True]],
        "other side": [["is blocked by", False], ["is blocked by", True]],
        "link": True,
        "unlinked": [],
        "no link": 404,
        "remote": [["Belts", "All motors"], "All motors", "https://wiki.example/belts", []],
        "watchers": [1, True, 1],
        "votes": [1, True, 0],
        "properties": [["shelf", 3]],
        "no property": 404,
    },
    "boards": {
        "board": ["scrum", [True], True],
        "pages": [[1, 1], True],
        "sprint": ["future", "Less noise"],
        "in it": True,
        "ranked": True,
        "back": True,
        "started": ["active", ["Sprint 1"]],
        "closed": ["closed", ["Sprint 1"]],
        "epic": [True, True],
        "gone": [0],
    },
    "filters": {
        "made": ["project = JCL", True],
        "favourites": True,
        "renamed": "All noise",
        "run": True,
        "wrong": [400, "Field 'colour' does not exist or you do not have permission to view it."],
        "taken": [400, "Filter with same name already exists."],
        "gone": 404,
        "gadgets": True,
        "dashboard": ["Wall", ["Numbers"], [{"big": True}]],
        "gadget": ["More numbers", []],
        "copied": ["Wall two", True, True],
        "no dashboard": 404,
    },
    "people": {
        "user": [True, True],
        "found": [True, True, True],
        "nobody": [404, "Specified user does not exist or you do not have required permissions"],
        "group": [True, ["client-works"]],
        "empty": [],
        "members": [True, True],
        "no group": 404,
    },
    "desk": {
        "supported": True,
        "customer": ["kim@guests.example", "Kim Guest"],
        "desk": True,
        "asked": ["A new screen", True],
        "said": [["Within", False], ["For you", True]],
        "wrong": [404, "The request type does not exist or you do not have permission to view it."],
    },
    "forms": {
        "bare": [["Bug", "Epic", "Story", "Sub-task", "Task"], False],
        "summary": [True, ["set"]],
        "types": ["Task"],
        "edited": [True, True],
    },
    "end": {
        "not by a developer": 404,
        "deleted": True,
        "trashed": [True, False],
        "issues": [400, "The value 'JCL' does not exist for the field 'project'."],
        "stranger": 401,
        "not validated": 401,
    },
}


@pytest.fixture(scope="module")
def done(control: ControlClient) -> dict[str, Any]:
    """What came of each step, by area."""
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    people = [account(sandbox, "tracker", role) for role in ("admin", "developer")]
    ran = run_client(
        client_python("jira", REQUIREMENTS),
        SCRIPT,
        sandbox["origin"],
        *(person[key] for person in people for key in ("email", "api_token")),
    )
    assert ran.returncode == 0, ran.stderr
    control.delete(f"/v1/sandboxes/{sandbox['id']}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("area", EXPECTED)
def test_what_is_done_in_an_area_is_there_for_the_client(done: dict[str, Any], area: str) -> None:
    assert done[area] == EXPECTED[area]
