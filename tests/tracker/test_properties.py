"""Properties of issues: of one, and of very many by tasks; and tasks themselves."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.issue_properties import IssueSelection, start_setting
from clones.tracker.models import EntityProperty, PermissionGrant, Project, User
from clones.tracker.queries.rights import Rights
from tests.tracker.site import Site


def ids(site: Site, count: int) -> list[int]:
    """Make issues and return their ids."""
    keys = [site.issue() for _ in range(count)]
    return [int(site.get(f"issue/{key}?fields=summary")["id"]) for key in keys]


def kept(site: Site, key: str) -> dict[int, Any]:
    """Return the values of a property, by issue."""
    with site.store():
        rows = EntityProperty.objects.filter(kind="issue", key=key)
        return {int(row.entity): row.value for row in rows}


def run(site: Site, method: str, path: str, body: Any, *, by: str = "ada") -> dict[str, Any]:
    """Begin a task, let it run, and return what is told of it."""
    begun = site.call(method, path, body, by=by)
    assert begun.status == 303, begun.body
    site.advance()
    address = begun.headers["Location"].partition("/rest/api/3/")[2]
    found: dict[str, Any] = site.get(address, by=by)
    assert found["status"] == "COMPLETE"
    assert found["progress"] == 100
    return found


def test_an_issue_has_properties(site: Site) -> None:
    """A value is set, replaced whole, listed and deleted."""
    key = site.issue()
    path = f"issue/{key}/properties"
    site.put(f"{path}/app.state", {"a": 1, "b": [None]}, by="dev", status=201)
    site.put(f"{path}/app.state", {"b": 2}, by="dev", status=200)
    assert site.get(f"{path}/app.state") == {"key": "app.state", "value": {"b": 2}}
    site.put(f"{path}/a%20b", b'"text"', status=201)
    listed = site.get(path)["keys"]
    assert [entry["key"] for entry in listed] == ["a b", "app.state"]
    assert listed[0]["self"].endswith(f"/rest/api/3/issue/{key}/properties/a%20b")
    site.delete(f"{path}/app.state")
    for call in (site.get, site.delete):
        assert call(f"{path}/app.state", status=404)["errorMessages"] == [
            "The property with key 'app.state' does not exist."
        ]


def test_unverified_properties_are_held_to_their_rules(site: Site) -> None:
    """What is refused, and in which words."""
    key = site.issue()
    path = f"issue/{key}/properties"
    for body in (b"", b"{", b"NaN", b'"\\u0000"'):
        assert site.put(f"{path}/x", body, status=400)["errorMessages"] == [
            "The property value must be a valid JSON."
        ]
    assert site.put(f"{path}/x", b'"' + b"x" * 32768 + b'"', status=400)["errorMessages"] == [
        "The property value cannot be longer than 32768 characters."
    ]
    assert site.put(f"{path}/{'x' * 256}", b"1", status=400)["errorMessages"] == [
        "The property key cannot be longer than 255 characters."
    ]
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="EDIT_ISSUES").delete()
    assert site.put(f"{path}/x", b"1", status=403)["errorMessages"] == [
        "You do not have permission to edit issues in this project."
    ]
    site.get("issue/LAS-999/properties", status=404)
    site.put(f"{path}/x", b"1", by=None, status=401)


def test_properties_of_many_issues_are_set_and_deleted(site: Site) -> None:
    """Lists of issues, each its own, and by a filter; the answer leads to the task."""
    one, two, three = ids(site, 3)
    body = {"entitiesIds": [one, two], "properties": {"a": 1, "b": {"c": 2}}}
    found = run(site, "POST", "issue/properties", body)
    assert found["result"] == "Successfully updated 2 issues."
    assert kept(site, "b") == {one: {"c": 2}, two: {"c": 2}}
    apart = [{"issueID": id, "properties": {"a": id}} for id in (one, three, 99999)]
    found = run(site, "POST", "issue/properties/multi", {"issues": apart})
    assert found["result"]["successfulIssues"] == [one, three]
    assert list(found["result"]["failedIssues"]) == ["99999"]
    assert kept(site, "a") == {one: one, two: 1, three: three}
    run(site, "PUT", "issue/properties/a", {"value": 0, "filter": {"currentValue": 1}})
    assert kept(site, "a") == {one: one, two: 0, three: three}
    absent = {"hasProperty": False, "entityIds": [two, three]}
    run(site, "PUT", "issue/properties/b", {"value": [], "filter": absent})
    assert kept(site, "b") == {one: {"c": 2}, two: {"c": 2}, three: []}
    run(site, "DELETE", "issue/properties/b", {"currentValue": {"c": 2}, "entityIds": [one]})
    assert kept(site, "b") == {two: {"c": 2}, three: []}
    run(site, "DELETE", "issue/properties/b", {})
    assert kept(site, "b") == {}


def test_bulk_changes_of_properties_are_checked_first(site: Site) -> None:
    """What is refused before any task begins."""
    (one,) = ids(site, 1)
    many = {str(n): n for n in range(11)}
    for method, path, body, text in (
        (
            "POST",
            "issue/properties",
            {"entitiesIds": [one], "properties": many},
            "The number of properties must be between 1 and 10.",
        ),
        (
            "POST",
            "issue/properties",
            {"entitiesIds": [], "properties": {"a": 1}},
            "The list of issue IDs must not be empty.",
        ),
        (
            "POST",
            "issue/properties",
            {"entitiesIds": [one, 99999], "properties": {"a": 1}},
            "Issues with these IDs do not exist or cannot be edited: 99999.",
        ),
        (
            "POST",
            "issue/properties/multi",
            {"issues": []},
            "The number of issues must be between 1 and 100.",
        ),
        (
            "PUT",
            "issue/properties/a",
            {"value": 1, "filter": {"hasProperty": False, "currentValue": 2}},
            "currentValue cannot be specified when hasProperty is false.",
        ),
        ("PUT", "issue/properties/a", {}, "The value of the property must be specified."),
        (
            "PUT",
            "issue/properties/a",
            {"expression": "issue.id"},
            "Jira expressions are not supported.",
        ),
    ):
        answer = site.call(method, path, body)
        assert (answer.status, answer.body["errorMessages"]) == (400, [text])
    assert site.call("DELETE", "issue/properties/a", {}, by=None).status == 401
    assert kept(site, "a") == {}


def test_unverified_tasks_are_shown_and_cancelled(site: Site) -> None:
    """Whoever began a task sees it, and admins do; one that has not begun is cancelled."""
    (one,) = ids(site, 1)
    with site.writing():
        rights = Rights(User.objects.get(account_id=site.ids["dev"]))
        task = start_setting({"a": 1}, IssueSelection(ids=[one]), actor=rights)
    path = f"task/{task.id}"
    waiting = site.get(path, by="dev")
    assert waiting["status"] == "ENQUEUED"
    assert waiting["self"].endswith(path)
    assert "finished" not in waiting
    assert site.get(path, by="dana", status=403)["errorMessages"] == [
        "You do not have permission to view this task."
    ]
    assert site.call("POST", f"{path}/cancel", by="dana").body == [
        "You do not have permission to view this task."
    ]
    site.post(f"{path}/cancel", status=202)
    site.advance(1)
    assert site.get(path)["status"] == "CANCELLED"
    assert kept(site, "a") == {}
    again = site.call("POST", f"{path}/cancel")
    assert (again.status, again.body) == (
        400,
        ["The task cannot be cancelled: its status is CANCELLED."],
    )
    assert site.get("task/77", status=404)["errorMessages"] == ["The task does not exist."]
    assert site.call("POST", "task/77/cancel").body == ["The task does not exist."]
    site.get(path, by=None, status=401)
