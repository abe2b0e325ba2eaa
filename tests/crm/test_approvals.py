"""Approvals: who decides, what follows, what is locked, and how it is told."""

from __future__ import annotations

from typing import Any, Final

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_soap import call as soap
from tests.crm.test_soap import elements, send

HERE: Final = "/process/approvals"
DEAL: Final = {"Name": "Lamps", "CloseDate": "2026-07-01", "StageName": "Prospecting"}


def step(name: str, *approvers: dict[str, str], **more: Any) -> dict[str, Any]:
    """Return a step of a process; `whenMultipleApprovers` goes where it belongs."""
    assigned = {"approver": list(approvers)}
    if "whenMultipleApprovers" in more:
        assigned["whenMultipleApprovers"] = more.pop("whenMultipleApprovers")
    return {"name": name, "label": name.replace("_", " "), "assignedApprover": assigned, **more}


BY_ADA: Final = {"type": "user", "name": ADA}
BY_BEN: Final = {"type": "user", "name": BEN}
CHOSEN: Final = {"type": "adhoc"}


def process(org: Org, *steps: dict[str, Any], name: str = "Large_Deals", **more: Any) -> str:
    """Give opportunities an approval process, and return its id."""
    from clones.crm.domain.approvals.defining import define_process  # noqa: PLC0415 - see IS_MADE

    given: dict[str, Any] = {
        "active": True,
        "label": name.replace("_", " "),
        "allowedSubmitters": [{"type": "allInternalUsers"}],
        "approvalStep": list(steps) or [step("Only", BY_ADA)],
        **more,
    }
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        return define_process(f"Opportunity.{name}", given, actor=org.users[ADA]).id


def action(org: Org, kind: str, called: str, **given: Any) -> dict[str, list[dict[str, str]]]:
    """Give opportunities a workflow action, and return the actions of a process that do it."""
    body = {"FullName": f"Opportunity.{called}", "Metadata": given}
    org.call("POST", f"/tooling/sobjects/Workflow{kind}", body, status=201)
    return {"action": [{"type": kind, "name": called}]}


def update(org: Org, name: str, value: str) -> dict[str, list[dict[str, str]]]:
    """Return the actions that set the next step of a deal."""
    return action(
        org,
        "FieldUpdate",
        name,
        name=name,
        field="NextStep",
        operation="Literal",
        literalValue=value,
    )


def ask(org: Org, kind: str, id: str, *, status: int = 200, login: str = BEN, **more: Any) -> Any:
    """Return what became of one request."""
    body = {"requests": [{"actionType": kind, "contextId": id, **more}]}
    (found,) = org.call("POST", HERE, body, status=status, login=login)
    return found


def refused(org: Org, kind: str, id: str, **how: Any) -> tuple[str, str]:
    """Return code and message of a refused request."""
    found = ask(org, kind, id, status=400, **how)
    assert found["success"] is False
    assert found["instanceId"] is None
    (error,) = found["errors"]
    return error["statusCode"], error["message"]


def rows(org: Org, soql: str) -> list[dict[str, Any]]:
    """Return the records of a query, their attributes left out."""
    found = org.call("GET", f"/query?q={soql.replace(' ', '+')}")["records"]
    return [{key: one[key] for key in one if key != "attributes"} for one in found]


def steps(org: Org) -> list[tuple[str, str]]:
    """Return what was done with approvals: the status of each step, and by whom."""
    names = {id: login for login, id in org.users.items()}
    found = rows(org, "SELECT StepStatus,ActorId FROM ProcessInstanceStep ORDER BY Id")
    return [(one["StepStatus"], names[one["ActorId"]]) for one in found]


def deal(org: Org, login: str = BEN, **more: Any) -> str:
    """Make a deal of somebody's, and return its id."""
    made = org.call("POST", "/sobjects/Opportunity", {**DEAL, **more}, status=201, login=login)
    return str(made["id"])


