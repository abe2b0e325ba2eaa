"""What can be done at each place of the pages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.specs import read_spec

HERE = "/ui-api/actions"


def offered(org: Org, path: str, **how: Any) -> dict[str, list[str]]:
    """Return the names of actions by whose they are."""
    found = org.call("GET", f"{HERE}/{path}", **how)
    assert found["url"].endswith(f"{HERE}/{path}")
    assert len(found["eTag"]) == 32
    return {
        name: [action["apiName"] for action in shown["actions"]]
        for name, shown in found["actions"].items()
    }


def test_actions_have_the_members_of_the_vendors(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    found = org.call("GET", f"{HERE}/record/{id}")
    theirs = read_spec("response-examples/get_data_v64_0_ui_api_actions_record_RECORD_IDS_200.json")
    assert list(found) == list(theirs)
    (shown,), their_shown = found["actions"].values(), next(iter(theirs["actions"].values()))
    assert list(shown) == list(their_shown)
    assert all(list(one) == list(their_shown["actions"][0]) for one in shown["actions"])


def test_what_is_done_anywhere_and_with_records(org: Org) -> None:
    ids = [org.make("Account", Name=name) for name in ("Ash", "Elm")]
    found = offered(org, f"record/{','.join(ids)}")
    assert list(found) == ids
    assert found[ids[0]][-3:] == ["Edit", "ChangeOwnerOne", "Delete"]
    assert offered(org, "global") == {"Global": found[ids[0]][:-3]}
    assert "Global.LogACall" in found[ids[0]]
    assert offered(org, f"list-view-record/{ids[0]}")[ids[0]] == [
        "Edit",
        "Delete",
        "ChangeOwnerOne",
    ]
    assert offered(org, f"record/{ids[0]}/record-edit")[ids[0]] == [
        "SaveEdit",
        "SaveAndNew",
        "CancelEdit",
    ]


def test_what_is_done_with_related_lists(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    contact = org.make("Contact", LastName="Holm", AccountId=account)
    both = offered(org, f"record/{account}/related-list/Contacts,Opportunities")
    assert both == {account: ["NewContact", "NewOpportunity"]}
    rows = offered(org, f"record/{account}/related-list-record/{contact}")
    assert rows == {contact: ["Edit", "Delete"]}


def test_what_is_done_with_lists_and_lookups(org: Org) -> None:
    view = org.call("GET", "/sobjects/Account/listviews")["listviews"][0]["id"]
    assert offered(org, f"list-view/{view}")[view][:3] == ["EditFilter", "ListSort", "New"]
    assert offered(org, "lookup/Account,Contact") == {
        "Account": ["CreateFromLookup"],
        "Contact": ["CreateFromLookup"],
    }
    assert offered(org, "mru-list/Account") == {"Account": ["New"]}
    assert len(offered(org, "list-view-chart/Account")["Account"]) == 3


def test_a_user_is_offered_what_the_user_may_do(org: Org) -> None:
    assert offered(org, "lookup/Product2", login=BEN) == {"Product2": []}
    assert offered(org, "lookup/Product2") == {"Product2": ["CreateFromLookup"]}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("record/001000000000000AAA", 404),
        ("record/x", 404),
        ("list-view-record/001000000000000AAA", 404),
        ("record/001000000000000AAA/record-edit", 404),
        ("record/{account}/related-list/Nothing", 404),
        ("record/{account}/related-list-record/x", 404),
        ("list-view/00B000000000000AAA", 404),
        ("list-view-chart/Nothing", 400),
        ("lookup/Nothing", 400),
        ("mru-list/Nothing", 400),
    ],
)
def test_places_that_are_not_there_are_refused(org: Org, path: str, status: int) -> None:
    account = org.make("Account", Name="Ash")
    assert org.refused("GET", f"{HERE}/{path.format(account=account)}")["status"] == status


def test_actions_are_for_those_who_are_signed_in(org: Org) -> None:
    assert org.refused("GET", f"{HERE}/global", login=None)["status"] == 401
