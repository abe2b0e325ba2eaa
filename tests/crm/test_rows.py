"""Records by their ids: made, read, changed, deleted, and refused in the vendor's words."""

from __future__ import annotations

import pytest

from tests.crm.conftest import ADA, BEN, Org


def test_a_record_is_made_read_changed_and_deleted(org: Org) -> None:
    id = org.make("Account", Name="  Ash & Co ", BillingCity="Leeds", AnnualRevenue=1_200_000)
    assert len(id) == 18
    assert id.startswith("001")
    shown = org.show("account", id)
    url = f"/services/data/v64.0/sobjects/Account/{id}"
    assert shown["attributes"] == {"type": "Account", "url": url}
    assert (shown["Name"], shown["AnnualRevenue"]) == ("Ash & Co", 1_200_000.0)
    assert shown["BillingAddress"]["city"] == "Leeds"
    assert shown["ShippingAddress"] is None
    assert shown["OwnerId"] == shown["CreatedById"] == org.users[ADA]
    assert shown["CreatedDate"] == shown["SystemModstamp"]
    assert shown["CreatedDate"].endswith(".000+0000")

    org.call(
        "PATCH", f"/sobjects/Account/{id[:15]}", {"name": "Ash", "BillingCity": None}, status=204
    )
    some = org.call("GET", f"/sobjects/Account/{id}?fields=name,BillingAddress")
    assert list(some) == ["attributes", "Name", "BillingAddress", "Id"]
    assert (some["Name"], some["BillingAddress"]) == ("Ash", None)

    assert org.ask("DELETE", f"/sobjects/Account/{id}").status == 204
    assert org.refused("GET", f"/sobjects/Account/{id}") == {
        "status": 404,
        "message": "entity is deleted",
        "errorCode": "ENTITY_IS_DELETED",
    }


