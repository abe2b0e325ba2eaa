"""Changing many issues at once."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.models import ChangeItem, Issue, IssueType, PermissionGrant, Project, Watcher
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

Json = dict[str, Any]


def run(site: Site, what: str, body: Json, *, by: str = "ada") -> Json:
    """Begin a bulk operation, let it run, and return how it went."""
    task = site.post(f"bulk/issues/{what}", body, by=by)
    assert set(task) == {"taskId"}
    site.advance()
    found: Json = site.get(f"bulk/queue/{task['taskId']}", by=by)
    assert (found["status"], found["progressPercent"]) == ("COMPLETE", 100)
    assert found["submittedBy"] == {"accountId": site.ids[by]}
    return found


def ids(site: Site, *keys: str) -> list[int]:
    """Return the ids of issues."""
    return [int(site.get(f"issue/{key}?fields=summary")["id"]) for key in keys]


def sayings(answer: Json) -> list[str]:
    """Return what a refusal of a bulk operation says."""
    return [error["message"] for error in answer["errors"]]


def test_issues_are_deleted(site: Site) -> None:
    """Sub-tasks go with their parents; what went is told of by its id."""
    parent, other = site.issue(), site.issue()
    child = site.issue(issuetype={"name": "Sub-task"}, parent={"key": parent})
    numbers = ids(site, child, parent, other)
    body = {"selectedIssueIdsOrKeys": [parent, child, str(numbers[2])]}
    found = run(site, "delete", body)
    assert sorted(found["processedAccessibleIssues"]) == sorted(numbers)
    assert found["totalIssueCount"] == 3
    assert isinstance(found["created"], int)
    assert "failedAccessibleIssues" not in found
    assert "invalidOrInaccessibleIssueCount" not in found
    with site.store():
        assert not Issue.objects.filter(id__in=numbers).exists()


def test_failures_are_told_issue_by_issue(site: Site) -> None:
    """One refusal stops only its own issue."""
    ours, theirs = site.issue(), site.issue(project={"key": "OPS"})
    with site.writing():
        own = Project.objects.get(key="OPS")
        grants = PermissionGrant.objects.filter(scheme=own.permission_scheme)
        if own.permission_scheme_id == Project.objects.get(key="LAS").permission_scheme_id:
            copied = list(grants)
            scheme = own.permission_scheme
            scheme.pk = 99_001
            scheme.save(force_insert=True)
            for number, grant in enumerate(copied):
                grant.pk, grant.scheme = 99_001 + number, scheme
                grant.save(force_insert=True)
            Project.objects.filter(key="OPS").update(permission_scheme=scheme)
            grants = PermissionGrant.objects.filter(scheme=scheme)
        grants.filter(permission="DELETE_ISSUES").delete()
    found = run(site, "delete", {"selectedIssueIdsOrKeys": [ours, theirs]})
    (number,) = ids(site, theirs)
    assert found["failedAccessibleIssues"] == {
        str(number): ["You do not have permission to delete issues in this project."]
    }
    assert len(found["processedAccessibleIssues"]) == 1


def test_issues_are_watched_and_unwatched(site: Site) -> None:
    """Whoever asks watches them."""
    keys = [site.issue() for _ in range(2)]
    run(site, "watch", {"selectedIssueIdsOrKeys": keys}, by="ada")
    run(site, "unwatch", {"selectedIssueIdsOrKeys": keys[:1]})
    with site.store():
        watched = Watcher.objects.filter(user__account_id=site.ids["ada"])
        assert list(watched.values_list("issue__key", flat=True)) == keys[1:]


def test_issues_take_transitions_together(site: Site) -> None:
    """Common transitions are listed by workflow, with numbers for ids, and taken."""
    keys = [site.issue(), site.issue()]
    listed = site.get(f"bulk/issues/transition?issueIdsOrKeys={','.join(keys)}")
    (flow,) = listed["availableTransitions"]
    assert flow["issues"] == keys
    step = flow["transitions"][-1]
    assert isinstance(step["transitionId"], int)
    inputs = [{"selectedIssueIdsOrKeys": keys, "transitionId": str(step["transitionId"])}]
    found = run(site, "transition", {"bulkTransitionInputs": inputs})
    assert found["processedAccessibleIssues"] == ids(site, *keys)
    for key in keys:
        status = site.get(f"issue/{key}?fields=status")["fields"]["status"]
        assert status["id"] == str(step["to"]["statusId"])
    inputs = [{"selectedIssueIdsOrKeys": keys[:1], "transitionId": "99999"}]
    found = run(site, "transition", {"bulkTransitionInputs": inputs})
    (reasons,) = found["failedAccessibleIssues"].values()
    assert reasons == ["Transition id '99999' is not valid for this issue."]
    twice = [{"selectedIssueIdsOrKeys": keys, "transitionId": "11"}] * 2
    refused = site.post("bulk/issues/transition", {"bulkTransitionInputs": twice}, status=400)
    assert sayings(refused) == ["Each issue must be given exactly once."]
    refused = site.get("bulk/issues/transition?issueIdsOrKeys=LAS-999", status=400)
    assert sayings(refused) == ["Some of the issues in the issueIdsOrKeys are not valid"]


def test_fields_are_edited_together(site: Site) -> None:
    """Each kind of value, and what adds, removes and replaces."""
    keys = [site.issue(labels=["old", "kept"]), site.issue(labels=["old"])]
    edited: Json = {
        "priority": {"priorityId": site.get("priority/search")["values"][0]["id"]},
        "labelsFields": [
            {
                "fieldId": "labels",
                "bulkEditMultiSelectFieldOption": "REMOVE",
                "labels": [{"name": "old"}],
            }
        ],
        "datePickerFields": [{"fieldId": "duedate", "date": {"formattedDate": "7/feb/26"}}],
        "richTextFields": [{"fieldId": "description", "richText": {"adfValue": paragraph("All")}}],
        "singleSelectClearableUserPickerFields": [
            {"fieldId": "assignee", "user": {"accountId": site.ids["dev"]}}
        ],
        "originalEstimateField": {"originalEstimateField": "2h"},
    }
    actions = ["priority", "labels", "duedate", "description", "assignee", "timetracking"]
    body = {"selectedIssueIdsOrKeys": keys, "editedFieldsInput": edited, "selectedActions": actions}
    found = run(site, "fields", body)
    assert found["processedAccessibleIssues"] == ids(site, *keys), found
    fields = site.get(f"issue/{keys[0]}")["fields"]
    assert fields["labels"] == ["kept"]
    assert fields["duedate"] == "2026-02-07"
    assert fields["description"] == paragraph("All")
    assert fields["assignee"]["accountId"] == site.ids["dev"]
    assert fields["timetracking"]["originalEstimateSeconds"] == 7200
    assert fields["priority"]["id"] == edited["priority"]["priorityId"]
    with site.store():
        groups = ChangeItem.objects.filter(issue__key=keys[1], field="labels")
        assert [(row.old_string, row.new_string) for row in groups] == [("old", "")]


def test_unverified_bulk_edits_are_checked_first(site: Site) -> None:
    """The first sentence is the vendor's; the others are guesses."""
    key = site.issue()
    edited = {"singleLineTextFields": [{"fieldId": "summary", "text": "x"}]}
    body = {"selectedIssueIdsOrKeys": [key], "editedFieldsInput": edited, "selectedActions": []}
    assert sayings(site.post("bulk/issues/fields", body, status=400)) == [
        "The following editedFieldInput values are not listed as selectedActions : summary"
    ]
    body["selectedActions"] = ["summary", "labels"]
    assert sayings(site.post("bulk/issues/fields", body, status=400)) == [
        "The following selectedActions do not have editedFieldInput values : labels"
    ]
    for wrong, text in (
        ({"strangeFields": []}, "Unknown field input: strangeFields"),
        (
            {"datePickerFields": [{"fieldId": "duedate", "date": {"formattedDate": "soon"}}]},
            "The date 'soon' is not valid.",
        ),
    ):
        body["editedFieldsInput"] = wrong
        assert sayings(site.post("bulk/issues/fields", body, status=400)) == [text]


