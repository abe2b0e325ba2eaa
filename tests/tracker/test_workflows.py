"""Workflows: reading, making, changing, validating, deleting; their history and usages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from clones.tracker.models import AuditRecord, Issue, Project, Screen, Status, Task, User, Workflow
from tests.tracker.boards import counted
from tests.tracker.conftest import Site
from tests.tracker.workflows import LAS, all_of, change, payload, read, rule, transition

TODO = "f0b24de5-25e7-4fab-ab94-63d81db6c0c0"
NEXT = "c7a35bf0-c127-4aa6-869f-4033730c61d8"
SHUT = "6b3fc04d-3316-46c5-a257-65751aeb8849"
ADMINS_ONLY = "Only Jira administrators can access the workflow configuration."


def creation(name: str = "Release", **parts: Any) -> dict[str, Any]:
    """Return the body that makes a workflow of three new statuses."""
    places = [{"statusReference": one, "properties": {}} for one in (TODO, NEXT, SHUT)]
    transitions = [
        {"id": "1", "name": "Create", "type": "INITIAL", "toStatusReference": TODO},
        {
            "id": "11",
            "name": "Stage",
            "type": "DIRECTED",
            "toStatusReference": NEXT,
            "links": [{"fromStatusReference": TODO, "fromPort": 0, "toPort": 1}],
            "actions": [rule("change-assignee", type="to-current-user")],
        },
        {"id": "21", "name": "Ship", "type": "GLOBAL", "toStatusReference": SHUT},
    ]
    workflow = {"name": name, "description": "How we ship", "statuses": places}
    return {
        "scope": {"type": "GLOBAL"},
        "statuses": [
            {"statusReference": TODO, "name": "Planned", "statusCategory": "TODO"},
            {"statusReference": NEXT, "name": "Staged", "statusCategory": "IN_PROGRESS"},
            {"statusReference": SHUT, "name": "Shipped", "statusCategory": "DONE"},
        ],
        "workflows": [{**workflow, "transitions": transitions, **parts}],
    }


def problems(site: Site, body: dict[str, Any], what: str = "create") -> list[tuple[str, str]]:
    """Return what the site finds wrong: level and code."""
    found = site.post(f"workflows/{what}/validation", {"payload": body}, status=200)
    return [(one["level"], one["code"]) for one in found["errors"]]


def test_the_site_begins_with_its_own_workflow_and_one_for_each_space(site: Site) -> None:
    found = site.get("workflows/search?expand=values.transitions&isActive=true")
    names = {workflow["name"]: workflow for workflow in found["values"]}
    assert LAS in names
    las = names[LAS]
    assert [item["name"] for item in las["transitions"]] == [
        "Create",
        "To Do",
        "In Progress",
        "Done",
    ]
    assert las["scope"] == {"type": "GLOBAL"}
    assert las["isEditable"] is True
    assert {status["name"] for status in found["statuses"]} >= {"To Do", "Waiting for support"}
    classic = read(site, "jira")["workflow"]
    assert classic["isEditable"] is False
    steps = {item["id"]: item for item in classic["transitions"]}
    assert set(steps) == {"1", "2", "3", "4", "5", "301", "701"}
    assert steps["5"]["transitionScreen"]["ruleKey"] == "system:transition-screen"
    page = site.get("workflows/search?queryString=workflow for project&orderBy=-name&maxResults=1")
    assert page["total"] == 2
    assert "transitions" not in page["values"][0]
    assert page["values"][0]["name"] == "Software Simplified Workflow for Project OPS"
    assert site.get("workflows/search?scope=project")["total"] == 0
    bad = site.get("workflows/search?orderBy=size", status=400)
    assert bad["errorMessages"] == ["The value 'size' is invalid for the parameter 'orderBy'."]
    refused = site.get("workflows/search", by="guest", status=401)
    assert refused == {"errorMessages": [ADMINS_ONLY], "errors": {}}
    assert site.post("workflows", {"workflowNames": ["jira"]}, by="guest", status=401) == refused


def test_workflows_are_made_with_their_statuses_and_read_back(site: Site) -> None:
    assert problems(site, creation()) == []
    made = site.post("workflows/create", creation(), status=200)
    [workflow] = made["workflows"]
    assert UUID(workflow["id"]).version == 4
    assert workflow["version"]["versionNumber"] == 1
    by_name = {status["name"]: status for status in made["statuses"]}
    assert set(by_name) == {"Planned", "Staged", "Shipped"}
    assert by_name["Staged"]["statusReference"] == by_name["Staged"]["id"]
    steps = {item["id"]: item for item in workflow["transitions"]}
    assert steps["11"]["links"] == [
        {"fromStatusReference": by_name["Planned"]["id"], "fromPort": 0, "toPort": 1}
    ]
    assert steps["11"]["actions"][0]["ruleKey"] == "system:change-assignee"
    assert steps["11"]["actions"][0]["id"]
    by_id = site.post("workflows", {"workflowIds": [workflow["id"]]}, status=200)
    assert by_id["workflows"] == [workflow]
    with site.store():
        assert Status.objects.get(name="Shipped").category == "done"
        assert AuditRecord.objects.filter(summary="Workflow created").count() == 1


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "WORKFLOW_NAME_EMPTY"),
    ({"name": "x" * 256}, "WORKFLOW_NAME_TOO_LONG"),
    ({"name": "jira"}, "NON_UNIQUE_WORKFLOW_NAME"),
    ({"transitions": []}, "INITIAL_TRANSITION_COUNT"),
    ({"statuses": [{"statusReference": "nowhere"}]}, "STATUS_REFERENCE_NOT_FOUND"),
]
STEPS: list[tuple[dict[str, Any], str]] = [
    ({"id": "x"}, "INVALID_TRANSITION_ID"),
    ({"id": "1"}, "NON_UNIQUE_TRANSITION_ID"),
    ({"name": " "}, "TRANSITION_NAME_EMPTY"),
    ({"links": []}, "NO_FROM_STATUS"),
    ({"type": "GLOBAL"}, "UNEXPECTED_FROM_STATUS"),
    ({"toStatusReference": "nowhere"}, "STATUS_NOT_IN_WORKFLOW"),
    ({"actions": [{"ruleKey": "system:no-such"}]}, "UNKNOWN_RULE"),
    ({"validators": [rule("change-assignee", type="to-unassigned")]}, "RULE_MISPLACED"),
    ({"actions": [rule("change-assignee")]}, "MISSING_RULE_PARAMETER"),
    ({"actions": [rule("change-assignee", type="to-nobody")]}, "INVALID_RULE_PARAMETER"),
    (
        {"actions": [rule("change-assignee", type="to-selected-user")]},
        "MISSING_RULE_PARAMETER",
    ),
    (
        {
            "validators": [
                rule(
                    "validate-field-value",
                    ruleType="fieldMatchesRegularExpression",
                    fieldKey="summary",
                    regexp="(?=a)b",
                )
            ]
        },
        "INVALID_RULE_PARAMETER",
    ),
    (
        {"conditions": all_of(rule("jsd-approvals-block-until-approved"))},
        "RULE_NOT_AVAILABLE",
    ),
    ({"transitionScreen": rule("transition-screen", screenId="987654")}, "SCREEN_NOT_FOUND"),
]


def test_unverified_codes_name_what_is_wrong_with_a_workflow(site: Site) -> None:
    for parts, code in WRONG:
        assert ("ERROR", code) in problems(site, creation(**parts)), code
    body = creation()
    body["workflows"][0]["statuses"][0]["approvalConfiguration"] = {
        "active": "true",
        "conditionType": "percent",
        "conditionValue": "101",
        "fieldId": "customfield_10003",
        "transitionApproved": "11",
        "transitionRejected": "99",
    }
    assert problems(site, body) == [("ERROR", "INVALID_APPROVAL_CONFIGURATION")] * 2
    for parts, code in STEPS:
        body = creation()
        body["workflows"][0]["transitions"][1].update(parts)
        assert ("ERROR", code) in problems(site, body), code


def test_what_is_wrong_with_a_workflow_is_told_and_nothing_is_written(site: Site) -> None:
    taken = creation()
    taken["statuses"][2]["name"] = "done"
    [found] = site.post("workflows/create/validation", {"payload": taken}, status=200)["errors"]
    assert found == {
        "code": "NON_UNIQUE_STATUS_NAME",
        "message": 'Status name "done" already in use. Try a different name.',
        "level": "ERROR",
        "type": "STATUS",
        "elementReference": {"statusReference": SHUT},
    }
    refused = site.post("workflows/create", taken, status=400)
    assert refused == {"errorMessages": [found["message"]], "errors": {}}
    unreached = creation()
    unreached["workflows"][0]["transitions"].pop()
    warned = [("WARNING", "NO_INBOUND_TRANSITIONS_TO_STATUS")]
    assert problems(site, unreached) == warned
    only = {"payload": unreached, "validationOptions": {"levels": ["ERROR"]}}
    assert site.post("workflows/create/validation", only, status=200) == {"errors": []}
    with site.store():
        assert not Workflow.objects.filter(name="Release").exists()
        assert not Status.objects.filter(name="Planned").exists()
    assert site.post("workflows/create", {**creation(), "statuses": []}, status=400) == {
        "errorMessages": ["statuses : must not be empty"],
        "errors": {},
    }


def test_unverified_who_may_not_write_workflows_is_answered_401(site: Site) -> None:
    refused = site.post("workflows/create", creation(), by="dev", status=401)
    assert refused == {"errorMessages": [ADMINS_ONLY], "errors": {}}
    checked = site.post(
        "workflows/create/validation", {"payload": creation()}, by="dev", status=401
    )
    assert checked == refused
    body = {"payload": payload(read(site))}
    assert site.post("workflows/update/validation", body, by="dev", status=401) == refused


def test_unverified_new_statuses_are_referred_to_by_uuids(site: Site) -> None:
    body = creation()
    text = str(body).replace(TODO, "10077")
    assert "10077" in text
    body["statuses"][0]["statusReference"] = "10077"
    body["workflows"][0]["statuses"][0]["statusReference"] = "10077"
    body["workflows"][0]["transitions"][0]["toStatusReference"] = "10077"
    body["workflows"][0]["transitions"][1]["links"][0]["fromStatusReference"] = "10077"
    assert problems(site, body) == [("ERROR", "STATUS_REFERENCE_NOT_UUID")]


def test_an_update_replaces_the_whole_and_counts_a_version(site: Site) -> None:
    found = read(site)
    transition(found, "31").update(name="Finish", actions=[])
    body = payload(found, description="Ours now")
    assert problems(site, body, "update") == []
    answer = site.post("workflows/update", body, status=200)
    [updated] = answer["workflows"]
    assert answer["taskId"] is None
    assert updated["version"]["versionNumber"] == found["workflow"]["version"]["versionNumber"] + 1
    assert updated["description"] == "Ours now"
    steps = {item["id"]: item for item in updated["transitions"]}
    assert (steps["31"]["name"], steps["31"]["actions"]) == ("Finish", [])
    names = [one["name"] for one in site.get(f"issue/{site.issue()}/transitions")["transitions"]]
    assert names == ["To Do", "In Progress", "Finish"]
    assert site.post("workflows/update", {**body, "statuses": []}, status=400) == {
        "errorMessages": ["statuses : must not be empty"],
        "errors": {},
    }


def test_unverified_an_update_of_an_old_version_is_a_conflict(site: Site) -> None:
    found = read(site)
    change(site, "31", name="Finish")
    refused = site.post("workflows/update", payload(found), status=409)
    assert refused["errorMessages"] == [
        "The workflow was changed since it was read: its version is not the latest."
    ]


def test_the_sites_own_workflow_and_unknown_ones_cannot_be_changed(site: Site) -> None:
    found = read(site, "jira")
    assert ("ERROR", "WORKFLOW_NOT_EDITABLE") in problems(site, payload(found), "update")
    site.post("workflows/update", payload(found), status=400)
    other = payload(found)
    other["workflows"][0]["id"] = TODO
    assert problems(site, other, "update") == [("ERROR", "WORKFLOW_NOT_FOUND")]
    refused = site.post("workflows/update", payload(found), by="dev", status=401)
    assert refused["errorMessages"] == [ADMINS_ONLY]


def without(found: dict[str, Any], status: str, id: str) -> dict[str, Any]:
    """Return the update that takes a status and a transition out of a workflow."""
    flow = found["workflow"]
    flow["statuses"] = [one for one in flow["statuses"] if one["statusReference"] != status]
    flow["transitions"] = [one for one in flow["transitions"] if one["id"] != id]
    return payload(found)


def test_issues_in_a_status_that_goes_are_moved_by_a_task(site: Site) -> None:
    keys = [site.issue(f"Issue {number}") for number in range(3)]
    for key in keys[:2]:
        site.post(f"issue/{key}/transitions", {"transition": {"id": "21"}}, status=204)
    found = read(site)
    progress = next(one["id"] for one in found["statuses"] if one["name"] == "In Progress")
    done = next(one["id"] for one in found["statuses"] if one["name"] == "Done")
    body = without(found, progress, "21")
    assert problems(site, body, "update") == [("ERROR", "MISSING_STATUS_MAPPING")]
    refused = site.post("workflows/update", body, status=400)
    text = f"Issues in the status with ID {progress} need a status mapping."
    assert refused == {"errorMessages": [text], "errors": {}}
    body["workflows"][0]["defaultStatusMappings"] = [
        {"oldStatusReference": progress, "newStatusReference": done}
    ]
    task = site.post("workflows/update", body, status=200)["taskId"]
    site.advance()
    assert site.get(f"task/{task}")["status"] == "COMPLETE"
    assert site.get(f"task/{task}")["result"] == {"updatedIssues": 2}
    with site.store():
        rows = Issue.objects.filter(key__in=keys).order_by("id")
        assert list(rows.values_list("status__name", flat=True)) == ["Done", "Done", "To Do"]
        assert not Issue.objects.filter(resolution__isnull=False).exists()
    assert "taskId" not in read(site)["workflow"]


def test_a_workflow_that_a_task_changes_is_left_alone(site: Site) -> None:
    found = read(site)
    with site.writing():
        flow = Workflow.objects.get(uuid=found["workflow"]["id"])
        user = User.objects.get(account_id=site.ids["ada"])
        times = {"submitted": flow.created, "last_update": flow.created}
        parts = {"payload": {"workflow": [flow.id]}, "submitted_by": user, **times}
        Task.objects.create(id=7, kind="workflow.migrate", **parts)
    assert read(site)["workflow"]["taskId"] == "7"
    busy = site.post("workflows/update", payload(found), status=409)
    assert busy["errorMessages"] == ["Another workflow configuration update task is ongoing."]


def test_a_mapping_for_a_type_in_a_space_goes_before_the_default(site: Site) -> None:
    task, bug = site.issue("A task"), site.issue("A bug", issuetype={"name": "Bug"})
    for key in (task, bug):
        site.post(f"issue/{key}/transitions", {"transition": {"id": "21"}}, status=204)
    found = read(site)
    by_name = {one["name"]: one["id"] for one in found["statuses"]}
    body = without(found, by_name["In Progress"], "21")
    fields = site.get(f"issue/{bug}")["fields"]
    body["workflows"][0] |= {
        "defaultStatusMappings": [
            {"oldStatusReference": by_name["In Progress"], "newStatusReference": by_name["Done"]}
        ],
        "statusMappings": [
            {
                "issueTypeId": fields["issuetype"]["id"],
                "projectId": fields["project"]["id"],
                "statusMigrations": [
                    {
                        "oldStatusReference": by_name["In Progress"],
                        "newStatusReference": by_name["To Do"],
                    }
                ],
            }
        ],
    }
    site.post("workflows/update", body, status=200)
    site.advance()
    shown = [
        site.get(f"issue/{key}?fields=status")["fields"]["status"]["name"] for key in (task, bug)
    ]
    assert shown == ["Done", "To Do"]


def test_the_history_of_a_workflow_keeps_every_version(site: Site) -> None:
    before = read(site)["workflow"]
    change(site, "31", name="Finish")
    entries = site.post("workflow/history/list", {"workflowId": before["id"]}, status=200)[
        "entries"
    ]
    assert [entry["workflowVersion"] for entry in entries] == [2, 1]
    old = site.post("workflow/history", {"workflowId": before["id"], "version": 1}, status=200)
    [document] = old["workflows"]
    assert [item["name"] for item in document["transitions"]][-1] == "Done"
    assert document["version"]["versionNumber"] == 1
    assert {status["name"] for status in old["statuses"]} == {"To Do", "In Progress", "Done"}
    latest = site.post("workflow/history", {"workflowId": before["id"], "version": 2}, status=200)
    assert latest["workflows"][0]["lastUpdateAuthorAAID"] == site.ids["ada"]
    none = site.post("workflow/history", {"workflowId": before["id"], "version": 9}, status=400)
    assert none["errorMessages"] == ["The workflow has no version 9."]
    gone = site.post("workflow/history/list", {"workflowId": TODO}, status=400)
    assert gone["errorMessages"] == ["The workflow was not found."]


def test_usages_are_paged_by_tokens(site: Site) -> None:
    workflow = read(site)["workflow"]["id"]
    with site.store():
        project = str(Project.objects.get(key="LAS").id)
    found = site.get(f"workflow/{workflow}/projectUsages")
    assert found == {"workflowId": workflow, "projects": {"values": [{"id": project}]}}
    schemes = site.get(f"workflow/{workflow}/workflowSchemes")["workflowSchemes"]["values"]
    assert len(schemes) == 1
    path = f"workflow/{workflow}/project/{project}/issueTypeUsages"
    page = site.get(f"{path}?maxResults=3")["issueTypes"]
    assert len(page["values"]) == 3
    rest = site.get(f"{path}?maxResults=3&nextPageToken={page['nextPageToken']}")["issueTypes"]
    assert len(rest["values"]) == 2
    assert "nextPageToken" not in rest
    for query, message in (
        ("nextPageToken=xx", "Invalid format of nextPageToken"),
        ("maxResults=201", "maxResults must be between 1 and 200"),
    ):
        refused = site.get(f"{path}?{query}", status=400)
        assert refused == {"errorMessages": [message], "errors": {}}
    for usages in ("projectUsages", "workflowSchemes"):
        gone = site.get(f"workflow/{TODO}/{usages}", status=404)
        assert gone == {"errorMessages": ["The workflow was not found."], "errors": {}}


def test_only_workflows_that_nothing_uses_can_be_deleted(site: Site) -> None:
    made = site.post("workflows/create", creation(), status=200)["workflows"][0]["id"]
    for by, id, status, message in (
        ("dev", made, 403, ADMINS_ONLY),
        ("ada", TODO, 404, "The workflow was not found."),
        ("ada", read(site)["workflow"]["id"], 400, "Cannot delete an active workflow."),
        ("ada", read(site, "jira")["workflow"]["id"], 400, "Cannot delete a system workflow."),
    ):
        refused = site.delete(f"workflow/{id}", by=by, status=status)
        assert refused == {"errorMessages": [message], "errors": {}}
    scheme = site.post("workflowscheme", {"name": "S", "defaultWorkflow": "Release"})["id"]
    refused = site.delete(f"workflow/{made}", status=400)
    text = "Cannot delete a workflow that is associated with a workflow scheme."
    assert refused["errorMessages"] == [text]
    site.delete(f"workflowscheme/{scheme}")
    site.delete(f"workflow/{made}")
    assert site.post("workflows", {"workflowIds": [made]}, status=200)["workflows"] == []
    with site.store():
        assert Status.objects.filter(name="Planned").exists()


def test_capabilities_list_the_rules_of_a_scope(site: Site) -> None:
    workflow = read(site)["workflow"]["id"]
    found = site.get(f"workflows/capabilities?workflowId={workflow}")
    rules = {one["ruleKey"]: one for one in found["systemRules"]}
    assert found["editorScope"] == "GLOBAL"
    assert found["projectTypes"] == ["software"]
    assert rules["system:change-assignee"]["ruleType"] == "Function"
    assert rules["system:change-assignee"]["isAvailableForInitialTransition"] is True
    assert "system:block-in-progress-approval" in rules
    assert "system:jsd-approvals-block-until-approved" not in rules
    assert found["triggerRules"][0]["ruleKey"] == "system:development-triggers"
    issue = site.get(f"issue/{site.issue()}")["fields"]
    pair = f"projectId={issue['project']['id']}&issueTypeId={issue['issuetype']['id']}"
    assert site.get(f"workflows/capabilities?{pair}")["systemRules"] == found["systemRules"]
    for query, message in (
        (f"workflowId={TODO}", "The workflow was not found."),
        ("projectId=10000", "Both projectId and issueTypeId must be given."),
    ):
        refused = site.get(f"workflows/capabilities?{query}", status=400)
        assert refused["errorMessages"] == [message]


def test_previews_show_workflows_of_a_space_to_those_who_may_look(site: Site) -> None:
    fields = site.get(f"issue/{site.issue()}")["fields"]
    project, kind = fields["project"]["id"], fields["issuetype"]["id"]
    body = {"projectId": project, "issueTypeIds": [kind]}
    found = site.post("workflows/preview", body, by="dev", status=200)
    [preview] = found["workflows"]
    assert preview["name"] == LAS
    assert preview["queryContext"] == [{"project": project, "issueTypes": [kind]}]
    assert found["statuses"][0]["rawName"] == found["statuses"][0]["name"]
    by_name = {"projectId": project, "workflowNames": [LAS], "workflowIds": [preview["id"]]}
    assert len(site.post("workflows/preview", by_name, status=200)["workflows"]) == 1
    gone = site.post("workflows/preview", {"projectId": project, "workflowIds": [TODO]}, status=404)
    assert gone["errorMessages"] == ["The workflow was not found."]
    empty = site.post("workflows/preview", {"projectId": project}, status=400)
    assert empty["errorMessages"] == [
        "At least one of workflowIds, workflowNames or issueTypeIds must be given."
    ]


def test_the_default_editor_is_the_new_one(site: Site) -> None:
    assert site.get("workflows/defaultEditor", by="dev") == {"value": "NEW"}
    refused = site.call("GET", "workflows/defaultEditor", by=None)
    assert refused.raw == b"Client must be authenticated to access this resource."


def test_workflows_are_listed_in_their_older_forms(site: Site) -> None:
    short = {one["name"]: one for one in site.get("workflow")}
    assert (short["jira"]["default"], short["jira"]["steps"]) == (True, 5)
    assert site.get(f"workflow?workflowName={LAS}")["steps"] == 3
    gone = site.get("workflow?workflowName=none", status=404)
    assert gone["errorMessages"] == ["The workflow was not found."]
    words = "transitions.rules,transitions.properties,statuses.properties,default,schemes,projects"
    change(site, "31", conditions=all_of(rule("restrict-issue-transition", roleIds="1")))
    path = f"workflow/search?workflowName={LAS}&expand={words},operations,hasDraftWorkflow"
    found = site.get(path)
    assert (found["total"], found["isLast"]) == (1, True)
    [workflow] = found["values"]
    assert workflow["id"]["name"] == LAS
    done = workflow["transitions"][-1]
    assert (done["type"], done["from"]) == ("global", [])
    assert done["rules"]["postFunctions"][0]["type"] == "system:update-field"
    assert done["rules"]["conditionsTree"]["operator"] == "AND"
    assert [project["key"] for project in workflow["projects"]] == ["LAS"]
    assert workflow["operations"] == {"canEdit": True, "canDelete": False}
    assert len(workflow["schemes"]) == 1
    assert site.get("workflow/search", by="dev", status=403)["errors"] == {}
    assert site.get("workflow/search?isActive=false")["total"] == 1


def test_properties_of_transitions_can_be_set_where_no_space_is(site: Site) -> None:
    site.post("workflows/create", creation(), status=200)
    path = "workflow/transitions/11/properties?workflowName=Release"
    assert site.get(path) == []
    shown = {"id": "color", "key": "color", "value": "red"}
    assert site.post(f"{path}&key=color", {"value": "red"}, status=200) == shown
    assert site.get(path) == [shown]
    assert site.get(f"{path}&key=color") == shown
    again = site.post(f"{path}&key=color", {"value": "red"}, status=400)
    assert again["errorMessages"] == ["The property key 'color' already exists on the transition."]
    assert site.put(f"{path}&key=color", {"value": "blue"}, status=200)["value"] == "blue"
    site.put(f"{path}&key=color", {"value": "blue"}, status=304)
    site.delete(f"{path}&key=color", status=200)
    site.delete(f"{path}&key=color", status=304)
    for where, status, message in (
        (f"{path}&key=color", 404, "The workflow transition property was not found."),
        ("workflow/transitions/11/properties", 400, "The workflow name must be specified."),
        (path.replace("/11/", "/12/"), 404, "The workflow transition was not found."),
    ):
        refused = site.get(where, status=status)
        assert refused == {"errorMessages": [message], "errors": {}}
    assert site.get(path, by="dev", status=403)["errorMessages"] == [ADMINS_ONLY]
    gone = path.replace("/11/", "/12/") + "&key=color"
    for answer in (site.call("PUT", gone, {"value": "red"}), site.call("DELETE", gone)):
        assert answer.status == 404
        assert answer.body["errorMessages"] == ["The workflow transition was not found."]
    live = f"workflow/transitions/31/properties?workflowName={LAS}&key=color"
    active = site.post(live, {"value": "red"}, status=400)
    assert active["errorMessages"] == ["Cannot edit an active workflow."]


@pytest.mark.parametrize("version", ["2", "3"])
def test_workflows_are_the_same_in_both_versions_of_the_api(site: Site, version: str) -> None:
    found = site.post(f"/rest/api/{version}/workflows", {"workflowNames": ["jira"]}, status=200)
    assert found["workflows"][0]["name"] == "jira"
    with site.store():
        assert Screen.objects.filter(transitions__workflow__name="jira").exists()


def test_lists_of_workflows_take_a_fixed_number_of_statements(site: Site) -> None:
    paths = (
        "workflows/search?expand=values.transitions",
        "workflow/search?expand=transitions.rules,statuses,schemes,projects,operations",
        "workflow",
        "workflowscheme",
    )

    def statements() -> list[int]:
        found = []
        for path in paths:
            with counted(site) as told:
                site.get(path)
            found.append(len(told))
        return found

    before = statements()
    for number in range(4):
        body = creation(f"Release {number}")
        for status in body["statuses"]:
            status["name"] += f" {number}"
        site.post("workflows/create", body, status=200)
        kind = {"issueTypeMappings": {"10003": f"Release {number}"}}
        site.post("workflowscheme", {"name": f"Scheme {number}", **kind})
    assert statements() == before
