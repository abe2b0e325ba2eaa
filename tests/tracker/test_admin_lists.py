"""Who may look at how a site is set up, and what is said to everybody else."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.api.errors import UNREADABLE_TOKEN
from tests.tracker.conftest import Site

NOBODY = "You are not authorized to perform this action. Administrator privileges are required."
SIGN_IN = "Client must be authenticated to access this resource."
POINTS = "field/customfield_10026"
FOR_ADMINS = (
    f"{POINTS}/context/defaultValue",
    f"{POINTS}/context/issuetypemapping",
    f"{POINTS}/context/projectmapping",
    f"{POINTS}/contexts",
    f"{POINTS}/screens",
    "fieldconfigurationscheme",
    "fieldconfigurationscheme/mapping",
    "fieldconfigurationscheme/project?projectId=1",
    "issuetypescheme/mapping",
    "issuetypescreenscheme/mapping",
    "screens/tabs",
)
FOR_USERS = ("priority", "priorityscheme", "resolution", "resolution/search", "statuscategory")
FOR_ALL = ("field", "issuetype", "status")
# Method, path, body, status, and what is said.
ABSENT: tuple[tuple[str, str, Any, int, str], ...] = (
    ("GET", "issuetype/99/alternatives", None, 404, "The issue type with ID 99 was not found."),
    ("GET", "issuetype/99/properties", None, 404, "The issue type with ID 99 was not found."),
    ("DELETE", "issuetype/99/properties/x", None, 404, "The issue type with ID 99 was not found."),
    (
        "GET",
        "issuetypescreenscheme/99/project",
        None,
        404,
        "The issue type screen scheme was not found.",
    ),
    ("GET", "priorityscheme/99/projects", None, 404, "The priority scheme was not found."),
    (
        "GET",
        "priorityscheme/priorities/available?schemeId=99",
        None,
        404,
        "The priority scheme was not found.",
    ),
    (
        "POST",
        "priorityscheme/mappings",
        {"schemeId": 99},
        404,
        "The priority scheme was not found.",
    ),
    ("GET", "projects/fields?projectId=1&workTypeId=1", None, 404, "One or more projects were not"),
    ("GET", "screens/99999/availableFields", None, 404, "The screen was not found."),
    ("DELETE", "screens/1/tabs/1", None, 404, "The screen tab was not found."),
    ("GET", "screens/1/tabs/1/fields", None, 404, "The screen tab was not found."),
    ("GET", "statuses/99/workflowUsages", None, 404, "The status with ID 99 was not found."),
    (
        "GET",
        "statuses/10001/project/1/issueTypeUsages",
        None,
        404,
        "The project was not found.",
    ),
    ("DELETE", f"{POINTS}/context/1", None, 404, "The context was not found."),
    (
        "PUT",
        f"{POINTS}/context/1/issuetype",
        {"issueTypeIds": ["1"]},
        404,
        "The context was not found.",
    ),
    (
        "DELETE",
        "field/association",
        {"associationContexts": [], "fields": []},
        400,
        "Between 1 and 50 fields have to be provided.",
    ),
)


def test_only_admins_see_how_a_site_is_set_up(site: Site) -> None:
    for path in FOR_ADMINS:
        answer = site.call("GET", path, by="dev")
        assert (answer.status, answer.body["errorMessages"]) == (403, [NOBODY]), path
        assert site.call("GET", path).status == 200, path
    for path in (*FOR_USERS, *FOR_ADMINS):
        answer = site.call("GET", path, by=None)
        assert (answer.status, answer.raw) == (401, SIGN_IN.encode()), path
    for path in FOR_ALL:
        answer = site.call("GET", path, by=None, Authorization="Bearer no-such-token")
        assert (answer.status, answer.body) == (403, {"error": UNREADABLE_TOKEN}), path


def test_what_is_not_there_is_said_not_to_be(site: Site) -> None:
    for method, path, body, status, text in ABSENT:
        answer = site.call(method, path, body)
        assert answer.status == status, (path, answer.body)
        assert text in answer.body["errorMessages"][0], (path, answer.body)


@pytest.mark.parametrize(
    ("path", "least"),
    [("field/search", 40), ("screens", 5), ("statuses/search", 8), ("priority/search", 5)],
)
def test_pages_can_be_walked_through(site: Site, path: str, least: int) -> None:
    seen: list[str] = []
    start = 0
    while True:
        page = site.get(f"{path}?startAt={start}&maxResults=4")
        seen += [row["id"] for row in page["values"]]
        assert page["startAt"] == start
        if page["isLast"]:
            break
        assert f"startAt={start + 4}" in page["nextPage"]
        start += 4
    assert len(seen) == len(set(seen)) == page["total"] >= least
    beyond = site.get(f"{path}?startAt=1000")
    assert (beyond["values"], beyond["isLast"], beyond["total"]) == ([], True, len(seen))


def test_ids_that_nothing_can_have_are_refused(site: Site) -> None:
    many = 10**20
    for path, name in (
        ("issuetypescheme", "id"),
        ("screens", "id"),
        ("priorityscheme", "priorityId"),
        (f"{POINTS}/context", "contextId"),
        ("screens/tabs", "tabId"),
        ("field/search", "projectIds"),
        ("fieldconfiguration", "id"),
    ):
        answer = site.call("GET", f"{path}?{name}={many}")
        text = f"The value of the query parameter '{name}.0' is invalid."
        assert (answer.status, answer.body["errorMessages"]) == (400, [text]), answer.body
    refused = site.call("GET", f"issuetype/{many}")
    assert (refused.status, refused.body["errorMessages"]) == (
        400,
        [f"The issue type ID '{many}' is invalid."],
    )
    for path in (f"priority/{many}", f"resolution/{many}"):
        assert site.call("GET", path).status == 404
    body = {"name": "X", "priorityIds": [many], "defaultPriorityId": 1}
    assert "priorityIds.0" in site.post("priorityscheme", body, status=400)["errors"]
    wrong = site.put("priority/move", {"ids": [str(many)], "position": "Last"}, status=404)
    assert wrong["errorMessages"] == [f"Priority with ID {many} not found."]
