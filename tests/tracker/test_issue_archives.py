"""The archive of issues; what issues hold against the vendor's limits; the events of issues."""

from __future__ import annotations

import pytest

from clones.core.models import Message
from clones.tracker.models import Issue, Project, Task
from clones.tracker.queries import issue_limits
from tests.tracker.conftest import Site
from tests.tracker.issues import doc

TOO_MANY = (
    "The number of issues to archive or unarchive exceeds the hard limit of 1000."
    " Precondition failed."
)
NOT_ADMIN = "Only admins can archive or unarchive issues. Access denied."


def archived(site: Site) -> set[str]:
    """Return the keys of the archived issues."""
    with site.store():
        rows = Issue.objects.filter(archived_at__isnull=False)
        return set(rows.values_list("key", flat=True))


def test_issues_go_into_the_archive_with_their_parts_and_out_again(site: Site) -> None:
    first, second = site.issue(), site.issue()
    part = site.issue(issuetype={"name": "Sub-task"}, parent={"key": first})
    away = site.issue(project={"key": "OPS"})
    with site.writing():
        Project.objects.filter(key="OPS").update(archived_at="2026-01-01T00:00:00Z")
    id = site.get(f"issue/{second}")["id"]
    answer = site.put(
        "issue/archive", {"issueIdsOrKeys": [first, id, part, away, "LAS-99"]}, status=200
    )
    assert answer == {
        "numberOfIssuesUpdated": 3,
        "errors": {
            "issueIsSubtask": {
                "count": 1,
                "issueIdsOrKeys": [part],
                "message": "Issue is subtask.",
            },
            "issuesInArchivedProjects": {
                "count": 1,
                "issueIdsOrKeys": [away],
                "message": "Issue exists in archived project.",
            },
            "issuesNotFound": {
                "count": 1,
                "issueIdsOrKeys": ["LAS-99"],
                "message": "Issue not found.",
            },
        },
    }
    assert archived(site) == {first, second, part}
    assert site.get(f"issue/{first}")["key"] == first
    assert site.call("PUT", f"issue/{first}", {"fields": {"summary": "x"}}).status == 403
    back = site.put("issue/unarchive", {"issueIdsOrKeys": [first]}, status=200)
    assert back == {"numberOfIssuesUpdated": 2, "errors": {}}
    assert archived(site) == {second}
    site.put(f"issue/{first}", {"fields": {"summary": "x"}})


def test_the_archive_is_the_admins_and_has_limits(site: Site) -> None:
    key = site.issue()
    for path in ("issue/archive", "issue/unarchive"):
        for sent, by, status, text in (
            ([key], "dev", 403, NOT_ADMIN),
            (["LAS-99"], "ada", 400, "No valid issue to archive or unarchive. Bad request."),
            (
                ["1"] * 1001,
                "ada",
                412,
                TOO_MANY,
            ),
        ):
            answer = site.call("PUT", path, {"issueIdsOrKeys": sent}, by=by)
            assert (answer.status, answer.body) == (
                status,
                {"errorMessages": [text], "errors": {}},
            )


def test_a_query_is_archived_by_a_task(site: Site) -> None:
    first, second = site.issue("Old one"), site.issue("New one")
    part = site.issue("Old part", issuetype={"name": "Sub-task"}, parent={"key": second})
    answer = site.call("POST", "issue/archive", {"jql": 'summary ~ "old"'})
    assert answer.status == 202
    path = answer.body.split("/rest/api/3/")[1]
    site.advance()
    assert archived(site) == {first}
    assert part not in archived(site)
    assert site.get(path)["result"] == {"numberOfIssuesUpdated": 1}
    with site.writing():
        Task.objects.update(status="RUNNING")
    again = site.call("POST", "issue/archive", {"jql": "project = LAS"})
    assert again.status == 412
    assert "already running with ID" in again.body["errorMessages"][0]
    wrong = site.call("POST", "issue/archive", {"jql": "nope = 1"})
    assert (wrong.status, wrong.body["errors"]) == (400, {})
    denied = site.call("POST", "issue/archive", {"jql": "project = LAS"}, by="dev")
    assert (denied.status, denied.body["errorMessages"]) == (403, [NOT_ADMIN])


def test_a_list_of_the_archive_is_mailed(site: Site) -> None:
    first, second = site.issue("Kept"), site.issue("Left out", project={"key": "OPS"})
    site.put("issue/archive", {"issueIdsOrKeys": [first, second]}, status=200)
    wanted = {
        "projects": ["LAS"],
        "archivedBy": [site.ids["ada"]],
        "archivedDateRange": {"dateAfter": "2026-01-01", "dateBefore": "2026-12-31"},
    }
    task = site.put("issues/archive/export", wanted, status=202)
    assert (task["status"], task["progress"]) == ("ENQUEUED", 0)
    assert "projects=['LAS']" in task["payload"]
    site.advance()
    with site.store():
        assert Task.objects.get(id=int(task["taskId"])).result == {"numberOfIssues": 1}
        mail = Message.objects.filter(subject__contains="archived").get()
        assert mail.recipients == ["ada@site.example"]
        assert "1 archived" in mail.text
    denied = site.call("PUT", "issues/archive/export", {}, by="dev")
    assert (denied.status, denied.body["errorMessages"]) == (403, ["User is not an admin."])
    days = {"archivedDateRange": {"dateAfter": "x", "dateBefore": "2026-12-31"}}
    assert site.call("PUT", "issues/archive/export", days).status == 400


def test_issues_near_the_limits_are_reported(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("comment", 10), ("issuelinks", 1)):
        monkeypatch.setitem(issue_limits.LIMITS, name, limit)
    key, other, third = site.issue(), site.issue(), site.issue()
    for end in (other, third):
        link = {"inwardIssue": {"key": key}, "outwardIssue": {"key": end}}
        site.post("issueLink", {"type": {"name": "Blocks"}} | link)
    for _ in range(9):
        site.post(f"issue/{key}/comment", {"body": doc("Said")})
    id = site.get(f"issue/{key}")["id"]
    report = site.get("issue/limit/report")
    assert report["issuesApproachingLimit"]["comment"] == {id: 9}
    assert report["issuesBreachingLimit"] == {"issuelinks": {id: 2}}
    assert report["limits"]["worklog"] == 10_000
    keyed = site.get("issue/limit/report?isReturningKeys=true")
    assert keyed["issuesApproachingLimit"]["comment"] == {key: 9}
    assert site.call("GET", "issue/limit/report", by="dev").status == 403


def test_events_are_listed_to_admins(site: Site) -> None:
    events = site.get("events")
    assert events[:2] == [{"id": 1, "name": "Issue Created"}, {"id": 2, "name": "Issue Updated"}]
    assert len(events) == 17
    assert site.call("GET", "events", by="dev").status == 403
    assert site.call("GET", "events", by=None).status == 401
