"""Flows that start by themselves: before a save, after it, a while later, by a schedule."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from clones.core import clock, jobs
from clones.core.models.post import Message
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_custom import define
from tests.crm.test_mailing import template
from tests.crm.test_queries import rows
from tests.crm.test_workflow import TOOLING, change, deal, rule, tool, update, wait

FLOW = f"{TOOLING}/Flow"


def to(name: str) -> dict[str, str]:
    """Return a connector."""
    return {"targetReference": name}


def text(value: str) -> dict[str, str]:
    """Return a value that is a text."""
    return {"stringValue": value}


def at(reference: str) -> dict[str, str]:
    """Return a value that is somewhere else."""
    return {"elementReference": reference}


def setting(name: str, *assigned: tuple[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return an update of the record that a flow starts for."""
    given = [{"field": field, "value": value} for field, value in assigned]
    return {"name": name, "inputReference": "$Record", "inputAssignments": given, **more}


def metadata(first: str, trigger: str = "RecordAfterSave", **more: Any) -> dict[str, Any]:
    """Return the metadata of an active flow over opportunities."""
    start = {
        "object": "Opportunity",
        "triggerType": trigger,
        "recordTriggerType": "CreateAndUpdate",
        "connector": to(first),
        **more.pop("start", {}),
    }
    return {"label": "My Flow", "status": "Active", "start": start, **more}


def flow(org: Org, first: str, trigger: str = "RecordAfterSave", **more: Any) -> str:
    """Define an active flow over opportunities, and return the id of its version."""
    name = more.pop("name", "My_Flow")
    body = {"FullName": name, "Metadata": metadata(first, trigger, **more)}
    return str(org.call("POST", FLOW, body, status=201)["id"])


def test_a_flow_before_the_save_sets_values_and_rules_see_them(org: Org) -> None:
    decision = {
        "name": "Size",
        "rules": [
            {
                "name": "Big",
                "conditionLogic": "and",
                "conditions": [
                    {
                        "leftValueReference": "$Record.Amount",
                        "operator": "GreaterThan",
                        "rightValue": {"numberValue": 100},
                    }
                ],
                "connector": to("Set_Big"),
            }
        ],
        "defaultConnector": to("Set_Small"),
    }
    flow(
        org,
        "Size",
        "RecordBeforeSave",
        decisions=[decision],
        recordUpdates=[
            setting("Set_Big", ("NextStep", text("big")), ("Probability", {"numberValue": 33})),
            setting("Set_Small", ("NextStep", text("small"))),
        ],
    )
    body = {
        "active": True,
        "errorConditionFormula": "NextStep = 'big' && Name = 'Deal'",
        "errorMessage": "Say why.",
    }
    tool(org, "ValidationRule", "Opportunity.Why", **body)
    shown = org.show("Opportunity", deal(org, Amount=5))
    assert (shown["NextStep"], shown["Probability"]) == ("small", 10)
    values = {"Name": "x", "StageName": "Prospecting", "CloseDate": "2026-01-01", "Amount": 101}
    error = org.refused("POST", "/sobjects/Opportunity", {**values, "Name": "Deal"})
    assert error["message"] == "Say why."
    shown = org.show("Opportunity", deal(org, Amount=101, Name="so"))
    assert (shown["NextStep"], shown["Probability"]) == ("big", 33)


