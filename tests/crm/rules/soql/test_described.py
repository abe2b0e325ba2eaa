"""The description of columns has what the vendor's own command line reads of it."""

from __future__ import annotations

from typing import Any

from clones.crm.rules.soql import columns_of, plan_text
from tests.crm.rules.soql.memory import CONTEXT


def described(query: str) -> dict[str, Any]:
    return columns_of(plan_text(query, CONTEXT))


def outline(columns: list[dict[str, Any]]) -> list[Any]:
    return [
        (
            column["columnName"],
            column["displayName"],
            column["aggregate"],
            outline(column["joinColumns"]),
        )
        for column in columns
    ]


def test_fields_parents_and_children() -> None:
    found = described(
        "SELECT id, account.name, Account.Owner.Name, Owner.Name, "
        "(SELECT Subject, Owner.Name FROM cases) FROM contact"
    )
    assert outline(found["columnMetadata"]) == [
        ("Id", "Id", False, []),
        (
            "Account",
            "Account",
            False,
            [
                ("Name", "Name", False, []),
                ("Owner", "Owner", False, [("Name", "Name", False, [])]),
            ],
        ),
        ("Owner", "Owner", False, [("Name", "Name", False, [])]),
        (
            "Cases",
            "Cases",
            True,
            [
                ("Subject", "Subject", False, []),
                ("Owner", "Owner", False, [("Name", "Name", False, [])]),
            ],
        ),
    ]
    assert {key: found[key] for key in ("entityName", "groupBy", "idSelected", "keyPrefix")} == {
        "entityName": "Contact",
        "groupBy": False,
        "idSelected": True,
        "keyPrefix": "003",
    }
    parents = {column["columnName"]: column for column in found["columnMetadata"]}
    assert parents["Account"]["foreignKeyName"] == "AccountId"
    assert parents["Cases"]["foreignKeyName"] == "ContactId"


def test_functions() -> None:
    found = described(
        "SELECT StageName s, COUNT(Id), count(name) n FROM Opportunity GROUP BY StageName"
    )
    assert outline(found["columnMetadata"]) == [
        ("s", "s", False, []),
        ("expr0", "COUNT(Id)", True, []),
        ("n", "COUNT(name)", True, []),
    ]
    assert (found["groupBy"], found["idSelected"]) == (True, False)
    labels = described("SELECT toLabel(Account.Type), FORMAT(Amount) a FROM Opportunity")
    assert outline(labels["columnMetadata"]) == [
        ("Account", "Account", False, [("Type", "toLabel(Account.Type)", True, [])]),
        ("a", "FORMAT(Amount)", True, []),
    ]


def test_types_are_told() -> None:
    found = described(
        "SELECT Name, AnnualRevenue, Active__c, CreatedDate, NumberOfEmployees FROM Account"
    )
    told = [
        (
            column["apexType"],
            column["booleanType"],
            column["numberType"],
            column["textType"],
            column["custom"],
        )
        for column in found["columnMetadata"]
    ]
    assert told == [
        ("String", False, False, True, False),
        ("Decimal", False, True, False, False),
        ("Boolean", True, False, False, True),
        ("Datetime", False, False, True, False),
        ("Integer", False, True, False, False),
    ]


def test_a_count_of_rows_and_a_typeof() -> None:
    counted = described("SELECT COUNT() FROM Account")
    assert outline(counted["columnMetadata"]) == [("expr0", "COUNT()", True, [])]
    typed = described("SELECT TYPEOF What WHEN Case THEN Subject END FROM Task")
    assert outline(typed["columnMetadata"]) == [("What", "What", False, [])]
