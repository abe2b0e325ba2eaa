"""Several requests in one: they use each other's answers, and stand or fall together if asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.test_collections import names, of, rows

ROOT = "/services/data/v64.0"
HALTED = {
    "errorCode": "PROCESSING_HALTED",
    "message": "The transaction was rolled back since another operation in the same transaction"
    " failed.",
}


def part(name: str, method: str, path: str, body: Any = None, **more: Any) -> dict[str, Any]:
    """Return a part of a request; `path` is below the version's address."""
    found = {"method": method, "url": f"{ROOT}{path}", "referenceId": name, **more}
    return found if body is None else {**found, "body": body}


def run(org: Org, *parts: dict[str, Any], **body: Any) -> list[dict[str, Any]]:
    """Return the answers to the parts of a request."""
    answer = org.call("POST", "/composite", {**body, "compositeRequest": list(parts)})
    found: list[dict[str, Any]] = answer["compositeResponse"]
    return found


def test_later_parts_use_the_answers_of_earlier_ones(org: Org) -> None:
    found = run(
        org,
        part("ash", "POST", "/sobjects/Account/", {"Name": "Ash", "NumberOfEmployees": 7}),
        part("shown", "GET", "/sobjects/Account/@{ash.id}"),
        part("eva", "POST", "/sobjects/Contact", {"LastName": "Holm", "AccountId": "@{ash.id}"}),
        part("asked", "GET", "/query?q=SELECT Id, LastName FROM Contact"),
        part(
            "changed",
            "PATCH",
            "/sobjects/Contact/@{asked.records[0].Id}",
            {"FirstName": "@{shown.Name} by @{shown.Name}", "Description": "@{shown.Name}"},
        ),
        part(
            "copy",
            "POST",
            "/sobjects/Account",
            {"Name": "B", "NumberOfEmployees": "@{shown.NumberOfEmployees}"},
        ),
    )
    assert [one["httpStatusCode"] for one in found] == [201, 200, 201, 200, 204, 201]
    assert [one["referenceId"] for one in found][:2] == ["ash", "shown"]
    assert list(found[0]) == ["body", "httpHeaders", "httpStatusCode", "referenceId"]
    id = found[0]["body"]["id"]
    assert found[0]["httpHeaders"] == {"Location": f"{ROOT}/sobjects/Account/{id}"}
    assert (found[4]["body"], found[4]["httpHeaders"]) == (None, {})
    eva = org.show("Contact", found[2]["body"]["id"])
    assert (eva["FirstName"], eva["AccountId"]) == ("Ash by Ash", id)
    assert org.show("Account", found[5]["body"]["id"])["NumberOfEmployees"] == 7


def test_a_part_is_answered_as_it_is_alone(org: Org) -> None:
    id = org.make("Account", Name="Ash")
    for method, path, body in (
        ("GET", f"/sobjects/Account/{id}?fields=Name", None),
        ("GET", "/sobjects/Account/001000000000000AAA", None),
        ("GET", "/query?q=SELECT%20Nmae%20FROM%20Account", None),
        ("POST", "/sobjects/Account", {"Phone": "1"}),
        ("PUT", "/sobjects", None),
        ("GET", "/nothing", None),
        ("GET", "/sobjects/Account/describe", None),
    ):
        alone = org.ask(method, path, body)
        (within,) = run(org, part("a", method, path, body))
        assert (within["httpStatusCode"], within["body"]) == (alone.status, alone.body)


def test_what_fails_leaves_the_others_alone(org: Org) -> None:
    found = run(
        org,
        part("a", "POST", "/sobjects/Account", {"Name": "Ash"}),
        part("b", "POST", "/sobjects/Account", {"Phone": "1"}),
        part("c", "PATCH", "/sobjects/Account/@{b.id}", {"Phone": "2"}),
        part("d", "POST", "/sobjects/Account", {"Name": "Birch"}),
    )
    assert [one["httpStatusCode"] for one in found] == [201, 400, 400, 201]
    assert found[2]["body"] == [
        {
            "errorCode": "PROCESSING_HALTED",
            "message": "Invalid reference specified. No value for b.id found in b",
        }
    ]
    assert names(org) == ["Ash", "Birch"]