def test_a_record_is_submitted_locked_and_approved(org: Org) -> None:
    definition = process(
        org,
        initialSubmissionActions=update(org, "Sent", "Waits"),
        finalApprovalActions=update(org, "Done", "Approved"),
    )
    id = deal(org)
    found = ask(org, "Submit", id, comments="Please")
    (workitem,) = found["newWorkitemIds"]
    assert found == {
        "actorIds": [org.users[ADA]],
        "entityId": id,
        "errors": None,
        "instanceId": found["instanceId"],
        "instanceStatus": "Pending",
        "newWorkitemIds": [workitem],
        "success": True,
    }
    assert list(found) == [
        "actorIds",
        "entityId",
        "errors",
        "instanceId",
        "instanceStatus",
        "newWorkitemIds",
        "success",
    ]
    assert org.show("Opportunity", id)["NextStep"] == "Waits"
    (instance,) = rows(
        org,
        "SELECT Status,ProcessDefinitionId,SubmittedById,TargetObject.Name FROM ProcessInstance",
    )
    assert (instance["ProcessDefinitionId"], instance["SubmittedById"]) == (
        definition,
        org.users[BEN],
    )
    path = f"/sobjects/Opportunity/{id}"
    error = org.refused("PATCH", path, {"Amount": 5}, login=BEN)
    assert (error["status"], error["errorCode"]) == (400, "ENTITY_IS_LOCKED")
    assert error["message"].startswith("This record is locked.")
    assert org.refused("DELETE", path, login=BEN)["errorCode"] == "ENTITY_IS_LOCKED"
    org.call("PATCH", path, {"Amount": 6}, status=204)  # an administrator may
    found = ask(org, "Approve", workitem, comments="Fine", login=ADA)
    assert (found["instanceStatus"], found["actorIds"], found["newWorkitemIds"]) == (
        "Approved",
        None,
        [],
    )
    assert org.show("Opportunity", id)["NextStep"] == "Approved"
    org.call("PATCH", path, {"Amount": 7}, status=204, login=BEN)
    assert steps(org) == [("Started", BEN), ("Approved", ADA)]
    (instance,) = rows(
        org, "SELECT Status,LastActorId,CompletedDate,ElapsedTimeInDays FROM ProcessInstance"
    )
    assert (instance["Status"], instance["LastActorId"]) == ("Approved", org.users[ADA])
    assert instance["CompletedDate"] is not None
    assert refused(org, "Approve", workitem, login=ADA)[0] == "INVALID_CROSS_REFERENCE_KEY"


def test_a_rejection_ends_it_and_may_keep_the_lock(org: Org) -> None:
    process(
        org,
        finalRejectionRecordLock=True,
        finalRejectionActions=action(
            org,
            "Task",
            "Ask_why",
            subject="Ask why",
            status="Not Started",
            priority="Normal",
            assignedToType="owner",
        ),
    )
    id = deal(org)
    (workitem,) = ask(org, "Submit", id)["newWorkitemIds"]
    assert ask(org, "Reject", workitem, login=ADA)["instanceStatus"] == "Rejected"
    assert steps(org)[1:] == [("Rejected", ADA)]
    (task,) = rows(org, "SELECT Subject,WhatId,OwnerId FROM Task")
    assert task == {"Subject": "Ask why", "WhatId": id, "OwnerId": org.users[BEN]}
    error = org.refused("PATCH", f"/sobjects/Opportunity/{id}", {"Amount": 5}, login=BEN)
    assert error["errorCode"] == "ENTITY_IS_LOCKED"


