"""List views: those that are there, what each asks, the records that it finds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.specs import read_spec

LISTED = ("Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Order")
MARKED: dict[str, Any] = {"Sforce-MRU": "updateMru=true"}


def views(org: Org, of: str, *, login: str | None = None) -> dict[str, dict[str, Any]]:
    """Return the list views of an object by their API names."""
    how: dict[str, Any] = {} if login is None else {"login": login}
    found = org.call("GET", f"/sobjects/{of}/listviews", **how)
    return {one["developerName"]: one for one in found["listviews"]}


def results(org: Org, of: str, name: str, asked: str = "", **how: Any) -> dict[str, Any]:
    """Return what a list view shows."""
    found: dict[str, Any] = org.call("GET", f"{views(org, of)[name]['resultsUrl']}{asked}", **how)
    return found


def cells(shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a list view, each by the paths of its columns."""
    return [
        {one["fieldNameOrPath"]: one["value"] for one in row["columns"]} for row in shown["records"]
    ]


def test_an_object_has_list_views_from_the_start(org: Org) -> None:
    found = org.call("GET", "/sobjects/Account/listviews")
    assert {key: found[key] for key in found if key != "listviews"} == {
        "done": True,
        "nextRecordsUrl": None,
        "size": 5,
        "sobjectType": "Account",
    }
    labels = [one["label"] for one in found["listviews"]]
    assert labels == [
        "All Accounts",
        "My Accounts",
        "New Last Week",
        "New This Week",
        "Recently Viewed Accounts",
    ]
    first = found["listviews"][0]
    assert org.call("GET", first["url"]) == first
    soql = "SELECT Id, Name FROM ListView WHERE SobjectType = 'Account' ORDER BY Name"
    rows = org.call("GET", f"/query?q={soql}")["records"]
    assert [row["Id"] for row in rows] == [one["id"] for one in found["listviews"]]


def test_results_are_like_those_that_were_recorded(org: Org) -> None:
    org.make("Account", Name="Ash", Type="Prospect", BillingState="NC", Phone="(336) 222-7000")
    theirs = read_spec("response-fixtures/list_view_results_success_response.json")
    ours = results(org, "Account", "MyAccounts")
    assert list(ours) == list(theirs)
    assert ours["columns"] == theirs["columns"]
    (row,), (recorded,) = ours["records"], theirs["records"]
    assert [list(one) for one in row["columns"]] == [list(one) for one in recorded["columns"]]
    (shown,) = cells(ours)
    assert shown["Name"] == "Ash"
    assert shown["Type"] == "Prospect"
    assert shown["Owner.Alias"] == "aquist"
    assert len(shown["CreatedDate"]) == len("Fri Aug 01 21:15:46 GMT 2014")
    assert ours["developerName"] == theirs["developerName"]
    assert len(ours["id"]) == len(theirs["id"])


@pytest.mark.parametrize("of", LISTED)
def test_every_standard_list_view_can_be_asked(org: Org, of: str) -> None:
    found = views(org, of)
    assert found
    for one in found.values():
        described = org.call("GET", one["describeUrl"])
        assert described["sobjectType"] == of
        assert all(column["label"] for column in described["columns"])
        assert org.call("GET", one["resultsUrl"])["size"] == 0


def test_a_list_view_is_described_with_its_query(org: Org) -> None:
    described = org.call("GET", views(org, "Opportunity")["ClosingThisMonth"]["describeUrl"])
    assert described["query"] == (
        "SELECT Name, Account.Name, Amount, CloseDate, toLabel(StageName), Owner.Alias, Id,"
        " CreatedDate, LastModifiedDate, SystemModstamp FROM Opportunity"
        " WHERE (IsClosed = false) AND (CloseDate = THIS_MONTH)"
        " ORDER BY Name ASC NULLS FIRST, Id ASC NULLS FIRST"
    )
    assert described["whereCondition"] == {
        "conditions": [
            {"field": "IsClosed", "operator": "equals", "values": ["false"]},
            {"field": "CloseDate", "operator": "equals", "values": ["THIS_MONTH"]},
        ],
        "conjunction": "and",
    }
    mine = org.call("GET", views(org, "Account")["MyAccounts"]["describeUrl"])
    assert mine["scope"] == "mine"
    assert " USING SCOPE mine " in mine["query"]
    seen = org.call("GET", views(org, "Account")["RecentlyViewedAccounts"]["describeUrl"])
    assert seen["scope"] == "mru"


