"""Changing, assigning and deleting issues, and what their histories tell of it."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.numbering import next_id
from clones.tracker.models import (
    Comment,
    DeletedWorklog,
    EntityProperty,
    Issue,
    IssueText,
    Project,
    SecurityLevel,
    SecurityMember,
    SecurityScheme,
    WorkflowStatus,
)
from tests.tracker.conftest import Site
from tests.tracker.heard import heard
from tests.tracker.issues import (
    NOT_THERE,
    add_component,
    add_version,
    doc,
    last_changes,
    place_field,
    refused,
    withdraw,
)

HEARD = heard("issue_updated", "issue_deleted")
GONE = "Issue does not exist or you do not have permission to see it."


def test_one_request_is_one_entry_with_all_that_changed(site: Site) -> None:
    optics, beam = add_component(site, "Optics"), add_component(site, "Beam")
    version = add_version(site, "1.0")
    key = site.issue(
        components=[{"id": optics}],
        labels=["a", "b"],
        duedate="2026-01-02",
        description=doc("Old *words*"),
    )
    HEARD.clear()
    changed = {
        "fields": {
            "summary": "It runs",
            "priority": {"name": "Low"},
            "duedate": "2026-03-04",
            "description": doc("New words"),
            "assignee": {"accountId": site.ids["dev"]},
            "timetracking": {"originalEstimate": "2h"},
        },
        "update": {
            "labels": [{"remove": "a"}, {"add": "c"}],
            "components": [{"add": {"id": beam}}, {"remove": {"id": optics}}],
            "fixVersions": [{"set": [{"id": version}]}],
        },
        "historyMetadata": {"type": "import", "description": "Once a day"},
        "properties": [{"key": "seen", "value": True}],
    }
    site.put(f"issue/{key}", changed)
    assert last_changes(site, key) == [
        ("summary", None, "It stops", None, "It runs"),
        ("priority", "3", "Medium", "4", "Low"),
        (
            "duedate",
            "2026-01-02",
            "2026-01-02 00:00:00.0",
            "2026-03-04",
            "2026-03-04 00:00:00.0",
        ),
        ("description", None, "Old \\*words\\*", None, "New words"),
        ("assignee", None, None, site.ids["dev"], "Dev Anand"),
        ("timeoriginalestimate", None, None, "7200", "7200"),
        ("labels", None, "a b", None, "b c"),
        ("Component", optics, "Optics", None, None),
        ("Component", None, None, beam, "Beam"),
        ("Fix Version", None, None, version, "1.0"),
    ]
    entry = site.get(f"issue/{key}/changelog")["values"][0]
    assert entry["historyMetadata"] == {"type": "import", "description": "Once a day"}
    assert entry["author"]["accountId"] == site.ids["ada"]
    issue = site.get(f"issue/{key}?properties=seen")
    assert issue["properties"] == {"seen": True}
    assert issue["fields"]["updated"] == entry["created"]
    assert issue["fields"]["timetracking"]["originalEstimate"] == "2h"
    (event,) = HEARD
    assert event.notify
    assert event.changes is not None
    with site.store():
        texts = dict(IssueText.objects.filter(issue__key=key).values_list("field", "text"))
        assert texts == {"summary": "It runs", "description": "New words"}


def test_what_does_not_change_is_no_entry_and_quiet_edits_are_not_told(site: Site) -> None:
    key = site.issue(labels=["a"])
    before = site.get(f"issue/{key}")["fields"]["updated"]
    HEARD.clear()
    site.put(f"issue/{key}", {"fields": {"summary": "It stops", "labels": ["a"]}})
    site.put(f"issue/{key}", {"fields": {}, "transition": {"id": "99"}})
    assert site.get(f"issue/{key}/changelog")["total"] == 0
    assert site.get(f"issue/{key}")["fields"]["updated"] == before
    assert HEARD == []
    site.put(f"issue/{key}?notifyUsers=false", {"fields": {"summary": "Quiet"}})
    site.put(f"issue/{key}?notifyUsers=false", {"fields": {"summary": "Loud"}}, by="dev")
    assert [event.notify for event in HEARD] == [False, True]


def test_the_changed_issue_comes_back_if_it_is_asked_for(site: Site) -> None:
    key = site.issue()
    path = f"issue/{key}?returnIssue=true&expand=names"
    issue = site.put(path, {"fields": {"summary": "It runs"}}, status=200)
    assert issue["fields"]["summary"] == "It runs"
    assert issue["names"]["duedate"] == "Due date"


def test_edits_are_refused_with_their_reasons(site: Site) -> None:
    key = site.issue()
    path = f"issue/{key}"
    both = {"fields": {"labels": ["a"]}, "update": {"labels": [{"add": "b"}]}}
    assert refused(site, "PUT", path, both) == {
        "labels": "Field 'labels' cannot appear in both 'fields' and 'update'"
    }
    assert refused(site, "PUT", path, {"update": {"summary": [{"add": "b"}]}}) == {
        "summary": "Field 'summary' does not support operation 'add'"
        " Supported operation(s) are: 'set'"
    }
    assert refused(site, "PUT", path, {"fields": {"summary": ""}}) == {
        "summary": "You must specify a summary of the issue."
    }
    assert refused(site, "PUT", path, {"fields": {"project": {"key": "OPS"}}}) == {
        "project": NOT_THERE.format("project")
    }
    assert refused(site, "PUT", path, {"fields": {"resolution": {"name": "Done"}}}) == {
        "resolution": NOT_THERE.format("resolution")
    }
    for who, status, text in (("guest", 404, GONE), (None, 404, GONE)):
        answer = site.call("PUT", path, {"fields": {"summary": "x"}}, by=who)
        assert (answer.status, answer.body["errorMessages"]) == (status, [text])
    denied = site.call("PUT", f"{path}?overrideScreenSecurity=true", {"fields": {}})
    assert denied.status == 403
    assert "override" in denied.body["errorMessages"][0]
    withdraw(site, "EDIT_ISSUES")
    answer = site.call("PUT", path, {"fields": {"summary": "x"}})
    assert answer.status == 403
    assert answer.body == {
        "errorMessages": ["You do not have permission to edit issues in this project."],
        "errors": {},
    }
    assert site.get(f"{path}/editmeta") == {"fields": {}}


def test_the_step_of_a_workflow_can_forbid_edits(site: Site) -> None:
    key = site.issue()
    with site.writing():
        steps = WorkflowStatus.objects.filter(status__issues__key=key)
        steps.update(properties={"jira.issue.editable": "false"})
    answer = site.call("PUT", f"issue/{key}", {"fields": {"summary": "x"}})
    assert answer.status == 403
    assert site.get(f"issue/{key}/editmeta") == {"fields": {}}


def test_types_change_within_a_space_where_the_family_allows(site: Site) -> None:
    epic = site.issue(issuetype={"name": "Epic"})
    key = site.issue(parent={"key": epic})
    site.put(f"issue/{key}", {"fields": {"issuetype": {"name": "Bug"}}})
    assert site.get(f"issue/{key}")["fields"]["issuetype"]["name"] == "Bug"
    item = last_changes(site, key)[0]
    assert (item[0], item[2], item[4]) == ("issuetype", "Task", "Bug")
    wrong = {"issuetype": "The issue type selected is invalid."}
    for name in ("Sub-task", "Epic"):
        sent = {"fields": {"issuetype": {"name": name}}}
        assert refused(site, "PUT", f"issue/{key}", sent) == wrong
    down = {"fields": {"issuetype": {"name": "Task"}}}
    assert refused(site, "PUT", f"issue/{epic}", down) == wrong


def test_parents_are_set_and_taken_away(site: Site) -> None:
    first, second = (site.issue(issuetype={"name": "Epic"}) for _ in range(2))
    key = site.issue(parent={"key": first})
    site.put(f"issue/{key}", {"update": {"parent": [{"set": {"key": second}}]}})
    (item,) = last_changes(site, key)
    assert (item[0], item[2], item[4]) == ("IssueParentAssociation", first, second)
    site.put(f"issue/{key}", {"update": {"parent": [{"set": {"none": True}}]}})
    assert "parent" not in site.get(f"issue/{key}")["fields"]
    part = site.issue(issuetype={"name": "Sub-task"}, parent={"key": key})
    assert refused(site, "PUT", f"issue/{part}", {"fields": {"parent": None}}) == {
        "issuetype": "Issue type is a sub-task but parent issue key or id not specified."
    }
    assert refused(site, "PUT", f"issue/{key}", {"fields": {"parent": {"key": key}}}) == {
        "parentId": "Given parent work item does not belong to appropriate hierarchy"
    }


def test_comments_change_with_an_edit(site: Site) -> None:
    key = site.issue()
    site.put(f"issue/{key}", {"update": {"comment": [{"add": {"body": doc("One")}}]}})
    comment = site.get(f"issue/{key}")["fields"]["comment"]["comments"][0]
    change = {"update": {"comment": [{"edit": {"id": comment["id"], "body": doc("Two")}}]}}
    site.put(f"issue/{key}", change)
    shown = site.get(f"issue/{key}?expand=renderedFields")
    assert shown["fields"]["comment"]["comments"][0]["body"] == doc("Two")
    assert shown["renderedFields"]["comment"]["comments"][0]["body"] == "<p>Two</p>"
    site.put(f"issue/{key}", {"update": {"comment": [{"remove": {"id": comment["id"]}}]}})
    assert site.get(f"issue/{key}")["fields"]["comment"]["total"] == 0
    gone = refused(site, "PUT", f"issue/{key}", {"update": {"comment": [{"remove": {"id": "1"}}]}})
    assert "comment" in gone


def test_issues_are_assigned_without_being_edited(site: Site) -> None:
    key = site.issue()
    path = f"issue/{key}/assignee"

    def assignee() -> Any:
        found = site.get(f"issue/{key}?fields=assignee")["fields"]["assignee"]
        return found and found["displayName"]

    withdraw(site, "EDIT_ISSUES")
    site.put(path, {"accountId": site.ids["dana"]}, by="dev")
    assert assignee() == "Dana Ruiz"
    assert last_changes(site, key) == [("assignee", None, None, site.ids["dana"], "Dana Ruiz")]
    site.put(path, {"accountId": None})
    assert assignee() is None
    with site.writing():
        Project.objects.filter(key="LAS").update(assignee_type="PROJECT_LEAD")
    site.put(path, {"accountId": "-1"})
    assert assignee() == "Ada Brandt"
    assert refused(site, "PUT", path, {}) == [
        "One of 'accountId', 'name' or 'key' must be provided."
    ]
    assert refused(site, "PUT", path, {"accountId": "x"}) == {
        "assignee": "User 'x' does not exist."
    }
    assert refused(site, "PUT", path, {"accountId": site.ids["guest"]}) == {
        "assignee": "User 'Guy Est' cannot be assigned issues."
    }
    assert site.call("PUT", "issue/LAS-99/assignee", {"accountId": None}).status == 404
    withdraw(site, "ASSIGN_ISSUES")
    denied = site.call("PUT", path, {"accountId": None})
    assert (denied.status, denied.body["errorMessages"]) == (
        403,
        ["You do not have permission to assign issues."],
    )


def test_issues_are_deleted_with_all_that_hangs_on_them(site: Site) -> None:
    epic = site.issue(issuetype={"name": "Epic"})
    story = site.issue(parent={"key": epic})
    part = site.issue(issuetype={"name": "Sub-task"}, parent={"key": story})
    site.post(f"issue/{part}/comment", {"body": doc("Said")})
    site.post(f"issue/{part}/worklog", {"timeSpent": "1h"})
    site.put(f"issue/{story}/properties/kept", {"a": 1}, status=201)
    text = (
        f"The issue '{story}' has subtasks.  You must specify the 'deleteSubtasks' parameter"
        " to delete this issue and all its subtasks."
    )
    assert refused(site, "DELETE", f"issue/{story}", None) == [text]
    HEARD.clear()
    site.delete(f"issue/{story}?deleteSubtasks=true")
    assert [event.issue and event.issue.key for event in HEARD] == [part, story]
    gone = site.call("GET", f"issue/{part}")
    assert (gone.status, gone.body) == (404, {"errorMessages": [GONE], "errors": {}})
    with site.store():
        assert list(Issue.objects.values_list("key", flat=True)) == [epic]
        assert not Comment.objects.exists()
        assert DeletedWorklog.objects.count() == 1
        assert not EntityProperty.objects.filter(kind="issue").exists()
        assert set(IssueText.objects.values_list("issue__key", flat=True)) == {epic}
    assert site.issue() == "LAS-4"
    assert site.call("DELETE", "issue/LAS-99").status == 404
    withdraw(site, "DELETE_ISSUES")
    denied = site.call("DELETE", f"issue/{epic}")
    assert (denied.status, denied.body["errorMessages"]) == (
        403,
        ["You do not have permission to delete issues in this project."],
    )


def test_security_levels_hide_issues_and_go_with_them(site: Site) -> None:
    with site.writing():
        scheme = SecurityScheme(id=next_id(SecurityScheme), name="Secrets")
        scheme.save()
        level = SecurityLevel(id=next_id(SecurityLevel), scheme=scheme, name="Inner")
        level.save()
        SecurityMember(
            id=next_id(SecurityMember),
            level=level,
            holder_type="user",
            parameter=site.ids["ada"],
        ).save()
        Project.objects.filter(key="LAS").update(security_scheme=scheme)
    with site.writing():
        place_field("security")
    key = site.issue(security={"name": "Inner"})
    part = site.issue(issuetype={"name": "Sub-task"}, parent={"key": key})
    assert site.get(f"issue/{part}")["fields"]["security"]["name"] == "Inner"
    assert site.call("GET", f"issue/{key}", by="dev").status == 404
    site.put(f"issue/{key}", {"fields": {"security": None}})
    (item,) = last_changes(site, key)
    assert (item[0], item[2], item[4]) == ("security", "Inner", None)
    assert site.get(f"issue/{part}", by="dev")["fields"]["security"] is None
    wrong = refused(site, "PUT", f"issue/{key}", {"fields": {"security": {"id": "1"}}})
    assert wrong == {"security": "Specify a valid 'id' or 'name' for security"}


def test_unverified_sentences_about_edits(site: Site) -> None:
    key = site.issue()
    assert refused(site, "PUT", f"issue/{key}", None) == ["one of 'fields' or 'update' required"]
    kind = {"name": "Blocks"}
    for link, text in (
        ({"type": kind}, "An issue to link to must be specified."),
        ({"type": kind, "outwardIssue": {"key": "LAS-99"}}, GONE),
        (
            {"type": {"name": "Nope"}, "outwardIssue": {"key": key}},
            "No issue link type with name 'Nope' found.",
        ),
    ):
        sent = {"update": {"issuelinks": [{"add": link}]}}
        assert refused(site, "PUT", f"issue/{key}", sent) == {"issuelinks": text}
