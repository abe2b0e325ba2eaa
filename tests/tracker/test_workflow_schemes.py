"""Workflow schemes: their parts, drafts, spaces, and moving issues between them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Issue, IssueType, Project, WorkflowScheme
from tests.tracker.conftest import Site
from tests.tracker.workflows import LAS, read

ACTIVE = "The workflow scheme is active and cannot be edited directly."
OPS = "Software Simplified Workflow for Project OPS"


def types(site: Site) -> dict[str, str]:
    """Return the ids of types by name."""
    with site.store():
        return {kind.name: str(kind.id) for kind in IssueType.objects.filter(project=None)}


def ids(site: Site, key: str = "LAS") -> tuple[str, int]:
    """Return the ids of a space and of its workflow scheme."""
    with site.store():
        project = Project.objects.get(key=key)
        return str(project.id), project.workflow_scheme_id


def status(site: Site, name: str) -> str:
    """Return the id of one of the site's statuses."""
    found = site.get(f"statuses/search?searchString={name}")["values"]
    return str(next(one["id"] for one in found if one["name"] == name))


def test_schemes_are_made_read_changed_and_deleted(site: Site) -> None:
    kinds = types(site)
    body = {
        "name": "Care",
        "description": "For careful spaces",
        "defaultWorkflow": LAS,
        "issueTypeMappings": {kinds["Bug"]: "jira"},
    }
    made = site.post("workflowscheme", body)
    assert made.items() >= {**body, "draft": False}.items()
    assert made["self"].endswith(f"/rest/api/3/workflowscheme/{made['id']}")
    path = f"workflowscheme/{made['id']}"
    assert site.get(path) == made
    assert site.put(path, {"name": "Care more"}, status=200)["name"] == "Care more"
    assert site.post("workflowscheme", {"name": "Bare"})["defaultWorkflow"] == "jira"
    listed = site.get("workflowscheme?maxResults=2&startAt=1")
    assert listed["total"] == 5
    assert "draft" not in listed["values"][0]
    assert "self" not in listed
    site.delete(path)
    gone = site.get(path, status=404)
    assert gone == {"errorMessages": ["The workflow scheme was not found."], "errors": {}}


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "name", "The name of the workflow scheme must be specified."),
        (
            {"name": "x" * 256},
            "name",
            "The name of the workflow scheme must not exceed 255 characters.",
        ),
        (
            {"name": "LAS: software simplified workflow scheme"},
            "name",
            "A workflow scheme with that name already exists.",
        ),
        (
            {"name": "S", "defaultWorkflow": "none"},
            "defaultWorkflow",
            "Workflow with name 'none' was not found.",
        ),
        (
            {"name": "S", "issueTypeMappings": {"77": "jira"}},
            "issueTypeMappings",
            "Issue type with ID '77' was not found.",
        ),
    ],
)
def test_a_scheme_must_have_a_name_and_name_what_there_is(
    site: Site, body: dict[str, Any], field: str, message: str
) -> None:
    found = site.post("workflowscheme", body, status=400)
    assert found == {"errorMessages": [], "errors": {field: message}}


def test_parts_of_a_scheme_that_nothing_uses_are_changed_at_once(site: Site) -> None:
    kinds = types(site)
    id = site.post("workflowscheme", {"name": "Parts"})["id"]
    path = f"workflowscheme/{id}"
    assert site.get(f"{path}/default") == {"workflow": "jira"}
    site.put(f"{path}/default", {"workflow": LAS}, status=200)
    assert site.get(f"{path}/default") == {"workflow": LAS}
    assert site.delete(f"{path}/default", status=200)["defaultWorkflow"] == "jira"
    assert site.get(f"{path}/default") == {"workflow": "jira"}
    bug = f"{path}/issuetype/{kinds['Bug']}"
    assert site.put(bug, {"workflow": LAS}, status=200)["issueTypeMappings"] == {kinds["Bug"]: LAS}
    assert site.get(bug) == {"issueType": kinds["Bug"], "workflow": LAS}
    assert site.delete(bug, status=200)["issueTypeMappings"] == {}
    none = site.get(bug, status=404)
    assert none["errorMessages"] == ["The issue type was not found."]
    flow = f"{path}/workflow?workflowName={LAS}"
    given = {"issueTypes": [kinds["Bug"], kinds["Task"]]}
    found = site.put(flow, given, status=200)
    assert set(found["issueTypeMappings"]) == {kinds["Bug"], kinds["Task"]}
    site.put(flow, {"issueTypes": [kinds["Task"]], "defaultMapping": True}, status=200)
    shown = {"workflow": LAS, "issueTypes": [kinds["Task"]], "defaultMapping": True}
    assert site.get(flow) == shown
    assert site.get(f"{path}/workflow") == [shown]
    site.delete(flow, status=200)
    assert site.get(path)["defaultWorkflow"] == "jira"
    gone = site.get(flow, status=404)
    assert gone["errorMessages"] == ["The workflow was not found."]


