"""Making issues: what they hold, what is refused, one by one and many at once."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import FieldContext, Issue, IssueText, Project, Watcher
from tests.tracker.conftest import Site
from tests.tracker.heard import heard
from tests.tracker.issues import (
    NOT_THERE,
    add_component,
    add_field,
    add_version,
    body,
    configure,
    doc,
    place_field,
    refused,
    take_off_screens,
    withdraw,
)

HEARD = heard("issue_created", "issue_updated", "comment_created")
SPRINT = "customfield_10020"


def test_a_new_issue_holds_what_was_sent_and_the_defaults(site: Site) -> None:
    sent = body(
        description=doc("Laser drifts at noon"),
        labels=["hot", "beam", "hot"],
        priority={"name": "high"},
        duedate="2026-12-24",
        timetracking={"originalEstimate": "1d 2h"},
    )
    HEARD.clear()
    created = site.post("issue?updateHistory=true", sent, by="dev")
    assert set(created) == {"id", "key", "self"}
    assert created["key"] == "LAS-1"
    assert created["self"].endswith(f"/rest/api/3/issue/{created['id']}")
    assert [event.kind for event in HEARD] == ["issue_created"]
    issue = site.get("issue/las-1", by="dev")
    assert issue["id"] == created["id"]
    shown = issue["fields"]
    assert shown["summary"] == "It stops"
    assert shown["description"] == doc("Laser drifts at noon")
    assert shown["labels"] == ["beam", "hot"]
    assert shown["priority"]["name"] == "High"
    assert shown["duedate"] == "2026-12-24"
    assert shown["status"]["name"] == "To Do"
    assert shown["statusCategory"]["key"] == "new"
    assert shown["resolution"] is None
    assert shown["reporter"]["accountId"] == shown["creator"]["accountId"] == site.ids["dev"]
    assert shown["lastViewed"] is not None
    assert shown["watches"] | {"self": ""} == {"self": "", "watchCount": 1, "isWatching": True}
    assert shown["timetracking"] == {
        "originalEstimate": "1d 2h",
        "remainingEstimate": "1d 2h",
        "originalEstimateSeconds": 36000,
        "remainingEstimateSeconds": 36000,
    }
    assert shown["progress"] == {"progress": 0, "total": 36000, "percent": 0}
    assert "parent" not in shown
    with site.store():
        row = Issue.objects.get(key="LAS-1")
        assert row.rank
        assert Watcher.objects.filter(issue=row).count() == 1
        texts = dict(IssueText.objects.filter(issue=row).values_list("field", "text"))
        assert texts == {"summary": "It stops", "description": "Laser drifts at noon"}
        assert Project.objects.get(key="LAS").last_number == 1
    assert site.get("issue/LAS-1/changelog")["values"] == []


def test_version_two_writes_and_reads_markup(site: Site) -> None:
    sent = body(description="*Loud* noise", environment="Hall 2", issuetype={"name": "Bug"})
    key = site.post("/rest/api/2/issue", sent)["key"]
    shown = site.get(f"/rest/api/2/issue/{key}")
    assert shown["fields"]["description"] == "*Loud* noise"
    assert "/rest/api/2/issue/" in shown["self"]
    nodes = site.get(f"issue/{key}")["fields"]["description"]["content"][0]["content"]
    assert nodes[0] == {"type": "text", "text": "Loud", "marks": [{"type": "strong"}]}
    wrong = refused(site, "POST", "/rest/api/2/issue", body(description=doc("x")))
    assert wrong == {"description": "Operation value must be a string"}


NOT_A_DOCUMENT = "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
REFUSALS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"summary": None}, {"summary": "You must specify a summary of the issue."}),
    ({"summary": "  "}, {"summary": "You must specify a summary of the issue."}),
    ({"summary": 5}, {"summary": "Operation value must be a string"}),
    (
        {"summary": "a\nb"},
        {"summary": "The summary is invalid because it contains newline characters."},
    ),
    ({"summary": "x" * 256}, {"summary": "Summary can't exceed 255 characters."}),
    ({"project": None}, {"project": "Specify a valid project ID or key"}),
    ({"project": {"key": "ZZ"}}, {"project": "Specify a valid project ID or key"}),
    ({"issuetype": None}, {"issuetype": "Specify a valid issue type"}),
    ({"issuetype": {"name": "Zip"}}, {"issuetype": "Specify a valid issue type"}),
    (
        {"issuetype": {"name": "Sub-task"}},
        {"issuetype": "Issue type is a sub-task but parent issue key or id not specified."},
    ),
    ({"description": "plain"}, {"description": NOT_A_DOCUMENT}),
    ({"labels": "hot"}, {"labels": "data was not an array"}),
    ({"labels": ["a b"]}, {"labels": "The label 'a b' contains spaces which is invalid."}),
    ({"components": [{"name": "q"}]}, {"components": "Component name 'q' is not valid"}),
    ({"components": [{"id": "1"}]}, {"components": "Component id '1' is not valid"}),
    ({"fixVersions": [{"name": "q"}]}, {"fixVersions": "Version name 'q' is not valid"}),
    ({"priority": {"name": "Zap"}}, {"priority": "Specify a valid 'id' or 'name' for priority"}),
    ({"assignee": {"accountId": "x"}}, {"assignee": "Specify a valid value for assignee"}),
    ({"assignee": "Dana Ruiz"}, {"assignee": "Specify a valid value for assignee"}),
    ({"nope": 1}, {"nope": NOT_THERE.format("nope")}),
    ({"status": {"name": "Done"}}, {"status": NOT_THERE.format("status")}),
    ({"created": "2026-01-01"}, {"created": NOT_THERE.format("created")}),
    (
        {"nope": 1, "labels": 2},
        {"nope": NOT_THERE.format("nope"), "labels": "data was not an array"},
    ),
]


def test_what_is_wrong_is_refused_with_a_sentence_for_each_field(site: Site) -> None:
    for given, wrong in REFUSALS:
        sent = body(**given)
        assert refused(site, "POST", "issue", sent) == wrong, given
    with site.store():
        assert Issue.objects.count() == 0
        assert Project.objects.get(key="LAS").last_number == 0


def test_unverified_sentences_about_values(site: Site) -> None:
    cases: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({"duedate": "2026-13-01"}, {"duedate": "Error parsing date string: 2026-13-01"}),
        (
            {"timetracking": {"originalEstimate": "soon"}},
            {"timetracking_originalestimate": "The original estimate specified is not valid."},
        ),
        ({"reporter": None}, {}),
        (
            {"assignee": {"accountId": site.ids["guest"]}},
            {"assignee": "User 'Guy Est' cannot be assigned issues."},
        ),
        ({"parent": {"key": "LAS-99"}}, {"parent": "Could not find issue by id or key."}),
        (
            {"customfield_10020": "x"},
            {"customfield_10020": "Number value expected as the Sprint id."},
        ),
    ]
    for given, wrong in cases:
        sent = body(**given)
        if wrong:
            assert refused(site, "POST", "issue", sent) == wrong, given
    sent = body()
    sent["fields"]["reporter"] = None
    assert refused(site, "POST", "issue", sent) == {"reporter": "Reporter is required."}


def test_permissions_decide_who_makes_issues_and_sets_which_fields(site: Site) -> None:
    nobody = refused(site, "POST", "issue", body(), by="guest")
    assert nobody == {"project": "Specify a valid project ID or key"}
    assert site.call("POST", "issue", body(), by=None).status == 401
    for permission, given in (
        ("ASSIGN_ISSUES", {"assignee": {"accountId": site.ids["dev"]}}),
        ("MODIFY_REPORTER", {"reporter": {"accountId": site.ids["dev"]}}),
        ("SCHEDULE_ISSUES", {"duedate": "2026-12-24"}),
    ):
        withdraw(site, permission)
        (field,) = given
        assert refused(site, "POST", "issue", body(**given)) == {field: NOT_THERE.format(field)}
    withdraw(site, "CREATE_ISSUES")
    assert refused(site, "POST", "issue", body()) == {
        "project": "You do not have permission to create issues in this project."
    }


def test_screens_and_configurations_decide_what_can_and_must_be_set(site: Site) -> None:
    take_off_screens(site, "labels")
    assert refused(site, "POST", "issue", body(labels=["a"])) == {
        "labels": NOT_THERE.format("labels")
    }
    configure(site, "description", is_required=True)
    assert refused(site, "POST", "issue", body()) == {"description": "Description is required."}
    key = site.post("issue", body(description=doc("Here")))["key"]
    empty = refused(site, "PUT", f"issue/{key}", {"fields": {"description": None}})
    assert empty == {"description": "Description is required."}
    configure(site, "description", is_required=False, is_hidden=True)
    assert refused(site, "POST", "issue", body(description=doc("x"))) == {
        "description": NOT_THERE.format("description")
    }
    assert "description" not in site.get(f"issue/{key}")["fields"]


def test_components_versions_and_default_assignees(site: Site) -> None:
    with site.store():
        lead = Project.objects.get(key="LAS").lead_id
    optics = add_component(site, "Optics", assignee_type="COMPONENT_LEAD", lead_id=lead)
    first, second = add_version(site, "1.0"), add_version(site, "2.0")
    add_version(site, "0.9", archived=True)
    key = site.issue(
        components=[{"name": "optics"}],
        fixVersions=[{"id": second}, {"name": "1.0"}],
    )
    shown = site.get(f"issue/{key}")["fields"]
    assert [one["id"] for one in shown["components"]] == [optics]
    assert [one["id"] for one in shown["fixVersions"]] == [second, first]
    assert shown["assignee"]["accountId"] == site.ids["ada"]
    assert refused(site, "POST", "issue", body(fixVersions=[{"name": "0.9"}])) == {
        "fixVersions": "Version name '0.9' is not valid"
    }
    given = site.issue(components=[{"id": optics}], assignee={"accountId": site.ids["dana"]})
    assert site.get(f"issue/{given}")["fields"]["assignee"]["displayName"] == "Dana Ruiz"
    nobody = site.post(
        "issue", {"fields": body(components=[{"id": optics}])["fields"] | {"assignee": None}}
    )
    assert site.get(f"issue/{nobody['key']}")["fields"]["assignee"] is None
    automatic = site.issue(components=[{"id": optics}], assignee={"accountId": "-1"})
    assert site.get(f"issue/{automatic}")["fields"]["assignee"]["displayName"] == "Ada Brandt"


def test_parents_are_one_level_above(site: Site) -> None:
    epic = site.issue("All lasers", issuetype={"name": "Epic"})
    story = site.issue("One laser", issuetype={"name": "Story"}, parent={"key": epic})
    part = site.issue("One screw", issuetype={"name": "Sub-task"}, parent={"key": story})
    assert site.get(f"issue/{part}")["fields"]["parent"]["key"] == story
    shown = site.get(f"issue/{story}")["fields"]
    assert shown["parent"]["fields"]["issuetype"]["name"] == "Epic"
    assert shown["customfield_10014"] == epic
    assert [one["key"] for one in shown["subtasks"]] == [part]
    assert site.get(f"issue/{epic}")["fields"]["subtasks"] == []
    wrong = "Given parent work item does not belong to appropriate hierarchy"
    for kind, parent in (("Task", story), ("Epic", epic), ("Sub-task", epic), ("Sub-task", part)):
        sent = body(issuetype={"name": kind}, parent={"key": parent})
        assert refused(site, "POST", "issue", sent) == {"parentId": wrong}, kind
    elsewhere = body(project={"key": "OPS"}, issuetype={"name": "Sub-task"}, parent={"key": story})
    assert refused(site, "POST", "issue", elsewhere) == {
        "issuetype": "The issue type selected is invalid.",
        "project": "Sub-tasks must be created in the same project as the parent.",
    }
    linked = site.issue("By link", customfield_10014=epic)
    assert site.get(f"issue/{linked}")["fields"]["parent"]["key"] == epic


def test_a_new_issue_is_commented_linked_and_moved_at_once(site: Site) -> None:
    other = site.issue("First")
    sent = body() | {
        "update": {
            "comment": [{"add": {"body": doc("Seen it")}}],
            "issuelinks": [{"add": {"type": {"name": "Blocks"}, "outwardIssue": {"key": other}}}],
            "worklog": [{"add": {"timeSpent": "90m", "started": "2026-06-16T09:00:00.000+0000"}}],
            "labels": [{"add": "a"}, {"add": "b"}],
        },
        "properties": [{"key": "source", "value": {"n": 1}}],
        "transition": {"id": "21"},
    }
    with site.writing():
        place_field("worklog")
    created = site.post("issue", sent)
    assert created["transition"] == {
        "status": 200,
        "errorCollection": {"errorMessages": [], "errors": {}},
    }
    issue = site.get(f"issue/{created['key']}?properties=*all")
    shown = issue["fields"]
    assert issue["properties"] == {"source": {"n": 1}}
    assert shown["status"]["name"] != "To Do"
    assert shown["comment"]["comments"][0]["body"] == doc("Seen it")
    assert shown["issuelinks"][0]["outwardIssue"]["key"] == other
    assert shown["labels"] == ["a", "b"]
    assert shown["timespent"] == 5400
    assert refused(site, "POST", "issue", body() | {"transition": {"id": "99"}}) == [
        "Transition id '99' is not valid for this issue."
    ]


def test_many_at_once_and_those_that_are_wrong_apart(site: Site) -> None:
    sent = {"issueUpdates": [body(), body(summary="  "), body(summary="Third")]}
    answer = site.post("issue/bulk", sent)
    assert [issue["key"] for issue in answer["issues"]] == ["LAS-1", "LAS-2"]
    assert answer["errors"] == [
        {
            "status": 400,
            "elementErrors": {
                "errorMessages": [],
                "errors": {"summary": "You must specify a summary of the issue."},
            },
            "failedElementNumber": 1,
        }
    ]
    none = site.call("POST", "issue/bulk", {"issueUpdates": [body(nope=1)]})
    assert none.status == 400
    assert none.body["issues"] == []
    assert none.body["errors"][0]["elementErrors"]["errors"] == {"nope": NOT_THERE.format("nope")}
    many = site.call("POST", "issue/bulk", {"issueUpdates": [body()] * 51})
    assert many.status == 400
    assert many.body["errorMessages"] == ["Cannot create more than 50 issues at once."]
    with site.store():
        assert Issue.objects.count() == 2


def test_defaults_of_custom_fields_fill_what_nobody_said(site: Site) -> None:
    field, (red, blue) = add_field(site, "select", "Colour", "Red", "Blue")
    text, _ = add_field(site, "textfield", "Note", default={"type": "textfield", "text": "None"})
    with site.writing():
        context = FieldContext.objects.get(field_id=int(field.removeprefix("customfield_")))
        context.default = {"type": "option.single", "optionId": blue}
        context.save()
    shown = site.get(f"issue/{site.issue()}")["fields"]
    assert shown[field]["value"] == "Blue"
    assert shown[text] == "None"
    chosen: dict[str, Any] = {field: {"id": red}}
    said = site.get(f"issue/{site.issue(**chosen)}")["fields"]
    assert said[field]["value"] == "Red"


@pytest.mark.parametrize("version", ["2", "latest"])
def test_older_names_of_the_api_lead_to_the_same(site: Site, version: str) -> None:
    created = site.post(f"/rest/api/{version}/issue", body())
    assert site.get(f"issue/{created['id']}")["key"] == created["key"]
