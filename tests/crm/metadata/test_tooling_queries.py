"""Queries over what the organization is made of."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.crm.conftest import Org


def found(org: Org, text: str) -> list[dict[str, Any]]:
    """Return the records that a query finds, without their attributes."""
    answer = org.call("GET", f"/tooling/query?q={text.replace('%', '%25')}")
    assert (answer["size"], answer["done"]) == (len(answer["records"]), True)
    return [
        {name: value for name, value in one.items() if name != "attributes"}
        for one in answer["records"]
    ]


@pytest.fixture
def ruled(org: Org) -> Org:
    """An organization with a field and two rules of its own."""
    field = {"label": "Region", "type": "Text", "length": 40}
    body = {"FullName": "Account.Region__c", "Metadata": field}
    org.call("POST", "/tooling/sobjects/CustomField", body, status=201)
    for of, name in (("Account", "Named"), ("Opportunity", "Priced")):
        metadata = {"active": of == "Account", "errorConditionFormula": "false"}
        metadata["errorMessage"] = f"{name}!"
        body = {"FullName": f"{of}.{name}", "Metadata": metadata}
        org.call("POST", "/tooling/sobjects/ValidationRule", body, status=201)
    return org


def test_rules_are_found_and_deleted_by_their_addresses(ruled: Org) -> None:
    text = "SELECT Id, ValidationName, EntityDefinition.QualifiedApiName FROM ValidationRule"
    rows = found(ruled, f"{text} ORDER BY ValidationName DESC")
    assert [one["ValidationName"] for one in rows] == ["Priced", "Named"]
    assert rows[0]["EntityDefinition"]["QualifiedApiName"] == "Opportunity"
    one = "SELECT Metadata, ErrorMessage FROM ValidationRule WHERE EntityDefinitionId = 'account'"
    answer = ruled.call("GET", f"/tooling/query?q={one}")
    assert answer["entityTypeName"] == "ValidationRule"
    (row,) = answer["records"]
    assert row["Metadata"]["errorConditionFormula"] == "false"
    ruled.call("DELETE", row["attributes"]["url"], status=204)
    assert len(found(ruled, text)) == 1


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("Active = true", ["Named"]),
        ("Active = false", ["Priced"]),
        ("ValidationName LIKE 'p%'", ["Priced"]),
        ("NOT ValidationName LIKE 'p%'", ["Named"]),
        ("ValidationName LIKE 'N_med' OR ErrorMessage = 'Priced!'", ["Named", "Priced"]),
        ("EntityDefinition.QualifiedApiName IN ('Account', 'Case')", ["Named"]),
        ("EntityDefinition.QualifiedApiName NOT IN ('Account')", ["Priced"]),
        ("Description = null AND ValidationName > 'O'", ["Priced"]),
        ("ValidationName != 'named'", ["Priced"]),
    ],
)
def test_conditions_choose_rows(ruled: Org, where: str, names: list[str]) -> None:
    text = f"SELECT ValidationName FROM ValidationRule WHERE {where} ORDER BY ValidationName"
    assert [one["ValidationName"] for one in found(ruled, text)] == names


def test_a_pattern_of_many_jokers_is_answered_in_time(ruled: Org) -> None:
    metadata = {"active": True, "errorConditionFormula": "false", "errorMessage": "a" * 250}
    rule = {"FullName": "Account.Long", "Metadata": metadata}
    ruled.call("POST", "/tooling/sobjects/ValidationRule", rule, status=201)
    began = time.process_time()
    text = f"SELECT Id FROM ValidationRule WHERE ErrorMessage LIKE '{'a%' * 100}b'"
    assert found(ruled, text) == []
    assert time.process_time() - began < 5


def test_objects_and_fields_are_rows(ruled: Org) -> None:
    entity = "SELECT Label, KeyPrefix FROM EntityDefinition WHERE QualifiedApiName = 'Account'"
    assert found(ruled, entity) == [{"Label": "Account", "KeyPrefix": "001"}]
    fields = (
        "SELECT QualifiedApiName, DataType FROM FieldDefinition WHERE"
        " EntityDefinition.QualifiedApiName = 'Account' AND QualifiedApiName LIKE 'Reg%'"
    )
    assert found(ruled, fields) == [{"QualifiedApiName": "Region__c", "DataType": "Text(40)"}]
    custom = "SELECT DeveloperName, TableEnumOrId FROM CustomField LIMIT 5"
    assert found(ruled, custom) == [{"DeveloperName": "Region", "TableEnumOrId": "Account"}]
    count = ruled.call("GET", "/tooling/query?q=SELECT COUNT() FROM ApexClass")
    assert (count["totalSize"], count["records"]) == (0, [])


def test_tooling_objects_are_listed_and_described(org: Org) -> None:
    listed = {one["name"]: one for one in org.call("GET", "/tooling/sobjects")["sobjects"]}
    described = org.call("GET", listed["CustomField"]["urls"]["describe"])
    assert "TableEnumOrId" in [one["name"] for one in described["fields"]]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "MALFORMED_QUERY"),
        ("SELECT", "MALFORMED_QUERY"),
        ("SELECT Id FROM Account", "INVALID_TYPE"),
        ("SELECT Nothing FROM ValidationRule", "INVALID_FIELD"),
        ("SELECT COUNT(Id) FROM ValidationRule", "MALFORMED_QUERY"),
        ("SELECT Metadata FROM ValidationRule", "MALFORMED_QUERY"),
        ("SELECT Id FROM ValidationRule WHERE CreatedDate = TODAY", "MALFORMED_QUERY"),
    ],
)
def test_queries_that_will_not_do(ruled: Org, text: str, code: str) -> None:
    assert ruled.refused("GET", f"/tooling/query?q={text}")["errorCode"] == code