def test_editable_fields_are_those_in_common(site: Site) -> None:
    """Fields on all edit screens, by name; a search; fifty at a time."""
    keys = ",".join([site.issue(), site.issue(issuetype={"name": "Bug"})])
    found = site.get(f"bulk/issues/fields?issueIdsOrKeys={keys}")["fields"]
    by_id = {field["id"]: field for field in found}
    assert by_id["labels"]["multiSelectFieldOptions"] == ["ADD", "REMOVE", "REPLACE", "REMOVE_ALL"]
    assert by_id["priority"]["type"] == "priority"
    names = [field["name"].casefold() for field in found]
    assert names == sorted(names)
    searched = site.get(f"bulk/issues/fields?issueIdsOrKeys={keys}&searchText=LAB")["fields"]
    assert "labels" in [field["id"] for field in searched]
    none = site.get(f"bulk/issues/fields?issueIdsOrKeys={keys}&searchText=zzz", status=404)
    assert sayings(none) == ["No editable fields were found for the provided issues."]


def test_issues_are_moved_together(site: Site) -> None:
    """To another space: new keys, old ones lead on, statuses fit, sub-tasks come along."""
    key = site.issue(labels=["a"])
    child = site.issue(issuetype={"name": "Sub-task"}, parent={"key": key})
    with site.store():
        kind = IssueType.objects.get(id=Issue.objects.get(key=key).issue_type_id)
        numbers = [Issue.objects.get(key=one).id for one in (key, child)]
    target = {
        "issueIdsOrKeys": [key],
        "inferFieldDefaults": True,
        "inferStatusDefaults": True,
        "inferSubtaskTypeDefault": True,
        "inferClassificationDefaults": True,
    }
    body = {"targetToSourcesMapping": {f"OPS,{kind.id}": target}}
    found = run(site, "move", body)
    assert found["processedAccessibleIssues"] == numbers[:1], found
    moved = site.get(f"issue/{key}?fields=project,labels,subtasks")
    assert moved["key"] == "OPS-1"
    assert moved["fields"]["project"]["key"] == "OPS"
    assert moved["fields"]["labels"] == ["a"]
    assert [one["key"] for one in moved["fields"]["subtasks"]] == ["OPS-2"]
    assert site.get(f"issue/{child}?fields=parent")["fields"]["parent"]["key"] == "OPS-1"
    with site.store():
        rows = ChangeItem.objects.filter(issue=numbers[0]).order_by("position")
        told = {row.field: (row.old_string, row.new_string) for row in rows}
        assert told["Key"] == (key, "OPS-1")
        assert told["project"] == ("Laser control", "Operations")
    assert site.issue() == "LAS-3"
    assert site.issue(project={"key": "OPS"}) == "OPS-3"


