"""An unmodified `jira.js` works a day at a site over https, and is answered wherever it reads.

The day calls more than a hundred methods of its four families and looks at what came of each; the
sweep then calls each method that reads, once. Left out of the day are calls that cannot reach the
vendor either: `setPreference`, `setWorklogProperty`, `setIssueTypeProperty` and the properties of
sprints, boards, organizations and types of requests are sent without their value, `bulkGetUsers`
joins several people into one, and `getContextsForField` sends "false" for what a text leaves out.
`setColumns` sends a bare list, which the vendor refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients import client_modules, install_node, run_node
from tests.live.apart import serve_apart, with_world
from tests.live.conftest import account

pytestmark = [pytest.mark.slow(shares="ran"), pytest.mark.in_turn(at=0)]

FOLDER = Path(__file__).with_name("node")
Run = Callable[[str], dict[str, Any]]

NO_ISSUE = [404, "Issue does not exist or you do not have permission to see it."]
NO_FIELD = [400, "Field 'colour' does not exist or you do not have permission to view it."]
EXPECTED: dict[str, dict[str, Any]] = {
    "site": {
        "kind": "Cloud",
        "me": [True, True, True],
        "roles": True,
        "may": [["ADMINISTER", True], ["BROWSE_PROJECTS", True]],
        "none": [404, "key not found: colour"],
        "unknown": [400, "Unrecognized permission"],
    },
    "projects": {
        "made": ["JSA", "Sales area", True, "By a client"],
        "older": [True, "Client work"],
        "found": ["JSA"],
        "role": ["Administrators", True],
        "left": False,
        "property": {"seat": 3},
        "kinds": ["Bug", "Epic", "Story", "Sub-task", "Task"],
        "taken": [400, "A project with that project key already exists."],
        "none": [404, "No project could be found with key 'NONE'."],
        "free": "JSA2",
    },
    "parts": {
        "components": [["Optics", "Lenses"]],
        "lead": True,
        "versions": [["1.0", True], ["2.0", False]],
        "left": ["1.0"],
        "none": [404, "Could not find version for id 'ID'"],
    },
    "issues": {
        "made": ["Loud hum", True],
        "changed": ["It hums loudly", ["night"], "Summary"],
        "assigned": [True, "Optics"],
        "changelog": 2,
        "moved": ["In Progress"],
        "many": [2, [1]],
        "fetched": ["First of many", "Last of many"],
        "parent": [
            400,
            (
                "The issue 'JSA-1' has subtasks.  You must specify the 'deleteSubtasks' parameter"
                " to delete this issue and all its subtasks."
            ),
        ],
        "gone": NO_ISSUE,
        "wrong": [400, "Summary can't exceed 255 characters."],
        "no assignee": [400, "User 'ID:nobody' does not exist."],
        "me": "",
    },
    "words": {
        "comments": [["<p><b>Hello</b> all</p>", "doc"]],
        "none": [404, "Can not find a comment for the id: ID."],
        "work": [["2h", 7200]],
        "attachment": ["Größe 1.txt", 10, "0123456789", "text/plain"],
        "removed": [404, "The attachment with id 'ID' does not exist"],
    },
    "ties": {
        "link": ["Blocks", True, True],
        "kind": ["fills"],
        "remote": [True, ["All belts"]],
        "watchers": True,
        "properties": ["row"],
        "none": [404, "No issue link with id 'ID' exists."],
    },
    "search": {
        "pages": [["First of many"], ["Last of many"]],
        "posted": ["To Do", "To Do"],
        "count": 2,
        "matched": 2,
        "parsed": 2,
        "words": ['"In Progress"'],
        "picked": True,
        "unbounded": [
            400,
            (
                "Unbounded JQL queries are not allowed here."
                " Please add a search restriction to your query."
            ),
        ],
        "unknown": NO_FIELD,
        "removed": [
            410,
            (
                "The requested API has been removed."
                " Please migrate to the /rest/api/3/search/jql API."
                " A full migration guideline is available at"
                " https://developer.atlassian.com/changelog/#CHANGE-ID"
            ),
        ],
    },
    "boards": {
        "board": 1,
        "sprint": ["future", "Less noise"],
        "planned": [True],
        "backlog": 1,
        "started": ["active", "2026-06-16T09:00:00.000Z"],
        "estimate": 5,
        "epic": [[True], True],
        "sprints": ["First", "Second"],
        "none": [404, "Sprint does not exist or you do not have permission to view it."],
    },
    "kept": {
        "shared": ["project"],
        "bare array": [
            400,
            "Invalid request payload. Refer to the REST API documentation and try again.",
        ],
        "found": [["Noise", "project = JSA"]],
        "favourite": True,
        "gadgets": ["All numbers"],
        "gone": [
            404,
            (
                "The dashboard you requested either does not exist"
                " or you don't have the required permissions to perform this action."
            ),
        ],
        "wrong": NO_FIELD,
        "taken": [400, "Filter with same name already exists."],
    },
    "people": {
        "members": [True],
        "left": 0,
        "user": [True, True],
        "found": [True],
        "assignable": True,
        "several": 1,
        "gone": [404, "Group with id, ID does not exist."],
        "taken": [400, "A group with the name 'client-works' already exists."],
        "nobody": [404, "Specified user does not exist or you do not have required permissions"],
    },
    "fields": {
        "options": ["red", "blue"],
        "shown": ["Wavelength"],
        "kind": "On site",
        "priority": "Someday",
        "resolution": "Moot",
        "found": ["Wavelength"],
    },
    "desk": {
        "info": "string",
        "made": ["It does not print", "Kim Client"],
        "said": ["Is it on?", True],
        "heard": True,
        "members": ["Kim Client"],
        "shown": [True, True],
        "moves": True,
        "queues": True,
        "none": [404, "The request does not exist or you do not have permission to view it."],
    },
}
# Groups of methods that ask for what the site has not; `docs/fidelity` says why of each.
NOT_BUILT = {
    "appDataPolicies",
    "appProperties",
    "builds",
    "classificationLevels",
    "deployments",
    "developmentInformation",
    "devopsComponents",
    "dynamicModules",
    "featureFlags",
    "fieldSchemes",
    "issueCustomFieldConfigurationApps",
    "issueCustomFieldOptionsApps",
    "issueRedaction",
    "jqlFunctionsApps",
    "migrationOfConnectModulesToForge",
    "operations",
    "plans",
    "projectClassificationLevels",
    "projectTemplates",
    "remoteLinks",
    "securityInformation",
    "serviceRegistry",
    "teamsInPlan",
    "uiModificationsApps",
    "userNavProperties",
    "workflowTransitionRules",
}
# Single methods among those that are answered.
NOT_BUILT_EITHER = {"board.getReportsForBoard", "users.getUserEmail", "users.getUserEmailBulk"}
# What the vendor refuses too, of this account or of what the day made.
REFUSED = {
    "board.getBoardProperty": 404,  # nothing was put there: the client sends no value
    "board.getQuickFilter": 404,  # the board has none, and no call makes one
    "filters.getColumns": 404,  # none are set: the client's way is refused
    "issueSearch.searchForIssuesUsingJql": 410,  # removed
    "issueTypeProperties.getIssueTypeProperty": 404,
    "issueWorklogProperties.getWorklogProperty": 404,
    "myself.getPreference": 404,
    "organization.getProperty": 404,  # nothing was put there, either
    "projectPermissionSchemes.getProjectIssueSecurityScheme": 404,  # the project has none
    "projects.getHierarchy": 404,  # of team-managed spaces only
    "request.getApprovalById": 404,  # the request waits for nobody
    "request.getFeedback": 404,  # and nobody has rated it
    "serviceDesk.getProperty": 404,
    "sprint.getProperty": 404,
    "users.bulkGetUsersMigration": 400,  # nobody has a user name
    "webhooks.getDynamicWebhooksForApp": 403,  # for apps
    "webhooks.getFailedWebhooks": 403,
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run a day, and the reading calls of some families, at a site of its own."""
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    modules = client_modules("node", FOLDER / "package-lock.json")
    data = tmp_path_factory.mktemp("jira_js")
    with_world(data)
    with serve_apart(data, "--tls", "--workers", "1") as server:

        def run(families: str) -> dict[str, Any]:
            sandbox = server.control.post("/v1/sandboxes", {"size": "tiny"})
            admin, other = (account(sandbox, "tracker", role) for role in ("admin", "developer"))
            done = run_node(
                modules,
                FOLDER / "jira_shift.cjs",
                sandbox["origin"],
                *(admin[key] for key in ("email", "api_token", "account_id")),
                other["account_id"],
                families,
                NODE_EXTRA_CA_CERTS=str(data / "tls" / "ca.pem"),
            )
            assert done.returncode == 0, done.stderr
            found: dict[str, Any] = json.loads(done.stdout)
            return found

        yield run


