"""Records by the UI resources, compared key by key with those that were recorded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.specs import read_spec

RECORDS = "/ui-api/records"


def recorded(name: str) -> Any:
    """Return a recorded answer."""
    return read_spec(f"response-examples/{name}.json")


def test_a_record_is_shown_with_the_fields_that_were_asked_for(org: Org) -> None:
    id = org.make("Account", Name="Burlington", Rating="Warm", AnnualRevenue=350000000)
    shown = org.call("GET", f"{RECORDS}/{id}?fields=Account.Name,Account.Rating")
    theirs = recorded("get_data_v64_0_ui_api_records_RECORD_ID_200")
    assert list(shown) == list(theirs)
    assert shown["fields"] == {
        "Name": {"displayValue": None, "value": "Burlington"},
        "Rating": {"displayValue": "Warm", "value": "Warm"},
    }
    assert shown["recordTypeId"] == theirs["recordTypeId"]
    assert len(shown["lastModifiedDate"]) == len(theirs["lastModifiedDate"])
    money = org.call("GET", f"{RECORDS}/{id}?fields=Account.AnnualRevenue")["fields"]
    assert money["AnnualRevenue"] == {"displayValue": "$350,000,000", "value": 350000000}


def test_records_come_many_at_once_with_their_layouts(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    contact = org.make("Contact", LastName="Oak", AccountId=account)
    theirs = recorded("get_data_v64_0_ui_api_records_batch_RECORD_IDS_200")
    path = f"{RECORDS}/batch/{account},{contact},001000000000000AAA?layoutTypes=Compact"
    shown = org.call("GET", path)
    assert list(shown) == list(theirs)
    assert shown["hasErrors"] is True
    assert [one["statusCode"] for one in shown["results"]] == [200, 200, 404]
    first, second, _ = (one["result"] for one in shown["results"])
    assert list(first) == list(theirs["results"][0]["result"])
    owner = first["fields"]["Owner"]
    assert list(owner["value"]) == list(theirs["results"][0]["result"]["fields"]["Owner"]["value"])
    assert owner["displayValue"] == "Ada Quist"
    assert second["fields"]["Account"]["displayValue"] == "Ash"
    assert first["fields"].get("Parent", {"value": None})["value"] is None


def test_a_record_is_made_changed_and_deleted(org: Org) -> None:
    body = {"apiName": "Account", "fields": {"Name": "My New Account"}}
    made = org.call("POST", RECORDS, body, status=201)
    theirs = recorded("post_data_v64_0_ui_api_records_201")
    assert list(made) == list(theirs)
    custom = {name for name in theirs["fields"] if name.endswith("__c")}
    assert set(theirs["fields"]) - custom - set(made["fields"]) == set()
    path = f"{RECORDS}/{made['id']}"
    changed = org.call("PATCH", path, {"fields": {"Name": "Ash", "Industry": "Apparel"}})
    assert changed["fields"]["Industry"] == {"displayValue": "Apparel", "value": "Apparel"}
    assert changed["eTag"] != made["eTag"]
    assert org.show("Account", made["id"])["Name"] == "Ash"
    org.call("DELETE", path, status=204)
    assert org.refused("GET", f"{path}?fields=Account.Name")["errorCode"] == "ENTITY_IS_DELETED"


def test_a_tag_says_that_nothing_changed(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"{RECORDS}/{id}?fields=Account.Name"
    first = org.ask("GET", path)
    tag = first.headers["ETag"]
    assert org.ask("GET", path, **{"If-None-Match": tag}).status == 304
    org.call("PATCH", f"{RECORDS}/{id}", {"fields": {"Name": "Birch"}})
    assert org.ask("GET", path, **{"If-None-Match": tag}).status == 200


def test_unverified_a_refusal_names_the_fields_that_are_to_blame(org: Org) -> None:
    refused = org.refused("POST", RECORDS, {"apiName": "Contact", "fields": {"FirstName": "Al"}})
    assert refused["status"] == 400
    assert refused["enhancedErrorType"] == "RecordError"
    (error,) = refused["output"]["fieldErrors"]["LastName"]
    assert error["errorCode"] == "REQUIRED_FIELD_MISSING"
    assert error["fieldLabel"] == "Last Name"
    assert refused["output"]["errors"] == []
    assert org.call("GET", "/query?q=SELECT Id FROM Contact")["totalSize"] == 0


def test_parents_of_several_kinds_are_shown_by_name(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    task = org.make("Task", Subject="Call", WhatId=account)
    path = f"{RECORDS}/{task}?fields=Task.Subject,Task.What.Name,Task.Owner.Name"
    shown = org.call("GET", path)["fields"]
    assert shown["What"]["displayValue"] == "Ash"
    assert shown["What"]["value"]["apiName"] == "Account"
    assert shown["Owner"]["displayValue"] == "Ada Quist"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("", "MISSING_ARGUMENT"),
        ("?fields=Account.Nothing", "INVALID_FIELD"),
        ("?fields=Name", "INVALID_FIELD"),
        ("?fields=Contact.Name", "INVALID_FIELD"),
        ("?fields=Account.Owner.Nothing.Name", "INVALID_FIELD"),
        ("?fields=Account." + "Parent." * 400 + "Name", "INVALID_FIELD"),
        ("?layoutTypes=Huge", "ILLEGAL_QUERY_PARAMETER_VALUE"),
        ("?layoutTypes=Full&modes=Nothing", "ILLEGAL_QUERY_PARAMETER_VALUE"),
        ("?fields=Account.%00", "INVALID_FIELD"),
    ],
)
def test_what_cannot_be_shown(org: Org, asked: str, code: str) -> None:
    id = org.make("Account", Name="Ash")
    assert org.refused("GET", f"{RECORDS}/{id}{asked}")["errorCode"] == code


def test_fields_that_may_be_missing_are_left_out(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"{RECORDS}/{id}?optionalFields=Account.Name,Account.Nothing,Contact.Name"
    assert list(org.call("GET", path)["fields"]) == ["Name"]


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"apiName": 1, "fields": {}},
        {"apiName": "Account", "fields": []},
        {"apiName": "Nothing", "fields": {}},
        {"apiName": "Account", "fields": {"Name": {"deep": 1}}},
        {"apiName": "Account", "fields": {"Nothing": 1}},
        {"apiName": "Account"},
    ],
)
def test_bodies_that_are_none(org: Org, body: Any) -> None:
    assert org.ask("POST", RECORDS, body).status == 400
    assert org.call("GET", "/query?q=SELECT Id FROM Account")["totalSize"] == 0


def test_what_is_marked_is_recent(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    org.call("GET", f"{RECORDS}/{id}?fields=Account.Name&updateMru=true")
    assert [one["Id"] for one in org.call("GET", "/recent")] == [id]