def test_a_process_takes_what_meets_its_criteria_in_their_order(org: Org) -> None:
    large = {
        "criteriaItems": [
            {"field": "Opportunity.Amount", "operation": "greaterThan", "value": "1000"}
        ]
    }
    first = process(org, entryCriteria=large)
    second = process(org, name="By_formula", entryCriteria={"formula": "Amount > 10"})
    assert refused(org, "Submit", deal(org, Amount=5)) == (
        "NO_APPLICABLE_PROCESS",
        "No applicable approval process was found.",
    )
    for amount in (5000, 50):
        ask(org, "Submit", deal(org, Amount=amount))
    taken = rows(org, "SELECT ProcessDefinitionId FROM ProcessInstance ORDER BY Id")
    assert [one["ProcessDefinitionId"] for one in taken] == [first, second]
    named: dict[str, Any] = {"processDefinitionNameOrId": "By_formula"}
    small = deal(org, Amount=5)
    assert refused(org, "Submit", small, **named)[0] == "NO_APPLICABLE_PROCESS"
    assert ask(org, "Submit", small, **named, skipEntryCriteria="true")["success"] is True
    listed = org.call("GET", HERE)["approvals"]["Opportunity"]
    assert [(one["id"], one["name"], one["sortOrder"]) for one in listed] == [
        (first, "Large Deals", 1),
        (second, "By formula", 2),
    ]
    assert set(listed[0]) == {"description", "id", "name", "object", "sortOrder"}


def test_who_may_submit(org: Org) -> None:
    process(org, allowedSubmitters=[{"type": "owner"}])
    own, other = deal(org), deal(org, ADA)
    assert refused(org, "Submit", other)[0] == "NO_APPLICABLE_PROCESS"
    ask(org, "Submit", own)
    assert refused(org, "Submit", own) == (
        "ALREADY_IN_PROCESS",
        "Cannot submit object already in process.",
    )
    mine = deal(org)
    for_ada = {"contextActorId": org.users[ADA]}
    assert refused(org, "Submit", mine, **for_ada)[0] == "INSUFFICIENT_ACCESS_OR_READONLY"
    ask(org, "Submit", mine, login=ADA, contextActorId=org.users[BEN])
    assert ("Started", BEN) in steps(org)
    process(org, name="By_name", allowedSubmitters=[{"type": "user", "submitter": ADA}])
    ask(org, "Submit", deal(org, BEN), login=ADA)


def test_steps_one_after_the_other_each_with_its_actions(org: Org) -> None:
    process(
        org,
        step("First", BY_ADA, approvalActions=update(org, "Once", "Once")),
        step(
            "Skipped",
            BY_ADA,
            entryCriteria={"formula": "Amount > 100"},
            ifCriteriaNotMet="GotoNextStep",
        ),
        step("Last", BY_BEN, rejectBehavior={"type": "BackToPrevious"}),
    )
    id = deal(org, Amount=5)
    (workitem,) = ask(org, "Submit", id)["newWorkitemIds"]
    found = ask(org, "Approve", workitem, login=ADA)
    assert (found["instanceStatus"], found["actorIds"]) == ("Pending", [org.users[BEN]])
    assert org.show("Opportunity", id)["NextStep"] == "Once"
    nodes = rows(org, "SELECT ProcessNodeName,NodeStatus FROM ProcessInstanceNode ORDER BY Id")
    assert [tuple(one.values()) for one in nodes] == [("First", "Approved"), ("Last", "Pending")]
    (workitem,) = found["newWorkitemIds"]
    found = ask(org, "Reject", workitem)
    assert (found["instanceStatus"], found["actorIds"]) == ("Pending", [org.users[ADA]])
    nodes = rows(org, "SELECT ProcessNodeName FROM ProcessInstanceNode WHERE NodeStatus='Pending'")
    assert [one["ProcessNodeName"] for one in nodes] == ["Skipped"]


@pytest.mark.parametrize(
    ("otherwise", "status"), [("ApproveRecord", "Approved"), ("RejectRecord", "Rejected")]
)
def test_a_first_step_that_is_not_met_decides(org: Org, otherwise: str, status: str) -> None:
    process(
        org,
        step("Only", BY_ADA, entryCriteria={"formula": "Amount > 100"}, ifCriteriaNotMet=otherwise),
    )
    assert ask(org, "Submit", deal(org))["instanceStatus"] == status
    org.call("PATCH", f"/sobjects/Opportunity/{deal(org)}", {"Amount": 1}, status=204, login=BEN)


