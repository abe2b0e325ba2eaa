"""Duplicates: what records are like, what rules do about it, and how answers tell it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_sharing import close
from tests.crm.test_soap import call as soap
from tests.crm.test_soap import elements

MARC: Final = {
    "FirstName": "Marc",
    "LastName": "Benioff",
    "Email": "marc@sales.example",
    "Phone": "1-415-555-1234",
}
CONTACT: Final = "/sobjects/Contact"
ALLOW: Final[dict[str, Any]] = {"Sforce-Duplicate-Rule-Header": "allowSave=true"}
MATCHING: Final = {
    "label": "Same box",
    "ruleStatus": "Active",
    "matchingRuleItems": [{"fieldName": "MailingStreet", "matchingMethod": "Exact"}],
}
BLOCKING: Final = {
    "masterLabel": "No twins",
    "isActive": True,
    "actionOnInsert": "Block",
    "actionOnUpdate": "Block",
    "alertText": "This one is there.",
    "duplicateRuleMatchRules": [{"matchingRule": "Same_Box"}],
}


def define(org: Org, kind: str, name: str, given: dict[str, Any]) -> None:
    """Define a `matching` or a `duplicate` rule as Ada."""
    from clones.crm.domain.duplicates import defining  # noqa: PLC0415 - see IS_MADE

    rules: dict[str, Callable[..., Any]] = {
        "matching": defining.define_matching_rule,
        "duplicate": defining.define_duplicate_rule,
    }
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        rules[kind](name, given, actor=org.users[ADA])


def found(org: Org, soql: str) -> list[dict[str, Any]]:
    """Return the records of a query, their attributes left out."""
    rows = org.call("GET", f"/query?q={soql.replace(' ', '+')}")["records"]
    return [{key: one[key] for key in one if key != "attributes"} for one in rows]


def test_an_alert_refuses_a_record_and_names_what_it_is_like(org: Org) -> None:
    marc = org.make("Contact", **MARC)
    answer = org.ask("POST", CONTACT, {**MARC, "FirstName": "Mark", "Email": "other@b.example"})
    url = f"/services/data/v64.0/sobjects/Contact/{marc}"
    record = {"attributes": {"type": "Contact", "url": url}, "Id": marc}
    match = {"additionalInformation": [], "fieldDiffs": [], "matchConfidence": 100.0}
    assert (answer.status, answer.body) == (
        400,
        [
            {
                "duplicateResut": {
                    "allowSave": True,
                    "duplicateRule": "Standard_Contact_Duplicate_Rule",
                    "duplicateRuleEntityType": "Contact",
                    "errorMessage": "Use one of these records?",
                    "matchResults": [
                        {
                            "entityType": "Contact",
                            "errors": [],
                            "matchEngine": "FuzzyMatchEngine",
                            "matchRecords": [{**match, "record": record}],
                            "rule": "Standard_Contact_Match_Rule_v1_1",
                            "size": 1,
                            "success": True,
                        }
                    ],
                },
                "errorCode": "DUPLICATES_DETECTED",
                "message": "Use one of these records?",
            }
        ],
    )
    assert list(answer.body[0]) == ["duplicateResut", "errorCode", "message"]
    assert len(found(org, "SELECT Id FROM Contact")) == 1


def test_a_header_saves_it_anyway_and_shows_all_fields(org: Org) -> None:
    org.make("Contact", **MARC)
    details = {"Sforce-Duplicate-Rule-Header": "allowSave=false; includeRecordDetails=true"}
    error = org.refused("POST", CONTACT, MARC, **details)
    (record,) = error["duplicateResut"]["matchResults"][0]["matchRecords"]
    assert record["record"]["Email"] == MARC["Email"]
    assert record["record"]["MailingAddress"] is None
    assert org.ask("POST", CONTACT, MARC, **ALLOW).status == 201
    assert (
        org.ask("POST", CONTACT, MARC, **{"Sforce-Duplicate-Rule": "allowSave=true"}).status == 201
    )
    assert org.ask("POST", CONTACT, MARC, **{"Sforce-Duplicate-Rule": "nonsense"}).status == 400


@pytest.mark.parametrize(
    ("values", "is_like"),
    [
        ({"FirstName": "M.", "LastName": "Benioff", "Email": MARC["Email"]}, True),
        ({"FirstName": "Benioff", "LastName": "Marc", "Email": MARC["Email"]}, True),
        ({"LastName": "Benioff", "Email": MARC["Email"]}, True),
        ({"LastName": "Other", "Email": MARC["Email"]}, False),
        ({"FirstName": "Marc", "LastName": "Benioff"}, False),
        ({"FirstName": "Marc", "LastName": "Benyoff", "Phone": "(415) 555 9999"}, True),
        ({"FirstName": "Marc", "LastName": "Benioff", "Phone": "+1 212 555 1234"}, False),
        ({"FirstName": "Lena", "LastName": "Benioff", "Phone": MARC["Phone"]}, False),
    ],
)
def test_what_a_contact_is_like(org: Org, values: dict[str, str], is_like: bool) -> None:
    org.make("Contact", **MARC)
    assert org.ask("POST", CONTACT, values).status == (400 if is_like else 201)


def test_contacts_of_one_firm_with_one_title_are_alike_by_its_present_name(org: Org) -> None:
    ash = org.make("Account", Name="Ash Joinery Ltd")
    elm = org.make("Account", Name="Elm")
    org.make("Contact", FirstName="Jo", LastName="Ode", Title="VP", AccountId=ash)
    body = {"FirstName": "Jo", "LastName": "Ode", "Title": "Vice President", "AccountId": elm}
    org.make("Contact", **body)
    org.call("PATCH", f"/sobjects/Account/{elm}", {"Name": "Quince"}, status=204)
    assert org.ask("POST", CONTACT, {**body, "AccountId": ash}).status == 400
    assert org.ask("POST", CONTACT, {**body, "AccountId": elm}).status == 400
    org.call("PATCH", f"/sobjects/Account/{ash}", {"Name": "Birch"}, status=204)
    birch = org.make("Account", Name="Birch")
    assert org.ask("POST", CONTACT, {**body, "AccountId": birch}).status == 400


def test_unverified_accounts_are_alike_by_name_and_where_they_are(org: Org) -> None:
    ash = {"Name": "Ash Joinery Ltd", "BillingStreet": "12 Mill Street", "Phone": "020 7946 0018"}
    org.make("Account", **ash)
    for values in (
        {"Name": "Ash Joinery", "BillingStreet": "12 Mill St."},
        {"Name": "ASH JOINERY LIMITED", "Phone": ash["Phone"]},
    ):
        assert org.ask("POST", "/sobjects/Account", values).status == 400, values
    org.make("Account", Name="Ash Joinery Ltd")
    org.make("Account", Name="Quince", BillingStreet="12 Mill Street")


def test_a_change_is_looked_at_where_it_touches_what_is_compared(org: Org) -> None:
    define(
        org,
        "duplicate",
        "Contact.Standard_Contact_Duplicate_Rule",
        {
            "operationsOnUpdate": ["Alert"],
        },
    )
    marc = org.make("Contact", **MARC)
    other = org.make("Contact", FirstName="Lena", LastName="Ode", Email="l@o.example")
    path = f"{CONTACT}/{other}"
    org.call("PATCH", path, {"Description": "x", "Title": "CEO"}, status=204)
    names = {"FirstName": "Marc", "LastName": "Benioff"}
    org.call("PATCH", path, names, status=204)
    error = org.refused("PATCH", path, {"Phone": MARC["Phone"]})
    assert error["errorCode"] == "DUPLICATES_DETECTED"
    assert error["duplicateResut"]["matchResults"][0]["matchRecords"][0]["record"]["Id"] == marc
    assert org.show("Contact", other)["Phone"] is None
    assert org.ask("PATCH", path, {"Phone": MARC["Phone"]}, **ALLOW).status == 204
    org.call("PATCH", path, {"Description": "y"}, status=204)


def test_a_set_reports_what_is_alike(org: Org) -> None:
    ids = [org.make("Contact", **MARC)]
    ids.extend(org.call("POST", CONTACT, MARC, status=201, **ALLOW)["id"] for _ in range(2))
    (one,) = found(
        org, "SELECT Name,RecordCount,DuplicateRule.DeveloperName FROM DuplicateRecordSet"
    )
    assert (one["RecordCount"], one["DuplicateRule"]["DeveloperName"]) == (
        3,
        "Standard_Contact_Duplicate_Rule",
    )
    items = found(org, "SELECT RecordId,Record.Name FROM DuplicateRecordItem ORDER BY Name")
    assert [item["RecordId"] for item in items] == [ids[1], ids[0], ids[2]]
    org.call("DELETE", f"{CONTACT}/{ids[1]}", status=204)
    assert len(found(org, "SELECT Id FROM DuplicateRecordItem")) == 2
    assert found(org, "SELECT RecordCount FROM DuplicateRecordSet") == [{"RecordCount": 2}]


def test_a_merge_asks_no_rule_and_takes_what_went_out_of_its_set(org: Org) -> None:
    ids = [org.make("Contact", **MARC)]
    ids.extend(org.call("POST", CONTACT, MARC, status=201, **ALLOW)["id"] for _ in range(2))
    define(
        org,
        "duplicate",
        "Contact.Standard_Contact_Duplicate_Rule",
        {"operationsOnUpdate": ["Alert"]},
    )
    said = {"masterRecord": {"type": "Contact", "Id": ids[0], "Phone": "415 555 7777"}}
    (merged,) = soap(org, "merge", {"request": {**said, "recordToMergeIds": ids[1]}})
    assert merged["success"] == ["true"]
    items = found(org, "SELECT RecordId FROM DuplicateRecordItem ORDER BY RecordId")
    assert [one["RecordId"] for one in items] == sorted([ids[0], ids[2]])
    assert found(org, "SELECT RecordCount FROM DuplicateRecordSet") == [{"RecordCount": 2}]


def test_a_conversion_asks_no_rule_and_a_converted_lead_is_like_nothing(org: Org) -> None:
    org.make("Contact", **MARC)
    lead = {**MARC, "Company": "Sales"}
    id = org.make("Lead", **lead)
    wanted = {"leadId": id, "convertedStatus": "Closed - Converted"}
    (converted,) = soap(org, "convertLead", {"leadConverts": wanted})
    assert converted["success"] == ["true"]
    org.make("Lead", **lead)


def test_a_rule_that_blocks_lets_no_header_save(org: Org) -> None:
    define(org, "matching", "Contact.Same_Box", MATCHING)
    define(org, "duplicate", "Contact.No_Twins", BLOCKING)
    org.make("Contact", LastName="Ash", MailingStreet="PO Box 7")
    twin = {"LastName": "Elm", "MailingStreet": "po box 7"}
    error = org.refused("POST", CONTACT, twin, **ALLOW)
    result = error["duplicateResut"]
    assert (error["message"], result["allowSave"], result["matchResults"][0]["matchEngine"]) == (
        "This one is there.",
        False,
        "ExactMatchEngine",
    )
    define(
        org,
        "duplicate",
        "Contact.No_Twins",
        {
            "duplicateRuleFilter": {
                "duplicateRuleFilterItems": [
                    {"field": "Department", "operation": "equals", "value": "Sales"}
                ]
            }
        },
    )
    org.make("Contact", **twin)
    assert org.ask("POST", CONTACT, {**twin, "Department": "Sales"}).status == 400
    define(org, "duplicate", "Contact.No_Twins", {"isActive": False})
    org.make("Contact", **twin, Department="Sales")


def test_a_rule_that_is_switched_on_knows_what_is_there(org: Org) -> None:
    org.make("Contact", LastName="Ash", MailingStreet="PO Box 7")
    sleeping = {**MATCHING, "ruleStatus": "Inactive"}
    define(org, "matching", "Contact.Same_Box", sleeping)
    define(org, "duplicate", "Contact.No_Twins", BLOCKING)
    org.make("Contact", LastName="Elm", MailingStreet="PO Box 7")
    define(org, "matching", "Contact.Same_Box", MATCHING)
    error = org.refused("POST", CONTACT, {"LastName": "Oak", "MailingStreet": "PO Box 7"})
    assert error["duplicateResut"]["matchResults"][0]["size"] == 2


def test_blanks_match_where_a_rule_says_so(org: Org) -> None:
    items = [
        {"fieldName": "LastName", "matchingMethod": "LastName"},
        {"fieldName": "Department", "blankValueBehavior": "MatchBlanks"},
        {"fieldName": "MailingCity", "matchingMethod": "City"},
    ]
    given = {**MATCHING, "matchingRuleItems": items, "booleanFilter": "(1 AND 2) OR (1 AND 3)"}
    define(org, "matching", "Contact.Same_Box", given)
    define(org, "duplicate", "Contact.No_Twins", BLOCKING)
    org.make("Contact", LastName="Meyer")
    assert org.ask("POST", CONTACT, {"LastName": "Maier"}).status == 400
    org.make("Contact", LastName="Maier", Department="Sales")
    org.make("Contact", LastName="Ode", Department="Sales", MailingCity="Leeds")
    assert org.ask("POST", CONTACT, {"LastName": "Ode", "MailingCity": "Leads"}).status == 201
    assert org.ask("POST", CONTACT, {"LastName": "Ode", "MailingCity": "Leeds"}).status == 400


def test_custom_objects_have_rules(org: Org) -> None:
    from clones.crm.domain.customizing import define_field, define_object  # noqa: PLC0415 - see IS_MADE

    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        define_object("Truck", "Truck", "Trucks", actor=org.users[ADA])
        define_field("Truck__c", "Plate", "Text", "Plate", actor=org.users[ADA], length=20)
    items = [{"fieldName": "Plate__c"}]
    define(org, "matching", "Truck__c.Same_Plate", {**MATCHING, "matchingRuleItems": items})
    compared = [{"matchingRule": "Same_Plate"}]
    define(org, "duplicate", "Truck__c.No_Twins", {**BLOCKING, "duplicateRuleMatchRules": compared})
    one = org.make("Truck__c", Name="One", Plate__c="AB 12")
    error = org.refused("POST", "/sobjects/Truck__c", {"Name": "Two", "Plate__c": "ab 12"})
    assert error["duplicateResut"]["matchResults"][0]["matchRecords"][0]["record"]["Id"] == one
    reporting = {"actionOnInsert": "Allow", "operationsOnInsert": ["Report"]}
    define(org, "duplicate", "Truck__c.No_Twins", reporting)
    org.make("Truck__c", Name="One", Plate__c="AB 12")
    assert len(found(org, "SELECT Id,Record.Name FROM DuplicateRecordItem")) == 2


def test_leads_are_compared_with_contacts_once_a_rule_is_switched_on(org: Org) -> None:
    marc = org.make("Contact", **MARC)
    lead = {**MARC, "Company": "Sales"}
    name = "Lead.Standard_Rule_for_Leads_with_Duplicate_Contacts"
    first = org.make("Lead", **lead)
    define(org, "duplicate", name, {"isActive": True, "operationsOnInsert": ["Alert"]})
    define(org, "duplicate", "Lead.Standard_Lead_Duplicate_Rule", {"isActive": False})
    error = org.refused("POST", "/sobjects/Lead", lead)
    (result,) = error["duplicateResut"]["matchResults"]
    assert (result["entityType"], result["matchRecords"][0]["record"]["Id"]) == ("Contact", marc)
    assert org.show("Lead", first)["Company"] == "Sales"


def test_a_rule_compares_with_what_the_user_sees_unless_it_says_otherwise(org: Org) -> None:
    lead = {**MARC, "Company": "Sales"}
    close(org, "Lead")
    hidden = org.make("Lead", **lead)
    twin = org.call("POST", "/sobjects/Lead", lead, status=201, login=BEN)["id"]
    assert org.ask("POST", "/sobjects/Lead", lead, login=BEN).status == 400
    org.call("DELETE", f"/sobjects/Lead/{twin}", status=204)
    name = "Lead.Standard_Lead_Duplicate_Rule"
    define(org, "duplicate", name, {"securityOption": "BypassSharingRules"})
    error = org.refused("POST", "/sobjects/Lead", lead, login=BEN)
    (match,) = error["duplicateResut"]["matchResults"][0]["matchRecords"]
    assert match["record"]["Id"] == hidden
    as_user = {"Sforce-Duplicate-Rule-Header": "runAsCurrentUser=true"}
    assert org.ask("POST", "/sobjects/Lead", lead, login=BEN, **as_user).status == 201


def test_many_records_tell_it_each_by_itself(org: Org) -> None:
    marc = org.make("Contact", **MARC)
    kind = {"attributes": {"type": "Contact"}}
    records = [{**kind, "LastName": "Ode"}, {**kind, **MARC}, {**kind, **MARC, "LastName": ""}]
    answer = org.call("POST", "/composite/sobjects", {"records": records[:2]})
    assert [one["success"] for one in answer] == [True, False]
    (error,) = answer[1]["errors"]
    assert (error["statusCode"], error["fields"]) == ("DUPLICATES_DETECTED", [])
    result = error["duplicateResult"]["matchResults"][0]
    assert result["matchRecords"][0]["record"]["Id"] == marc
    assert result["matchRecords"][0]["record"]["attributes"]["url"].startswith(
        "/services/data/v64.0"
    )
    answer = org.call("POST", "/composite/sobjects", {"records": records[1:2]}, **ALLOW)
    assert answer[0]["success"] is True
    part = {"method": "POST", "url": "/services/data/v64.0/sobjects/Contact", "referenceId": "a"}
    whole = {"compositeRequest": [{**part, "body": MARC}]}
    (one,) = org.call("POST", "/composite", whole)["compositeResponse"]
    assert (one["httpStatusCode"], one["body"][0]["errorCode"]) == (400, "DUPLICATES_DETECTED")
    (one,) = org.call("POST", "/composite", whole, **ALLOW)["compositeResponse"]
    assert one["httpStatusCode"] == 201


def test_two_twins_of_one_list_are_told_from_one_another(org: Org) -> None:
    kind = {"attributes": {"type": "Contact"}}
    answer = org.call("POST", "/composite/sobjects", {"records": [{**kind, **MARC}] * 2})
    assert [one["success"] for one in answer] == [True, False]


def test_soap_tells_it_and_takes_a_header(org: Org) -> None:
    marc = org.make("Contact", **MARC)
    said = {"sObjects": {"type": "Contact", **MARC}}
    (result,) = soap(org, "create", said)
    (error,) = result["errors"]
    assert error["statusCode"] == ["DUPLICATES_DETECTED"]
    (told,) = error["duplicateResult"]
    (matched,) = told["matchResults"]
    assert (told["allowSave"], matched["size"]) == (["true"], ["1"])
    assert matched["matchRecords"][0]["record"][0]["Id"][0] == marc
    head = elements("DuplicateRuleHeader", {"allowSave": "true"})
    assert soap(org, "create", said, head=head)[0]["success"] == ["true"]


def test_soap_finds_what_records_are_like(org: Org) -> None:
    marc = org.make("Contact", **MARC)
    (one, other) = soap(
        org,
        "findDuplicates",
        {
            "sObjects": [
                {"type": "Contact", **MARC},
                {"type": "Contact", "LastName": "Ode"},
            ]
        },
    )
    (told,) = one["duplicateResults"]
    assert told["duplicateRule"] == ["Standard_Contact_Duplicate_Rule"]
    assert told["matchResults"][0]["size"] == ["1"]
    assert other["duplicateResults"][0]["matchResults"][0]["size"] == ["0"]
    twin = org.call("POST", CONTACT, MARC, status=201, **ALLOW)["id"]
    (one,) = soap(org, "findDuplicatesByIds", {"ids": [marc]})
    (match,) = one["duplicateResults"][0]["matchResults"][0]["matchRecords"]
    assert match["record"][0]["Id"][0] == twin
    (one,) = soap(org, "findDuplicatesByIds", {"ids": ["nothing"]})
    assert one["errors"][0]["statusCode"] == ["MALFORMED_ID"]


def test_the_bin_hides_what_lies_in_it(org: Org) -> None:
    from clones.crm.models import MatchKey  # noqa: PLC0415 - see IS_MADE

    marc = org.make("Contact", **MARC)
    org.call("DELETE", f"{CONTACT}/{marc}", status=204)
    twin = org.make("Contact", **MARC)
    org.call("DELETE", f"{CONTACT}/{twin}", status=204)
    with org.reading():
        assert not MatchKey.objects.exists()
    soap(org, "undelete", {"ids": [marc]})
    assert org.ask("POST", CONTACT, MARC).status == 400


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("matching", {"matchingRuleItems": []}),
        ("matching", {"matchingRuleItems": ["x"]}),
        ("matching", {"matchingRuleItems": [{"fieldName": "Nothing__c"}]}),
        ("matching", {"matchingRuleItems": [{"fieldName": "Email", "matchingMethod": "Magic"}]}),
        ("matching", {"booleanFilter": "1 AND 2"}),
        ("matching", {"booleanFilter": "(" * 90 + "1"}),
        ("matching", {"ruleStatus": "Odd"}),
        ("duplicate", {"actionOnInsert": "Perhaps"}),
        ("duplicate", {"operationsOnInsert": ["Alert"]}),
        ("duplicate", {"alertText": None}),
        ("duplicate", {"duplicateRuleMatchRules": [{"matchingRule": "Nobody"}]}),
        ("duplicate", {"duplicateRuleMatchRules": [{"matchingRule": "Same_Box"}] * 2}),
        ("duplicate", {"duplicateRuleFilter": {"duplicateRuleFilterItems": [{"field": 1}]}}),
    ],
)
def test_rules_that_cannot_be_defined(org: Org, kind: str, change: dict[str, Any]) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - see IS_MADE

    define(org, "matching", "Contact.Same_Box", MATCHING)
    name, given = ("Other", MATCHING) if kind == "matching" else ("No_Twins", BLOCKING)
    with pytest.raises(RecordError):
        define(org, kind, f"Contact.{name}", {**given, **change})
    rows = "MatchingRule" if kind == "matching" else "DuplicateRule"
    assert not found(org, f"SELECT Id FROM {rows} WHERE DeveloperName='{name}'")


def test_an_object_has_five_active_rules(org: Org) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - see IS_MADE

    for number in range(4):
        define(org, "matching", f"Contact.Rule{number}", MATCHING)
    with pytest.raises(RecordError, match="active rules already"):
        define(org, "matching", "Contact.Fifth", MATCHING)


def test_the_rows_of_rules_can_be_queried(org: Org) -> None:
    define(org, "matching", "Contact.Same_Box", MATCHING)
    rows = found(org, "SELECT DeveloperName,RuleStatus,MatchEngine FROM MatchingRule ORDER BY Id")
    assert [row["DeveloperName"] for row in rows] == [
        "Standard_Account_Match_Rule_v1_0",
        "Standard_Contact_Match_Rule_v1_1",
        "Standard_Lead_Match_Rule_v1_0",
        "Same_Box",
    ]
    (item,) = found(org, "SELECT Field,MatchingMethod,BlankValueBehavior FROM MatchingRuleItem")
    assert item == {
        "Field": "MailingStreet",
        "MatchingMethod": "Exact",
        "BlankValueBehavior": "NullNotAllowed",
    }


def test_a_save_compares_with_few_however_many_there_are(org: Org) -> None:
    from clones.crm.domain.saving import create_record  # noqa: PLC0415 - see IS_MADE
    from clones.crm.errors import DuplicatesFound  # noqa: PLC0415 - see IS_MADE
    from clones.crm.models import MatchKey  # noqa: PLC0415 - see IS_MADE
    from clones.crm.queries.schema import org_schema  # noqa: PLC0415 - see IS_MADE

    kind = {"attributes": {"type": "Contact"}}
    for start in range(0, 400, 200):
        records = [
            {**kind, "FirstName": f"N{n}", "LastName": f"Ode{n}", "Email": f"n{n}@x{n}.example"}
            for n in range(start, start + 200)
        ]
        assert all(
            one["success"] for one in org.call("POST", "/composite/sobjects", {"records": records})
        )
    eve = {"FirstName": "N1", "LastName": "Ode1", "Email": "n1@x1.example"}
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        of = org_schema().objects["Contact"]
        with CaptureQueriesContext(connection) as asked, pytest.raises(DuplicatesFound) as refused:
            create_record(of, eve, actor=org.users[ADA])
        statements = [one["sql"] for one in asked]
    assert refused.value.result["matchResults"][0]["size"] == 1
    for table in ("duplicaterule", "duplicaterulemetadata", "matchingrule", "matchkey", "contact"):
        asked_of = [one for one in statements if f'FROM "crm_{table}"' in one]
        assert len(asked_of) == 1, asked_of
    (keyed,) = [one for one in statements if 'FROM "crm_matchkey"' in one]
    assert '"key" IN (' in keyed
    (read,) = [one for one in statements if 'FROM "crm_contact"' in one]
    assert '"Id" IN (' in read
    with org.reading():
        assert MatchKey.objects.count() == 400 * 2