def test_other_methods_are_said_by_clients_that_can_only_post(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    path = f"/sobjects/Account/{id}?_HttpMethod="
    assert org.ask("POST", f"{path}patch", {"Name": "Birch"}).status == 204
    assert org.show("Account", id)["Name"] == "Birch"
    assert org.refused("POST", f"{path}PUT", {"Name": "Cedar"}) == {
        "status": 405,
        "message": "HTTP Method 'POST' not allowed. Allowed are HEAD,GET,PATCH,DELETE",
        "errorCode": "METHOD_NOT_ALLOWED",
    }
    assert org.ask("POST", f"{path}DELETE").status == 204
    assert org.refused("GET", f"/sobjects/Account/{id}")["errorCode"] == "ENTITY_IS_DELETED"


ACCOUNT, LEAD = "/sobjects/Account", "/sobjects/Lead"


@pytest.mark.parametrize(
    ("path", "body", "code", "message", "fields"),
    [
        (ACCOUNT, {}, "REQUIRED_FIELD_MISSING", "Required fields are missing: [Name]", ["Name"]),
        (
            LEAD,
            {"FirstName": "Jo"},
            "REQUIRED_FIELD_MISSING",
            "Required fields are missing: [LastName, Company]",
            ["LastName", "Company"],
        ),
        (
            ACCOUNT,
            {"Name": "A", "Nmae": "B"},
            "INVALID_FIELD",
            "No such column 'Nmae' on sobject of type Account",
            [],
        ),
        (
            LEAD,
            {"LastName": "A", "Company": "B", "Email": "a@b"},
            "INVALID_EMAIL_ADDRESS",
            "Email: invalid email address: a@b",
            ["Email"],
        ),
        (
            ACCOUNT,
            {"Name": "A", "ParentId": "003000000000000"},
            "MALFORMED_ID",
            "Parent Account ID: id value of incorrect type: 003000000000000AAA",
            ["ParentId"],
        ),
        (
            ACCOUNT,
            {"Name": "A", "ParentId": "001000000000000AAA"},
            "INVALID_CROSS_REFERENCE_KEY",
            "invalid cross reference id",
            ["ParentId"],
        ),
        (
            LEAD,
            {"LastName": "A" * 81, "Company": "B"},
            "STRING_TOO_LONG",
            f"Last Name: data value too large: {'A' * 81} (max length=80)",
            ["LastName"],
        ),
    ],
)
def test_what_is_wrong_is_refused_in_the_vendors_words(
    org: Org, path: str, body: object, code: str, message: str, fields: list[str]
) -> None:
    assert org.refused("POST", path, body) == {
        "status": 400,
        "message": message,
        "errorCode": code,
        "fields": fields,
    }


def test_what_the_system_keeps_is_nobodys_to_write(org: Org) -> None:
    body = {"Name": "A", "CreatedDate": "2026-01-01T00:00:00Z", "SystemModstamp": None}
    error = org.refused("POST", ACCOUNT, body)
    assert error["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"
    assert error["fields"] == ["CreatedDate", "SystemModstamp"]
    assert error["message"].startswith(
        "Unable to create/update fields: CreatedDate, SystemModstamp."
    )


@pytest.mark.parametrize(
    ("values", "token"),
    [
        ({"AnnualRevenue": "much"}, "currency from VALUE_STRING value much"),
        ({"NumberOfEmployees": True}, "int from VALUE_TRUE"),
        ({"Name": 7}, "string from VALUE_NUMBER_INT value 7"),
        ({"Name": ["a"]}, "string from START_ARRAY"),
    ],
)
def test_values_of_another_type_cannot_be_read(
    org: Org, values: dict[str, object], token: str
) -> None:
    error = org.refused("POST", ACCOUNT, {"Name": "A", **values})
    assert error["errorCode"] == "JSON_PARSER_ERROR"
    assert error["message"].startswith(f"Cannot deserialize instance of {token}")


def test_nothing_is_kept_of_what_was_refused(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    org.refused("PATCH", f"/sobjects/Account/{id}", {"Name": "Birch", "ParentId": id})
    shown = org.show("Account", id)
    assert (shown["Name"], shown["ParentId"]) == ("Ash", None)


def test_an_opportunity_goes_by_its_stage(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    values = {"Name": "Lamps", "CloseDate": "2026-08-14", "AccountId": account, "Amount": 1000}
    id = org.make("Opportunity", StageName="Needs Analysis", **values)
    shown = org.show("Opportunity", id)
    assert (shown["Probability"], shown["ForecastCategory"]) == (20.0, "Pipeline")
    assert (shown["ExpectedRevenue"], shown["IsClosed"]) == (200.0, False)
    assert (shown["FiscalYear"], shown["FiscalQuarter"], shown["Fiscal"]) == (2026, 3, "2026 3")
    said = {"StageName": "Negotiation/Review", "Probability": 85}
    org.call("PATCH", f"/sobjects/Opportunity/{id}", said, status=204)
    assert org.show("Opportunity", id)["Probability"] == 85.0
    org.call("PATCH", f"/sobjects/Opportunity/{id}", {"StageName": "Closed Won"}, status=204)
    shown = org.show("Opportunity", id)
    assert (shown["Probability"], shown["IsClosed"], shown["IsWon"]) == (100.0, True, True)
    assert shown["ForecastCategoryName"] == "Closed"


def test_cases_are_numbered_and_closed_by_their_status(org: Org) -> None:
    first, second = org.make("Case", Subject="Broken"), org.make("Case", Subject="Lost")
    assert [org.show("Case", id)["CaseNumber"] for id in (first, second)] == [
        "00001001",
        "00001002",
    ]
    shown = org.show("Case", first)
    assert (shown["Status"], shown["IsClosed"], shown["ClosedDate"]) == ("New", False, None)
    org.call("PATCH", f"/sobjects/Case/{first}", {"Status": "Closed"}, status=204)
    shown = org.show("Case", first)
    assert shown["IsClosed"] is True
    assert shown["ClosedDate"] == shown["LastModifiedDate"]
    org.call("PATCH", f"/sobjects/Case/{first}", {"Status": "Working"}, status=204)
    assert org.show("Case", first)["ClosedDate"] is None


def test_an_account_takes_its_contacts_along_and_cases_hold_it(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    contact = org.make("Contact", LastName="Holm", FirstName="Eva", AccountId=account)
    assert org.show("Contact", contact)["Name"] == "Eva Holm"
    case = org.make("Case", Subject="Broken", AccountId=account)
    error = org.refused("DELETE", f"/sobjects/Account/{account}")
    assert error["errorCode"] == "DELETE_FAILED"
    assert error["message"] == (
        "Your attempt to delete Ash could not be completed because it is associated with the"
        " following cases.: 00001001\n"
    )
    assert org.ask("DELETE", f"/sobjects/Case/{case}").status == 204
    assert org.ask("DELETE", f"/sobjects/Account/{account}").status == 204
    assert org.refused("GET", f"/sobjects/Contact/{contact}")["errorCode"] == "ENTITY_IS_DELETED"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/sobjects/Nothing", 404, "NOT_FOUND"),
        ("GET", "/sobjects/Account/001000000000000AAA", 404, "NOT_FOUND"),
        ("GET", "/sobjects/Account/one", 404, "NOT_FOUND"),
        ("GET", "/nothing", 404, "NOT_FOUND"),
        ("GET", "/services/data/v19.0/sobjects", 404, "NOT_FOUND"),
        ("GET", "/services/data/v30.0/sobjects", 410, "UNSUPPORTED_API_VERSION"),
        ("GET", "/services/data/v68.0/sobjects", 404, "NOT_FOUND"),
        ("PUT", "/sobjects", 405, "METHOD_NOT_ALLOWED"),
    ],
)
def test_addresses_of_nothing(org: Org, method: str, path: str, status: int, code: str) -> None:
    error = org.refused(method, path)
    assert (error["status"], error["errorCode"]) == (status, code)


def test_versions_that_are_retired_are_not_listed(org: Org) -> None:
    listed = [one["version"] for one in org.call("GET", "/services/data")]
    assert (listed[0], listed[-1], len(listed)) == ("31.0", "67.0", 37)
    assert org.ask("GET", "/services/data/v31.0/sobjects").status == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/query", "HEAD,GET"),
        ("PUT", "/sobjects/Account", "HEAD,GET,POST"),
        ("PUT", "/analytics/reports/query", "POST"),
    ],
)
def test_a_method_that_is_not_there_is_told_those_that_are(
    org: Org, method: str, path: str, allowed: str
) -> None:
    error = org.refused(method, path)
    said = f"HTTP Method '{method}' not allowed. Allowed are {allowed}"
    assert (error["status"], error["message"]) == (405, said)


def test_a_version_lists_what_it_serves(org: Org) -> None:
    listed = org.call("GET", "")
    assert {
        *("actions", "analytics", "appMenu", "composite", "jobs", "limits", "process", "query"),
        *("quickActions", "recent", "search", "sobjects", "tabs", "theme", "tooling", "ui-api"),
    } <= set(listed)
    for name in set(listed) - {"identity"}:
        assert listed[name] == f"/services/data/v64.0/{name}"
    for name in ("tabs", "theme", "limits", "sobjects", "recent", "appMenu"):
        assert org.ask("GET", f"/{name}").status == 200


def test_nobody_is_let_in_without_a_session(org: Org) -> None:
    assert org.refused("GET", "/sobjects", login=None) == {
        "status": 401,
        "message": "This session is not valid for use with the REST API",
        "errorCode": "INVALID_SESSION_ID",
    }
    wrong = org.token()[:-1] + ("a" if org.token()[-1] != "a" else "b")
    error = org.refused("GET", "/sobjects", login=None, Authorization=f"Bearer {wrong}")
    assert error["message"] == "Session expired or invalid"


def test_somebody_else_is_the_one_who_changed_it(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    org.call("PATCH", f"/sobjects/Account/{id}", {"Phone": "1"}, status=204, login=BEN)
    shown = org.show("Account", id)
    assert (shown["CreatedById"], shown["LastModifiedById"]) == (org.users[ADA], org.users[BEN])
