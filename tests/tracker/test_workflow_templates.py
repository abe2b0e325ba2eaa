"""Workflows that a site begins with, and those that templates give spaces."""

from __future__ import annotations

from typing import Any

from clones.core.models import Delivery
from clones.tracker.domain.projects import create_project
from clones.tracker.domain.setup.workflows import workflow_scheme_for
from clones.tracker.models import Approval, Project, User, WorkflowScheme
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import Paths
from tests.tracker.conftest import Site
from tests.tracker.workflows import change, payload, read, rule, transition


def moves(site: Site, key: str, *, by: str = "ada") -> dict[str, str]:
    """Return the ids of an issue's transitions by name."""
    found = site.get(f"issue/{key}/transitions", by=by)["transitions"]
    return {move["name"]: move["id"] for move in found}


def take(site: Site, key: str, name: str, *, by: str = "ada", **more: Any) -> dict[str, Any]:
    """Take a transition by its name and return the issue's fields."""
    body = {"transition": {"id": moves(site, key, by=by)[name]}, **more}
    site.post(f"issue/{key}/transitions", body, by=by, status=204)
    fields: dict[str, Any] = site.get(f"issue/{key}")["fields"]
    return fields


def test_the_classic_workflow_is_walked_through(site: Site) -> None:
    with site.writing():
        default = WorkflowScheme.objects.get(is_default=True)
        Project.objects.filter(key="LAS").update(workflow_scheme=default)
    key = site.issue()
    assert list(moves(site, key)) == ["Resolve Issue", "Close Issue"]
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]})
    assert list(moves(site, key, by="dev")) == ["Start Progress", "Resolve Issue", "Close Issue"]
    assert take(site, key, "Start Progress", by="dev")["status"]["name"] == "In Progress"
    assert "Stop Progress" in moves(site, key, by="dev")
    done = {"resolution": {"name": "Duplicate"}}
    fields = take(site, key, "Resolve Issue", by="dev", fields=done)
    assert (fields["status"]["name"], fields["resolution"]["name"]) == ("Resolved", "Duplicate")
    assert moves(site, key) == {"Close Issue": "701", "Reopen Issue": "3"}
    assert take(site, key, "Close Issue")["status"]["name"] == "Closed"
    fields = take(site, key, "Reopen Issue")
    assert (fields["status"]["name"], fields["resolution"]) == ("Reopened", None)


def test_kanban_spaces_have_four_columns(site: Site) -> None:
    key = site.issue(project={"key": "OPS"})
    names = ["Backlog", "Selected for Development", "In Progress", "Done"]
    assert list(moves(site, key)) == names
    assert site.get(f"issue/{key}")["fields"]["status"]["name"] == "Backlog"


def test_names_of_workflows_are_free_again_with_a_number(site: Site) -> None:
    with site.writing():
        project = Project.objects.get(key="LAS")
        scheme = workflow_scheme_for(project)
        assert scheme.name == "LAS: Software Simplified Workflow Scheme 2"
        name = "Software Simplified Workflow for Project LAS 2"
        assert scheme.default_workflow.name == name


def test_desks_have_workflows_by_the_type_of_a_request(site: Site) -> None:
    with site.store():
        project = Project.objects.get(key="IT")
        paths = Paths([project.workflow_scheme_id])
        kinds = {kind.name: kind.id for kind in _types(project)}
        flows = {
            name: paths.workflow_id(project.workflow_scheme_id, id) for name, id in kinds.items()
        }
    assert len(set(flows.values())) == 3
    incident = site.issue(project={"key": "IT"}, issuetype={"name": "[System] Incident"})
    assert take(site, incident, "Investigate")["status"]["name"] == "In Progress"
    fields = take(site, incident, "Cancel")
    assert (fields["status"]["name"], fields["resolution"]["name"]) == ("Canceled", "Won't Do")
    assert take(site, incident, "Reopen")["resolution"] is None
    asked = site.issue(project={"key": "IT"}, issuetype={"name": "[System] Service request"})
    assert site.get(f"issue/{asked}")["fields"]["status"]["name"] == "Waiting for support"
    assert take(site, asked, "Respond to customer")["status"]["name"] == "Waiting for customer"


def _types(project: Project) -> list[Any]:
    return [item.issue_type for item in project.issue_type_scheme.items.order_by("id")]