def test_all_have_to_approve_where_a_step_says_so(org: Org) -> None:
    process(org, step("Both", BY_ADA, BY_BEN, whenMultipleApprovers="Unanimous"))
    (one, other) = ask(org, "Submit", deal(org))["newWorkitemIds"]
    assert ask(org, "Approve", one, login=ADA)["instanceStatus"] == "Pending"
    assert ask(org, "Approve", other)["instanceStatus"] == "Approved"
    (one, _) = ask(org, "Submit", deal(org))["newWorkitemIds"]
    assert ask(org, "Reject", one, login=ADA)["instanceStatus"] == "Rejected"
    assert steps(org)[-2:] == [("Rejected", ADA), ("NoResponse", BEN)]
    assert rows(org, "SELECT Id FROM ProcessInstanceWorkitem") == []


def test_the_first_answer_counts_where_nothing_else_is_said(org: Org) -> None:
    process(org, step("Either", BY_ADA, BY_BEN))
    (_, other) = ask(org, "Submit", deal(org))["newWorkitemIds"]
    assert ask(org, "Approve", other)["instanceStatus"] == "Approved"
    assert steps(org)[-2:] == [("Approved", BEN), ("NoResponse", ADA)]


def test_managers_queues_and_chosen_ones_decide(org: Org) -> None:
    process(
        org,
        step("By_manager", {"type": "userHierarchyField", "name": "Manager"}),
        step("By_choice", CHOSEN),
        step("By_owner", {"type": "relatedUserField", "name": "OwnerId"}),
    )
    id = deal(org)
    assert refused(org, "Submit", id) == ("MANAGER_NOT_DEFINED", "Manager undefined.")
    assert rows(org, "SELECT Id FROM ProcessInstance") == []
    org.call("PATCH", f"/sobjects/Opportunity/{id}", {"Amount": 1}, status=204, login=BEN)
    org.call("PATCH", f"/sobjects/User/{org.users[BEN]}", {"ManagerId": org.users[ADA]}, status=204)
    found = ask(org, "Submit", id)
    assert found["actorIds"] == [org.users[ADA]]
    (workitem,) = found["newWorkitemIds"]
    assert refused(org, "Approve", workitem, login=ADA) == (
        "REQUIRED_FIELD_MISSING",
        "missing required field: [nextApproverIds]",
    )
    wrong = refused(org, "Approve", workitem, login=ADA, nextApproverIds=[id])
    assert wrong[0] == "INVALID_CROSS_REFERENCE_KEY"
    found = ask(org, "Approve", workitem, login=ADA, nextApproverIds=[org.users[ADA][:15]])
    assert found["actorIds"] == [org.users[ADA]]
    found = ask(org, "Approve", found["newWorkitemIds"][0], login=ADA)
    assert found["actorIds"] == [org.users[BEN]]


def test_anybody_in_a_queue_decides(org: Org) -> None:
    queue = org.make("Group", Name="Desk", DeveloperName="Desk", Type="Queue")
    process(org, step("Desk", {"type": "queue", "name": "Desk"}))
    found = ask(org, "Submit", deal(org))
    assert found["actorIds"] == [queue]
    (workitem,) = found["newWorkitemIds"]
    assert refused(org, "Approve", workitem)[0] == "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"
    org.make("GroupMember", GroupId=queue, UserOrGroupId=org.users[BEN])
    assert ask(org, "Approve", workitem)["instanceStatus"] == "Approved"


def test_unverified_others_do_not_decide_but_a_delegate_does(org: Org) -> None:
    delegated = step("Only", BY_ADA, allowDelegate=True)
    process(org, delegated)
    (workitem,) = ask(org, "Submit", deal(org))["newWorkitemIds"]
    assert refused(org, "Approve", workitem)[0] == "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY"
    change = {"DelegatedApproverId": org.users[BEN]}
    org.call("PATCH", f"/sobjects/User/{org.users[ADA]}", change, status=204)
    assert ask(org, "Approve", workitem)["instanceStatus"] == "Approved"
    (last,) = rows(
        org, "SELECT OriginalActorId,ActorId FROM ProcessInstanceStep WHERE StepStatus='Approved'"
    )
    assert last == {"OriginalActorId": org.users[ADA], "ActorId": org.users[BEN]}


