"""Describes over HTTP, compared with those that were recorded of the vendor's own service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.crm.conftest import Org
from tests.crm.specs import read_spec

OBJECTS = ("Account", "Case", "Contact", "Event", "Lead", "Opportunity", "OpportunityContactRole")
OF_ENTITLEMENTS: Final = (
    "ProductId",
    "EntitlementId",
    "BusinessHoursId",
    "IsClosedOnCreate",
    "SlaStartDate",
    "SlaExitDate",
    "IsStopped",
    "StopStartDate",
    "MilestoneStatus",
)
ELSEWHERE = "leads to an object that is not here"
# What the recorded describes have and ours have not, or otherwise: the key of a describe, a field,
# or a field's key; and why.
DIFFERENT: Final[dict[str, dict[str, str]]] = {
    "Account": {
        "recordTypeInfos": "that organization has a record type of its own",
        "Primary_Contact__c": "a custom field of that organization",
        "ns__Description__c": "a custom field of that organization",
        "History__c": "a custom field of that organization",
        "ns__LinkedAccount__c": "a custom field of that organization",
        "DandbCompanyId": ELSEWHERE,
        "OperatingHoursId": ELSEWHERE,
        "JigsawCompanyId.relationshipName": ELSEWHERE,
    },
    "Case": dict.fromkeys(
        (
            "ProductId",
            "EntitlementId",
            "BusinessHoursId",
            "IsClosedOnCreate",
            "SlaStartDate",
            "SlaExitDate",
            "IsStopped",
            "StopStartDate",
            "MilestoneStatus",
        ),
        "that organization has no entitlements",
    ),
    "Contact": {"IndividualId": ELSEWHERE, "JigsawContactId.relationshipName": ELSEWHERE},
    "Event": {
        "WhatId.referenceTo": ELSEWHERE,
        "OwnerId.referenceTo": ELSEWHERE,
        "OwnerId.polymorphicForeignKey": ELSEWHERE,
    },
    "Lead": {
        "DandbCompanyId": ELSEWHERE,
        "IndividualId": ELSEWHERE,
        "JigsawContactId.relationshipName": ELSEWHERE,
    },
}
DIFFERENT["Case"] = dict.fromkeys(
    (
        "ProductId",
        "EntitlementId",
        "BusinessHoursId",
        "IsClosedOnCreate",
        "SlaStartDate",
        "SlaExitDate",
        "IsStopped",
        "StopStartDate",
        "MilestoneStatus",
    ),
    "that organization had no entitlements",
)
DIFFERENT["Opportunity"] = {"SyncedQuoteId": "that organization had no quotes"}
# Children by features that the recorded organizations had not switched on: quotes, teams and
# splits, contacts of several accounts, shared activities, territories, incidents.
NOT_SWITCHED_ON: Final = frozenset(
    {
        "AccountContactRelation",
        "AccountTeamMember",
        "CampaignInfluence",
        "CaseArticle",
        "CaseMilestone",
        "CaseRelatedIssue",
        "ChangeRequestRelatedIssue",
        "Entitlement",
        "EntitlementContact",
        "EntitlementTemplate",
        "Knowledge__kav",
        "KnowledgeArticleVersion",
        "ObjectTerritory2Association",
        "OpportunitySplit",
        "OpportunityTeamMember",
        "Quote",
        "ServiceContract",
        "TaskRelation",
    }
)
# Objects whose entries in the recorded list are no recordings: their key prefixes were blanked.
BLANKED: Final = ("Event", "Lead")


def recorded(name: str, version: str) -> dict[str, Any]:
    """Return a recorded describe, its addresses of one version where it does not name its own."""
    text = json.dumps(read_spec(f"describe/{name}_describe.json"))
    read: dict[str, Any] = json.loads(text.replace("/vxx.0/", f"/{version}/"))
    return read


def version_of(name: str) -> str:
    """Return the version that a describe was recorded of; 59 where it does not say."""
    found: str = read_spec(f"describe/{name}_describe.json")["urls"]["sobject"].split("/")[3]
    return "v59.0" if found == "vxx.0" else found


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> Iterator[str]:
    """Yield what two describes do not have alike, as `DIFFERENT` names it."""
    lists = ("fields", "childRelationships", "urls")
    for key in {**theirs, **ours}:
        if key not in lists and theirs.get(key, "none") != ours.get(key, "none"):
            yield key
    fields = {one["name"]: one for one in ours["fields"]}
    for field in theirs["fields"]:
        own = fields.pop(field["name"], None)
        if own is None:
            yield field["name"]
            continue
        for key in {**field, **own}:
            if field.get(key, "none") != own.get(key, "none"):
                yield f"{field['name']}.{key}"
    yield from fields


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_is_described_as_the_vendor_describes_it(org: Org, name: str) -> None:
    version = version_of(name)
    theirs = recorded(name, version)
    ours = org.call("GET", f"/services/data/{version}/sobjects/{name}/describe")
    assert set(differences(theirs, ours)) == set(DIFFERENT.get(name, {}))
    assert list(ours) == list(theirs)
    known = {one["name"] for one in ours["fields"]}
    shared = [one["name"] for one in theirs["fields"] if one["name"] in known]
    there = {one["name"] for one in theirs["fields"]}
    assert [one["name"] for one in ours["fields"] if one["name"] in there] == shared
    assert list(ours["fields"][0]) == list(theirs["fields"][0])


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_has_the_addresses_and_children_that_the_vendor_shows(
    org: Org, name: str
) -> None:
    version = version_of(name)
    theirs = recorded(name, version)
    ours = org.call("GET", f"/services/data/{version}/sobjects/{name}/describe")
    pages = ("uiDetailTemplate", "uiEditTemplate", "uiNewRecord")
    assert set(ours["urls"]) == set(theirs["urls"])
    for key, url in theirs["urls"].items():
        shown = ours["urls"][key]
        if key in pages:
            assert shown.split("/", 3)[3] == url.split("/", 3)[3]
        else:
            assert shown == url
    here = {one["name"] for one in org.call("GET", "/sobjects")["sobjects"]}
    children = [one for one in theirs["childRelationships"] if one["childSObject"] in here]
    known = {one["childSObject"] for one in theirs["childRelationships"]}
    shown = [
        one
        for one in ours["childRelationships"]
        if one["childSObject"] in known or one["childSObject"] not in NOT_SWITCHED_ON
    ]
    assert shown == children


def test_the_list_of_objects_is_as_the_vendor_shows_it(org: Org) -> None:
    version = "v52.0"
    theirs = recorded("Global", version)
    ours = org.call("GET", f"/services/data/{version}/sobjects")
    assert {key: value for key, value in ours.items() if key != "sobjects"} == {
        "encoding": theirs["encoding"],
        "maxBatchSize": theirs["maxBatchSize"],
    }
    shown = {one["name"]: one for one in ours["sobjects"]}
    compared = 0
    for one in theirs["sobjects"]:
        own = shown.get(one["name"])
        if own is not None and one["name"] not in BLANKED:
            assert own == one
            assert list(own) == list(one)
            compared += 1
    assert compared >= 8


@pytest.mark.parametrize(
    ("of", "label", "plural"),
    [
        ("Pricebook2", "Price Book", "Price Books"),
        ("PricebookEntry", "Price Book Entry", "Price Book Entries"),
        ("OpportunityLineItem", "Opportunity Product", "Opportunity Products"),
        ("OrderItem", "Order Product", "Order Products"),
        ("UserRole", "Role", "Role"),
    ],
)
def test_objects_have_the_labels_of_the_product(org: Org, of: str, label: str, plural: str) -> None:
    shown = org.call("GET", f"/sobjects/{of}/describe")
    assert (shown["label"], shown["labelPlural"]) == (label, plural)


@pytest.mark.parametrize(
    ("path", "label", "type_", "can_be_made", "can_be_changed"),
    [
        ("PricebookEntry.UnitPrice", "List Price", "currency", True, True),
        ("PricebookEntry.Product2Id", "Product ID", "reference", True, False),
        ("OpportunityLineItem.UnitPrice", "Sales Price", "currency", True, True),
        ("OpportunityLineItem.ListPrice", "List Price", "currency", False, False),
        ("Product2.StockKeepingUnit", "Product SKU", "string", True, True),
        ("Task.ActivityDate", "Due Date Only", "date", True, True),
        ("Task.Subject", "Subject", "combobox", True, True),
        ("Task.IsClosed", "Closed", "boolean", False, False),
        ("Task.RecurrenceActivityId", "Recurrence Activity ID", "reference", False, False),
        ("Campaign.NumberOfLeads", "Leads in Campaign", "int", False, False),
        ("Order.EffectiveDate", "Order Start Date", "date", True, True),
        ("Contract.EndDate", "Contract End Date", "date", False, False),
        ("User.UserRoleId", "Role ID", "reference", True, True),
        ("User.Name", "Full Name", "string", False, False),
    ],
)
def test_unverified_fields_without_a_recording_are_as_the_product_has_them(
    org: Org, path: str, label: str, type_: str, can_be_made: bool, can_be_changed: bool
) -> None:
    of, name = path.split(".")
    fields = org.call("GET", f"/sobjects/{of}/describe")["fields"]
    (field,) = [one for one in fields if one["name"] == name]
    assert (field["label"], field["type"]) == (label, type_)
    assert (field["createable"], field["updateable"]) == (can_be_made, can_be_changed)


def test_addresses_of_a_describe_lead_somewhere(org: Org) -> None:
    for of in ("Account", "Event", "CampaignMember", "UserRole"):
        urls = org.call("GET", f"/sobjects/{of}/describe")["urls"]
        for key in ("describe", "sobject", "layouts", "compactLayouts", "approvalLayouts"):
            if key in urls:
                org.call("GET", urls[key])
