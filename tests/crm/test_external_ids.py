"""Records by a value of their own, and what lies behind their relationships."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.test_collections import HERE as LISTS
from tests.crm.test_collections import of, rows
from tests.crm.test_custom import gadgets  # noqa: F401 - a fixture

OLD = "/services/data/v45.0"
EVA = "/sobjects/Contact/Email/eva@ash.example"


def test_an_upsert_makes_a_record_and_then_changes_it(org: Org) -> None:
    made = org.ask("PATCH", EVA, {"LastName": "Holm"})
    id = made.body["id"]
    assert (made.status, made.body) == (
        201,
        {"id": id, "success": True, "errors": [], "created": True},
    )
    assert made.headers["Location"] == f"/services/data/v64.0/sobjects/Contact/{id}"
    changed = org.ask("PATCH", EVA.replace("eva", "EVA"), {"LastName": "Holt"})
    assert (changed.status, changed.body) == (200, {**made.body, "created": False})
    shown = org.show("Contact", id)
    assert (shown["LastName"], shown["Email"]) == ("Holt", "eva@ash.example")


def test_older_versions_say_less_of_an_upsert(org: Org) -> None:
    made = org.ask("PATCH", f"{OLD}{EVA}", {"LastName": "Holm"})
    assert (made.status, list(made.body)) == (201, ["id", "success", "errors"])
    changed = org.ask("PATCH", f"{OLD}{EVA}", {"LastName": "Holt"})
    assert (changed.status, changed.body) == (204, None)


def test_a_record_is_read_and_deleted_by_its_value(org: Org) -> None:
    id = org.make("Contact", LastName="Holm", Email="eva@ash.example")
    shown = org.call("GET", f"{EVA}?fields=LastName")
    assert (shown["LastName"], shown["Id"]) == ("Holm", id)
    assert org.ask("DELETE", EVA).status == 204
    assert org.refused("GET", EVA)["errorCode"] == "NOT_FOUND"
    assert org.refused("DELETE", EVA)["errorCode"] == "NOT_FOUND"


def test_a_value_of_several_records_is_answered_with_all_of_them(org: Org) -> None:
    names = ("Ash", "Elm")
    ids = [org.make("Lead", LastName=one, Company="B", Email="a@b.example") for one in names]
    path = "/sobjects/Lead/Email/a@b.example"
    urls = [f"/services/data/v64.0/sobjects/Lead/{id}" for id in sorted(ids)]
    assert org.call("GET", path, status=300) == urls
    assert org.call("PATCH", path, {"LastName": "C"}, status=300) == urls
    assert org.call("DELETE", path, status=300) == urls
    assert [org.show("Lead", id)["LastName"] for id in ids] == list(names)


def test_upserts_go_by_the_id_too(org: Org) -> None:
    made = org.call("POST", "/sobjects/Account/Id", {"Name": "Ash"}, status=201)
    assert (made["success"], made["created"]) == (True, True)
    path = f"/sobjects/Account/Id/{made['id']}"
    changed = org.call("PATCH", path, {"Name": "Asher"})
    assert changed == {**made, "created": False}
    assert org.call("GET", path)["Name"] == "Asher"
    assert org.ask("DELETE", path).status == 204
    assert org.refused("GET", path)["errorCode"] == "ENTITY_IS_DELETED"


def test_an_upsert_may_make_nothing(org: Org) -> None:
    before = rows(org)
    error = org.refused("PATCH", f"{EVA}?updateOnly=true", {"LastName": "Holm"})
    assert (error["status"], error["errorCode"]) == (404, "NOT_FOUND")
    assert rows(org) == before


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
@pytest.mark.parametrize("field", ["Phone", "Nothing", "describes", "a%00b"])
def test_other_fields_find_no_records(org: Org, method: str, field: str) -> None:
    body: Any = {} if method == "PATCH" else None
    error = org.refused(method, f"/sobjects/Account/{field}/1", body)
    said = field.replace("%00", "\0")
    assert error == {
        "status": 404,
        "message": f"Provided external ID field does not exist or is not accessible: {said}",
        "errorCode": "NOT_FOUND",
    }


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        (EVA, {"LastName": "A", "email": "b@c.example"}, "INVALID_FIELD"),
        (EVA, {}, "REQUIRED_FIELD_MISSING"),
        (EVA, [], "JSON_PARSER_ERROR"),
        ("/sobjects/Contact/Email/none", {"LastName": "A"}, "INVALID_EMAIL_ADDRESS"),
        ("/sobjects/Account/Id/003000000000000AAA", {"Name": "A"}, "MALFORMED_ID"),
        ("/sobjects/Account/Id/001000000000000AAA", {"Name": "A"}, "NOT_FOUND"),
    ],
)
def test_upserts_that_are_refused(org: Org, path: str, body: Any, code: str) -> None:
    before = rows(org)
    assert org.refused("PATCH", path, body)["errorCode"] == code
    assert rows(org) == before


def test_a_relationship_leads_to_a_parent(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    contact = org.make("Contact", LastName="Holm", AccountId=account)
    path = f"/sobjects/Contact/{contact}/account"
    assert org.call("GET", f"{path}?fields=Name") == {
        "attributes": {
            "type": "Account",
            "url": f"/services/data/v64.0/sobjects/Account/{account}",
        },
        "Name": "Ash",
        "Id": account,
    }
    org.call("PATCH", path, {"Name": "Asher"}, status=204)
    assert org.show("Account", account)["Name"] == "Asher"
    assert org.ask("DELETE", path).status == 204
    assert org.refused("GET", f"/sobjects/Account/{account}")["errorCode"] == "ENTITY_IS_DELETED"


def test_a_relationship_leads_to_children(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    people = [org.make("Contact", LastName=name, AccountId=account) for name in ("Holm", "Ode")]
    org.make("Contact", LastName="Else")
    found = org.call("GET", f"/sobjects/Account/{account}/Contacts?fields=LastName,Id")
    assert list(found) == ["totalSize", "done", "records"]
    assert (found["totalSize"], found["done"]) == (2, True)
    assert {one["Id"] for one in found["records"]} == set(people)
    assert {one["LastName"] for one in found["records"]} == {"Holm", "Ode"}
    whole = org.call("GET", f"/sobjects/Account/{account}/Contacts")
    alone = org.show("Contact", people[0])
    assert alone in whole["records"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("Contacts", "METHOD_NOT_ALLOWED"),
        ("Nothing", "NOT_FOUND"),
        ("Parent", "NOT_FOUND"),
        ("%00", "NOT_FOUND"),
    ],
)
def test_relationships_that_lead_to_nothing_to_change(org: Org, path: str, code: str) -> None:
    account = org.make("Account", Name="Ash")
    whole = f"/sobjects/Account/{account}/{path}"
    assert org.refused("PATCH", whole, {"Name": "A"})["errorCode"] == code
    assert org.refused("DELETE", whole)["errorCode"] == code
    assert org.refused("GET", f"/sobjects/Account/001000000000000AAA/{path}")["status"] == 404


def test_unverified_a_number_of_the_systems_own_makes_no_record(org: Org) -> None:
    """Upserts by a number that the system gives change what is there; the words are ours."""
    id = org.make("Case", Subject="Broken")
    org.call("PATCH", "/sobjects/Case/CaseNumber/00001001", {"Subject": "Lost"})
    assert org.show("Case", id)["Subject"] == "Lost"
    error = org.refused("PATCH", "/sobjects/Case/CaseNumber/00009999", {"Subject": "A"})
    assert error["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"


def test_external_ids_are_fields_that_the_organization_defined(gadgets: Org) -> None:  # noqa: F811 - the fixture
    path = "/sobjects/Account/Key__c/A-1"
    made = gadgets.call("PATCH", path, {"Name": "Ash", "Score__c": 7}, status=201)
    assert gadgets.call("PATCH", path.lower(), {"Tier__c": "Gold"})["id"] == made["id"]
    shown = gadgets.call("GET", path)
    assert (shown["Key__c"], shown["Score__c"], shown["Tier__c"]) == ("A-1", 7.0, "Gold")
    error = gadgets.refused("GET", "/sobjects/Account/Tier__c/Gold")
    assert error["errorCode"] == "NOT_FOUND"
    given = [of("Account", Key__c="a-1", Score__c=8), of("Account", Key__c="Ä-2", Name="Birch")]
    first, second = gadgets.call("PATCH", f"{LISTS}/Account/key__c", {"records": given})
    assert (first["id"], first["created"], second["created"]) == (made["id"], False, True)
    assert gadgets.call("GET", "/sobjects/Account/Key__c/ä-2")["Id"] == second["id"]
    ids = f"{second['id']},{first['id']}"
    found = gadgets.call("GET", f"{LISTS}/Account?ids={ids}&fields=Key__c,Score__c")
    assert [(one["Key__c"], one["Score__c"]) for one in found] == [("Ä-2", None), ("A-1", 8.0)]


def test_parents_and_children_of_objects_that_the_organization_defined(gadgets: Org) -> None:  # noqa: F811 - the fixture
    ash = gadgets.make("Account", Name="Ash", Key__c="A-1")
    lamp = of("Gadget__c", Name="Lamp", Account__r={"Key__c": "A-1"})
    (saved,) = gadgets.call("POST", LISTS, {"records": [lamp]})
    assert gadgets.show("Gadget__c", saved["id"])["Account__c"] == ash
    children = gadgets.call("GET", f"/sobjects/Account/{ash}/Gadgets__r?fields=Name")
    assert [one["Name"] for one in children["records"]] == ["Lamp"]
    parent = gadgets.call("GET", f"/sobjects/Gadget__c/{saved['id']}/Account__r")
    assert (parent["Id"], parent["Key__c"]) == (ash, "A-1")
    node = {"attributes": {"type": "Gadget__c", "referenceId": "g"}, "Name": "Pole"}
    tree = {
        "attributes": {"type": "Account", "referenceId": "a"},
        "Name": "Birch",
        "Gadgets__r": {"records": [node]},
    }
    made = gadgets.call("POST", "/composite/tree/Account", {"records": [tree]}, status=201)
    account, pole = (one["id"] for one in made["results"])
    assert gadgets.show("Gadget__c", pole)["Account__c"] == account
    (gone,) = gadgets.call("DELETE", f"{LISTS}?ids={pole}")
    assert (gone["id"], gone["success"]) == (pole, True)