def test_all_or_none_undoes_everything(org: Org) -> None:
    before = rows(org)
    found = run(
        org,
        part("a", "POST", "/sobjects/Account", {"Name": "Ash"}),
        part("b", "POST", "/sobjects/Account", {"Phone": "1"}),
        part("c", "POST", "/sobjects/Account", {"Name": "Cedar"}),
        allOrNone=True,
    )
    assert [one["httpStatusCode"] for one in found] == [400, 400, 400]
    assert found[0]["body"] == found[2]["body"] == [HALTED]
    assert found[1]["body"][0]["errorCode"] == "REQUIRED_FIELD_MISSING"
    assert rows(org) == before


def test_all_or_none_holds_for_lists_within(org: Org) -> None:
    records = [of("Account", Name="Ash"), of("Account", Phone="1")]
    inner = part("b", "POST", "/composite/sobjects", {"allOrNone": False, "records": records})
    outer = part("a", "POST", "/sobjects/Account", {"Name": "Birch"})
    first, second = run(org, outer, inner, allOrNone=True)
    assert first["body"] == [HALTED]
    codes = [one["errors"][0]["statusCode"] for one in second["body"]]
    assert codes == ["ALL_OR_NONE_OPERATION_ROLLED_BACK", "REQUIRED_FIELD_MISSING"]
    assert names(org) == []
    _, second = run(org, outer, inner)
    assert [one["success"] for one in second["body"]] == [True, False]
    assert names(org) == ["Ash", "Birch"]


def test_lists_are_referred_to_by_place(org: Org) -> None:
    records = [of("Account", Name="Ash"), of("Account", Name="Birch")]
    found = run(
        org,
        part("made", "POST", "/composite/sobjects", {"records": records}),
        part("read", "GET", "/sobjects/Account/@{made[1].id}?fields=Name"),
    )
    assert found[1]["body"]["Name"] == "Birch"


def test_parts_are_somebodys(org: Org) -> None:
    parts = [part("a", "POST", "/sobjects/Account", {"Name": "Ash"})]
    made = org.call("POST", "/composite", {"compositeRequest": parts}, login=BEN)
    id = made["compositeResponse"][0]["body"]["id"]
    assert org.show("Account", id)["CreatedById"] == org.users[BEN]
    assert (
        org.refused("POST", "/composite", {"compositeRequest": parts}, login=None)["status"] == 401
    )


def test_a_query_within_goes_on_outside(org: Org) -> None:
    for _ in range(2):
        records = [of("Lead", LastName=f"L{number}", Company="B") for number in range(200)]
        org.call("POST", "/composite/sobjects", {"records": records})
    headers = {"Sforce-Query-Options": "batchSize=200"}
    (found,) = run(org, part("a", "GET", "/query?q=SELECT Id FROM Lead", httpHeaders=headers))
    page = org.call("GET", found["body"]["nextRecordsUrl"])
    assert (len(found["body"]["records"]), len(page["records"]), page["done"]) == (200, 200, True)


@pytest.mark.parametrize(
    "reference",
    [
        "@{b.id}",
        "@{a}",
        "@{a.errors}",
        "@{a.errors[0].x}",
        "@{a.id.x}",
        "@{a[0]}",
        "@{.id}",
        "@{a.}",
    ],
)
def test_references_that_lead_nowhere(org: Org, reference: str) -> None:
    _, second = run(
        org,
        part("a", "POST", "/sobjects/Account", {"Name": "Ash"}),
        part("c", "POST", "/sobjects/Account", {"Name": reference}),
    )
    assert (second["httpStatusCode"], second["body"][0]["errorCode"]) == (400, "PROCESSING_HALTED")
    name = reference[2:-1]
    assert f"No value for {name} found in" in second["body"][0]["message"]
    assert names(org) == ["Ash"]


