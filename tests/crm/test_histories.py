"""Histories of fields: what changed of a record, from what to what, by whom and when."""

from __future__ import annotations

from typing import Any

import pytest

from clones.crm.rules.schema import standard_schema
from clones.crm.rules.tracked_fields import TRACKED, history_of, is_history
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_custom import define

Row = tuple[str, str, Any, Any]


def history(org: Org, of: str, via: str, id: str) -> list[Row]:
    soql = f"SELECT Field,DataType,OldValue,NewValue FROM {of} WHERE {via}='{id}' ORDER BY Id"
    rows = org.call("GET", f"/query?q={soql}")["records"]
    return [(row["Field"], row["DataType"], row["OldValue"], row["NewValue"]) for row in rows]


def change(org: Org, of: str, id: str, **values: Any) -> None:
    org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)


def test_a_history_begins_with_the_record_and_goes_on_with_its_changes(org: Org) -> None:
    id = org.make("Account", Name="Acme", AnnualRevenue=5)
    assert history(org, "AccountHistory", "AccountId", id) == [("created", "Text", None, None)]
    change(org, "Account", id, Name="Ash", AnnualRevenue=7, Rating="Hot", Description="old")
    change(org, "Account", id, Name="Ash")
    rows = history(org, "AccountHistory", "AccountId", id)[1:]
    assert {row[0]: row[1:] for row in rows} == {
        "Name": ("Text", "Acme", "Ash"),
        "AnnualRevenue": ("Currency", 5.0, 7.0),
        "Rating": ("DynamicEnum", None, "Hot"),
    }
    assert len(rows) == 3


def test_unverified_an_owner_is_told_by_name_and_by_id(org: Org) -> None:
    id = org.make("Case", Subject="Broken")
    change(org, "Case", id, OwnerId=org.users[BEN], Status="Working")
    rows = history(org, "CaseHistory", "CaseId", id)
    assert ("Owner", "Text", "Ada Quist", "Ben Ode") in rows
    assert ("Owner", "EntityId", org.users[ADA], org.users[BEN]) in rows
    assert ("Status", "DynamicEnum", "New", "Working") in rows


def test_days_and_checkboxes_are_kept_as_what_they_are(org: Org) -> None:
    said = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-09-01"}
    id = org.make("Opportunity", **said)
    change(org, "Opportunity", id, CloseDate="2026-10-01", StageName="Qualification")
    rows = history(org, "OpportunityFieldHistory", "OpportunityId", id)
    assert ("CloseDate", "DateOnly", "2026-09-01", "2026-10-01") in rows
    assert ("StageName", "DynamicEnum", "Prospecting", "Qualification") in rows
    campaign = org.make("Campaign", Name="Fair")
    change(org, "Campaign", campaign, IsActive=True)
    rows = history(org, "CampaignHistory", "CampaignId", campaign)
    assert rows[1:] == [("IsActive", "Boolean", False, True)]


def test_a_record_shows_its_history_and_who_made_it(org: Org) -> None:
    id = org.make("Contact", LastName="Ash")
    change(org, "Contact", id, Title="Head")
    soql = "SELECT Id,(SELECT Field,NewValue,CreatedBy.Name FROM Histories) FROM Contact"
    (found,) = org.call("GET", f"/query?q={soql}")["records"]
    rows = {row["Field"]: row for row in found["Histories"]["records"]}
    assert rows["Title"]["NewValue"] == "Head"
    assert rows["Title"]["CreatedBy"]["Name"] == "Ada Quist"
    key = org.call("GET", "/query?q=SELECT Id FROM ContactHistory WHERE Field='Title'")
    shown = org.show("ContactHistory", key["records"][0]["Id"])
    assert (shown["NewValue"], shown["ContactId"]) == ("Head", id)


def test_custom_fields_are_tracked_where_that_is_wanted(org: Org) -> None:
    define(org, "Account.Size__c", "Text", length=10, trackHistory=True)
    define(org, "Account.Other__c", "Text", length=10)
    id = org.make("Account", Name="Acme")
    change(org, "Account", id, Size__c="large", Other__c="x")
    rows = history(org, "AccountHistory", "AccountId", id)
    assert rows[1:] == [("Size__c", "Text", None, "large")]


def test_nobody_writes_a_history(org: Org) -> None:
    id = org.make("Account", Name="Acme")
    body = {"AccountId": id, "Field": "Name"}
    assert org.refused("POST", "/sobjects/AccountHistory", body)["status"] == 400
    row = org.call("GET", "/query?q=SELECT Id FROM AccountHistory")["records"][0]["Id"]
    path = f"/sobjects/AccountHistory/{row}"
    assert org.refused("PATCH", path, {"NewValue": "x"})["status"] == 400
    assert org.refused("DELETE", path)["status"] == 400
    error = org.refused("GET", "/query?q=SELECT Id FROM AccountHistory WHERE NewValue='x'")
    assert error["errorCode"] == "INVALID_FIELD"


def test_a_history_goes_with_its_record(org: Org) -> None:
    id = org.make("Account", Name="Acme")
    org.call("DELETE", f"/sobjects/Account/{id}", status=204)
    assert history(org, "AccountHistory", "AccountId", id) == []


@pytest.mark.parametrize("name", TRACKED)
def test_what_is_tracked_is_there_to_be_tracked(name: str) -> None:
    of = standard_schema().objects[name]
    found = history_of(of)
    assert found is not None
    assert found[0].field(found[1]) is not None
    assert {one for one in TRACKED[name] if of.field(one) is None} == set()
    assert len(TRACKED[name]) <= 20


def test_every_history_is_of_something_that_is_tracked() -> None:
    kept = {of.name for of in standard_schema() if is_history(of)}
    written = {history_of(standard_schema().objects[name]) for name in TRACKED}
    assert {one[0].name for one in written if one is not None} == kept
