"""Queries over HTTP: what they find, in what form, and what is said of those that are wrong."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.crm.conftest import ADA, Org


def query(org: Org, text: str, *, path: str = "/query", **how: Any) -> dict[str, Any]:
    """Return the answer to a query."""
    found: dict[str, Any] = org.call("GET", f"{path}?q={quote(text)}", **how)
    return found


def rows(org: Org, text: str) -> list[dict[str, Any]]:
    """Return the records of a query, without their attributes."""
    return [bare(record) for record in query(org, text)["records"]]


def bare(value: Any) -> Any:
    """Return a value without the attributes of any record in it."""
    if isinstance(value, list):
        return [bare(one) for one in value]
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if key != "attributes"}
    return value


@pytest.fixture
def firms(org: Org) -> dict[str, str]:
    """Three accounts with contacts and opportunities, by their names."""
    found = {
        "Ash": org.make("Account", Name="Ash", Industry="Media", BillingCity="Leeds"),
        "birch": org.make("Account", Name="birch", NumberOfEmployees=40),
        "Cedar": org.make("Account", Name="Cedar", Industry="Apparel", AnnualRevenue=5e6),
    }
    org.make("Contact", LastName="Holm", FirstName="Eva", AccountId=found["Ash"])
    org.make("Contact", LastName="Berg", AccountId=found["Ash"], Email="berg@ash.example")
    org.make("Contact", LastName="Élan")
    for name, stage, amount in (
        ("Lamps", "Prospecting", 100),
        ("Poles", "Closed Won", 300),
        ("Wires", "Closed Won", 500.5),
    ):
        org.make(
            "Opportunity",
            Name=name,
            StageName=stage,
            Amount=amount,
            CloseDate="2026-05-14",
            AccountId=found["Ash"],
        )
    return found


def test_an_answer_has_the_vendors_form(org: Org, firms: dict[str, str]) -> None:
    found = query(org, "select name, id from account where name = 'ASH'")
    url = f"/services/data/v64.0/sobjects/Account/{firms['Ash']}"
    assert found == {
        "totalSize": 1,
        "done": True,
        "records": [
            {
                "attributes": {"type": "Account", "url": url},
                "Name": "Ash",
                "Id": firms["Ash"],
            }
        ],
    }


def test_parents_are_nests_and_missing_ones_null(org: Org, firms: dict[str, str]) -> None:
    text = "SELECT LastName, Account.Name, Account.Owner.Name FROM Contact ORDER BY LastName"
    found = query(org, text)["records"]
    assert [one["LastName"] for one in found] == ["Berg", "Holm", "Élan"]
    assert bare(found[0]["Account"]) == {"Name": "Ash", "Owner": {"Name": "Ada Quist"}}
    url = f"/services/data/v64.0/sobjects/Account/{firms['Ash']}"
    assert found[0]["Account"]["attributes"] == {"type": "Account", "url": url}
    assert found[2]["Account"] is None


@pytest.mark.usefixtures("firms")
@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("Industry = null", ["birch"]),
        ("Industry != 'media'", ["birch", "Cedar"]),
        ("NOT Industry = 'Media'", ["birch", "Cedar"]),
        ("Name LIKE 'b_r%'", ["birch"]),
        ("Name IN ('ASH', 'cedar')", ["Ash", "Cedar"]),
        ("Name NOT IN ('ASH', 'cedar')", ["birch"]),
        ("AnnualRevenue > 4999999.5", ["Cedar"]),
        ("NumberOfEmployees <= 40", ["birch"]),
        ("BillingCity = 'leeds' OR Name = 'Cedar'", ["Ash", "Cedar"]),
        ("Id IN (SELECT AccountId FROM Contact WHERE Email != null)", ["Ash"]),
        ("Id NOT IN (SELECT AccountId FROM Contact)", ["birch", "Cedar"]),
        ("Owner.Name = 'ada quist' AND CreatedDate = TODAY", ["Ash", "birch", "Cedar"]),
        ("CreatedDate = YESTERDAY", []),
        ("CreatedDate < NEXT_N_DAYS:1 AND Name > 'b'", ["birch", "Cedar"]),
        ("Industry IN ('Media', null)", ["Ash", "birch"]),
    ],
)
def test_conditions(org: Org, condition: str, names: list[str]) -> None:
    found = rows(org, f"SELECT Name FROM Account WHERE {condition} ORDER BY Name")
    assert [one["Name"] for one in found] == names


@pytest.mark.usefixtures("firms")
def test_letters_that_engines_do_not_fold_are_the_same_in_any_case(org: Org) -> None:
    for condition in ("= 'ÉLAN'", "LIKE 'él%'", "IN ('élan')"):
        found = rows(org, f"SELECT LastName FROM Contact WHERE LastName {condition}")
        assert found == [{"LastName": "Élan"}], condition


@pytest.mark.usefixtures("firms")
def test_nulls_come_first_and_picklists_go_by_their_list(org: Org) -> None:
    found = rows(org, "SELECT Industry FROM Account ORDER BY Industry")
    assert [one["Industry"] for one in found] == [None, "Apparel", "Media"]
    found = rows(org, "SELECT Industry FROM Account ORDER BY Industry DESC NULLS LAST")
    assert [one["Industry"] for one in found] == ["Media", "Apparel", None]
    found = rows(org, "SELECT StageName FROM Opportunity ORDER BY StageName DESC, Name")
    assert [one["StageName"] for one in found] == ["Closed Won", "Closed Won", "Prospecting"]


@pytest.mark.usefixtures("firms")
def test_children_are_lists_and_none_is_null(org: Org) -> None:
    text = (
        "SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName LIMIT 1),"
        " (SELECT Name, Amount FROM Opportunities WHERE IsWon = true) FROM Account ORDER BY Name"
    )
    ash, birch, _ = query(org, text)["records"]
    assert bare(ash["Contacts"]) == {
        "totalSize": 1,
        "done": True,
        "records": [{"LastName": "Berg"}],
    }
    assert [one["Amount"] for one in ash["Opportunities"]["records"]] == [300.0, 500.5]
    assert (birch["Contacts"], birch["Opportunities"]) == (None, None)


@pytest.mark.usefixtures("firms")
def test_groups_and_their_totals(org: Org) -> None:
    found = query(org, "SELECT COUNT() FROM Contact")
    assert found == {"totalSize": 3, "done": True, "records": []}
    text = "SELECT StageName, COUNT(Id) n, SUM(Amount) FROM Opportunity GROUP BY StageName"
    assert query(org, text)["records"] == [
        {
            "attributes": {"type": "AggregateResult"},
            "StageName": "Closed Won",
            "n": 2,
            "expr0": 800.5,
        },
        {
            "attributes": {"type": "AggregateResult"},
            "StageName": "Prospecting",
            "n": 1,
            "expr0": 100.0,
        },
    ]
    text = (
        "SELECT IsWon, GROUPING(IsWon) all, MAX(Amount) m FROM Opportunity GROUP BY ROLLUP(IsWon)"
    )
    text = text.replace(" all,", " total,")
    assert [tuple(one.values()) for one in rows(org, text)] == [
        (False, 0, 100.0),
        (True, 0, 500.5),
        (None, 1, 500.5),
    ]
    text = (
        "SELECT CALENDAR_MONTH(CloseDate) m, FISCAL_QUARTER(CloseDate) q, AVG(Amount) a"
        " FROM Opportunity GROUP BY CALENDAR_MONTH(CloseDate), FISCAL_QUARTER(CloseDate)"
        " HAVING COUNT(Id) > 2"
    )
    ((month, quarter, average),) = (tuple(one.values()) for one in rows(org, text))
    assert (month, quarter, round(average, 2)) == (5, 2, 300.17)
    assert rows(org, "SELECT Name FROM Account WHERE Name = 'nobody'") == []
    text = "SELECT Account.Name, COUNT(Id) n FROM Contact GROUP BY Account.Name"
    assert rows(org, text) == [{"Name": None, "n": 1}, {"Name": "Ash", "n": 2}]


def test_a_parent_of_several_kinds_is_asked_by_its_kind(org: Org, firms: dict[str, str]) -> None:
    org.make("Task", Subject="Call", WhatId=firms["Ash"])
    org.make("Task", Subject="Mail", WhoId=org.make("Lead", LastName="Roe", Company="Oak"))
    text = "SELECT Subject, What.Name, What.Type, Who.Name, Owner.Name FROM Task ORDER BY Subject"
    call, mail = query(org, text)["records"]
    assert bare(call["What"]) == {"Name": "Ash", "Type": "Account"}
    assert call["What"]["attributes"]["type"] == "Name"
    assert call["Who"] is None
    assert bare(mail["Who"]) == {"Name": "Roe"}
    assert bare(mail["Owner"]) == {"Name": "Ada Quist"}
    text = "SELECT TYPEOF What WHEN Account THEN Industry, Owner.Name ELSE Name END FROM Task"
    found = rows(org, text + " WHERE What.Type = 'Account'")
    assert found == [{"What": {"Industry": "Media", "Owner": {"Name": "Ada Quist"}}}]


def test_deleted_records_are_found_where_they_are_asked_for(
    org: Org, firms: dict[str, str]
) -> None:
    org.ask("DELETE", f"/sobjects/Account/{firms['birch']}")
    text = "SELECT Name, IsDeleted FROM Account WHERE Name = 'birch'"
    assert rows(org, text) == []
    assert bare(query(org, text, path="/queryAll")["records"]) == [
        {"Name": "birch", "IsDeleted": True}
    ]


def test_pages_lead_on_to_the_last(org: Org) -> None:
    for number in range(205):
        org.make("Account", Name=f"Firm {number:03d}")
    options: dict[str, Any] = {"Sforce-Query-Options": "batchSize=200"}
    first = query(org, "SELECT Name FROM Account ORDER BY Name", **options)
    assert (first["totalSize"], first["done"], len(first["records"])) == (205, False, 200)
    assert first["nextRecordsUrl"].startswith("/services/data/v64.0/query/01g")
    assert first["nextRecordsUrl"].endswith("-200")
    last = org.call("GET", first["nextRecordsUrl"], **options)
    assert (last["totalSize"], last["done"], len(last["records"])) == (205, True, 5)
    assert "nextRecordsUrl" not in last
    limited = query(org, "SELECT Name FROM Account ORDER BY Name LIMIT 201 OFFSET 3", **options)
    assert (limited["totalSize"], limited["done"]) == (201, False)
    wrong = org.refused("GET", "/query/01g000000000000AAA-200")
    assert (wrong["errorCode"], wrong["message"]) == (
        "INVALID_QUERY_LOCATOR",
        "invalid query locator",
    )


def test_wrong_queries_are_refused_with_a_place(org: Org) -> None:
    error = org.refused("GET", f"/query?q={quote('select count() from XYZZY')}")
    assert error == {
        "status": 400,
        "errorCode": "INVALID_TYPE",
        "message": "\nselect count() from XYZZY\n                    ^\nERROR at Row:1:Column:21\n"
        "sObject type 'XYZZY' is not supported. If you are attempting to use a custom object, be"
        " sure to append the '__c' after the entity name. Please reference your WSDL or the"
        " describe call for the appropriate names.",
    }
    error = org.refused("GET", f"/query?q={quote('SELECT Id FROM Account LIMIT')}")
    assert error["errorCode"] == "MALFORMED_QUERY"
    assert org.refused("GET", "/query")["errorCode"] == "MALFORMED_QUERY"


def test_columns_are_described(org: Org) -> None:
    text = quote("SELECT Id, Account.Name FROM Contact")
    found = org.call("GET", f"/query?q={text}&columns=true")
    assert found["entityName"] == "Contact"
    assert [one["columnName"] for one in found["columnMetadata"]] == ["Id", "Account"]
    assert org.users[ADA].startswith("005")