@pytest.mark.parametrize(
    "path",
    [
        "/composite",
        "/composite/",
        "/composite//",
        "/composite/batch?a=b",
        "/%63omposite/graph",
        "/composite/tree/Account",
        "/../../../oauth2/token",
        "",
    ],
)
def test_what_a_part_cannot_be(org: Org, path: str) -> None:
    inner = {"compositeRequest": [part("a", "POST", "/sobjects/Account", {"Name": "Ash"})]}
    (found,) = run(org, part("a", "POST", path, inner))
    assert (found["httpStatusCode"], found["body"][0]["errorCode"]) == (404, "NOT_FOUND")
    assert names(org) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"method": 7}, "JSON_PARSER_ERROR"),
        ({"method": "TRACE"}, "JSON_PARSER_ERROR"),
        ({"url": None}, "JSON_PARSER_ERROR"),
        ({"referenceId": ""}, "JSON_PARSER_ERROR"),
        ({"referenceId": "a.b"}, "INVALID_INPUT"),
        ({"httpHeaders": []}, None),
        ({"httpHeaders": [1]}, "JSON_PARSER_ERROR"),
        ({"httpHeaders": {"A": 1}}, "JSON_PARSER_ERROR"),
        ({"httpHeaders": {"a\nb": "1"}}, "JSON_PARSER_ERROR"),
        ({"httpHeaders": {"Authorization": "Bearer x"}}, "INVALID_INPUT"),
    ],
)
def test_parts_that_are_none_refuse_the_request(
    org: Org, change: dict[str, Any], code: str | None
) -> None:
    given = {**part("a", "POST", "/sobjects/Account", {"Name": "Ash"}), **change}
    answer = org.ask("POST", "/composite", {"compositeRequest": [given]})
    if code is None:
        assert answer.status == 200
    else:
        assert (answer.status, answer.body[0]["errorCode"]) == (400, code)
        assert names(org) == []


@pytest.mark.parametrize("body", [[], {}, {"compositeRequest": {}}, {"compositeRequest": [[]]}, 7])
def test_bodies_that_are_no_request(org: Org, body: Any) -> None:
    assert org.refused("POST", "/composite", body)["errorCode"] == "JSON_PARSER_ERROR"


def test_unverified_too_many_parts_and_names_of_two(org: Org) -> None:
    """The limits are the vendor's, the words are ours."""
    many = [part(f"a{at}", "GET", "/limits") for at in range(26)]
    assert org.refused("POST", "/composite", {"compositeRequest": many})["status"] == 400
    assert len(run(org, *many[:25])) == 25
    queries = [part(f"a{at}", "GET", "/query?q=SELECT Id FROM Lead") for at in range(6)]
    error = org.refused("POST", "/composite", {"compositeRequest": queries})
    assert error["errorCode"] == "LIMIT_EXCEEDED"
    twice = [part("a", "GET", "/limits")] * 2
    error = org.refused("POST", "/composite", {"compositeRequest": twice})
    assert error["errorCode"] == "INVALID_INPUT"


def test_unverified_references_cannot_blow_up_a_request(org: Org) -> None:
    """How much the vendor fills in is not known; without a limit it would be all of the memory."""
    id = org.make("Account", Name="Ash", Description="x" * 30_000)
    blown = {"Name": "@{a.Description}" * 500}
    parts = [
        part("a", "GET", f"/sobjects/Account/{id}"),
        part("b", "POST", "/sobjects/Lead", blown),
    ]
    error = org.refused("POST", "/composite", {"compositeRequest": parts})
    assert (error["status"], error["errorCode"]) == (400, "OPERATION_TOO_LARGE")


def test_unverified_nul_and_odd_characters_in_addresses(org: Org) -> None:
    """The vendor's words for them are not known; none of them may end in a failure of ours."""
    for path in (
        "/sobjects/Contact/Email/a%00b",
        "/sobjects/%00/x",
        "/query?q=%00",
        "/\x00",
        "/%ff",
    ):
        (found,) = run(org, part("a", "GET", path))
        assert 400 <= found["httpStatusCode"] < 500, path


def test_what_was_undone_showed_nothing(org: Org) -> None:
    from clones.core.models import Sighting  # noqa: PLC0415 - the app may not be there
    from clones.core.server import server  # noqa: PLC0415 - the app may not be there

    def sighted() -> list[list[str]]:
        with org.reading():
            last = Sighting.objects.order_by("-id").first()
            return [] if last is None else list(last.shown)

    id = org.make("Account", Name="Ash")
    server().registry.set_episode(org.row.id, "ep-abcdefghij", None)
    parts = [
        part("a", "GET", f"/sobjects/Account/{id}"),
        part("b", "POST", "/sobjects/Account", {"Phone": "1"}),
    ]
    run(org, *parts, allOrNone=True)
    assert sighted() == []
    run(org, *parts)
    assert sighted() == [["crm_account", id, "detail"]]