def test_an_active_scheme_changes_by_its_draft(site: Site) -> None:
    kinds = types(site)
    _, id = ids(site)
    path = f"workflowscheme/{id}"
    refused = site.put(path, {"name": "Other"}, status=400)
    assert refused == {"errorMessages": [ACTIVE], "errors": {}}
    site.delete(path, status=400)
    draft = site.put(path, {"name": "Other", "updateDraftIfNeeded": True}, status=200)
    assert (draft["draft"], draft["name"]) == (True, "Other")
    assert draft["originalDefaultWorkflow"] == LAS
    assert draft["lastModifiedUser"]["accountId"] == site.ids["ada"]
    assert site.get(path)["name"] != "Other"
    assert site.get(f"{path}?returnDraftIfExists=true")["id"] == draft["id"]
    bug = f"{path}/issuetype/{kinds['Bug']}"
    site.put(bug, {"workflow": "jira"}, status=400)
    site.put(bug, {"workflow": "jira", "updateDraftIfNeeded": True}, status=200)
    assert site.get(f"{bug}?returnDraftIfExists=true")["workflow"] == "jira"
    site.get(bug, status=404)
    flow = f"{path}/workflow?workflowName=jira"
    site.delete(f"{flow}&updateDraftIfNeeded=true", status=200)
    site.get(f"{bug}?returnDraftIfExists=true", status=404)
    site.delete(f"{path}/draft")
    none = site.get(f"{path}/draft", status=404)
    assert none["errorMessages"] == ["Draft workflow scheme was not found."]


def test_a_draft_is_made_changed_and_published_with_its_issues(site: Site) -> None:
    kinds = types(site)
    _, id = ids(site)
    path = f"workflowscheme/{id}"
    draft = site.post(f"{path}/createdraft")
    assert draft["draft"] is True
    again = site.post(f"{path}/createdraft", status=400)
    assert again["errorMessages"] == ["The workflow scheme already has a draft."]
    idle = site.post("workflowscheme", {"name": "Idle"})["id"]
    refused = site.post(f"workflowscheme/{idle}/createdraft", status=400)
    text = "A draft can only be created for an active workflow scheme."
    assert refused["errorMessages"] == [text]
    task, bug = site.issue(), site.issue("A bug", issuetype={"name": "Bug"})
    assert site.get(f"{path}/draft") == draft
    assert site.get(f"{path}/draft/default") == {"workflow": LAS}
    site.put(f"{path}/draft", {"description": "soon"}, status=200)
    site.put(f"{path}/draft/default", {"workflow": "jira"}, status=200)
    site.put(f"{path}/draft/issuetype/{kinds['Task']}", {"workflow": LAS}, status=200)
    assert site.get(f"{path}/draft/issuetype/{kinds['Task']}")["workflow"] == LAS
    found = site.put(
        f"{path}/draft/workflow?workflowName={LAS}",
        {"issueTypes": [kinds["Task"], kinds["Story"]]},
        status=200,
    )
    assert set(found["issueTypeMappings"]) == {kinds["Task"], kinds["Story"]}
    site.delete(f"{path}/draft/issuetype/{kinds['Story']}", status=200)
    assert site.get(f"{path}/draft/workflow?workflowName={LAS}")["issueTypes"] == [kinds["Task"]]
    todo, done, opened = status(site, "To Do"), status(site, "Done"), status(site, "Open")
    missing = site.post(f"{path}/draft/publish", {}, status=400)
    [text] = missing["errorMessages"]
    assert text == (
        f"Issue type with ID '{kinds['Bug']}' is missing the mappings required for statuses"
        f" with IDs {todo}, {done}."
    )
    mappings = [
        {"issueTypeId": kinds["Bug"], "statusId": old, "newStatusId": opened}
        for old in (todo, done)
    ]
    body = {"statusMappings": mappings}
    site.post(f"{path}/draft/publish?validateOnly=true", body, status=204)
    answer = site.call("POST", f"{path}/draft/publish", body)
    assert answer.status == 303
    assert answer.headers["Location"].endswith(f"/rest/api/3/task/{answer.body['id']}")
    site.advance()
    assert site.get(f"task/{answer.body['id']}")["status"] == "COMPLETE"
    scheme = site.get(path)
    assert (scheme["defaultWorkflow"], scheme["draft"]) == ("jira", False)
    assert scheme["description"] == "soon"
    site.get(f"{path}/draft", status=404)
    shown = [site.get(f"issue/{key}")["fields"]["status"]["name"] for key in (task, bug)]
    assert shown == ["To Do", "Open"]
    names = [one["name"] for one in site.get(f"issue/{bug}/transitions")["transitions"]]
    assert names == ["Resolve Issue", "Close Issue"]


