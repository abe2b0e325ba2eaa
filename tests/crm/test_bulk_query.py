"""Jobs that run a query (Bulk API 2.0)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.bulk import QUERY, Text, send
from tests.crm.conftest import ADA, BEN, Org


def asked(org: Org, text: str, operation: str = "query", **more: Any) -> str:
    """Have a query run, and return the id of its job."""
    made = org.call("POST", QUERY, {"operation": operation, "query": text, **more})
    assert made["state"] == "UploadComplete"
    return str(made["id"])


def page(org: Org, id: str, **parameters: str) -> Text:
    """Return a page of a query's results."""
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    found = send(org, "GET", f"{QUERY}/{id}/results?{query}")
    assert found.status == 200, found.text
    return found


def test_a_query_is_run_as_soon_as_it_is_made(org: Org) -> None:
    org.make("Account", Name='Ash, "the" tree', AnnualRevenue=12.5)
    made = org.call("POST", QUERY, {"operation": "query", "query": "SELECT Name FROM account"})
    assert made == {
        "id": made["id"],
        "operation": "query",
        "object": "Account",
        "createdById": org.users[ADA],
        "createdDate": made["createdDate"],
        "systemModstamp": made["createdDate"],
        "state": "UploadComplete",
        "concurrencyMode": "Parallel",
        "contentType": "CSV",
        "apiVersion": 64.0,
        "lineEnding": "LF",
        "columnDelimiter": "COMMA",
    }
    shown = org.call("GET", f"{QUERY}/{made['id']}")
    assert (shown["state"], shown["jobType"], shown["numberRecordsProcessed"]) == (
        "JobComplete",
        "V2Query",
        1,
    )
    found = page(org, made["id"])
    assert found.text == '"Name"\n"Ash, ""the"" tree"\n'
    assert found.headers["Sforce-Locator"] == "null"
    assert found.headers["Sforce-NumberOfRecords"] == "1"


def test_values_are_written_as_tables_have_them(org: Org) -> None:
    account = org.make("Account", Name="Ash", AnnualRevenue=35000000, NumberOfEmployees=7)
    org.make("Contact", LastName="Holm", AccountId=account)
    org.make("Contact", LastName="Alone")
    text = (
        "SELECT LastName, account.owner.username, Account.AnnualRevenue,"
        " Account.NumberOfEmployees, IsDeleted, CreatedDate, Birthdate FROM Contact"
        " ORDER BY LastName DESC"
    )
    head, one, two = page(org, asked(org, text)).rows
    assert head == [
        "LastName",
        "Account.Owner.Username",
        "Account.AnnualRevenue",
        "Account.NumberOfEmployees",
        "IsDeleted",
        "CreatedDate",
        "Birthdate",
    ]
    created = one.pop(5)
    assert (created[10], created[19:]) == ("T", ".000Z")
    assert one == ["Holm", ADA, "3.5E7", "7", "false", ""]
    assert two[:4] == ["Alone", "", "", ""]


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1.0"), (-0.5, "-0.5"), (9999999.0, "9999999.0"), (12345678.9, "1.23456789E7"),
     (1e7, "1.0E7"), (-2.5e15, "-2.5E15"), (0.0, "0.0"), (0.00025, "2.5E-4"), (7, "7")],
)  # fmt: skip
def test_unverified_numbers_are_written_as_java_writes_them(number: float, text: str) -> None:
    from clones.crm.rules.bulk.tables import cell_of  # noqa: PLC0415 - the app may not be there

    assert cell_of(number) == text


def test_results_come_in_pages(org: Org) -> None:
    for number in range(7):
        org.make("Account", Name=f"A{number}")
    id = asked(org, "SELECT Name FROM Account ORDER BY Name")
    found, locator, sizes = [], "", []
    while locator != "null":
        one = page(org, id, maxRecords="3", **({"locator": locator} if locator else {}))
        found += one.rows[1:]
        assert one.rows[0] == ["Name"]
        sizes.append(one.headers["Sforce-NumberOfRecords"])
        locator = one.headers["Sforce-Locator"]
    assert [name for (name,) in found] == [f"A{number}" for number in range(7)]
    assert sizes == ["3", "3", "1"]
    assert page(org, id, maxRecords="3").headers["Sforce-Locator"] == "Mw"
    pages = org.call("GET", f"{QUERY}/{id}/resultPages?maxRecords=1")
    assert (pages["done"], len(pages["resultPages"])) == (False, 5)
    assert pages["resultPages"][1] == {"resultLink": f"/jobs/query/{id}/results?locator=MQ"}
    rest = org.call("GET", f"/services/data/v64.0{pages['nextRecordsUrl']}&maxRecords=1")
    assert (rest["done"], rest["nextRecordsUrl"], len(rest["resultPages"])) == (True, None, 2)