def test_a_submitter_recalls_where_the_process_allows_it(org: Org) -> None:
    process(org, allowRecall=True, recallActions=update(org, "Back", "Recalled"))
    id = deal(org)
    (workitem,) = ask(org, "Submit", id)["newWorkitemIds"]
    found = ask(org, "Removed", workitem, comments="Too early")
    assert (found["instanceStatus"], found["newWorkitemIds"]) == ("Removed", [])
    assert steps(org)[-1] == ("Removed", BEN)
    assert org.show("Opportunity", id)["NextStep"] == "Recalled"
    org.call("PATCH", f"/sobjects/Opportunity/{id}", {"Amount": 1}, status=204, login=BEN)
    process(org, allowRecall=False)
    (workitem,) = ask(org, "Submit", id)["newWorkitemIds"]
    assert refused(org, "Removed", workitem)[0] == "INSUFFICIENT_ACCESS_OR_READONLY"
    assert ask(org, "Removed", workitem, login=ADA)["instanceStatus"] == "Removed"


def test_the_present_approver_may_change_the_record_where_the_process_says_so(org: Org) -> None:
    process(org, step("Only", BY_BEN), recordEditability="AdminOrCurrentApprover")
    id = deal(org, ADA)
    ask(org, "Submit", id, login=ADA)
    org.call("PATCH", f"/sobjects/Opportunity/{id}", {"Amount": 1}, status=204, login=BEN)
    (shown,) = rows(org, "SELECT LockType,State,TableEnumOrId FROM ProcessDefinition")
    assert (shown["State"], shown["TableEnumOrId"]) == ("Active", "Opportunity")


def test_a_request_is_given_to_somebody_else(org: Org) -> None:
    process(org)
    (workitem,) = ask(org, "Submit", deal(org))["newWorkitemIds"]
    path = f"/sobjects/ProcessInstanceWorkitem/{workitem}"
    given = {"ActorId": org.users[BEN]}
    assert org.ask("PATCH", path, given, login=BEN).status in (400, 403, 404)
    org.call("PATCH", path, given, status=204)
    assert steps(org)[-1] == ("Reassigned", ADA)
    assert ask(org, "Approve", workitem)["instanceStatus"] == "Approved"


def test_a_locked_lead_is_neither_converted_nor_merged(org: Org) -> None:
    from clones.crm.domain.approvals.locks import lock  # noqa: PLC0415 - see IS_MADE

    body = {"LastName": "Ode", "Company": "Ash"}
    ids = [org.call("POST", "/sobjects/Lead", body, status=201, login=BEN)["id"] for _ in "ab"]
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        lock(ids[0])
    wanted = {"leadId": ids[0], "convertedStatus": "Closed - Converted"}
    (converted,) = soap(org, "convertLead", {"leadConverts": wanted}, login=BEN)
    assert converted["errors"][0]["statusCode"] == ["ENTITY_IS_LOCKED"]
    request = {"masterRecord": {"type": "Lead", "Id": ids[1]}, "recordToMergeIds": ids[0]}
    (merged,) = soap(org, "merge", {"request": request}, login=BEN)
    assert merged["errors"][0]["statusCode"] == ["ENTITY_IS_LOCKED"]