@pytest.mark.parametrize(
    ("start", "created", "edited", "again"),
    [
        ({"recordTriggerType": "Create"}, 1, 1, 1),
        ({"recordTriggerType": "Update"}, 0, 1, 2),
        ({"recordTriggerType": "CreateAndUpdate"}, 1, 2, 3),
        (
            {
                "filters": [{"field": "Amount", "operator": "EqualTo",
                             "value": {"numberValue": 7}}],
                "doesRequireRecordChangedToMeetCriteria": True,
            },
            1,
            1,
            1,
        ),
        ({"filterFormula": "ISCHANGED({!$Record.NextStep})"}, 0, 1, 2),
        (
            {"filters": [{"field": "NextStep", "operator": "IsChanged",
                          "value": {"booleanValue": True}}]},
            0, 1, 2,
        ),
        ({"filterFormula": "{!$Record.Amount} = 8"}, 0, 0, 0),
    ],
)  # fmt: skip
def test_when_flows_start(
    org: Org, start: dict[str, Any], created: int, edited: int, again: int
) -> None:
    define(org, "Opportunity.N__c", "Number", precision=5, scale=0)
    more = {
        "name": "More",
        "dataType": "Number",
        "expression": "BLANKVALUE({!$Record.N__c}, 0) + 1",
    }
    updates = [setting("Count", ("N__c", at("More")))]
    flow(org, "Count", "RecordBeforeSave", start=start, formulas=[more], recordUpdates=updates)
    made = deal(org, Amount=7)
    found = [org.show("Opportunity", made)["N__c"] or 0]
    for word in ("x", "y"):
        change(org, made, NextStep=word)
        found.append(org.show("Opportunity", made)["N__c"] or 0)
    assert found == [created, edited, again]