def test_drafts_lose_workflows_and_take_the_sites_own_as_default(site: Site) -> None:
    _, id = ids(site)
    path = f"workflowscheme/{id}/draft"
    site.post(f"workflowscheme/{id}/createdraft")
    assert site.delete(f"{path}/default", status=200)["defaultWorkflow"] == "jira"
    none = site.delete(f"{path}/workflow?workflowName={LAS}", status=404)
    assert none["errorMessages"] == ["The workflow was not found."]
    site.put(f"{path}/workflow?workflowName={LAS}", {"defaultMapping": True}, status=200)
    site.delete(f"{path}/workflow?workflowName={LAS}", status=200)
    assert site.get(f"{path}/default") == {"workflow": "jira"}


def test_spaces_are_listed_with_their_schemes(site: Site) -> None:
    project, scheme = ids(site)
    other, _ = ids(site, "OPS")
    found = site.get(f"workflowscheme/project?projectId={project}&projectId={other}&projectId=1")
    assert [one["projectIds"] for one in found["values"]] == [[project], [other]]
    assert found["values"][0]["workflowScheme"]["id"] == scheme
    with site.writing():
        default = WorkflowScheme.objects.get(is_default=True)
        Project.objects.filter(key="OPS").update(workflow_scheme=default)
    [one] = site.get(f"workflowscheme/project?projectId={other}")["values"]
    assert "id" not in one["workflowScheme"]
    none = site.get("workflowscheme/project", status=400)
    text = "The ID of a project has to be provided."
    assert none == {"errorMessages": [], "errors": {"projectId": text}}
    refused = site.get(f"workflowscheme/project?projectId={project}", by="dev", status=403)
    text = "Only Jira administrators can access workflow scheme associations."
    assert refused == {"errorMessages": [text], "errors": {}}
    usages = site.get(f"workflowscheme/{scheme}/projectUsages")
    assert usages == {"workflowSchemeId": str(scheme), "projects": {"values": [{"id": project}]}}


def test_an_empty_space_is_given_a_scheme_at_once(site: Site) -> None:
    project, _ = ids(site)
    scheme = site.post("workflowscheme", {"name": "Care"})["id"]
    body = {"projectId": project, "workflowSchemeId": str(scheme)}
    site.put("workflowscheme/project", body)
    assert ids(site)[1] == scheme
    assert site.get(f"issue/{site.issue()}")["fields"]["status"]["name"] == "Open"
    site.put("workflowscheme/project", {**body, "workflowSchemeId": "1"}, status=404)
    full = site.put("workflowscheme/project", {"projectId": project}, status=400)
    text = "The workflow scheme can only be assigned to a project that has no issues."
    assert full["errorMessages"] == [text]
    with site.writing():
        Project.objects.filter(key="OPS").update(style="next-gen")
    team = site.put(
        "workflowscheme/project", {**body, "projectId": ids(site, "OPS")[0]}, status=400
    )
    assert team["errorMessages"] == ["Only classic projects can have workflow schemes assigned."]