@pytest.fixture(scope="module")
def day(ran: Run) -> dict[str, Any]:
    """A day, and the reading calls of the newer families."""
    return ran("Version3,Agile,ServiceDesk")


@pytest.mark.parametrize("area", EXPECTED)
def test_what_is_done_in_an_area_is_there_for_the_client(day: dict[str, Any], area: str) -> None:
    assert day["areas"][area] == EXPECTED[area]


def test_the_day_has_every_area_and_a_hundred_methods(day: dict[str, Any]) -> None:
    assert day["areas"].keys() == EXPECTED.keys()
    families = {method.partition(".")[0] for method in day["called"]}
    assert families == {"Version2", "Version3", "Agile", "ServiceDesk"}
    assert len(day["called"]) >= 145


def check_reads(reads: dict[str, Any]) -> None:
    """Hold what each reading call was answered against what is listed."""
    listed, missing = dict[str, int](), set[str]()
    for name, answer in reads.items():
        method = name.partition(".")[2]
        if answer == 0:
            continue
        status, words = answer
        if status == 404 and str(words).startswith("No endpoint GET "):
            missing.add(method)
        else:
            listed[method] = status
    named = {name.partition(".")[2] for name in reads}
    assert listed == {name: status for name, status in REFUSED.items() if name in named}
    assert missing == {
        name for name in named if name.partition(".")[0] in NOT_BUILT or name in NOT_BUILT_EITHER
    }


def test_each_reading_call_of_the_newer_families_is_answered(day: dict[str, Any]) -> None:
    check_reads(day["reads"])
    assert len(day["reads"]) == 353


@pytest.mark.everything
def test_each_reading_call_of_the_older_family_is_answered(ran: Run) -> None:
    reads = ran("Version2")["reads"]
    check_reads(reads)
    assert len(reads) == 267