def test_a_flow_after_the_save_makes_finds_changes_and_deletes_records(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    old = org.make("Contact", LastName="Old", AccountId=account)
    same_account = [
        {"field": "AccountId", "operator": "EqualTo", "value": at("$Record.AccountId")},
        {"field": "LastName", "operator": "EqualTo", "value": text("Old")},
    ]
    flow(
        org,
        "Get_Account",
        recordLookups=[
            {
                "name": "Get_Account",
                "object": "Account",
                "filters": [
                    {"field": "Id", "operator": "EqualTo", "value": at("$Record.AccountId")}
                ],
                "connector": to("Make"),
            }
        ],
        textTemplates=[{"name": "Words", "text": "For {!Get_Account.Name}: {!$Record.Amount}"}],
        recordCreates=[
            {
                "name": "Make",
                "object": "Contact",
                "inputAssignments": [
                    {"field": "LastName", "value": at("Words")},
                    {"field": "AccountId", "value": at("$Record.AccountId")},
                ],
                "connector": to("Mark"),
            }
        ],
        recordUpdates=[
            {
                "name": "Mark",
                "object": "Account",
                "filters": [
                    {"field": "Id", "operator": "EqualTo", "value": at("$Record.AccountId")}
                ],
                "inputAssignments": [{"field": "Description", "value": at("Make")}],
                "connector": to("Own"),
            },
            setting("Own", ("NextStep", text("done")), connector=to("Drop")),
        ],
        recordDeletes=[{"name": "Drop", "object": "Contact", "filters": same_account}],
    )
    made = deal(org, AccountId=account, Amount=12.5)
    (contact,) = rows(org, "SELECT Id, LastName FROM Contact")
    assert contact["LastName"] == "For Acme: 12.5"
    assert org.show("Account", account)["Description"] == contact["Id"]
    assert org.show("Opportunity", made)["NextStep"] == "done"
    assert org.refused("GET", f"/sobjects/Contact/{old}")["errorCode"] == "ENTITY_IS_DELETED"


def test_loops_and_variables_add_up(org: Org) -> None:
    account = org.make("Account", Name="Acme")
    for number in (1, 2, 4):
        deal(org, AccountId=account, Amount=number)
    total = {"name": "total", "dataType": "Number", "value": {"numberValue": 0}}
    item = {
        "assignToReference": "total",
        "operator": "Add",
        "value": at("Each.Amount"),
    }
    flow(
        org,
        "All",
        "RecordBeforeSave",
        start={"object": "Account"},
        variables=[total],
        recordLookups=[
            {
                "name": "All",
                "object": "Opportunity",
                "getFirstRecordOnly": False,
                "filters": [{"field": "AccountId", "operator": "EqualTo",
                             "value": at("$Record.Id")}],
                "connector": to("Each"),
            }
        ],
        loops=[
            {
                "name": "Each",
                "collectionReference": "All",
                "nextValueConnector": to("Sum"),
                "noMoreValuesConnector": to("Keep"),
            }
        ],
        assignments=[{"name": "Sum", "assignmentItems": [item], "connector": to("Each")}],
        recordUpdates=[setting("Keep", ("AnnualRevenue", at("total")))],
    )  # fmt: skip
    change(org, account, "Account", Description="x")
    assert org.show("Account", account)["AnnualRevenue"] == 7


def test_what_fails_refuses_the_save_in_the_vendor_s_words(org: Org) -> None:
    bad = {
        "name": "Make",
        "object": "Contact",
        "inputAssignments": [{"field": "FirstName", "value": text("x")}],
    }
    flow(org, "Make", recordCreates=[bad])
    values = {"Name": "x", "StageName": "x", "CloseDate": "2026-01-01"}
    error = org.refused("POST", "/sobjects/Opportunity", values)
    assert error["errorCode"] == "CANNOT_EXECUTE_FLOW_TRIGGER"
    assert error["message"] == (
        "We can't save this record because the “My Flow” process failed. Give your Salesforce"
        " admin these details. This error occurred when the flow tried to create records:"
        " REQUIRED_FIELD_MISSING: Required fields are missing: [LastName]. You can look up"
        " ExceptionCode values in the SOAP API Developer Guide."
    )
    assert rows(org, "SELECT Id FROM Opportunity") == []


def test_a_fault_can_lead_somewhere(org: Org) -> None:
    bad = {
        "name": "Make",
        "object": "Contact",
        "inputAssignments": [{"field": "FirstName", "value": text("x")}],
        "faultConnector": to("Own"),
    }
    fault = setting("Own", ("Description", at("$Flow.FaultMessage")))
    flow(org, "Make", recordCreates=[bad], recordUpdates=[fault])
    shown = org.show("Opportunity", deal(org))
    assert shown["Description"].startswith("REQUIRED_FIELD_MISSING")


def test_a_flow_refuses_a_record_in_its_own_words(org: Org) -> None:
    message = {
        "errorMessage": "No {!$Record.Name} here",
        "isFieldError": True,
        "fieldSelection": "Name",
    }
    errors = [{"name": "No", "customErrorMessages": [message]}]
    flow(org, "No", "RecordBeforeSave", customErrors=errors)
    values = {"Name": "deal", "StageName": "x", "CloseDate": "2026-01-01"}
    error = org.refused("POST", "/sobjects/Opportunity", values)
    assert (error["errorCode"], error["message"], error["fields"]) == (
        "FIELD_CUSTOM_VALIDATION_EXCEPTION",
        "No deal here",
        ["Name"],
    )


def test_unverified_a_flow_does_not_start_again_by_what_it_does(org: Org) -> None:
    define(org, "Opportunity.N__c", "Number", precision=5, scale=0)
    more = {
        "name": "More",
        "dataType": "Number",
        "expression": "BLANKVALUE({!$Record.N__c}, 0) + 1",
    }
    flow(org, "Own", formulas=[more], recordUpdates=[setting("Own", ("N__c", at("More")))])
    made = deal(org)
    assert org.show("Opportunity", made)["N__c"] == 1
    change(org, made, Description="x")
    assert org.show("Opportunity", made)["N__c"] == 2


def test_a_flow_before_a_deletion_refuses_it_or_does_something_else(org: Org) -> None:
    firm = [{"field": "Id", "operator": "EqualTo", "value": at("$Record.AccountId")}]
    is_kept = {"field": "NextStep", "operator": "EqualTo", "value": text("keep")}
    on_delete = {"recordTriggerType": "Delete"}
    message = {"errorMessage": "Kept.", "isFieldError": False}
    flow(
        org,
        "No",
        "RecordBeforeDelete",
        name="Keep",
        start={**on_delete, "filters": [is_kept]},
        customErrors=[{"name": "No", "customErrorMessages": [message]}],
    )
    mark = {
        "name": "Mark",
        "object": "Account",
        "filters": firm,
        "inputAssignments": [{"field": "Description", "value": at("$Record.Name")}],
    }
    updates = [mark]
    flow(org, "Mark", "RecordBeforeDelete", name="Note", start=on_delete, recordUpdates=updates)
    account = org.make("Account", Name="Acme")
    made = deal(org, AccountId=account, NextStep="keep")
    error = org.refused("DELETE", f"/sobjects/Opportunity/{made}")
    assert (error["errorCode"], error["message"]) == ("FIELD_CUSTOM_VALIDATION_EXCEPTION", "Kept.")
    change(org, made, NextStep="go")
    org.call("DELETE", f"/sobjects/Opportunity/{made}", status=204)
    assert org.show("Account", account)["Description"] == "Deal"


def test_records_that_make_records_without_end_are_refused(org: Org) -> None:
    make = {
        "name": "Make",
        "object": "Contact",
        "inputAssignments": [{"field": "LastName", "value": text("Child")}],
    }
    flow(org, "Make", start={"object": "Contact"}, recordCreates=[make])
    error = org.refused("POST", "/sobjects/Contact", {"LastName": "First"})
    assert error["errorCode"] == "CANNOT_EXECUTE_FLOW_TRIGGER"
    assert "Maximum trigger depth exceeded" in error["message"]
    assert rows(org, "SELECT Id FROM Contact") == []


def test_elements_that_lead_to_one_another_end(org: Org) -> None:
    item = {"assignToReference": "$Record.NextStep", "operator": "Assign", "value": text("x")}
    both = [
        {"name": "A", "assignmentItems": [item], "connector": to("B")},
        {"name": "B", "assignmentItems": [item], "connector": to("A")},
    ]
    flow(org, "A", "RecordBeforeSave", assignments=both)
    values = {"Name": "x", "StageName": "x", "CloseDate": "2026-01-01"}
    error = org.refused("POST", "/sobjects/Opportunity", values)
    assert error["errorCode"] == "CANNOT_EXECUTE_FLOW_TRIGGER"


def test_mails_and_alerts(org: Org) -> None:
    template(org, Subject="Won {!Opportunity.Name}", Body="Well done")
    owner = [{"type": "owner"}]
    tool(org, "WorkflowAlert", "Opportunity.Tell", template="Welcome", recipients=owner)
    given = {
        "emailAddresses": "ann@acme.example",
        "emailSubject": "About {!$Record.Name}",
        "emailBody": "Hello",
    }
    parameters = [{"name": name, "value": text(value)} for name, value in given.items()]
    parameters.append({"name": "logEmailOnSend", "value": {"booleanValue": True}})
    mail = {"name": "Mail", "actionType": "emailSimple", "inputParameters": parameters}
    alert = {"name": "Alert", "actionType": "emailAlert", "actionName": "Opportunity.Tell"}
    flow(org, "Mail", actionCalls=[{**mail, "connector": to("Alert")}, alert])
    made = deal(org)
    with org.reading():
        sent = [(one.subject, one.recipients) for one in Message.objects.order_by("id")]
    assert sent == [
        ("About Deal", ["ann@acme.example"]),
        ("Won Deal", [f"Ada Quist <{ADA}>"]),
    ]
    (message,) = rows(org, "SELECT Subject, RelatedToId, ToAddress FROM EmailMessage")
    assert message["RelatedToId"] == made
    (task,) = rows(org, "SELECT Subject, WhatId FROM Task")
    assert task == {"Subject": "Email: About Deal", "WhatId": made}


@pytest.mark.parametrize("still", [True, False])
def test_later_paths_run_on_the_sandbox_s_clock(org: Org, still: bool) -> None:
    path = {
        "name": "Later",
        "offsetNumber": 2,
        "offsetUnit": "Days",
        "timeSource": "RecordTriggerEvent",
        "connector": to("Late"),
    }
    is_open = {"field": "IsClosed", "operator": "EqualTo", "value": {"booleanValue": False}}
    start = {"scheduledPaths": [path], "connector": None, "filters": [is_open]}
    flow(org, "Late", start=start, recordUpdates=[setting("Late", ("NextStep", text("late")))])
    made = deal(org)
    wait(org, days=1, hours=23)
    assert org.show("Opportunity", made)["NextStep"] is None
    if not still:
        change(org, made, StageName="Closed Won")
    wait(org, hours=2)
    assert org.show("Opportunity", made)["NextStep"] == ("late" if still else None)


def test_scheduled_flows_run_every_day_for_the_records_that_meet_them(org: Org) -> None:
    define(org, "Opportunity.N__c", "Number", precision=5, scale=0)
    with org.reading():
        today = clock.now()
    schedule = {
        "frequency": "Daily",
        "startDate": (today + timedelta(days=1)).date().isoformat(),
        "startTime": "08:00:00.000Z",
    }
    start = {
        "schedule": schedule,
        "filters": [{"field": "Amount", "operator": "EqualTo", "value": {"numberValue": 7}}],
    }
    more = {
        "name": "More",
        "dataType": "Number",
        "expression": "BLANKVALUE({!$Record.N__c}, 0) + 1",
    }
    version = flow(
        org,
        "Own",
        "Scheduled",
        start=start,
        formulas=[more],
        recordUpdates=[setting("Own", ("N__c", at("More")))],
    )
    seven, eight = deal(org, Amount=7), deal(org, Amount=8)
    wait(org, days=3)
    first = org.show("Opportunity", seven)["N__c"]
    assert first in (2, 3)
    assert org.show("Opportunity", eight)["N__c"] is None
    org.call("PATCH", f"{FLOW}/{version}", {"Metadata": {"status": "Obsolete"}}, status=204)
    wait(org, days=3)
    assert org.show("Opportunity", seven)["N__c"] == first


def test_versions_take_over_from_one_another(org: Org) -> None:
    one = flow(org, "Own", recordUpdates=[setting("Own", ("NextStep", text("one")))])
    two = flow(org, "Own", recordUpdates=[setting("Own", ("NextStep", text("two")))])
    assert org.show("Opportunity", deal(org))["NextStep"] == "two"
    shown = org.call("GET", f"{FLOW}/{two}")
    assert (shown["VersionNumber"], shown["Status"]) == (2, "Active")
    where = f"{TOOLING}/FlowDefinition/{shown['DefinitionId']}"
    assert org.call("GET", where)["ActiveVersionId"] == two
    org.call("PATCH", where, {"Metadata": {"activeVersionNumber": 1}}, status=204)
    assert org.show("Opportunity", deal(org))["NextStep"] == "one"
    assert org.refused("DELETE", f"{FLOW}/{one}")["errorCode"] == "DELETE_FAILED"
    org.call("PATCH", where, {"Metadata": {"activeVersionNumber": 0}}, status=204)
    assert org.show("Opportunity", deal(org))["NextStep"] is None
    org.call("DELETE", f"{FLOW}/{one}", status=204)
    assert org.refused("PATCH", where, {"Metadata": {"activeVersionNumber": 9}})["status"] == 400
    refused = org.refused("POST", FLOW, {"FullName": "F", "Metadata": {}}, login=BEN)
    assert refused["status"] == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"start": {"object": "Nope"}},
        {"start": {"triggerType": "PlatformEvent"}},
        {"start": {"recordTriggerType": "Now"}},
        {"start": {"recordTriggerType": "Delete"}},
        {"start": "x"},
        {"start": {"connector": to("Nope")}},
        {"start": {"filterFormula": "1 +"}},
        {"start": {"filterFormula": "{!$Record.Nope} = 1"}},
        {"start": {"filters": [{"field": "Nope", "operator": "EqualTo"}]}},
        {"start": {"filters": [{"field": "Name", "operator": "Is"}]}},
        {"start": {"filters": [{"field": "Name", "operator": "IsNull"}], "filterLogic": "1 AND 2"}},
        {"start": {"scheduledPaths": [{"offsetNumber": "x", "offsetUnit": "Days"}]}},
        {"start": {"triggerType": "Scheduled"}},
        {"start": {"triggerType": "Scheduled", "schedule": {"frequency": "Daily",
         "startDate": "soon", "startTime": "x"}}},
        {"start": {"scheduledPaths": [{"offsetNumber": 1, "offsetUnit": ["Days"]}]}},
        {"customErrors": [{"name": "E", "customErrorMessages": 7}]},
        {"screens": [{"name": "S"}]},
        {"decisions": "x"},
        {"decisions": [{"name": "Own"}]},
        {"decisions": [{"name": "D", "rules": [{"conditions": [{"operator": "Is"}]}]}]},
        {"actionCalls": [{"name": "A", "actionType": "apex"}]},
        {"recordCreates": [{"name": "C", "object": "Nope"}]},
        {"assignments": [{"name": "A", "assignmentItems": [{"operator": "Guess"}]}]},
        {"assignments": [{"name": "A", "connector": to("Nope")}]},
    ],
)  # fmt: skip
def test_what_is_no_flow_is_not_kept(org: Org, wrong: dict[str, Any]) -> None:
    good = metadata("Own", recordUpdates=[setting("Own", ("NextStep", text("x")))])
    start = wrong.get("start")
    if isinstance(start, dict):
        wrong = {"start": {**good["start"], **start}}
    body = {"FullName": "Bad", "Metadata": {**good, **wrong}}
    assert org.refused("POST", FLOW, body)["status"] == 400


