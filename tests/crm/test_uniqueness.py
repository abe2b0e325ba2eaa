"""Values that no two records have: of unique fields, of prices in a price book."""

from __future__ import annotations

import pytest

from tests.crm.conftest import Org


@pytest.fixture
def keyed(org: Org) -> Org:
    """An organization whose accounts have a key of their own."""
    metadata = {"label": "Key", "type": "Text", "length": 20, "unique": True, "externalId": True}
    body = {"FullName": "Account.Key__c", "Metadata": metadata}
    org.call("POST", "/tooling/sobjects/CustomField", body, status=201)
    return org


def test_a_unique_value_is_one_records(keyed: Org) -> None:
    first = keyed.make("Account", Name="Ash", Key__c="E1")
    for value in ("E1", "e1"):
        error = keyed.refused("POST", "/sobjects/Account", {"Name": "Birch", "Key__c": value})
        assert (error["status"], error["errorCode"]) == (400, "DUPLICATE_VALUE")
        assert error["message"] == (
            f"duplicate value found: Key__c duplicates value on record with id: {first[:15]}"
        )
    other = keyed.make("Account", Name="Cedar", Key__c="E2")
    error = keyed.refused("PATCH", f"/sobjects/Account/{other}", {"Key__c": "E1"})
    assert error["errorCode"] == "DUPLICATE_VALUE"
    keyed.call("PATCH", f"/sobjects/Account/{first}", {"Key__c": "E1", "Phone": "1"}, status=204)


def test_a_unique_value_is_free_again_once_its_record_is_in_the_bin(keyed: Org) -> None:
    first = keyed.make("Account", Name="Ash", Key__c="E1")
    keyed.call("DELETE", f"/sobjects/Account/{first}", status=204)
    keyed.make("Account", Name="Birch", Key__c="E1")
    keyed.make("Account", Name="Cedar")
    keyed.make("Account", Name="Dogwood")


def test_a_list_that_gives_a_value_twice_keeps_one(keyed: Org) -> None:
    given = [
        {"attributes": {"type": "Account"}, "Name": name, "Key__c": "E1"} for name in ("Ash", "Elm")
    ]
    one, two = keyed.call("POST", "/composite/sobjects", {"records": given})
    assert (one["success"], two["success"]) == (True, False)
    assert two["errors"][0]["statusCode"] == "DUPLICATE_VALUE"


def test_a_product_has_one_price_in_a_book_and_a_standard_one_first(org: Org) -> None:
    text = "SELECT Id FROM Pricebook2 WHERE IsStandard = true"
    standard = org.call("GET", f"/query?q={text}")["records"][0]["Id"]
    product = org.make("Product2", Name="Lens", IsActive=True)
    book = org.make("Pricebook2", Name="Dealers", IsActive=True)
    price = {"Product2Id": product, "Pricebook2Id": book, "UnitPrice": 5, "IsActive": True}
    error = org.refused("POST", "/sobjects/PricebookEntry", price)
    assert (error["status"], error["errorCode"]) == (400, "STANDARD_PRICE_NOT_DEFINED")
    assert error["message"] == "Before creating a custom price, create a standard price."
    org.make("PricebookEntry", **{**price, "Pricebook2Id": standard})
    org.make("PricebookEntry", **price)
    error = org.refused("POST", "/sobjects/PricebookEntry", price)
    assert (error["status"], error["errorCode"]) == (400, "DUPLICATE_VALUE")
    assert error["message"] == "This price definition already exists in this price book"
