"""Rules of assignment and of responses, queues."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import ADA, BEN, Org
from tests.crm.services import (
    letters,
    make_queue,
    make_template,
    set_rule,
    writing,
)


def filters(*items: tuple[str, str, str], logic: str | None = None) -> dict[str, Any]:
    """Return the condition of an entry in the vendor's metadata terms."""
    rows = [{"field": field, "operation": how, "value": value} for field, how, value in items]
    return {"criteriaItems": rows, **({} if logic is None else {"booleanFilter": logic})}


def to_ben(*items: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    """Return an entry that gives records to Ben."""
    return {**filters(*items), "assignedTo": BEN, "assignedToType": "User", **more}


HIGH = ("Case.Priority", "equals", "High")


def test_the_first_entry_that_is_met_assigns_a_case(org: Org) -> None:
    queue = make_queue(org, "Tier_1", "Case")
    entries = [
        to_ben(HIGH),
        {
            **filters(("Case.Origin", "equals", "Web, Email")),
            "assignedTo": "Tier_1",
            "assignedToType": "Queue",
        },
    ]
    set_rule(org, "assignment", "Case", entries)
    urgent = org.make("Case", Priority="High", Origin="Web")
    mailed = org.make("Case", Origin="Email")
    other = org.make("Case", Origin="Phone")
    assert org.show("Case", urgent)["OwnerId"] == org.users[BEN]
    assert org.show("Case", mailed)["OwnerId"] == queue
    assert org.show("Case", other)["OwnerId"] == org.users[ADA]


def test_a_header_says_which_rule_assigns(org: Org) -> None:
    active = set_rule(org, "assignment", "Case", [to_ben()])
    queue = make_queue(org, "Second", "Case")
    entry = {"assignedTo": "Second", "assignedToType": "Queue"}
    other = set_rule(org, "assignment", "Case", [entry], name="Other", active=False)
    ben, ada = org.users[BEN], org.users[ADA]
    for header, owner in (
        ({}, ben),
        ({"Sforce-Auto-Assign": "TRUE"}, ben),
        ({"Sforce-Auto-Assign": "false"}, ada),
        ({"Sforce-Auto-Assign": active}, ben),
        ({"Sforce-Auto-Assign": other}, queue),
        ({"Sforce-Auto-Assign": other[:15]}, queue),
    ):
        made = org.call("POST", "/sobjects/Case", {"Subject": "x"}, status=201, **header)
        assert org.show("Case", made["id"])["OwnerId"] == owner, header


def test_parts_of_a_composite_request_take_its_header(org: Org) -> None:
    set_rule(org, "assignment", "Case", [to_ben()])
    part = {
        "method": "POST",
        "url": "/services/data/v64.0/sobjects/Case",
        "referenceId": "a",
        "body": {},
    }
    off: dict[str, Any] = {"Sforce-Auto-Assign": "FALSE"}
    for header, owner in ((off, ADA), ({}, BEN)):
        answer = org.call("POST", "/composite", {"compositeRequest": [part]}, **header)
        id = answer["compositeResponse"][0]["body"]["id"]
        assert org.show("Case", id)["OwnerId"] == org.users[owner]


def test_unverified_a_change_is_assigned_as_a_creation_is(org: Org) -> None:
    id = org.make("Case", Subject="x")
    set_rule(org, "assignment", "Case", [to_ben(HIGH)])
    org.call(
        "PATCH",
        f"/sobjects/Case/{id}",
        {"Priority": "High"},
        status=204,
        **{"Sforce-Auto-Assign": "FALSE"},
    )
    assert org.show("Case", id)["OwnerId"] == org.users[ADA]
    org.call("PATCH", f"/sobjects/Case/{id}", {"Subject": "y"}, status=204)
    assert org.show("Case", id)["OwnerId"] == org.users[BEN]


def test_only_one_rule_is_active(org: Org) -> None:
    set_rule(org, "assignment", "Case", [to_ben()], name="A")
    set_rule(org, "assignment", "Case", [], name="B")
    set_rule(org, "assignment", "Lead", [to_ben()], name="A")
    found = org.call(
        "GET", "/query?q=SELECT Name, SobjectType, Active FROM AssignmentRule ORDER BY Id"
    )
    assert [(one["Name"], one["SobjectType"], one["Active"]) for one in found["records"]] == [
        ("A", "Case", False),
        ("B", "Case", True),
        ("A", "Lead", True),
    ]
    assert org.show("Case", org.make("Case"))["OwnerId"] == org.users[ADA]
    lead = org.show("Lead", org.make("Lead", LastName="Poe", Company="Raven"))
    assert lead["OwnerId"] == org.users[BEN]
    assert lead["IsUnreadByOwner"] is True


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        (filters(("Case.Subject", "contains", "PUMP")), True),
        (filters(("Case.Subject", "notContain", "pump")), False),
        (filters(("Case.Subject", "startsWith", "the, our")), True),
        (filters(("Case.Subject", "equals", "")), False),
        (filters(("Case.Reason", "equals", "")), True),
        (filters(("Case.Reason", "notEqual", "Breakdown")), True),
        (filters(("Case.IsClosed", "equals", "False")), True),
        (filters(("Account.NumberOfEmployees", "greaterThan", "99")), True),
        (filters(("Account.NumberOfEmployees", "lessOrEqual", "99")), False),
        (filters(("Account.Name", "equals", "brine")), True),
        (filters(("User.Username", "equals", ADA)), True),
        (filters(HIGH, ("Case.IsClosed", "equals", "False"), logic="1 OR 2"), True),
        (filters(HIGH, ("Case.IsClosed", "equals", "False"), logic="2 AND NOT 1"), True),
        (filters(HIGH, ("Case.IsClosed", "equals", "False"), logic="(1 OR 2) AND 1"), False),
        ({"formula": 'AND(NOT(IsClosed), Account.Name = "Brine")'}, True),
        ({"formula": "1 / (Account.NumberOfEmployees - 100) > 0"}, False),
        ({}, True),
    ],
)
def test_conditions(org: Org, condition: dict[str, Any], is_met: bool) -> None:
    account = org.make("Account", Name="Brine", NumberOfEmployees=100)
    set_rule(org, "assignment", "Case", [{**condition, "assignedTo": BEN}])
    case = org.make("Case", Subject="The pump hums", AccountId=account)
    assert (org.show("Case", case)["OwnerId"] == org.users[BEN]) is is_met


