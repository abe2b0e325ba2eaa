"""Matching rules, duplicate rules and approval processes by the metadata API."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

import pytest

from tests.crm.conftest import ADA, BEN, Org
from tests.crm.metadata.test_metadata import call, written
from tests.crm.test_soap import elements

MATCHING: dict[str, Any] = {
    "fullName": "Contact.Same_Box",
    "label": "Same box",
    "matchingRuleItems": {"fieldName": "MailingStreet", "matchingMethod": "Exact"},
    "ruleStatus": "Active",
}
BLOCKING: dict[str, Any] = {
    "fullName": "Contact.No_Twins",
    "actionOnInsert": "Block",
    "actionOnUpdate": "Allow",
    "alertText": "This one is there.",
    "duplicateRuleFilter": None,
    "duplicateRuleMatchRules": {"matchRuleSObjectType": "Contact", "matchingRule": "Same_Box"},
    "isActive": "true",
    "masterLabel": "No twins",
    "operationsOnUpdate": ["Report"],
    "securityOption": "EnforceSharingRules",
    "sortOrder": 2,
}
NESTED = {"a": "b"}
NOT_THERE, WRONG = "INVALID_CROSS_REFERENCE_KEY", "FIELD_INTEGRITY_EXCEPTION"
PROCESS: dict[str, Any] = {
    "fullName": "Opportunity.Large_Deals",
    "active": "true",
    "allowRecall": "true",
    "allowedSubmitters": {"type": "owner"},
    "approvalStep": {
        "assignedApprover": {
            "approver": {"name": ADA, "type": "user"},
            "whenMultipleApprovers": "FirstResponse",
        },
        "label": "By Ada",
        "name": "By_Ada",
    },
    "entryCriteria": {
        "criteriaItems": {
            "field": "Opportunity.Amount",
            "operation": "greaterThan",
            "value": "1000",
        }
    },
    "finalApprovalRecordLock": "false",
    "label": "Large deals",
    "processOrder": 1,
    "recordEditability": "AdminOnly",
}


def write(org: Org, kind: str, body: dict[str, Any], *, login: str = ADA) -> str:
    """Return what became of a component that was written."""
    answer = call(org, "upsertMetadata", written(kind, **body), login=login)
    (result,) = answer["result"]
    if result["success"] == ["true"]:
        return "saved"
    return str(result["errors"][0]["statusCode"][0])


def read(org: Org, kind: str, name: str) -> Any:
    """Return a component as the metadata API shows it."""
    inner = elements("type", kind) + elements("fullNames", name)
    return call(org, "readMetadata", inner)["result"][0]["records"][0]


def test_rules_on_duplicates_are_written_and_read(org: Org) -> None:
    assert write(org, "MatchingRule", MATCHING) == "saved"
    assert write(org, "DuplicateRule", BLOCKING) == "saved"
    org.make("Contact", LastName="Ash", MailingStreet="PO Box 7")
    twin = {"LastName": "Elm", "MailingStreet": "PO Box 7"}
    assert org.refused("POST", "/sobjects/Contact", twin)["message"] == "This one is there."
    shown = read(org, "DuplicateRule", "Contact.No_Twins")
    assert (shown["isActive"], shown["sortOrder"]) == (["true"], ["2"])
    assert shown["duplicateRuleMatchRules"][0]["matchingRule"] == ["Same_Box"]
    shown = read(org, "MatchingRule", "Contact.Same_Box")
    assert shown["matchingRuleItems"][0]["blankValueBehavior"] == ["NullNotAllowed"]
    off = {"fullName": "Contact.No_Twins", "isActive": "false"}
    assert write(org, "DuplicateRule", off) == "saved"
    org.make("Contact", **twin)


def test_standard_rules_are_switched_off(org: Org) -> None:
    lead = {"FirstName": "Jo", "LastName": "Ode", "Company": "Ash", "Email": "jo@ash.example"}
    org.make("Lead", **lead)
    name = "Lead.Standard_Lead_Match_Rule_v1_0"
    assert write(org, "MatchingRule", {"fullName": name, "ruleStatus": "Inactive"}) == "saved"
    org.make("Lead", **lead)
    assert write(org, "MatchingRule", {"fullName": name, "ruleStatus": "Active"}) == "saved"
    assert org.ask("POST", "/sobjects/Lead", lead).status == 400


def test_approval_processes_are_written_and_read(org: Org) -> None:
    assert write(org, "ApprovalProcess", PROCESS) == "saved"
    deal = {"Name": "Lamps", "CloseDate": "2026-07-01", "StageName": "Prospecting"}
    id = org.make("Opportunity", **deal, Amount=5000)
    body = {"requests": [{"actionType": "Submit", "contextId": id}]}
    (found,) = org.call("POST", "/process/approvals", body)
    assert found["instanceStatus"] == "Pending"
    shown = read(org, "ApprovalProcess", "Opportunity.Large_Deals")
    assert shown["approvalStep"][0]["name"] == ["By_Ada"]
    assert shown["entryCriteria"][0]["criteriaItems"][0]["value"] == ["1000"]
    steps = {**PROCESS["approvalStep"], "name": "Other"}
    used = {**PROCESS, "approvalStep": steps}
    assert write(org, "ApprovalProcess", used) == "FIELD_INTEGRITY_EXCEPTION"
    assert write(org, "ApprovalProcess", {**PROCESS, "active": "false"}) == "saved"
    assert org.call("GET", "/process/approvals") == {"approvals": {}}


def test_they_are_taken_as_files(org: Org) -> None:
    write(org, "MatchingRule", MATCHING)
    types = [{"members": "*", "name": one} for one in ("DuplicateRule", "MatchingRule")]
    package = elements("unpackaged", {"types": types, "version": "64.0"})
    inner = f"<retrieveRequest><apiVersion>64.0</apiVersion>{package}</retrieveRequest>"
    (begun,) = call(org, "retrieve", inner)["result"]
    (done,) = call(org, "checkRetrieveStatus", elements("asyncProcessId", begun["id"][0]))["result"]
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(done["zipFile"][0])))
    text = archive.read("unpackaged/matchingRules/Contact.matchingRule").decode()
    assert text.count("<matchingRules>") == 2
    assert "<MatchingRules " in text
    name = "unpackaged/duplicateRules/Lead.Standard_Lead_Duplicate_Rule.duplicateRule"
    assert "<alertText>Use one of these records?</alertText>" in archive.read(name).decode()


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("MatchingRule", {**MATCHING, "fullName": "Nothing.Rule"}, NOT_THERE),
        ("MatchingRule", {**MATCHING, "fullName": "Case.Rule"}, WRONG),
        ("MatchingRule", {**MATCHING, "matchingRuleItems": "x"}, WRONG),
        ("MatchingRule", {**MATCHING, "label": "x" * 300}, WRONG),
        ("MatchingRule", {**MATCHING, "label": NESTED}, WRONG),
        ("DuplicateRule", {**BLOCKING, "sortOrder": "9" * 40}, WRONG),
        ("DuplicateRule", {**BLOCKING, "duplicateRuleFilter": "x"}, WRONG),
        ("DuplicateRule", {**BLOCKING, "actionOnInsert": NESTED}, WRONG),
        ("DuplicateRule", {**BLOCKING, "securityOption": NESTED}, WRONG),
        ("ApprovalProcess", {**PROCESS, "fullName": "Opportunity.a b"}, "INVALID_FIELD"),
        ("ApprovalProcess", {**PROCESS, "entryCriteria": "x"}, WRONG),
        ("ApprovalProcess", {**PROCESS, "approvalStep": "x"}, WRONG),
        ("ApprovalProcess", {**PROCESS, "label": NESTED}, WRONG),
        ("ApprovalProcess", {**PROCESS, "processOrder": "999999"}, WRONG),
        ("ApprovalProcess", {**PROCESS, "recordEditability": NESTED}, WRONG),
        ("ApprovalProcess", {**PROCESS, "allowedSubmitters": {"type": NESTED}}, WRONG),
    ],
)
def test_what_cannot_be_written(org: Org, kind: str, body: dict[str, Any], code: str) -> None:
    if kind == "DuplicateRule":
        write(org, "MatchingRule", MATCHING)
    assert write(org, kind, body) == code


def test_only_administrators_write_them(org: Org) -> None:
    assert write(org, "MatchingRule", MATCHING, login=BEN) != "saved"