def test_a_switch_moves_the_issues_of_a_space(site: Site) -> None:
    key = site.issue()
    project, _ = ids(site)
    scheme = site.post("workflowscheme", {"name": "Care"})["id"]
    kind = types(site)["Task"]
    body = {"projectId": project, "targetSchemeId": str(scheme)}
    missing = site.post("workflowscheme/project/switch", body, status=400)
    assert missing["errorMessages"][0].startswith(f"Issue type with ID '{kind}' is missing")
    todo, done = status(site, "To Do"), status(site, "Done")
    pairs = [{"oldStatusId": todo, "newStatusId": status(site, "Reopened")}]
    wrong = [*pairs, {"oldStatusId": done, "newStatusId": done}]
    override = {"issueTypeId": kind, "statusMappings": wrong}
    refused = site.post(
        "workflowscheme/project/switch",
        {**body, "mappingsByIssueTypeOverride": [override]},
        status=400,
    )
    assert refused["errorMessages"] == [f"The status with ID {done} is not in the new workflow."]
    pairs.append({"oldStatusId": done, "newStatusId": status(site, "Closed")})
    override["statusMappings"] = pairs
    sent = {**body, "mappingsByIssueTypeOverride": [override]}
    answer = site.call("POST", "workflowscheme/project/switch", sent)
    assert answer.status == 303
    site.advance()
    task = site.get(f"task/{answer.body['id']}")
    assert (task["status"], task["result"]["updatedIssues"]) == ("COMPLETE", 1)
    assert ids(site)[1] == scheme
    assert site.get(f"issue/{key}")["fields"]["status"]["name"] == "Reopened"
    refused = site.post("workflowscheme/project/switch", body, by="dev", status=403)
    assert refused["errors"] == {}
    none = site.post("workflowscheme/project/switch", {"projectId": "1"}, status=400)
    assert none["errorMessages"] == ["The project was not found."]


def test_whole_schemes_are_read_and_rewritten_by_ids(site: Site) -> None:
    key = site.issue("A bug", issuetype={"name": "Bug"})
    project, id = ids(site)
    kinds = types(site)
    [scheme] = site.post("workflowscheme/read", {"projectIds": [project]}, status=200)
    assert scheme["id"] == str(id)
    assert scheme["defaultWorkflow"]["name"] == LAS
    assert scheme["scope"] == {"type": "GLOBAL"}
    assert site.post("workflowscheme/read", {"workflowSchemeIds": [str(id)]}, status=200) == [
        scheme
    ]
    classic = read(site, "jira")["workflow"]["id"]
    wanted = {
        "id": str(id),
        "defaultWorkflowId": scheme["defaultWorkflow"]["id"],
        "workflowsForIssueTypes": [{"workflowId": classic, "issueTypeIds": [kinds["Bug"]]}],
    }
    needed = site.post("workflowscheme/update/mappings", wanted, status=200)
    todo, done = status(site, "To Do"), status(site, "Done")
    assert needed["statusMappingsByIssueTypes"] == [
        {"issueTypeId": kinds["Bug"], "statusIds": [todo, done]}
    ]
    [by_flow] = needed["statusMappingsByWorkflows"]
    assert by_flow["targetWorkflowId"] == classic
    assert {one["initialStatusId"] for one in needed["statusesPerWorkflow"]} == {
        todo,
        status(site, "Open"),
    }
    body = {**wanted, "name": "New", "description": "d", "version": scheme["version"]}
    site.post("workflowscheme/update", body, status=400)
    flows = {
        "oldWorkflowId": by_flow["sourceWorkflowId"],
        "newWorkflowId": classic,
        "statusMappings": [
            {"oldStatusId": old, "newStatusId": status(site, "Open")} for old in (todo, done)
        ],
    }
    answer = site.call(
        "POST", "workflowscheme/update", {**body, "statusMappingsByWorkflows": [flows]}
    )
    assert answer.status == 303
    site.advance()
    assert site.get(f"issue/{key}")["fields"]["status"]["name"] == "Open"
    [after] = site.post("workflowscheme/read", {"projectIds": [project]}, status=200)
    assert after["name"] == "New"
    [association] = after["workflowsForIssueTypes"]
    assert association["issueTypeIds"] == [kinds["Bug"]]
    stale = site.post("workflowscheme/update", body, status=409)
    assert stale["errorMessages"] == [
        "The workflow scheme was changed since it was read: its version is not the latest."
    ]
    body["version"] = after["version"]
    assert site.post("workflowscheme/update", body, status=200) == {}


