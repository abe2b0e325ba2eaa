"""What every operation refuses: whoever may not, and what is not there."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from clones.core.operations import Operation
from clones.tracker.api.entry import operations
from clones.tracker.api.errors import NOT_ADMIN, SIGN_IN, UNREADABLE_TOKEN, body
from snapshots.sandboxes import Sandboxes
from tests.tracker.boards import AGILE, board_of, sprint_on
from tests.tracker.rounds import problems_of
from tests.tracker.site import Answer, Site
from tests.tracker.test_comments import paragraph

MISSING = "999999"
# What some operations ask of every request, and what others do not mind.
ASKED: dict[str, Any] = {"X-ExperimentalApi": "opt-in", "X-Atlassian-Token": "no-check"}
# These answer about a thing that nobody has made: a list without rows, a count of nobody, a value
# of one's own, or a task that will find nothing.
FORGIVING = {
    "agile.getBoardByFilterId",
    "bulkDeleteIssueProperty",
    "getAllSystemAvatars",
    "getApproximateApplicationLicenseCount",
    "getAvatars",
}
# These say so with another status than 404.
OTHERWISE = {
    "agile.getIssueEstimationForBoard",
    "devStatus.getDetail",
    "devStatus.getSummary",
    "getBulkOperationProgress",
    "getUserProperty",
    "getWorkflowTransitionProperties",
}
SECRETS = ("Violet beam", "It hums softly", "Laser control", "ada@", "dev@", "Dev Anand")


def rooms(*access: str) -> list[Any]:
    """Return the operations whose access is one of these, by the modules of their views."""
    found = defaultdict[str, list[Operation]](list)
    for operation in operations().all.values():
        if operation.access in access:
            room = operation.view.__module__.removeprefix("clones.tracker.api.")
            found[room].append(operation)
    return [pytest.param(found[room], id=room) for room in sorted(found)]


def address(operation: Operation, value: str = MISSING) -> str:
    """Return an address of an operation whose parameters are all the same."""
    return re.sub(r"\{[^}]+\}", value, operation.path)


def answer_of(site: Site, operation: Operation, path: str, by: str | None) -> Answer:
    """Return what an operation answers to an empty request."""
    sent: dict[str, Any] | None = {} if operation.method in ("POST", "PUT") else None
    return site.call(operation.method, path, sent, by=by, **ASKED)


@pytest.mark.parametrize("room", rooms("admin"))
def test_only_admins_may_do_what_is_for_admins(
    site: Site, sandboxes: Sandboxes, room: list[Operation]
) -> None:
    sandboxes.mark(site.row.id, "before")
    for operation in room:
        path = address(operation)
        for by in ("dev", "dana", "guest", "cara"):
            answer = answer_of(site, operation, path, by)
            assert (answer.status, answer.body) == (403, body(path, [NOT_ADMIN], {}, None)), (
                operation.id,
                by,
            )
    assert sandboxes.diff(site.row.id, "before") == []


@pytest.mark.parametrize("room", rooms("admin", "user"))
def test_who_has_no_credential_is_refused(
    site: Site, sandboxes: Sandboxes, room: list[Operation]
) -> None:
    sandboxes.mark(site.row.id, "before")
    for operation in room:
        path = address(operation)
        answer = answer_of(site, operation, path, None)
        asks_to_sign_in(answer, path)
    assert sandboxes.diff(site.row.id, "before") == []


@pytest.mark.parametrize("room", rooms("admin", "user", "anyone"))
def test_a_wrong_name_or_password_is_as_good_as_none(site: Site, room: list[Operation]) -> None:
    """The vendor takes who has one for anonymous, and refuses them only what is not for anybody."""
    for operation in room:
        path = address(operation)
        none = answer_of(site, operation, path, None)
        sent: Any = {} if operation.method in ("POST", "PUT") else None
        wrong = {**ASKED, "Authorization": "Basic eDp5"}
        answer = site.call(operation.method, path, sent, by=None, **wrong)
        assert (answer.status, answer.raw) == (none.status, none.raw), operation.id
        if operation.access != "anyone":
            asks_to_sign_in(answer, path)


@pytest.mark.parametrize("room", rooms("admin", "user", "anyone"))
def test_a_wrong_token_is_refused_even_where_none_is_needed(
    site: Site, room: list[Operation]
) -> None:
    for operation in room:
        path = address(operation)
        answer = site.call(operation.method, path, by=None, Authorization="Bearer nobodys")
        assert (answer.status, answer.body) == (403, {"error": UNREADABLE_TOKEN}), operation.id


def asks_to_sign_in(answer: Answer, path: str) -> None:
    """Hold an answer to what is said to who has not signed in."""
    assert answer.status == 401, path
    assert answer.headers["WWW-Authenticate"].startswith("OAuth realm="), path
    if path.startswith("/rest/servicedeskapi/"):
        assert answer.body == body(path, [SIGN_IN], {}, None)
    else:
        assert answer.raw == SIGN_IN.encode(), path


@pytest.mark.parametrize("room", rooms("admin", "user", "anyone"))
def test_what_is_not_there_is_not_found(
    site: Site, sandboxes: Sandboxes, room: list[Operation]
) -> None:
    sandboxes.mark(site.row.id, "before")
    for operation in room:
        if not operation.parameters or operation.id in FORGIVING:
            continue
        path = address(operation)
        answer = answer_of(site, operation, path, "ada")
        if operation.method == "GET" and operation.id not in OTHERWISE:
            assert answer.status == 404, (operation.id, answer.body)
        # A body that has to be a form is asked for first.
        wanted = (400, 404, 415) if operation.raw_body else (400, 404)
        assert answer.status in wanted, (operation.id, answer.status, answer.body)
        kind = answer.headers.get("Content-Type", "")
        assert list(problems_of(path, answer.status, kind, answer.raw)) == [], operation.id
    assert sandboxes.diff(site.row.id, "before") == []


def scene(site: Site) -> dict[str, str]:
    """Make a record of many kinds, and return each by the segment of a path before its id."""
    key = site.issue("Violet beam", by="dev")
    comment = site.post(f"issue/{key}/comment", {"body": paragraph("It hums softly")})
    worklog = site.post(f"issue/{key}/worklog", {"timeSpent": "1m"}, by="dev")
    part = site.post("component", {"name": "Violet beam", "project": "LAS"})
    space = site.get("project/LAS")["id"]
    version = site.post("version", {"name": "Violet beam", "projectId": int(space)})
    kept = site.post("filter", {"name": "Violet beam", "jql": "project = LAS"}, status=200)
    shown = site.post(
        "dashboard",
        {"name": "Violet beam", "sharePermissions": [], "editPermissions": []},
        status=200,
    )
    board = board_of(site)
    sprint = sprint_on(site, board, "Violet beam")
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [key]}, status=204)
    made = {"comment": comment, "worklog": worklog, "component": part, "version": version}
    made |= {"filter": kept, "dashboard": shown}
    return {
        **{kind: str(record["id"]) for kind, record in made.items()},
        "issue": key,
        "project": "LAS",
        "request": key,
        "board": str(board),
        "sprint": str(sprint),
    }


def test_customers_see_nothing_of_what_is_not_theirs(site: Site) -> None:
    found = scene(site)
    seen = 0
    for operation in operations().all.values():
        if operation.method != "GET":
            continue
        segments = list(operation.segments)
        for place, segment in enumerate(segments):
            if segment.startswith("{"):
                segments[place] = found.get(segments[place - 1], "10000")
        path = "/" + "/".join(segments)
        if found["issue"] in path:
            assert site.call("GET", path, by="cara", **ASKED).status >= 400, path
        query = "?query=a&jql=order+by+key&project=LAS&issueKey=LAS-1&projectKeys=LAS"
        for asking in (path, path + query):
            for by in ("cara", None):
                answer = site.call("GET", asking, by=by, **ASKED)
                text = answer.raw.decode("utf-8", "replace")
                told = [secret for secret in SECRETS if secret in text]
                assert told == [], (asking, by, text[:300])
                seen += answer.status == 200
    assert seen > 100, "many answer"
