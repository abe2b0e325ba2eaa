"""Objects and fields that an organization defines: written, asked for, rewound like others."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.test_queries import bare, query, rows

FIELD = "/tooling/sobjects/CustomField"


def define(org: Org, full_name: str, type_: str, **metadata: Any) -> str:
    """Define a field as an administrator does, and return its id."""
    body = {"FullName": full_name, "Metadata": {"label": full_name, "type": type_, **metadata}}
    made: dict[str, Any] = org.call("POST", FIELD, body, status=201)
    return str(made["id"])


@pytest.fixture
def gadgets(org: Org) -> Org:
    """An organization with an object of its own, and fields on it and on accounts."""
    from clones.crm.domain.customizing import (  # noqa: PLC0415 - the app may not be there
        define_object,
    )

    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        define_object("Gadget", "Gadget", "Gadgets", actor=org.users[ADA], name_label="Gadget Name")
    define(org, "Account.Tier__c", "Picklist", valueSet=tiers("Gold", "Silver"))
    define(org, "Account.Score__c", "Number", precision=6, scale=2)
    define(org, "Account.Key__c", "Text", length=20, externalId=True, unique=True)
    define(org, "Gadget__c.Account__c", "Lookup", referenceTo="Account", relationshipName="Gadgets")
    define(org, "Gadget__c.Works__c", "Checkbox")
    define(org, "Gadget__c.Since__c", "Date")
    return org


def tiers(*names: str) -> dict[str, Any]:
    """Return the values of a picklist, as metadata have them."""
    return {"valueSetDefinition": {"value": [{"fullName": name} for name in names]}}


def test_values_of_custom_fields_are_kept_and_found(gadgets: Org) -> None:
    ash = gadgets.make("Account", Name="Ash", Tier__c="Gold", Score__c=1.255, Key__c="A-1")
    gadgets.make("Account", Name="Birch")
    shown = gadgets.show("Account", ash)
    assert (shown["Tier__c"], shown["Score__c"], shown["Key__c"]) == ("Gold", 1.26, "A-1")
    found = rows(gadgets, "SELECT Name, tier__C FROM Account WHERE Score__c > 1.2")
    assert found == [{"Name": "Ash", "Tier__c": "Gold"}]
    found = rows(gadgets, "SELECT Name FROM Account WHERE Key__c != 'a-1'")
    assert found == [{"Name": "Birch"}]
    gadgets.call("PATCH", f"/sobjects/Account/{ash}", {"Score__c": None}, status=204)
    assert gadgets.show("Account", ash)["Score__c"] is None
    assert rows(gadgets, "SELECT COUNT(Id) n, MAX(Score__c) m FROM Account") == [
        {"n": 2, "m": None}
    ]


def test_records_of_custom_objects_have_parents_and_are_children(gadgets: Org) -> None:
    ash = gadgets.make("Account", Name="Ash", Tier__c="Silver")
    one = gadgets.make("Gadget__c", Name="Lamp", Account__c=ash, Works__c=True)
    gadgets.make("Gadget__c", Name="Pole", Since__c="2026-02-03")
    assert one.startswith("a00")
    text = "SELECT Name, Works__c, Account__r.Tier__c, Owner.Name FROM Gadget__c ORDER BY Name"
    assert rows(gadgets, text) == [
        {
            "Name": "Lamp",
            "Works__c": True,
            "Account__r": {"Tier__c": "Silver"},
            "Owner": {"Name": "Ada Quist"},
        },
        {"Name": "Pole", "Works__c": False, "Account__r": None, "Owner": {"Name": "Ada Quist"}},
    ]
    assert rows(gadgets, "SELECT Name FROM Gadget__c WHERE Works__c = false") == [{"Name": "Pole"}]
    text = "SELECT Name, (SELECT Name FROM Gadgets__r) FROM Account"
    (account,) = query(gadgets, text)["records"]
    assert bare(account["Gadgets__r"]["records"]) == [{"Name": "Lamp"}]
    found = rows(gadgets, "SELECT Id FROM Account WHERE Id IN (SELECT Account__c FROM Gadget__c)")
    assert found == [{"Id": ash}]


def test_describe_shows_what_was_defined(gadgets: Org) -> None:
    found = gadgets.call("GET", "/sobjects/Gadget__c/describe")
    assert (found["label"], found["labelPlural"], found["custom"]) == ("Gadget", "Gadgets", True)
    fields = {one["name"]: one for one in found["fields"]}
    assert fields["Name"]["label"] == "Gadget Name"
    assert fields["Account__c"]["referenceTo"] == ["Account"]
    assert fields["Account__c"]["relationshipName"] == "Account__r"
    assert fields["Works__c"]["custom"] is True
    account = gadgets.call("GET", "/sobjects/Account/describe")
    seen = [
        one["relationshipName"]
        for one in account["childRelationships"]
        if one["childSObject"] == "Gadget__c"
    ]
    assert seen == ["Gadgets__r"]
    names = [one["name"] for one in gadgets.call("GET", "/sobjects")["sobjects"]]
    assert "Gadget__c" in names


def test_a_field_that_goes_takes_its_values_and_gives_its_place(org: Org) -> None:
    first = define(org, "Account.Tier__c", "Text", length=10)
    id = org.make("Account", Name="Ash", Tier__c="Gold")
    assert org.ask("DELETE", f"{FIELD}/{first}").status == 204
    assert "Tier__c" not in org.show("Account", id)
    define(org, "Account.Rank__c", "Text", length=10)
    assert org.show("Account", id)["Rank__c"] is None


@pytest.mark.parametrize(
    ("full_name", "metadata", "code"),
    [
        ("Account.A__b__c", {"type": "Text"}, "INVALID_FIELD"),
        ("Account.1st__c", {"type": "Text"}, "INVALID_FIELD"),
        ("Account.Size__c", {"type": "Colour"}, "INVALID_TYPE"),
        ("Account.Size__c", {"type": "Number", "precision": 40}, "NUMBER_OUTSIDE_VALID_RANGE"),
        ("Account.Size__c", {"type": "Lookup", "referenceTo": "Nothing__c"}, "INVALID_FIELD"),
        ("Account.Size__c", {"type": "Text", "length": "long"}, "JSON_PARSER_ERROR"),
        ("Nothing__c.Size__c", {"type": "Text"}, "NOT_FOUND"),
        ("Size__c", {"type": "Text"}, "REQUIRED_FIELD_MISSING"),
    ],
)
def test_what_cannot_be_defined(
    org: Org, full_name: str, metadata: dict[str, Any], code: str
) -> None:
    body = {"FullName": full_name, "Metadata": {"label": "Size", **metadata}}
    assert org.refused("POST", FIELD, body)["errorCode"] == code
    fields = org.call("GET", "/sobjects/Account/describe")["fields"]
    assert not any(one["custom"] for one in fields)


def test_a_name_is_taken_once_and_only_administrators_define(org: Org) -> None:
    define(org, "Account.Size__c", "Text", length=10)
    body = {"FullName": "Account.size__c", "Metadata": {"label": "Size", "type": "Text"}}
    assert org.refused("POST", FIELD, body)["errorCode"] == "DUPLICATE_DEVELOPER_NAME"
    body["FullName"] = "Account.Other__c"
    assert org.refused("POST", FIELD, body, login=BEN)["status"] == 403


def test_definitions_and_values_are_rewound_with_everything_else(
    org: Org, sandboxes: Sandboxes
) -> None:
    id = org.make("Account", Name="Ash")
    sandboxes.mark(org.row.id, "before")
    define(org, "Account.Size__c", "Text", length=10)
    org.call("PATCH", f"/sobjects/Account/{id}", {"Size__c": "large"}, status=204)
    assert org.show("Account", id)["Size__c"] == "large"
    sandboxes.rewind(org.row.id, "before")
    assert "Size__c" not in org.show("Account", id)
    error = org.refused("GET", "/query?q=SELECT+Size__c+FROM+Account")
    assert error["errorCode"] == "INVALID_FIELD"
    define(org, "Account.Size__c", "Text", length=10)
    assert org.show("Account", id)["Size__c"] is None


def test_words_of_custom_fields_and_objects_are_searched(gadgets: Org) -> None:
    define(gadgets, "Account.Motto__c", "Text", length=80)
    gadgets.make("Account", Name="Ash", Motto__c="Never idle", Key__c="Zeal-9")
    gadgets.make("Account", Name="Idle Birch")
    gadgets.make("Gadget__c", Name="Idle wheel")
    found = gadgets.call("GET", "/search?q=FIND {idle} RETURNING Gadget__c(Name),Account(Name)")
    names = [one["Name"] for one in found["searchRecords"]]
    assert names == ["Idle wheel", "Ash", "Idle Birch"]
    found = gadgets.call("GET", "/search?q=FIND {ash AND zeal*} RETURNING Account(Motto__c)")
    assert bare(found["searchRecords"]) == [{"Motto__c": "Never idle"}]
    found = gadgets.call("GET", "/search?q=FIND {idle} IN NAME FIELDS RETURNING Account(Name)")
    assert bare(found["searchRecords"]) == [{"Name": "Idle Birch"}]
    found = gadgets.call("GET", "/search?q=FIND {idle}")
    kinds = {one["attributes"]["type"] for one in found["searchRecords"]}
    assert kinds == {"Account", "Gadget__c"}


def test_layouts_show_what_an_organization_added(gadgets: Org) -> None:
    first = gadgets.call("GET", "/sobjects/Account/describe/layouts")["layouts"][0]
    rows = first["detailLayoutSections"][0]["layoutRows"]
    shown = [item["label"] for row in rows[-2:] for item in row["layoutItems"]]
    assert shown == ["Account.Tier__c", "Account.Score__c", "Account.Key__c"]
    own = gadgets.call("GET", "/sobjects/Gadget__c/describe/layouts")["layouts"][0]
    fields = [
        component["value"]
        for section in own["detailLayoutSections"]
        for row in section["layoutRows"]
        for item in row["layoutItems"]
        for component in item["layoutComponents"]
    ]
    assert {"Name", "Account__c", "Works__c", "Since__c", "CreatedById"} <= set(fields)