def test_approvals_are_properties_of_a_status_and_their_transitions_are_hidden(
    site: Site,
) -> None:
    kind = {"name": "[System] Service request with approvals"}
    key = site.issue(project={"key": "IT"}, issuetype=kind)
    assert moves(site, key) == {"Withdraw": "131"}
    name = "Service Request Fulfilment with Approvals for IT"
    path = "workflows?useApprovalConfiguration=true"
    [flow] = site.post(path, {"workflowNames": [name]}, status=200)["workflows"]
    [waiting] = [one for one in flow["statuses"] if one["approvalConfiguration"]]
    assert waiting["approvalConfiguration"]["transitionApproved"] == "111"
    assert waiting["approvalConfiguration"]["fieldId"] == "customfield_10003"
    assert waiting["properties"] == {}
    found = read(site, name)
    properties = [one["properties"] for one in found["workflow"]["statuses"] if one["properties"]]
    assert properties[0]["approval.transition.rejected"] == "121"
    # What one may do with the other form is the same to a client that sends it back.
    body = payload({"workflow": flow, "statuses": found["statuses"]})
    site.post("workflows/update", body, status=200)
    assert [
        one["properties"] for one in read(site, name)["workflow"]["statuses"] if one["properties"]
    ] == properties


def test_a_pending_approval_keeps_a_request_where_it_is(site: Site) -> None:
    key = site.issue()
    condition = rule("block-in-progress-approval")
    change(site, "31", conditions={"operation": "ALL", "conditions": [condition]})
    with site.writing():
        user = User.objects.get(account_id=site.ids["ada"])
        issue = user.reported.select_related("status").get(key=key)
        Approval.objects.create(
            id=1, issue=issue, name="Go?", status=issue.status, created=issue.created
        )
    assert "Done" not in moves(site, key)
    with site.writing():
        Approval.objects.update(decision="approved")
    assert "Done" in moves(site, key)


def test_a_transition_may_lead_back_and_call_a_webhook(site: Site) -> None:
    hook = {"name": "CI", "url": "https://ci.example/hook", "events": []}
    made = site.post("/rest/webhooks/1.0/webhook", hook)
    id = made["self"].rpartition("/")[2]
    found = read(site)
    steps = found["workflow"]["transitions"]
    steps.append(
        {
            "id": "41",
            "name": "Build again",
            "type": "GLOBAL",
            "actions": [rule("trigger-webhook", webhookId=id)],
        }
    )
    site.post("workflows/update", payload(found), status=200)
    key = site.issue()
    before = site.get(f"issue/{key}")["fields"]
    [again] = [
        move
        for move in site.get(f"issue/{key}/transitions")["transitions"]
        if move["name"] == "Build again"
    ]
    assert (again["isLooped"], again["to"]["name"]) == (True, "To Do")
    after = take(site, key, "Build again")
    assert after["status"] == before["status"]
    assert site.get(f"issue/{key}/changelog")["total"] == 0
    with site.store():
        assert Delivery.objects.filter(clone="tracker", webhook=id).count() == 1


def test_a_team_managed_space_has_a_workflow_of_its_own(site: Site) -> None:
    with site.writing():
        dev = User.objects.get(account_id=site.ids["dev"])
        create_project(
            "TEAM",
            "Team",
            type="software",
            template="com.pyxis.greenhopper.jira:gh-simplified-agility-scrum",
            lead=dev,
            actor=Rights(User.objects.get(account_id=site.ids["ada"])),
        )
        project = Project.objects.get(key="TEAM")
        assert project.simplified
        id = str(project.id)
    found = site.get("workflows/search?scope=PROJECT&expand=values.transitions")
    [flow] = found["values"]
    assert flow["scope"] == {"type": "PROJECT", "project": {"id": id}}
    assert {status["scope"]["type"] for status in found["statuses"]} == {"PROJECT"}
    key = site.issue(project={"key": "TEAM"})
    assert take(site, key, "Done")["resolution"]["name"] == "Done"
    body = payload({"workflow": flow, "statuses": found["statuses"]})
    transition({"workflow": flow}, "31")["name"] = "Finish"
    screen = rule("transition-screen", screenId="1")
    transition({"workflow": flow}, "21")["transitionScreen"] = screen
    refused = site.post("workflows/update", body, status=400)
    text = "The rule system:transition-screen can't be used in this kind of project."
    assert refused["errorMessages"] == [text]
    reminder = rule("remind-people-to-update-fields", remindingFieldIds="assignee")
    transition({"workflow": flow}, "21")["transitionScreen"] = reminder
    site.post("workflows/update", body, status=200)
    assert "Finish" in moves(site, key)
    [after] = site.get("workflows/search?scope=PROJECT&expand=values.transitions")["values"]
    shown = transition({"workflow": after}, "21")["transitionScreen"]
    assert shown["ruleKey"] == "system:remind-people-to-update-fields"
    site.post("workflows/update", body, by="dana", status=401)
