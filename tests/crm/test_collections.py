"""Lists of records: each made, changed, upserted or deleted by itself, or all of them or none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import ADA, Org

HERE = "/composite/sobjects"
ROLLED_BACK = {
    "statusCode": "ALL_OR_NONE_OPERATION_ROLLED_BACK",
    "message": "Record rolled back because not all records were valid and the request was using"
    " AllOrNone header",
    "fields": [],
}


def of(kind: str, **values: Any) -> dict[str, Any]:
    """Return a record as lists of records have it."""
    return {"attributes": {"type": kind}, **values}


def names(org: Org) -> list[str]:
    """Return the names of the accounts."""
    found = org.call("GET", "/query?q=SELECT Name FROM Account ORDER BY Name")
    return [row["Name"] for row in found["records"]]


def rows(org: Org) -> dict[str, list[Any]]:
    """Return everything that saving writes: records, counters and the journal."""
    from django.db import connection  # noqa: PLC0415 - a store is bound by then

    found = {}
    with org.reading(), connection.cursor() as cursor:
        for table in ("crm_account", "crm_case", "crm_opportunityhistory", "core_idsequence"):
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
            found[table] = cursor.fetchall()
        cursor.execute(
            "SELECT o, k FROM core_journal WHERE LENGTH(CAST(k AS TEXT)) = 18 ORDER BY seq"
        )
        found["journal"] = cursor.fetchall()
    assert found["journal"]
    return found


def test_each_record_is_made_or_refused_by_itself(org: Org) -> None:
    body = {"records": [of("Account", Name="Ash"), of("contact", FirstName="Eva"), of("Case")]}
    first, second, third = org.call("POST", HERE, body)
    assert list(first) == ["id", "success", "errors"]
    assert (first["success"], first["errors"]) == (True, [])
    assert org.show("Account", first["id"])["Name"] == "Ash"
    assert second == {
        "success": False,
        "errors": [
            {
                "statusCode": "REQUIRED_FIELD_MISSING",
                "message": "Required fields are missing: [LastName]",
                "fields": ["LastName"],
            }
        ],
    }
    assert third["id"].startswith("500")


def test_all_or_none_keeps_none(org: Org) -> None:
    before = rows(org)
    good, bad = of("Account", Name="Ash"), of("Account", Phone="1")
    first, second = org.call("POST", HERE, {"allOrNone": True, "records": [good, bad]})
    assert first == {"success": False, "errors": [ROLLED_BACK]}
    assert second["errors"][0]["statusCode"] == "REQUIRED_FIELD_MISSING"
    assert rows(org) == before


def test_a_refused_record_leaves_no_number_behind(org: Org) -> None:
    wrong = of("Case", Subject="A", ContactId="003000000000000AAA")
    body = {"records": [of("Case", Subject="B"), wrong, of("Case", Subject="C")]}
    first, second, third = org.call("POST", HERE, body)
    assert second["errors"][0]["statusCode"] == "INVALID_CROSS_REFERENCE_KEY"
    numbers = [org.show("Case", one["id"])["CaseNumber"] for one in (first, third)]
    assert numbers == ["00001001", "00001002"]
    before = rows(org)
    org.call("POST", HERE, {"records": [wrong, of("Account", Phone="1")]})
    assert rows(org) == before


def test_records_are_changed_by_their_ids_in_any_case(org: Org) -> None:
    one, two = org.make("Account", Name="Ash"), org.make("Account", Name="Birch")
    changes = [
        of("Account", id=one[:15], Name="Asher"),
        of("Account", Id=two, Name=None),
        of("Account", Name="Cedar"),
        of("Account", Id="001000000000000AAA", Name="Cedar"),
        of("Account", Id="cedar", Name="Cedar"),
    ]
    found = org.call("PATCH", HERE, {"records": changes})
    assert found[0] == {"id": one, "success": True, "errors": []}
    assert (found[1]["id"], found[1]["success"]) == (two, False)
    errors = [each["errors"][0] for each in found[1:]]
    assert [each["statusCode"] for each in errors] == [
        "REQUIRED_FIELD_MISSING",
        "MISSING_ARGUMENT",
        "INVALID_CROSS_REFERENCE_KEY",
        "MALFORMED_ID",
    ]
    assert errors[1]["message"] == "Id not specified in an update call"
    assert errors[3]["message"] == "malformed id cedar"
    assert names(org) == ["Asher", "Birch"]


def test_changes_are_undone_together(org: Org) -> None:
    one = org.make("Account", Name="Ash")
    changes = [of("Account", Id=one, Name="Asher"), of("Account", Id=one, Name="")]
    first, second = org.call("PATCH", HERE, {"allOrNone": True, "records": changes})
    assert first == {"id": one, "success": False, "errors": [ROLLED_BACK]}
    assert second["errors"][0]["statusCode"] == "REQUIRED_FIELD_MISSING"
    assert names(org) == ["Ash"]


def test_records_of_several_objects_are_deleted(org: Org) -> None:
    account, held = org.make("Account", Name="Ash"), org.make("Account", Name="Birch")
    lead = org.make("Lead", LastName="Ode", Company="Kestrel")
    org.make("Case", Subject="Broken", AccountId=held)
    path = f"{HERE}?ids={account},{held},{lead},{lead},one"
    found = org.call("DELETE", path)
    assert [one["success"] for one in found] == [True, False, True, False, False]
    codes = [one["errors"][0]["statusCode"] for one in found if one["errors"]]
    assert codes == ["DELETE_FAILED", "ENTITY_IS_DELETED", "MALFORMED_ID"]
    assert "id" not in found[-1]
    assert names(org) == ["Birch"]


def test_deletions_are_undone_together(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    found = org.call("DELETE", f"{HERE}?ids={account},001000000000000AAA&allOrNone=true")
    assert found[0] == {"id": account, "success": False, "errors": [ROLLED_BACK]}
    assert names(org) == ["Ash"]


def test_upserts_change_what_is_there_and_make_what_is_not(org: Org) -> None:
    eva = org.make("Contact", LastName="Holm", Email="eva@ash.example")
    people = [
        of("Contact", Email="EVA@ash.example", LastName="Holt"),
        of("Contact", Email="jo@ash.example", LastName="Ode"),
        of("Contact", LastName="Nobody"),
    ]
    found = org.call("PATCH", f"{HERE}/Contact/email", {"records": people})
    assert found[0] == {"id": eva, "success": True, "errors": [], "created": False}
    assert (found[1]["success"], found[1]["created"]) == (True, True)
    assert org.show("Contact", found[1]["id"])["Email"] == "jo@ash.example"
    assert org.show("Contact", eva)["LastName"] == "Holt"
    assert found[2]["errors"] == [
        {"statusCode": "MISSING_ARGUMENT", "message": "Email not specified", "fields": ["Email"]}
    ]


def test_a_null_id_makes_a_record(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    given = [of("Account", Id=None, Name="Birch"), of("Account", Id=id, Name="Asher")]
    first, second = org.call("PATCH", f"{HERE}/Account/Id", {"records": given})
    assert (first["created"], second["created"]) == (True, False)
    assert (second["id"], names(org)) == (id, ["Asher", "Birch"])


def test_a_value_of_several_records_names_none(org: Org) -> None:
    names = ("Ash", "Elm")
    twins = [org.make("Lead", LastName=one, Company="B", Email="a@b.example") for one in names]
    given = [of("Lead", Email="a@b.example", LastName="C")]
    (found,) = org.call("PATCH", f"{HERE}/Lead/Email", {"records": given})
    (error,) = found["errors"]
    assert error["statusCode"] == "DUPLICATE_EXTERNAL_ID"
    assert error["message"] == (
        f"Email: more than one record found for external id field: [{', '.join(sorted(twins))}]"
    )


def test_only_fields_that_find_records_serve_upserts(org: Org) -> None:
    error = org.refused("PATCH", f"{HERE}/Account/Phone", {"records": []})
    assert (error["status"], error["errorCode"]) == (404, "NOT_FOUND")
    assert error["message"] == (
        "Provided external ID field does not exist or is not accessible: Phone"
    )


def test_records_are_read_in_the_order_of_their_ids(org: Org) -> None:
    one, two = org.make("Account", Name="Ash"), org.make("Account", Name="Birch")
    gone = org.make("Account", Name="Cedar")
    org.ask("DELETE", f"/sobjects/Account/{gone}")
    ids = f"{two},{gone},{one[:15]},001000000000000AAA"
    found = org.call("GET", f"{HERE}/Account?ids={ids}&fields=id,name")
    assert [one and one["Name"] for one in found] == ["Birch", None, "Ash", None]
    assert list(found[0]) == ["attributes", "Id", "Name"]
    assert found[2]["attributes"]["url"].endswith(f"/sobjects/Account/{one}")
    body = {"ids": ids.split(","), "fields": ["id", "name"]}
    assert org.call("POST", f"{HERE}/Account", body) == found


def test_one_request_has_two_hundred_records_at_most(org: Org) -> None:
    error = org.refused("POST", HERE, {"records": [of("Account", Name="A")] * 201})
    assert error == {
        "status": 400,
        "message": "record limit reached. cannot submit more than 200 records into this call",
        "errorCode": "EXCEEDED_ID_LIMIT",
    }
    ids = ",".join(["001000000000000AAA"] * 201)
    assert org.refused("DELETE", f"{HERE}?ids={ids}")["errorCode"] == "EXCEEDED_ID_LIMIT"
    body = {"ids": ["001000000000000AAA"] * 2001, "fields": ["Id"]}
    assert org.refused("POST", f"{HERE}/Account", body)["errorCode"] == "EXCEEDED_ID_LIMIT"
    assert names(org) == []


def test_two_hundred_records_are_made_at_once(org: Org) -> None:
    records = [of("Account", Name=f"A{number:03d}") for number in range(200)]
    found = org.call("POST", HERE, {"records": records})
    assert len({one["id"] for one in found if one["success"]}) == 200
    assert org.show("Account", found[199]["id"])["CreatedById"] == org.users[ADA]


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", HERE, [], "JSON_PARSER_ERROR"),
        ("POST", HERE, "{", "JSON_PARSER_ERROR"),
        ("POST", HERE, {"records": {}}, "JSON_PARSER_ERROR"),
        ("POST", HERE, {"records": [7]}, "JSON_PARSER_ERROR"),
        ("POST", HERE, {"records": [{"attributes": []}]}, "JSON_PARSER_ERROR"),
        ("POST", HERE, {"records": [], "allOrNone": "perhaps"}, "JSON_PARSER_ERROR"),
        ("PATCH", f"{HERE}/Account/Id", {"records": [of("Lead")]}, "INVALID_TYPE"),
        ("PATCH", f"{HERE}/Account/Id", None, "JSON_PARSER_ERROR"),
        ("DELETE", HERE, None, "JSON_PARSER_ERROR"),
        ("GET", f"{HERE}/Account?ids=001000000000000AAA", None, "JSON_PARSER_ERROR"),
        ("GET", f"{HERE}/Account?ids=003000000000000&fields=Id", None, "MALFORMED_ID"),
        ("GET", f"{HERE}/Account?ids=001000000000000&fields=Nmae", None, "INVALID_FIELD"),
        ("GET", f"{HERE}/Account?ids=%00&fields=Id", None, "MALFORMED_ID"),
        ("POST", f"{HERE}/Account", {"ids": [7], "fields": ["Id"]}, "JSON_PARSER_ERROR"),
    ],
)
def test_what_is_no_list_of_records_is_refused(
    org: Org, method: str, path: str, body: Any, code: str
) -> None:
    error = org.refused(method, path, body)
    assert (error["status"], error["errorCode"]) == (400, code)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (of("Account", Name="B", Nmae="C"), "INVALID_FIELD"),
        (of("Account", Name="B", AnnualRevenue="much"), "JSON_PARSER_ERROR"),
        (of("Nothing", Name="B"), "INVALID_TYPE"),
    ],
)
def test_unverified_a_record_that_cannot_be_read_refuses_them_all(
    org: Org, record: dict[str, Any], code: str
) -> None:
    """The vendor reads records into its own types before it saves any of them."""
    error = org.refused("POST", HERE, {"records": [of("Account", Name="A"), record]})
    assert (error["status"], error["errorCode"]) == (400, code)
    assert names(org) == []


def test_unverified_a_value_that_is_given_twice_is_nobodys(org: Org) -> None:
    """Whether the first of them is saved is not known."""
    twice = [of("Lead", Email=text, LastName="A", Company="B") for text in ("a@b.ex", "A@b.ex")]
    found = org.call("PATCH", f"{HERE}/Lead/Email", {"records": twice})
    assert [one["errors"][0]["statusCode"] for one in found] == ["DUPLICATE_VALUE"] * 2