def test_results_stay_as_they_were_found(org: Org) -> None:
    org.make("Account", Name="Ash")
    id = asked(org, "SELECT Name FROM Account", columnDelimiter="PIPE", lineEnding="CRLF")
    org.make("Account", Name="Birch")
    assert page(org, id).text == '"Name"\r\n"Ash"\r\n'
    id = asked(org, "SELECT Id, Name FROM Account", columnDelimiter="PIPE")
    assert page(org, id).text.startswith('"Id"|"Name"\n')


def test_deleted_records_are_found_by_who_asks_for_all(org: Org) -> None:
    org.call("DELETE", f"/sobjects/Account/{org.make('Account', Name='Ash')}", status=204)
    text = "SELECT Name FROM Account"
    assert page(org, asked(org, text)).text == '"Name"\n'
    found = page(org, asked(org, text, "queryAll"))
    assert found.rows == [["Name"], ["Ash"]]


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ("SELECT Id, (SELECT Id FROM Contacts) FROM Account", "API_ERROR",
         "Aggregate Relationships not supported in Bulk V2 Query with CSV content type"),
        ("SELECT BillingAddress FROM Account", "API_ERROR",
         "Selecting compound data not supported in Bulk Query"),
        ("SELECT Nmae FROM Account", "INVALID_FIELD", "No such column 'Nmae'"),
        ("SELECT Id FROM Nothing", "INVALID_TYPE", "sObject type 'Nothing' is not supported"),
        ("SELECT", "MALFORMED_QUERY", ""),
        ("", "MALFORMED_QUERY", "A query string has to be specified"),
    ],
)  # fmt: skip
def test_queries_are_refused_that_jobs_do_not_run(
    org: Org, query: str, code: str, message: str
) -> None:
    error = org.refused("POST", QUERY, {"operation": "query", "query": query})
    assert (error["status"], error["errorCode"]) == (400, code)
    assert message in error["message"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT() FROM Account",
        "SELECT Name, COUNT(Id) FROM Account GROUP BY Name",
        "SELECT Id FROM Account LIMIT 5 OFFSET 1",
        "SELECT TYPEOF Owner WHEN User THEN Username END FROM Case",
    ],
)
def test_unverified_words_for_what_bulk_queries_do_not_have(org: Org, query: str) -> None:
    error = org.refused("POST", QUERY, {"operation": "query", "query": query})
    assert error["errorCode"] == "API_ERROR"
    assert "not supported in Bulk Query" in error["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"operation": "insert", "query": "SELECT Id FROM Account"},
        {"operation": "query", "query": ["SELECT Id FROM Account"]},
        {"operation": "query", "query": "SELECT Id FROM Account", "contentType": "XML"},
    ],
)
def test_properties_have_values_that_they_know(org: Org, body: dict[str, Any]) -> None:
    assert org.refused("POST", QUERY, body)["errorCode"] == "API_ERROR"


def test_a_query_that_is_done_is_not_aborted_and_can_be_forgotten(org: Org) -> None:
    id = asked(org, "SELECT Id FROM Account")
    assert org.refused("PATCH", f"{QUERY}/{id}", {"state": "Aborted"}) == {
        "status": 400,
        "errorCode": "INVALIDJOBSTATE",
        "message": "Aborting already Completed Job not allowed",
    }
    assert org.refused("PATCH", f"{QUERY}/{id}", {"state": "Open"})["errorCode"] == "API_ERROR"
    for wrong in ("locator=x-", "maxRecords=0", "maxRecords=x", "maxRecords=1e9"):
        assert org.refused("GET", f"{QUERY}/{id}/results?{wrong}")["status"] == 400
    assert org.refused("GET", f"{QUERY}/{id}", login=BEN)["status"] == 404
    assert [one["id"] for one in org.call("GET", QUERY)["records"]] == [id]
    assert org.call("GET", "/jobs/ingest")["records"] == []
    assert org.refused("GET", f"/jobs/ingest/{id}")["status"] == 404
    org.call("DELETE", f"{QUERY}/{id}", status=204)
    assert org.refused("GET", f"{QUERY}/{id}/results")["status"] == 404


def test_a_query_is_run_for_its_user(org: Org) -> None:
    org.make("Account", Name="Ash")
    text = "SELECT Name FROM Account USING SCOPE mine"
    id = org.call("POST", QUERY, {"operation": "query", "query": text}, login=BEN)["id"]
    assert send(org, "GET", f"{QUERY}/{id}/results", login=BEN).text == '"Name"\n'