@pytest.mark.parametrize(
    "entry",
    [
        filters(("Case.Nothing", "equals", "1")),
        filters(("Account.NumberOfEmployees", "equals", "many")),
        filters(("Case.IsClosed", "resembles", "true")),
        filters(HIGH, logic="1 AND 2"),
        filters(HIGH, logic="1 AND"),
        filters(HIGH, logic="(" * 400 + "1" + ")" * 400),
        {"formula": "Nothing > 1"},
        {"criteriaItems": ["x"]},
        {"assignedTo": "nobody@kestrel.example", "assignedToType": "User"},
        {"assignedTo": "Leads_Only", "assignedToType": "Queue"},
        {"assignedTo": BEN, "template": "no_such_template"},
    ],
)
def test_an_entry_that_cannot_be_is_refused_whole(org: Org, entry: dict[str, Any]) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - the app may not be there

    make_queue(org, "Leads_Only", "Lead")
    with pytest.raises(RecordError):
        set_rule(org, "assignment", "Case", [to_ben(), entry])
    assert org.call("GET", "/query?q=SELECT COUNT() FROM AssignmentRule")["totalSize"] == 0


def test_who_gets_a_case_is_written_to_by_the_template_of_the_entry(org: Org) -> None:
    make_template(
        org,
        "Yours",
        "Case {!Case.CaseNumber}",
        "{!Case.Subject} of {!Account.Name}; {!User.Nothing}",
    )
    make_queue(org, "Tier_1", "Case", Email="tier1@kestrel.example", DoesSendEmailToMembers=True)
    group = org.call("GET", "/query?q=SELECT Id FROM Group WHERE DeveloperName = 'Tier_1'")
    org.make("GroupMember", GroupId=group["records"][0]["Id"], UserOrGroupId=org.users[BEN])
    entry = {"assignedTo": "Tier_1", "assignedToType": "Queue", "template": "Yours"}
    set_rule(org, "assignment", "Case", [entry])
    account = org.make("Account", Name="Brine")
    case = org.show("Case", org.make("Case", Subject="Leak", AccountId=account))
    ((subject, recipients, text),) = letters(org)
    assert subject == f"Case {case['CaseNumber']}"
    assert recipients == ["tier1@kestrel.example", BEN]
    assert text == "Leak of Brine; "


def test_a_record_without_an_entry_goes_to_the_default_owner(org: Org) -> None:
    from clones.crm.domain.service.settings import change_settings  # noqa: PLC0415 - see above

    with writing(org):
        change_settings("Case", {"defaultCaseOwner": BEN, "defaultCaseOwnerType": "User"})
    set_rule(org, "assignment", "Case", [{**filters(HIGH), "assignedTo": ADA}])
    assert org.show("Case", org.make("Case"))["OwnerId"] == org.users[BEN]
    assert org.show("Case", org.make("Case", Priority="High"))["OwnerId"] == org.users[ADA]


