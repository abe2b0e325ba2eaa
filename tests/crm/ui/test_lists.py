"""Lists by the UI resources: list views made and shown, what was seen, lookups, related lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.ui.test_records import recorded

INFO, RECORDS = "/ui-api/list-info", "/ui-api/list-records"


def names(shown: dict[str, Any]) -> list[str]:
    """Return the names of the records of a list."""
    return [one["fields"]["Name"]["value"] for one in shown["records"]]


def test_list_views_are_listed_and_shown_as_they_were_recorded(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_list_info_SOBJECT_API_NAME_200")
    ours = org.call("GET", f"{INFO}/Account")
    assert list(ours) == list(theirs)
    assert ours["count"] == 5
    assert list(ours["lists"][0]) == list(theirs["lists"][0])
    one = recorded("get_data_v64_0_ui_api_list_info_LIST_VIEW_ID_200")
    shown = org.call("GET", f"{INFO}/Account/AllAccounts")
    assert list(shown) == list(one)
    for key in ("displayColumns", "orderedByInfo"):
        assert list(shown[key][0]) == list(one[key][0])
    assert shown["displayColumns"][0] == one["displayColumns"][0]
    assert shown["displayColumns"][-1] == one["displayColumns"][-1]
    assert list(shown["userPreferences"]) == list(one["userPreferences"])
    assert org.call("GET", f"{INFO}/{shown['listReference']['id']}") == shown
    found = org.call("GET", f"{INFO}/Account?q=week")["lists"]
    assert [each["label"] for each in found] == ["New Last Week", "New This Week"]


def test_records_of_a_list_come_page_by_page(org: Org) -> None:
    for name in ("Ash", "Birch", "Cedar"):
        org.make("Account", Name=name)
    theirs = recorded("get_data_v64_0_ui_api_list_records_SOBJECT_API_NAME_LIST_VIEW_API_NAME_200")
    first = org.call("GET", f"{RECORDS}/Account/AllAccounts?pageSize=2")
    assert list(first) == list(theirs)
    assert list(first["records"][0]) == list(theirs["records"][0])
    row, other = first["records"][0]["fields"], theirs["records"][0]["fields"]
    assert set(other) - set(row) == {"BillingCountry"}
    assert list(row["Owner"]["value"]) == list(other["Owner"]["value"])
    assert names(first) == ["Ash", "Birch"]
    assert first["nextPageToken"] == "2"
    rest = org.call("GET", first["nextPageUrl"])
    assert names(rest) == ["Cedar"]
    assert rest["nextPageUrl"] is None
    down = org.call("GET", f"{RECORDS}/Account/AllAccounts?sortBy=-Name&fields=Account.Industry")
    assert names(down) == ["Cedar", "Birch", "Ash"]
    assert "Industry" in down["records"][0]["fields"]
    body = {"pageSize": 1, "sortBy": ["-Name"]}
    assert names(org.call("POST", f"{RECORDS}/Account/AllAccounts", body)) == ["Cedar"]
    both = org.call("GET", "/ui-api/list-ui/Account/AllAccounts")
    assert list(both) == ["eTag", "info", "records"]


def test_a_list_view_is_made_changed_and_taken_away(org: Org) -> None:
    org.make("Opportunity", Name="Small", StageName="Prospecting", CloseDate="2026-12-01", Amount=5)
    big = {"StageName": "Closed Won", "CloseDate": "2026-12-01"}
    org.make("Opportunity", Name="Big", Amount=5000, **big)
    org.make("Opportunity", Name="Big, too", Amount=900, **big)
    body: dict[str, Any] = {
        "label": "Large deals",
        "listViewApiName": "Large_deals",
        "displayColumns": ["OPPORTUNITY.NAME", "Account.Name", "Amount"],
        "filteredByInfo": [
            {"fieldApiName": "Amount", "operator": "GreaterThan", "operandLabels": ["$1,000"]},
            {"fieldApiName": "Name", "operator": "Contains", "operandLabels": ["Big, too"]},
            {"fieldApiName": "StageName", "operator": "Equals", "operandLabels": ["Closed Won"]},
        ],
        "filterLogicString": "(1 OR 2) AND 3",
        "visibility": "Public",
    }
    made = org.call("POST", f"{INFO}/Opportunity", body, status=201)
    path = f"{RECORDS}/Opportunity/Large_deals"
    assert names(org.call("GET", path)) == ["Big", "Big, too"]
    assert [one["fieldApiName"] for one in made["displayColumns"]][:2] == ["Name", "Account.Name"]
    assert next(one["operator"] for one in made["filteredByInfo"]) == "GreaterThan"
    described = org.call(
        "GET", f"/sobjects/Opportunity/listviews/{made['listReference']['id']}/describe"
    )
    assert "((Amount > 1000) OR (Name LIKE '%Big, too%')) AND" in described["query"]
    own = f"{INFO}/Opportunity/Large_deals"
    change: dict[str, Any] = {"filteredByInfo": [], "filterLogicString": None, "label": "All deals"}
    assert org.call("PATCH", own, change)["label"] == "All deals"
    assert len(org.call("GET", path)["records"]) == 3
    org.call("DELETE", own, status=204)
    assert org.refused("GET", own)["status"] == 404


def test_private_list_views_are_their_makers_alone(org: Org) -> None:
    body = {"label": "Mine", "listViewApiName": "Mine", "displayColumns": ["Name"]}
    org.call("POST", f"{INFO}/Account", body, status=201, login=BEN)
    assert org.refused("GET", f"{INFO}/Account/Mine")["status"] == 404
    assert org.call("GET", f"{INFO}/Account/Mine", login=BEN)["visibility"] == "Private"
    labels = [one["label"] for one in org.call("GET", f"{INFO}/Account")["lists"]]
    assert "Mine" not in labels
    public = {**body, "listViewApiName": "Ours", "visibility": "Public"}
    refused = org.refused("POST", f"{INFO}/Account", public, login=BEN)
    assert refused["errorCode"] == "INSUFFICIENT_ACCESS_OR_READONLY"


@pytest.mark.parametrize(
    "more",
    [
        {"displayColumns": ["Nothing"]},
        {"displayColumns": "Name"},
        {"displayColumns": [{"fieldApiName": 1}]},
        {"filteredByInfo": [{"fieldApiName": "Name", "operator": "Near", "operandLabels": []}]},
        {
            "filteredByInfo": [
                {"fieldApiName": "CreatedDate", "operator": "Equals", "operandLabels": ["x"]}
            ]
        },
        {
            "filteredByInfo": [
                {"fieldApiName": "AnnualRevenue", "operator": "Equals", "operandLabels": ["1e999"]}
            ]
        },
        {
            "filteredByInfo": [
                {"fieldApiName": "IsDeleted", "operator": "Contains", "operandLabels": ["x"]}
            ]
        },
        {"filterLogicString": "1 AND"},
        {"filterLogicString": "1"},
        {"filterLogicString": 5},
        {"filterLogicString": "(" * 900},
        {"listViewApiName": "a b"},
        {"listViewApiName": "AllAccounts"},
        {"label": ""},
        {"label": "\0"},
        {"label": "x" * 41},
        {"scope": "nobody"},
        {"visibility": "Shared"},
        {"orderedByInfo": [{"fieldApiName": "Nothing"}]},
    ],
)
def test_list_views_that_will_not_do(org: Org, more: dict[str, Any]) -> None:
    body = {"label": "Some", "listViewApiName": "Some", "displayColumns": ["Name"], **more}
    assert org.refused("POST", f"{INFO}/Account", body)["status"] == 400
    assert org.call("GET", f"{INFO}/Account")["count"] == 5


def test_what_was_seen_is_a_list(org: Org) -> None:
    ids = [org.make("Account", Name=name) for name in ("Ash", "Birch")]
    for id in ids:
        org.call("GET", f"/ui-api/records/{id}?fields=Account.Name&updateMru=true")
    found = org.call("GET", "/ui-api/mru-list-ui/Account")
    assert names(found["records"]) == ["Birch", "Ash"]
    assert found["info"]["listReference"]["type"] == "mru"
    assert names(org.call("GET", "/ui-api/mru-list-records/Account?pageSize=1")) == ["Birch"]


def test_lookups_find_what_was_seen_and_what_is_named(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_lookups_SOBJECT_API_NAME_FIELD_API_NAME_200")
    ids = [org.make("Account", Name=name, Site="X") for name in ("Ash 100%", "Ashen", "Oak")]
    org.call("GET", f"/ui-api/records/{ids[2]}?fields=Account.Name&updateMru=true")
    path = "/ui-api/lookups/Contact/AccountId"
    recent = org.call("GET", f"{path}?searchType=Recent")
    assert list(recent) == list(theirs)
    mine, other = recent["lookupResults"]["Account"], theirs["lookupResults"]["Account"]
    assert list(mine) == list(other)
    assert list(mine["records"][0]) == list(other["records"][0])
    assert list(mine["records"][0]["fields"]) == list(other["records"][0]["fields"])
    assert recent["metadata"] == theirs["metadata"]
    one = recorded(
        "get_data_v64_0_ui_api_lookups_SOBJECT_API_NAME_FIELD_API_NAME_TARGET_API_NAME_200"
    )
    found = org.call("GET", f"{path}/Account?searchType=TypeAhead&q=ash")
    assert list(found) == list(one)
    assert names(found) == ["Ash 100%", "Ashen"]
    assert names(org.call("GET", f"{path}/Account?searchType=Search&q=100%25")) == ["Ash 100%"]
    plain = org.call("GET", f"{path}?q=ash%20100%25")["lookupResults"]["Account"]
    assert names(plain) == ["Ash 100%"]
    own = "/services/data/v64.0/ui-api/lookups/Contact/AccountId/Account"
    url = f"{own}?q=ash%20100%25&searchType=Search&page=1&pageSize=25"
    assert plain["currentPageUrl"] == url
    assert org.refused("GET", "/ui-api/lookups/Contact/Name")["errorCode"] == "INVALID_FIELD"
    assert org.refused("GET", f"{path}/Contact")["errorCode"] == "INVALID_TYPE"


def test_lists_beside_a_record(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    for name in ("Oak", "Elm"):
        org.make("Contact", LastName=name, AccountId=account)
    listed = org.call("GET", "/ui-api/related-list-info/Account")["relatedLists"]
    assert "Contacts" in [one["relatedListId"] for one in listed]
    info = org.call("GET", "/ui-api/related-list-info/Account/Contacts")
    assert next(one["fieldApiName"] for one in info["displayColumns"]) == "Name"
    path = f"/ui-api/related-list-records/{account}/Contacts"
    shown = org.call("GET", f"{path}?fields=Contact.Id,Contact.Name&sortBy=Name")
    assert names(shown) == ["Elm", "Oak"]
    assert org.call("GET", f"/ui-api/related-list-count/{account}/Contacts")["count"] == 2
    theirs = recorded(
        "get_data_v64_0_ui_api_records_RECORD_ID_child_relationships_RELATIONSHIP_NAME_200"
    )
    children = org.call(
        "GET",
        f"/ui-api/records/{account}/child-relationships/Contacts?fields=Contact.Id,Contact.Name",
    )
    assert list(children) == list(theirs)
    assert list(children["records"][0]) == list(theirs["records"][0])
    assert list(children["records"][0]["fields"]) == list(theirs["records"][0]["fields"])
    assert org.refused("GET", f"/ui-api/related-list-records/{account}/Nothing")["status"] == 404
    assert org.refused("GET", f"{path}?sortBy=Nothing")["status"] == 400