def test_formulas_that_refer_to_themselves_fail(org: Org) -> None:
    one = {"name": "One", "dataType": "Number", "expression": "{!Two} + 1"}
    two = {"name": "Two", "dataType": "Number", "expression": "{!One} + 1"}
    updates = [setting("Own", ("Amount", at("One")))]
    flow(org, "Own", "RecordBeforeSave", formulas=[one, two], recordUpdates=updates)
    values = {"Name": "x", "StageName": "x", "CloseDate": "2026-01-01"}
    error = org.refused("POST", "/sobjects/Opportunity", values)
    assert error["errorCode"] == "CANNOT_EXECUTE_FLOW_TRIGGER"


@pytest.mark.parametrize(
    "value",
    [
        {"numberValue": {"a": 1}},
        {"numberValue": 10**400},
        {"dateTimeValue": "0001-01-01T00:00:00+14:00"},
        {"stringValue": ["x"]},
        {"booleanValue": "yes"},
        at("All"),
    ],
)
def test_values_of_other_types_are_none(org: Org, value: dict[str, Any]) -> None:
    def holds(operator: str) -> dict[str, Any]:
        left = {"leftValueReference": "$Record.Amount", "operator": operator, "rightValue": value}
        return {"name": operator, "conditions": [left], "connector": to("Add")}

    operators = ("EqualTo", "GreaterThan", "LessThan", "Contains", "StartsWith")
    decision = {"name": "Which", "rules": [holds(one) for one in operators]}
    add = {"assignToReference": "sum", "operator": "Add", "value": value}
    subtract = {"assignToReference": "day", "operator": "Subtract", "value": value}
    day = {"name": "day", "dataType": "Date", "value": {"dateValue": "2026-01-01"}}
    flow(
        org,
        "All",
        variables=[{"name": "sum", "dataType": "Number", "value": {"numberValue": 1}}, day],
        recordLookups=[
            {
                "name": "All",
                "object": "User",
                "getFirstRecordOnly": False,
                "connector": to("Which"),
            }
        ],
        assignments=[{"name": "Add", "assignmentItems": [add, subtract]}],
        decisions=[{**decision, "defaultConnector": to("Add")}],
    )
    assert org.show("Opportunity", deal(org, Amount=1))["Amount"] == 1