def test_lists_are_of_whose_they_say_and_page(org: Org) -> None:
    for name in ("Ash", "Birch", "Cedar"):
        org.make("Account", Name=name)
    org.call("POST", "/sobjects/Account", {"Name": "Dogwood"}, status=201, login=BEN)
    assert [row["Name"] for row in cells(results(org, "Account", "MyAccounts"))] == [
        "Ash",
        "Birch",
        "Cedar",
    ]
    first = results(org, "Account", "AllAccounts", "?limit=2")
    assert (first["size"], first["done"]) == (2, False)
    rest = results(org, "Account", "AllAccounts", "?limit=2&offset=2")
    assert [row["Name"] for row in cells(rest)] == ["Cedar", "Dogwood"]
    assert rest["done"] is True


def test_what_was_seen_is_listed_the_last_first(org: Org) -> None:
    ids = [org.make("Account", Name=name) for name in ("Ash", "Birch")]
    assert org.call("GET", "/recent") == []
    for id in ids:
        org.call("GET", f"/sobjects/Account/{id}", **MARKED)
    org.call("GET", f"/sobjects/Account/{ids[0]}")
    seen = org.call("GET", "/recent")
    assert [one["Name"] for one in seen] == ["Birch", "Ash"]
    recorded = read_spec("response-fixtures/recent_success_response.json")
    assert list(seen[0]) == list(recorded[0])
    assert [one["Id"] for one in org.call("GET", "/recent?limit=1")] == [ids[1]]
    assert org.call("GET", "/recent", login=BEN) == []
    shown = results(org, "Account", "RecentlyViewedAccounts")
    assert [row["Name"] for row in cells(shown)] == ["Birch", "Ash"]
    items = org.call("GET", "/sobjects/Account")["recentItems"]
    assert [one["Id"] for one in items] == [ids[1], ids[0]]


def test_list_views_that_were_used_are_recent(org: Org) -> None:
    assert org.call("GET", "/sobjects/Account/listviews/recent")["size"] == 0
    for name in ("NewThisWeek", "AllAccounts"):
        results(org, "Account", name)
    recent = org.call("GET", "/sobjects/Account/listviews/recent")
    assert [one["developerName"] for one in recent["listviews"]] == ["AllAccounts", "NewThisWeek"]


@pytest.mark.parametrize(
    "path",
    [
        "/sobjects/Account/listviews/00B000000000000AAA",
        "/sobjects/Account/listviews/nothing/results",
        "/sobjects/Nothing__c/listviews",
        "/sobjects/Account/listviews/%00/describe",
    ],
)
def test_list_views_that_are_not_there(org: Org, path: str) -> None:
    assert org.refused("GET", path)["errorCode"] == "NOT_FOUND"


def test_records_of_another_object_are_in_no_list_of_this_one(org: Org) -> None:
    id = views(org, "Contact")["AllContacts"]["id"]
    assert org.refused("GET", f"/sobjects/Account/listviews/{id}")["status"] == 404


@pytest.mark.parametrize("asked", ["?limit=0", "?limit=2001", "?limit=x", "?offset=-1"])
def test_pages_that_are_none(org: Org, asked: str) -> None:
    path = views(org, "Account")["AllAccounts"]["resultsUrl"]
    assert org.refused("GET", f"{path}{asked}")["status"] == 400