def test_the_history_of_a_record_stands_below_it(org: Org) -> None:
    process(org)
    id = deal(org)
    (workitem,) = ask(org, "Submit", id, comments="Please")["newWorkitemIds"]
    query = (
        "SELECT Id,(SELECT Id,StepStatus,IsPending,Comments,ProcessNode.Name,Actor.Name"
        " FROM ProcessSteps ORDER BY CreatedDate,Id) FROM Opportunity"
    )
    (found,) = rows(org, query)
    below = found["ProcessSteps"]["records"]
    assert [(one["StepStatus"], one["IsPending"], one["Comments"]) for one in below] == [
        ("Started", False, "Please"),
        ("Pending", True, None),
    ]
    assert below[1]["Id"] == workitem
    assert (below[1]["ProcessNode"]["Name"], below[1]["Actor"]["Name"]) == ("Only", "Ada Quist")
    ask(org, "Approve", workitem, login=ADA)
    (found,) = rows(org, query)
    assert [one["StepStatus"] for one in found["ProcessSteps"]["records"]] == [
        "Started",
        "Approved",
    ]
    org.call("DELETE", f"/sobjects/Opportunity/{id}", status=204)
    assert rows(org, "SELECT Id FROM ProcessInstance") == []


def test_soap_submits_and_decides(org: Org) -> None:
    process(org)
    id = deal(org)

    def run(kind: str, login: str, **said: str) -> Any:
        inner = "".join(elements(name, value) for name, value in said.items())
        body = f'<process><actions xsi:type="{kind}">{inner}</actions></process>'
        status, answer = send(org, body, login=login)
        assert (status, answer.name) == (200, "processResponse")
        return answer.child("result")

    result = run("ProcessSubmitRequest", BEN, objectId=id, comments="Please")
    names = [one.name for one in result.children]
    assert names == [
        "actorIds",
        "entityId",
        "instanceId",
        "instanceStatus",
        "newWorkitemIds",
        "success",
    ]
    assert (result.said("instanceStatus"), result.said("actorIds")) == ("Pending", org.users[ADA])
    work = result.said("newWorkitemIds")
    refusal = run("ProcessSubmitRequest", BEN, objectId=id)
    assert refusal.child("errors").said("statusCode") == "ALREADY_IN_PROCESS"
    assert refusal.said("success") == "false"
    odd = run("ProcessWorkitemRequest", ADA, action="Ponder", workitemId=work)
    assert odd.child("errors").said("statusCode") == "INVALID_OPERATION"
    done = run("ProcessWorkitemRequest", ADA, action="Approve", workitemId=work)
    assert done.said("instanceStatus") == "Approved"
    assert run("Nothing", ADA).child("errors").said("statusCode") == "INVALID_TYPE"
    assert soap(org, "process") == []


def test_unverified_requests_are_answered_each_by_itself(org: Org) -> None:
    process(org)
    one, other = deal(org), deal(org)
    body = {
        "requests": [
            {"actionType": "Submit", "contextId": one},
            {"actionType": "Submit", "contextId": org.users[BEN]},
            {"actionType": "Submit", "contextId": other},
        ]
    }
    answer = org.call("POST", HERE, body, login=BEN)
    assert [entry["success"] for entry in answer] == [True, False, True]
    assert answer[2]["entityId"] == other


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {"requests": 1},
        {"requests": [1]},
        {"requests": [{}]},
        {"requests": [{"actionType": "Submit"}]},
        {"requests": [{"actionType": "Submit", "contextId": "x"}]},
        {"requests": [{"actionType": "Submit", "contextId": "0065g0000000000AAA"}]},
        {"requests": [{"actionType": "Submit", "contextId": "zzz5g0000000000AAA"}]},
        {"requests": [{"actionType": "Ponder", "contextId": "04i5g0000000000AAA"}]},
        {"requests": [{"actionType": "Approve", "contextId": "04i5g0000000000AAA"}]},
        {"requests": [{"actionType": ["Approve"], "contextId": {"a": "\0"}}]},
        {
            "requests": [
                {"actionType": "Submit", "contextId": "0065g0000000000AAA", "nextApproverIds": "x"}
            ]
        },
        {
            "requests": [
                {"actionType": "Submit", "contextId": "0065g0000000000AAA", "comments": "x" * 4001}
            ]
        },
        {
            "requests": [
                {"actionType": "Submit", "contextId": "0065g0000000000AAA", "contextActorId": 5}
            ]
        },
        {"requests": [{"actionType": "Submit", "contextId": "x"}] * 201},
    ],
)
def test_requests_that_cannot_be_carried_out(org: Org, body: Any) -> None:
    process(org)
    assert org.ask("POST", HERE, body).status == 400
    assert rows(org, "SELECT Id FROM ProcessInstance") == []