def test_queries_of_the_tooling_resources_find_what_was_defined(org: Org) -> None:
    mark = update(org, "Opportunity.Mark", "NextStep", literalValue="a")
    made = rule(org, "Opportunity.All", mark, formula="TRUE")
    version = flow(org, "Own", recordUpdates=[setting("Own", ("NextStep", text("x")))])

    def found(query: str) -> list[dict[str, Any]]:
        answer = org.call("GET", f"/tooling/query?q={query.replace(' ', '+')}")
        return [
            {name: value for name, value in one.items() if name != "attributes"}
            for one in answer["records"]
        ]

    assert found("SELECT Id, Name FROM WorkflowRule WHERE TableEnumOrId = 'Opportunity'") == [
        {"Id": made, "Name": "All"}
    ]
    assert [one["Name"] for one in found("SELECT Name FROM WorkflowFieldUpdate")] == ["Mark"]
    assert found("SELECT Name FROM WorkflowTask") == []
    (shown,) = found("SELECT Id, DefinitionId, Status FROM Flow WHERE Status = 'Active'")
    assert (shown["Id"], shown["Status"]) == (version, "Active")
    (whole,) = found("SELECT Id, DeveloperName, ActiveVersionId FROM FlowDefinition")
    assert whole == {
        "Id": shown["DefinitionId"],
        "DeveloperName": "My_Flow",
        "ActiveVersionId": version,
    }


