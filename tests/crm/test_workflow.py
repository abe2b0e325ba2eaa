"""Workflow rules: when they fire, what they do, in which order, and what is done later."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from clones.core import clock, jobs
from clones.core.models import Delivery, Job
from clones.core.models.post import Message
from clones.core.tenancy import unit_of_work
from clones.crm.models import rows_of
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_custom import define
from tests.crm.test_mailing import template
from tests.crm.test_queries import rows

TOOLING = "/tooling/sobjects"
WON = [{"field": "Opportunity.StageName", "operation": "equals", "value": "Closed Won"}]


def tool(org: Org, kind: str, full_name: str, **metadata: Any) -> str:
    """Define something by the tooling resources, and return its id."""
    body = {"FullName": full_name, "Metadata": metadata}
    return str(org.call("POST", f"{TOOLING}/{kind}", body, status=201)["id"])


def update(org: Org, full_name: str, field: str, **metadata: Any) -> dict[str, str]:
    """Define a field update, and return how rules name it."""
    values = {"operation": "Literal", "name": full_name, **metadata}
    tool(org, "WorkflowFieldUpdate", full_name, field=field, **values)
    return {"type": "FieldUpdate", "name": full_name.partition(".")[2]}


def rule(org: Org, full_name: str, *actions: dict[str, str], **metadata: Any) -> str:
    """Define an active rule."""
    usual = {"active": True, "triggerType": "onAllChanges", "actions": list(actions)}
    return tool(org, "WorkflowRule", full_name, **{**usual, **metadata})


def deal(org: Org, **values: Any) -> str:
    """Make an opportunity."""
    usual = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-03-01"}
    return org.make("Opportunity", **{**usual, **values})


def change(org: Org, id: str, of: str = "Opportunity", **values: Any) -> None:
    """Change a record."""
    org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)


def wait(org: Org, **time: float) -> None:
    """Let some time pass in the sandbox."""
    with bind(org.row), unit_of_work("write"):
        jobs.advance(clock.now() + timedelta(**time))


def test_updates_are_written_and_what_follows_from_them(org: Org) -> None:
    won = update(org, "Opportunity.Win", "StageName", literalValue="Closed Won")
    half = update(org, "Opportunity.Half", "Amount", operation="Formula", formula="Amount / 2")
    rule(org, "Opportunity.Big", won, half, formula="Amount > 100")
    shown = org.show("Opportunity", deal(org, Amount=201))
    assert (shown["StageName"], shown["Probability"], shown["IsWon"]) == ("Closed Won", 100, True)
    assert (shown["Amount"], shown["ExpectedRevenue"]) == (100.5, 100.5)
    histories = rows(org, "SELECT StageName FROM OpportunityHistory ORDER BY Id")
    assert [one["StageName"] for one in histories] == ["Prospecting", "Closed Won"]
    assert org.show("Opportunity", deal(org, Amount=10))["StageName"] == "Prospecting"


@pytest.mark.parametrize(
    ("when", "created", "edited", "again"),
    [
        ("onCreateOnly", 1, 1, 1),
        ("onAllChanges", 1, 2, 3),
        ("onCreateOrTriggeringUpdate", 1, 1, 1),
    ],
)
def test_when_rules_fire(org: Org, when: str, created: int, edited: int, again: int) -> None:
    define(org, "Opportunity.N__c", "Number", precision=5, scale=0)
    more = update(
        org, "Opportunity.More", "N__c", operation="Formula", formula="BLANKVALUE(N__c, 0) + 1"
    )
    rule(org, "Opportunity.Count", more, criteriaItems=WON, triggerType=when)
    made = deal(org, StageName="Closed Won")
    assert org.show("Opportunity", made)["N__c"] == created
    change(org, made, Description="x")
    assert org.show("Opportunity", made)["N__c"] == edited
    change(org, made, Description="y")
    assert org.show("Opportunity", made)["N__c"] == again
    change(org, made, StageName="Prospecting")
    change(org, made, StageName="Closed Won")
    met_anew = {"onCreateOnly": 1, "onAllChanges": 4, "onCreateOrTriggeringUpdate": 2}
    assert org.show("Opportunity", made)["N__c"] == met_anew[when]


def test_criteria_have_a_logic(org: Org) -> None:
    mark = update(org, "Opportunity.Mark", "Description", literalValue="marked")
    items = [
        *WON,
        {"field": "Amount", "operation": "greaterThan", "value": "10"},
        {"field": "Name", "operation": "startsWith", "value": "dea"},
    ]
    rule(org, "Opportunity.Any", mark, criteriaItems=items, booleanFilter="(1 OR 2) AND NOT 3")
    assert org.show("Opportunity", deal(org, Amount=11))["Description"] is None
    found = org.show("Opportunity", deal(org, Amount=11, Name="Other"))
    assert found["Description"] == "marked"
    assert org.show("Opportunity", deal(org, Amount=9, Name="Other"))["Description"] is None


def test_an_update_skips_validation_rules_but_not_required_fields(org: Org) -> None:
    mark = update(org, "Opportunity.Mark", "Description", literalValue="wrong")
    rule(org, "Opportunity.Always", mark, criteriaItems=WON)
    body = {
        "FullName": "Opportunity.Never",
        "Metadata": {
            "active": True,
            "errorConditionFormula": "Name = 'x' || NextStep = 'wrong'",
            "errorMessage": "No.",
        },
    }
    org.call("POST", f"{TOOLING}/ValidationRule", body, status=201)
    step = update(org, "Opportunity.Step", "NextStep", literalValue="wrong")
    rule(org, "Opportunity.Step", step, criteriaItems=WON)
    made = deal(org, StageName="Closed Won")
    assert org.show("Opportunity", made)["NextStep"] == "wrong"
    nothing = update(org, "Opportunity.Nothing", "StageName", operation="Null")
    rule(org, "Opportunity.Empty", nothing, formula="Amount = 7")
    values = {"Name": "a", "StageName": "b", "CloseDate": "2026-01-01", "Amount": 7}
    error = org.refused("POST", "/sobjects/Opportunity", values)
    assert (error["errorCode"], error["fields"]) == ("REQUIRED_FIELD_MISSING", ["StageName"])
    assert rows(org, "SELECT COUNT(Id) n FROM Opportunity") == [{"n": 1}]


def test_unverified_rules_are_looked_at_again_five_times(org: Org) -> None:
    define(org, "Opportunity.N__c", "Number", precision=5, scale=0)
    more = update(
        org,
        "Opportunity.More",
        "N__c",
        operation="Formula",
        formula="BLANKVALUE(N__c, 0) + 1",
        reevaluateOnChange=True,
    )
    rule(org, "Opportunity.Count", more, formula="TRUE")
    assert org.show("Opportunity", deal(org))["N__c"] == 6


def test_an_update_reaches_rules_that_were_not_met_only_where_it_says_so(org: Org) -> None:
    first = update(org, "Opportunity.First", "NextStep", literalValue="a", reevaluateOnChange=True)
    second = update(org, "Opportunity.Second", "Description", literalValue="b")
    rule(org, "Opportunity.A", first, formula="Amount = 1")
    rule(org, "Opportunity.B", second, formula="NextStep = 'a'")
    assert org.show("Opportunity", deal(org, Amount=1))["Description"] == "b"
    plain = update(org, "Opportunity.Plain", "NextStep", literalValue="a")
    rule(org, "Opportunity.C", plain, formula="Amount = 2")
    assert org.show("Opportunity", deal(org, Amount=2))["Description"] is None


def test_parents_owners_and_neighbours_are_updated(org: Org) -> None:
    firm = update(org, "Opportunity.Firm", "Rating", literalValue="Hot", targetObject="Account")
    ben = update(
        org,
        "Opportunity.Ben",
        "OwnerId",
        operation="LookupValue",
        lookupValue=BEN,
        lookupValueType="User",
    )
    next_ = update(org, "Opportunity.Next", "StageName", operation="NextValue")
    rule(org, "Opportunity.All", firm, ben, next_, formula="TRUE", triggerType="onCreateOnly")
    account = org.make("Account", Name="Acme")
    shown = org.show("Opportunity", deal(org, AccountId=account))
    assert (shown["OwnerId"], shown["StageName"]) == (org.users[BEN], "Qualification")
    assert org.show("Account", account)["Rating"] == "Hot"


def test_tasks_alerts_and_messages(org: Org) -> None:
    template(org, Subject="Won {!Opportunity.Name}", Body="By {!User.LastName}")
    tool(
        org,
        "WorkflowTask",
        "Opportunity.Thank",
        subject="Say thanks",
        status="Not Started",
        priority="High",
        assignedToType="user",
        assignedTo=BEN,
        dueDateOffset=3,
        offsetFromField="Opportunity.CloseDate",
    )
    tool(
        org,
        "WorkflowAlert",
        "Opportunity.Tell",
        template="Welcome",
        recipients=[{"type": "owner"}, {"type": "user", "recipient": BEN}],
        ccEmails=["boss@kestrel.example"],
    )
    message = tool(
        org,
        "WorkflowOutboundMessage",
        "Opportunity.Out",
        endpointUrl="http://hooks.kestrel.example/won",
        fields=["Id", "Name", "Amount"],
    )
    names = (("Task", "Thank"), ("Alert", "Tell"), ("OutboundMessage", "Out"))
    rule(org, "Opportunity.Won", *({"type": a, "name": b} for a, b in names), criteriaItems=WON)
    made = deal(org, StageName="Closed Won", Name="A & B", Amount=5)
    (task,) = rows(org, "SELECT Subject, WhatId, OwnerId, ActivityDate, IsHighPriority FROM Task")
    assert task == {
        "Subject": "Say thanks",
        "WhatId": made,
        "OwnerId": org.users[BEN],
        "ActivityDate": "2026-03-04",
        "IsHighPriority": True,
    }
    with org.reading():
        (sent,) = Message.objects.all()
        assert (sent.subject, sent.text) == ("Won A & B", "By Quist")
        assert [one.rpartition("<")[2] for one in sent.recipients] == [f"{ADA}>", f"{BEN}>"]
        assert sent.cc == ["boss@kestrel.example"]
        (owed,) = Delivery.objects.all()
        assert (owed.url, owed.webhook) == (
            "http://hooks.kestrel.example/won",
            f"outbound:{message}",
        )
        assert "<sf:Name>A &amp; B</sf:Name>" in owed.body
        assert f"<ActionId>{message}</ActionId>" in owed.body
        assert "<sf:Amount>5.0</sf:Amount>" in owed.body


def test_a_refused_record_sends_nothing(org: Org) -> None:
    template(org, Subject="x", Body="y")
    owner = [{"type": "owner"}]
    tool(org, "WorkflowAlert", "Opportunity.Tell", template="Welcome", recipients=owner)
    nothing = update(org, "Account.Nothing", "Name", operation="Null")
    rule(org, "Account.Empty", nothing, formula="TRUE")
    alert = {"type": "Alert", "name": "Tell"}
    rule(org, "Opportunity.Won", alert, formula="TRUE")
    define(
        org,
        "Account.Deals__c",
        "Summary",
        summaryForeignKey="Opportunity.AccountId",
        summaryOperation="count",
    )
    with bind(org.row), unit_of_work("read"):
        assert not rows_of("Account").exists()
    error = org.refused("POST", "/sobjects/Account", {"Name": "Acme"})
    assert error["errorCode"] == "REQUIRED_FIELD_MISSING"
    with org.reading():
        assert not Message.objects.exists()
        assert not rows_of("Account").exists()


@pytest.mark.parametrize("still", [True, False])
def test_what_is_due_later_is_done_if_the_rule_is_still_met(org: Org, still: bool) -> None:
    late = update(org, "Opportunity.Late", "NextStep", literalValue="late")
    times = [{"timeLength": "2", "workflowTimeTriggerUnit": "Days", "actions": [late]}]
    rule(
        org,
        "Opportunity.Slow",
        criteriaItems=[{"field": "StageName", "operation": "notEqual", "value": "Closed Won"}],
        triggerType="onCreateOrTriggeringUpdate",
        workflowTimeTriggers=times,
    )
    made = deal(org)
    wait(org, days=1, hours=23)
    assert org.show("Opportunity", made)["NextStep"] is None
    if not still:
        change(org, made, StageName="Closed Won")
    wait(org, hours=2)
    assert org.show("Opportunity", made)["NextStep"] == ("late" if still else None)


def test_what_is_due_later_waits_for_nothing_where_a_parent_decides(org: Org) -> None:
    late = update(org, "Opportunity.Late", "NextStep", literalValue="late")
    times = [{"timeLength": 2, "workflowTimeTriggerUnit": "Hours", "actions": [late]}]
    rule(
        org,
        "Opportunity.Slow",
        formula="ISPICKVAL(Account.Rating, 'Hot') || Name = 'Own'",
        triggerType="onCreateOrTriggeringUpdate",
        workflowTimeTriggers=times,
    )
    account = org.make("Account", Name="Acme", Rating="Hot")
    made, own = deal(org, AccountId=account), deal(org, Name="Own")
    with org.reading():
        assert Job.objects.filter(kind="crm.workflow", state="pending").count() == 2
    change(org, own, Name="Other")
    with org.reading():
        assert Job.objects.filter(kind="crm.workflow", state="pending").count() == 1
    change(org, account, "Account", Rating="Cold")
    wait(org, hours=3)
    assert org.show("Opportunity", made)["NextStep"] is None


def test_what_is_due_later_is_let_be_where_the_record_is_gone(org: Org) -> None:
    late = update(org, "Opportunity.Late", "NextStep", literalValue="late")
    times = [{"timeLength": 1, "workflowTimeTriggerUnit": "Hours", "actions": [late]}]
    rule(
        org,
        "Opportunity.Slow",
        formula="TRUE",
        triggerType="onCreateOnly",
        workflowTimeTriggers=times,
    )
    made = deal(org)
    org.call("DELETE", f"/sobjects/Opportunity/{made}", status=204)
    with bind(org.row), unit_of_work("write"):
        runs = jobs.advance(clock.now() + timedelta(hours=2))
    assert [run.error for run in runs if run.kind == "crm.workflow"] == [None]


def _bad(**metadata: Any) -> dict[str, Any]:
    usual = {"active": True, "triggerType": "onAllChanges", "formula": "TRUE", "actions": []}
    return {**usual, **metadata}


@pytest.mark.parametrize(
    ("kind", "metadata"),
    [
        ("WorkflowRule", _bad(triggerType="sometimes")),
        ("WorkflowRule", _bad(formula="1 + 1")),
        ("WorkflowRule", _bad(formula=None)),
        ("WorkflowRule", _bad(formula=["x"])),
        ("WorkflowRule", _bad(formula="\0", actions=[{"type": "\0", "name": "\0"}])),
        ("WorkflowRule", _bad(actions=[{"type": "Task", "name": "Nope"}])),
        ("WorkflowRule", _bad(actions=["x"])),
        ("WorkflowRule", _bad(criteriaItems=[{"field": "Nope", "operation": "equals"}])),
        ("WorkflowRule", _bad(criteriaItems=WON, booleanFilter="1 AND 2")),
        ("WorkflowRule", _bad(criteriaItems=WON, booleanFilter="(" * 500)),
        ("WorkflowRule", _bad(criteriaItems=WON, booleanFilter=[1])),
        ("WorkflowRule", _bad(criteriaItems=WON, booleanFilter=5)),
        ("WorkflowRule", _bad(workflowTimeTriggers=[{"workflowTimeTriggerUnit": "Days"}])),
        ("WorkflowRule", _bad(workflowTimeTriggers="x", triggerType="onCreateOnly")),
        (
            "WorkflowRule",
            _bad(workflowTimeTriggers=[{"timeLength": 1, "workflowTimeTriggerUnit": "Days"}]),
        ),
        ("WorkflowFieldUpdate", {"field": "Nope", "operation": "Null"}),
        ("WorkflowFieldUpdate", {"field": "Id", "operation": "Null"}),
        ("WorkflowFieldUpdate", {"field": "IsWon", "operation": "Null"}),
        ("WorkflowFieldUpdate", {"field": "Amount", "operation": "Literal", "literalValue": "x"}),
        ("WorkflowFieldUpdate", {"field": "Amount", "operation": "Formula", "formula": "Name"}),
        ("WorkflowFieldUpdate", {"field": "Amount", "operation": "Formula", "formula": 7}),
        ("WorkflowFieldUpdate", {"field": "Amount", "operation": "Guess"}),
        ("WorkflowFieldUpdate", {"field": "Name", "operation": "Null", "targetObject": "Nope"}),
        ("WorkflowAlert", {"template": "x"}),
        ("WorkflowAlert", {"template": "x", "recipients": ["x"]}),
        ("WorkflowAlert", {"recipients": [{"type": "owner"}]}),
        ("WorkflowTask", {"subject": "x"}),
        ("WorkflowTask", {"subject": "x", "status": "a", "priority": "b", "dueDateOffset": "²"}),
        ("WorkflowOutboundMessage", {"endpointUrl": "ftp://x"}),
        ("WorkflowOutboundMessage", {"endpointUrl": "http://x.example", "fields": ["Nope"]}),
    ],
)
def test_what_is_wrong_is_not_kept(org: Org, kind: str, metadata: dict[str, Any]) -> None:
    body = {"FullName": "Opportunity.Bad", "Metadata": metadata}
    assert org.refused("POST", f"{TOOLING}/{kind}", body)["status"] == 400


def test_rules_are_shown_changed_and_taken_away(org: Org) -> None:
    mark = update(org, "Opportunity.Mark", "NextStep", literalValue="a")
    made = rule(org, "Opportunity.All", mark, formula="TRUE")
    shown = org.call("GET", f"{TOOLING}/WorkflowRule/{made}")
    assert (shown["FullName"], shown["TableEnumOrId"]) == ("Opportunity.All", "Opportunity")
    assert shown["Metadata"]["formula"] == "TRUE"
    (action,) = [
        org.refused("DELETE", f"{TOOLING}/WorkflowFieldUpdate/{id}")
        for id in [tool_id(org, "Mark")]
    ]
    assert action["errorCode"] == "DEPENDENCY_EXISTS"
    off = {"Metadata": {"active": False}}
    org.call("PATCH", f"{TOOLING}/WorkflowRule/{made}", off, status=204)
    assert org.show("Opportunity", deal(org))["NextStep"] is None
    error = org.refused("POST", f"{TOOLING}/WorkflowRule", off, login=BEN)
    assert error["status"] == 403
    org.call("DELETE", f"{TOOLING}/WorkflowRule/{made}", status=204)
    org.call("DELETE", f"{TOOLING}/WorkflowFieldUpdate/{tool_id(org, 'Mark')}", status=204)
    assert org.refused("GET", f"{TOOLING}/WorkflowRule/{made}")["status"] == 404


def tool_id(org: Org, name: str) -> str:
    """Return the id of an action."""
    from clones.crm.models import WorkflowAction  # noqa: PLC0415 - the app may not be there

    with org.reading():
        return WorkflowAction.objects.get(name=name).id