def test_a_queue_takes_only_its_objects(org: Org) -> None:
    queue = make_queue(org, "Tier_1", "Case")
    case = org.make("Case")
    org.call("PATCH", f"/sobjects/Case/{case}", {"OwnerId": queue}, status=204)
    lead = {"LastName": "Poe", "Company": "Raven", "OwnerId": queue}
    error = org.refused("POST", "/sobjects/Lead", lead)
    assert (error["errorCode"], error["fields"]) == ("FIELD_INTEGRITY_EXCEPTION", ["OwnerId"])
    assert error["message"] == "Queue not associated with this SObject type"
    group = org.make("Group", Name="All", DeveloperName="All_people", Type="Regular")
    assert org.refused("PATCH", f"/sobjects/Case/{case}", {"OwnerId": group})["status"] == 400
    found = org.call("GET", "/query?q=SELECT Owner.Name FROM Case")["records"][0]
    assert found["Owner"]["Name"] == "Tier_1"


def test_unverified_a_new_case_is_answered_by_the_rule_of_responses(org: Org) -> None:
    make_template(org, "Thanks", "Re: {!Case.Subject}", "{!Case.Thread_Id}")
    set_rule(org, "response", "Case", [{**filters(HIGH), "template": "Thanks"}])
    org.make("Case", SuppliedEmail="zoe@client.example", Subject="Leak", Priority="Low")
    assert letters(org) == []
    org.make("Case", SuppliedEmail="zoe@client.example", Subject="Leak", Priority="High")
    ((subject, recipients, text),) = letters(org)
    assert (subject, recipients) == ("Re: Leak", ["zoe@client.example"])
    assert text.startswith("ref:!00D")


ENVELOPE = """<?xml version="1.0" encoding="UTF-8"?>
<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"
 xmlns:u="urn:partner.soap.sforce.com" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<e:Header><u:SessionHeader><u:sessionId>{token}</u:sessionId></u:SessionHeader>{more}</e:Header>
<e:Body><u:create><u:sObjects><type>Case</type><Subject>x</Subject></u:sObjects></u:create></e:Body>
</e:Envelope>"""


def test_by_soap_a_case_is_assigned_where_a_header_asks_for_it(org: Org) -> None:
    rule = set_rule(org, "assignment", "Case", [to_ben()])

    def owner(more: str) -> str:
        body = ENVELOPE.format(token=org.token(), more=more)
        path = "/services/Soap/u/64.0"
        answer = org.client().generic("POST", path, body, "text/xml", headers={"SOAPAction": '""'})
        assert answer.status_code == 200, answer.content
        found = org.call(
            "GET", "/query?q=SELECT OwnerId FROM Case ORDER BY CaseNumber DESC LIMIT 1"
        )
        return str(found["records"][0]["OwnerId"])

    header = "<u:AssignmentRuleHeader>{}</u:AssignmentRuleHeader>".format
    assert owner("") == org.users[ADA]
    assert owner(header("<u:useDefaultRule>true</u:useDefaultRule>")) == org.users[BEN]
    assert owner(header("<u:useDefaultRule>false</u:useDefaultRule>")) == org.users[ADA]
    assert owner(header(f"<u:assignmentRuleId>{rule}</u:assignmentRuleId>")) == org.users[BEN]


@pytest.mark.parametrize("kind", ["AssignmentRule", "AutoResponseRule", "EscalationRule"])
def test_rules_are_defined_shown_changed_and_taken_away_by_tooling(org: Org, kind: str) -> None:
    make_template(org, "Thanks", "x", "y")
    own = {
        "AssignmentRule": to_ben(HIGH),
        "AutoResponseRule": {**filters(HIGH), "template": "Thanks"},
        "EscalationRule": {**filters(HIGH), "escalationAction": [{"minutesToEscalation": 5}]},
    }[kind]
    where = f"/tooling/sobjects/{kind}"
    metadata = {"active": True, "ruleEntry": [own]}
    made = org.call("POST", where, {"FullName": "Case.Standard", "Metadata": metadata}, status=201)
    shown = org.call("GET", f"{where}/{made['id']}")
    assert (shown["FullName"], shown["Active"]) == ("Case.Standard", True)
    assert shown["Metadata"] == metadata
    off = {"Metadata": {"active": False, "ruleEntry": []}}
    org.call("PATCH", f"{where}/{made['id']}", off, status=204)
    assert org.call("GET", f"{where}/{made['id']}")["Metadata"] == off["Metadata"]
    body = {"FullName": "Case.X", "Metadata": {"ruleEntry": "x"}}
    assert org.refused("POST", where, body)["status"] == 400
    assert org.refused("POST", where, {**body, "Metadata": metadata}, login=BEN)["status"] == 403
    assert (
        org.refused("POST", where, {"FullName": "Account.X", "Metadata": metadata})["status"] == 400
    )
    org.call("DELETE", f"{where}/{made['id']}", status=204)
    assert org.refused("GET", f"{where}/{made['id']}")["status"] == 404