def test_one_record_goes_through_everything_in_the_vendor_s_order(org: Org) -> None:
    """Each stage adds a letter to the next step, so that it tells who came when."""

    def more(name: str, letter: str) -> dict[str, Any]:
        expression = f"{{!$Record.NextStep}} & '{letter}'"
        return {"name": name, "dataType": "String", "expression": expression}

    define(
        org,
        "Account.Deals__c",
        "Summary",
        summaryForeignKey="Opportunity.AccountId",
        summaryOperation="count",
    )
    flow(
        org,
        "Own",
        "RecordBeforeSave",
        name="Before",
        formulas=[more("More", "b")],
        recordUpdates=[setting("Own", ("NextStep", at("More")))],
    )
    tool(
        org,
        "ValidationRule",
        "Opportunity.Seen",
        active=True,
        errorConditionFormula="NextStep <> '-b'",
        errorMessage="Validation comes after flows before the save, and not again.",
    )
    letter = {"operation": "Formula", "formula": "NextStep & 'w'"}
    workflow = update(org, "Opportunity.More", "NextStep", **letter)
    rule(org, "Opportunity.All", workflow, formula="NextStep = '-b'", triggerType="onCreateOnly")
    seen = {"name": "Seen", "dataType": "String",
            "expression": "{!$Record.NextStep} & TEXT({!$Record.Account.Deals__c})"}  # fmt: skip
    flow(
        org,
        "Note",
        name="After",
        start={"recordTriggerType": "Create"},
        formulas=[seen],
        recordCreates=[
            {
                "name": "Note",
                "object": "Task",
                "inputAssignments": [{"field": "Subject", "value": at("Seen")}],
            }
        ],
    )
    account = org.make("Account", Name="Acme")
    made = deal(org, AccountId=account, NextStep="-")
    assert org.show("Opportunity", made)["NextStep"] == "-bw"
    (task,) = rows(org, "SELECT Subject FROM Task")
    assert task["Subject"] == "-bw0", "flows after the save see workflow's updates, no sums yet"
    assert org.show("Account", account)["Deals__c"] == 1
    with bind(org.row), unit_of_work("write"):
        assert all(run.error is None for run in jobs.advance(clock.now() + timedelta(days=1)))