def test_a_rewriting_must_name_what_there_is(site: Site) -> None:
    project, id = ids(site)
    [scheme] = site.post("workflowscheme/read", {"projectIds": [project]}, status=200)
    body = {"id": str(id), "name": "New", "description": "", "version": scheme["version"]}
    for sent, message in (
        ({**body, "defaultWorkflowId": project}, f"Workflow with ID '{project}' was not found."),
        ({**body, "id": "1"}, "The workflow scheme was not found."),
    ):
        refused = site.post("workflowscheme/update", sent, status=400)
        assert refused["errorMessages"] == [message]
    none = site.post("workflowscheme/read", {}, status=400)
    assert none["errorMessages"] == ["Either workflowSchemeIds or projectIds must be given."]
    refused = site.post("workflowscheme/update", body, by="dev", status=401)
    assert refused["errors"] == {}


def test_parts_that_are_not_there_are_told_by_what_they_are(site: Site) -> None:
    kinds = types(site)
    _, id = ids(site)
    path = f"workflowscheme/{id}"
    site.post(f"{path}/createdraft")
    bug, flow = f"issuetype/{kinds['Bug']}", "workflow?workflowName=none"
    scheme, draft = "The workflow scheme was not found.", "Draft workflow scheme was not found."
    workflow, kind = "The workflow was not found.", "The issue type was not found."
    idle = f"workflowscheme/{site.post('workflowscheme', {'name': 'Idle'})['id']}"
    named = {"workflow": "none"}
    for method, where, body, message in (
        ("GET", "workflowscheme/1/default", None, scheme),
        ("PUT", f"{idle}/default", named, workflow),
        ("DELETE", "workflowscheme/1/default", None, scheme),
        ("DELETE", f"{idle}/{bug}", None, kind),
        ("PUT", f"{idle}/{flow}", {"issueTypes": []}, workflow),
        ("PUT", f"{idle}/workflow?workflowName=jira", {"issueTypes": ["1"]}, kind),
        ("DELETE", f"{idle}/{flow}", None, workflow),
        ("GET", "workflowscheme/1/projectUsages", None, scheme),
        ("GET", f"{idle}/draft", None, draft),
        ("DELETE", f"{idle}/draft", None, draft),
        ("GET", f"{idle}/draft/default", None, draft),
        ("PUT", f"{path}/draft/default", named, workflow),
        ("DELETE", f"{idle}/draft/default", None, draft),
        ("GET", f"{path}/draft/{bug}", None, kind),
        ("PUT", f"{path}/draft/{bug}", named, workflow),
        ("DELETE", f"{path}/draft/{bug}", None, kind),
        ("GET", f"{path}/draft/{flow}", None, workflow),
        ("PUT", f"{path}/draft/{flow}", {"issueTypes": []}, workflow),
    ):
        answer = site.call(method, where, body)
        assert (answer.status, answer.body) == (
            404,
            {"errorMessages": [message], "errors": {}},
        ), (method, where)
    lost = {"id": "1", "workflowsForIssueTypes": []}
    refused = site.post("workflowscheme/update/mappings", lost, status=400)
    assert refused == {"errorMessages": [scheme], "errors": {}}


def test_only_admins_touch_schemes(site: Site) -> None:
    _, id = ids(site)
    refused = site.get("workflowscheme", by="dev", status=403)
    text = "You are not authorized to perform this action. Administrator privileges are required."
    assert refused == {"errorMessages": [text], "errors": {}}
    site.put(f"workflowscheme/{id}/draft", {"name": "x"}, by="dev", status=403)
    site.get(f"workflowscheme/{id}", by=None, status=401)


def test_unverified_the_default_scheme_is_in_no_list_and_cannot_be_changed(site: Site) -> None:
    with site.store():
        default = WorkflowScheme.objects.get(is_default=True).id
        assert not Issue.objects.exists()
    listed = site.get("workflowscheme")["values"]
    assert default not in [scheme["id"] for scheme in listed]
    path = f"workflowscheme/{default}"
    refused = site.put(path, {"name": "x", "updateDraftIfNeeded": True}, status=400)
    assert refused["errorMessages"] == [ACTIVE]
    refused = site.delete(path, status=400)
    assert refused["errorMessages"] == ["The workflow scheme is active and cannot be deleted."]


def test_unverified_types_without_issues_need_no_mapping(site: Site) -> None:
    site.issue()
    project, _ = ids(site)
    scheme = site.post("workflowscheme", {"name": "Care"})["id"]
    body = {"projectId": project, "targetSchemeId": str(scheme)}
    found = site.post("workflowscheme/project/switch", body, status=400)
    kind = types(site)["Task"]
    assert len(found["errorMessages"]) == 1
    assert found["errorMessages"][0].startswith(f"Issue type with ID '{kind}' is missing")
