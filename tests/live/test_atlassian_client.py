"""An unmodified `atlassian-python-api` works in every area of the site that it knows.

Its older client is told that the site is in the cloud; the newer ones say so themselves. Left out
are calls that cannot reach the vendor's Cloud either: `rename_sprint` and `flag_issue` go to
another root, `add_user_to_group` names no account but on the vendor's own hosts, and
`set_agile_board_property` sends no value. `set_issue_status_by_transition_name` is refused there
too: transitions go by their ids.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.conftest import account

REQUIREMENTS = ("atlassian-python-api==5.0.5",)
SCRIPT = Path(__file__).with_name("atlassian_areas.py")
EXPECTED: dict[str, dict[str, Any]] = {
    "site": {
        "kind": "Cloud",
        "me": [True, True],
        "fields": ["Summary", True],
        "page": [0, 5, 5],
        "status": True,
        "admin": True,
        "lists": [True, True, True, True, True, True, True, True, True, True, True, True],
        "workflows": [1, 1],
        "nowhere": 404,
    },
    "projects": {
        "made": ["Plant works", True],
        "lead": True,
        "taken": [
            400,
            (
                "A project with that project key already exists."
                "\nA project with that name already exists."
            ),
        ],
        "listed": True,
        "described": "Pumps and belts",
        "kinds": ["Bug", "Epic", "Story", "Sub-task", "Task"],
        "no project": [404, "No project could be found with key 'NONE'."],
        "actors": [True, False],
        "scheme": "Default software scheme",
        "components": [["Water pump", True], ["Water pump"], 1, {"components": []}, 404],
        "versions": [[3, ["1.1", "1.0.1"], True], ["1.0.1", True, "2026-06-10"], ["2.0", "1.0.1"]],
    },
    "issues": {
        "made": ["It drips", "*Slowly*", ["water"]],
        "changed": ["It drips fast", "h1. Fast", "High", ["hall", "night", "urgent"]],
        "assigned": [True, None],
        "no assignee": [400, "User '712020:nobody' does not exist."],
        "by name": [400, "Missing 'transition' identifier"],
        "moved": [
            ["To Do", "In Progress", "Done"],
            "Done",
            [["In Progress", "Done"], ["To Do", "In Progress"]],
        ],
        "log": [2, True, False],
        "many": [[400, 1, {"summary": "You must specify a summary of the issue."}]],
        "children": [[True], 400],
        "gone": [False, True],
        "refused": [404, "Issue does not exist or you do not have permission to see it."],
        "wrong": [400, "The summary is invalid because it contains newline characters."],
    },
    "search": {
        "pages": [[[2, False], [2, False], [1, True]], True],
        "all": True,
        "every": [True, True, True],
        "count": {"count": 5},
        "expanded": ["Summary", 0, True],
        "matched": [True, False],
        "unbounded": [
            400,
            (
                "Unbounded JQL queries are not allowed here."
                " Please add a search restriction to your query."
            ),
        ],
        "unknown": [400, "Field 'colour' does not exist or you do not have permission to view it."],
        "broken": 400,
        "removed": [
            410,
            (
                "The requested API has been removed."
                " Please migrate to the /rest/api/3/search/jql API."
                " A full migration guideline is available at"
                " https://developer.atlassian.com/changelog/#CHANGE-2046"
            ),
        ],
        "of others": 5,
    },
    "said": {
        "comments": [2, ["Hello again", "Admins"], "Administrators"],
        "property": "mood",
        "work": ["1h 30m", ["Looked"], "1h 30m", [True]],
        "attached": [[["Plan 1.txt", True]], 7, True],
        "removed": [],
    },
    "ties": {
        "link": [True, "is blocked by"],
        "shown": True,
        "unlinked": [[], []],
        "remote": [True, ["All water"]],
        "no remote": [],
        "watchers": [True, 1],
        "votes": [1, True, 0],
        "property": {"row": 3},
        "no property": [],
    },
    "boards": {
        "board": [[True], True],
        "configured": [True, ["APC"], [True]],
        "planned": [True, True, True],
        "ranked": [True, 3, 2],
        "started": [["Dry floors", True]],
        "closed": ["closed", True, "closed"],
        "epic": [[True], True, True, "Dry"],
        "tokens": [True, [False, True, False], True, 3, 5.0, {"shade": "blue"}],
        "gone": 404,
    },
    "filters": {
        "made": [True, "What drips"],
        "changed": ["All leaks", "project = APC AND labels = x"],
        "shared": [["project", "APC"]],
        "unshared": [],
        "wrong": [400, "Field 'colour' does not exist or you do not have permission to view it."],
        "gone": 404,
        "dashboard": ["Plant", True],
        "no dashboard": 404,
    },
    "people": {
        "user": [True, True],
        "found": [True, True, True, True],
        "pages": [2, 2],
        "distinct": 4,
        "group": ["plant-works", 1, [True], ["plant-works"], ["plant-works"]],
        "left": 0,
        "gone": 404,
        "taken": [400, "A group with the name 'jira-users' already exists."],
        "not by a developer": 403,
    },
    "desk": {
        "info": True,
        "desk": True,
        "asked": [True, "A new tap", True, True],
        "participants": [[True], []],
        "said": [["Within", "For you"], ["For you"]],
        "slas": [True, True],
        "queue": [1, True],
        "customers": ["Lee Guest", [True], ["Lee Guest"], True, 404],
        "wrong": [400, "Unknown error"],
    },
    "third": {
        "made": ["Wet *floor*", "Wet \\*floor\\*"],
        "changed": "<p>Dry floor</p>",
        "comment": [1, ["Mopped twice"]],
        "silent": 0,
        "plain": 400,
        "form": [5, 3, True],
        "fetched": [True, 0],
        "task": ["COMPLETE", "Done"],
        "projects": [["APC"], True],
    },
    "forms": {"full": [5, True], "same": True, "edited": "Summary"},
    "end": {
        "not by a developer": 404,
        "left": False,
        "issues": [400, "The value 'APC' does not exist for the field 'project'."],
        "stranger": [401, "Unauthorized (401)"],
    },
}


@pytest.fixture(scope="module")
def done(control: ControlClient) -> dict[str, Any]:
    """What came of each step, by area."""
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    people = [account(sandbox, "tracker", role) for role in ("admin", "developer")]
    ran = run_client(
        client_python("atlassian", REQUIREMENTS),
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