@pytest.mark.parametrize(
    "change",
    [
        {"allowedSubmitters": []},
        {"allowedSubmitters": [{"type": "everybody"}]},
        {"approvalStep": []},
        {"approvalStep": [{"name": "a b"}]},
        {"approvalStep": [step("One", BY_ADA), step("One", BY_ADA)]},
        {"approvalStep": [step("One", {"type": "user", "name": "nobody@x.example"})]},
        {"approvalStep": [step("One", {"type": "queue", "name": "Nothing"})]},
        {"approvalStep": [step("One", {"type": "relatedUserField", "name": "AccountId"})]},
        {"approvalStep": [step("One", {"type": "magic"})]},
        {"approvalStep": [step("One", BY_ADA, ifCriteriaNotMet="GotoNextStep")]},
        {"approvalStep": [step("One", BY_ADA, rejectBehavior={"type": "x"})]},
        {"entryCriteria": {"formula": "Amount"}},
        {"entryCriteria": {"criteriaItems": [{"field": "Nothing__c", "operation": "equals"}]}},
        {"finalApprovalActions": {"action": [{"type": "FieldUpdate", "name": "Nothing"}]}},
        {"recordEditability": "Anybody"},
        {"processOrder": "x"},
    ],
)
def test_processes_that_cannot_be_defined(org: Org, change: dict[str, Any]) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - see IS_MADE

    with pytest.raises(RecordError):
        process(org, **change)
    assert rows(org, "SELECT Id FROM ProcessDefinition") == []


def test_workflow_rules_are_listed(org: Org) -> None:
    acts = update(org, "Next", "Call")["action"]
    criteria = [{"field": "Opportunity.Name", "operation": "equals", "value": "Lamps"}]
    metadata = {"active": True, "triggerType": "onCreateOnly", "criteriaItems": criteria}
    body = {"FullName": "Opportunity.Call them", "Metadata": {**metadata, "actions": acts}}
    id = org.call("POST", "/tooling/sobjects/WorkflowRule", body, status=201)["id"]
    (rule,) = org.call("GET", "/process/rules")["rules"]["Opportunity"]
    assert (rule["id"], rule["name"], rule["actions"][0]["name"]) == (id, "Call them", "Next")
    assert org.call("GET", "/process/rules/Opportunity")["rules"] == {"Opportunity": [rule]}
    assert org.call("GET", f"/process/rules/Opportunity/{id}") == rule
    assert org.refused("GET", f"/process/rules/Account/{id}")["status"] == 404
    assert org.refused("GET", "/process/rules/Nothing")["status"] == 404


def test_an_action_submits(org: Org) -> None:
    process(org, step("Chosen", CHOSEN))
    names = [one["name"] for one in org.call("GET", "/actions/standard")["actions"]]
    assert "submit" in names
    id = deal(org)
    given = {"objectId": id, "comment": "Please", "nextApproverIds": [org.users[ADA]]}
    body = {"inputs": [given, given]}
    one, again = org.call("POST", "/actions/standard/submit", body, login=BEN)
    values = one["outputValues"]
    assert (values["entityId"], values["instanceStatus"], values["nextApproverIds"]) == (
        id,
        "Pending",
        [org.users[ADA]],
    )
    assert ask(org, "Approve", values["newWorkItemIds"][0], login=ADA)["instanceStatus"] == (
        "Approved"
    )
    assert (again["isSuccess"], again["outputValues"]) == (False, None)
    assert again["errors"][0]["statusCode"] == "ALREADY_IN_PROCESS"
    for wrong in ({"objectId": "x"}, {"objectId": [5]}, {**given, "nextApproverIds": ["x"]}, {}):
        answer = org.ask("POST", "/actions/standard/submit", {"inputs": [wrong]}, login=BEN)
        assert answer.status == 400, wrong