def test_unverified_moves_are_checked_first(site: Site) -> None:
    """What is refused, and in which words."""
    key = site.issue()
    target = {"issueIdsOrKeys": [key]}
    for mapping, text in (
        ({}, "The targetToSourcesMapping must not be empty."),
        ({"OPS": target}, "The target 'OPS' is not valid."),
        ({"NONE,1": target}, "No project could be found with key 'NONE'."),
        ({"OPS,1": target}, "The issue type '1' is not valid for the project 'OPS'."),
    ):
        body = {"targetToSourcesMapping": mapping}
        assert sayings(site.post("bulk/issues/move", body, status=400)) == [text]


def test_unverified_bulk_operations_are_held_to_their_rules(site: Site) -> None:
    """The global permission, issues that are none, limits, and other people's tasks."""
    key = site.issue()
    for what in ("delete", "watch", "unwatch"):
        body = {"selectedIssueIdsOrKeys": [key, "LAS-999"]}
        assert sayings(site.post(f"bulk/issues/{what}", body, status=400)) == [
            "Some of the issues in the issueIdsOrKeys are not valid"
        ]
        body = {"selectedIssueIdsOrKeys": [str(n) for n in range(1001)]}
        assert sayings(site.post(f"bulk/issues/{what}", body, status=400)) == [
            "The number of issues exceeds the limit of 1000."
        ]
        site.post(f"bulk/issues/{what}", body, by=None, status=401)
    task = site.post("bulk/issues/watch", {"selectedIssueIdsOrKeys": [key]})["taskId"]
    assert sayings(site.get(f"bulk/queue/{task}", by="dev", status=400)) == [
        "The task was submitted by another user"
    ]
    assert sayings(site.get("bulk/queue/1", status=400)) == [
        "The task associated with this taskId is not a bulk operation task"
    ]
    with site.writing():
        held = dict(setting("global_permissions"))
        set_setting("global_permissions", held | {"BULK_CHANGE": []})
    refused = site.post("bulk/issues/watch", {"selectedIssueIdsOrKeys": [key]}, status=403)
    assert sayings(refused) == ["You do not have the global permission to make bulk changes."]
