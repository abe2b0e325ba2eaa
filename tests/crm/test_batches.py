"""Several requests in one that know nothing of each other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.test_collections import names, rows


def run(org: Org, *parts: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Return the answer to a batch."""
    found: dict[str, Any] = org.call(
        "POST", "/composite/batch", {**body, "batchRequests": list(parts)}
    )
    return found


def make(**values: Any) -> dict[str, Any]:
    """Return a part that makes an account."""
    return {"method": "POST", "url": "v64.0/sobjects/Account", "richInput": values}


@pytest.mark.parametrize("start", ["v64.0", "/v64.0", "/services/data/v64.0"])
def test_parts_are_named_by_either_form_of_an_address(org: Org, start: str) -> None:
    id = org.make("Account", Name="Ash")
    found = run(
        org,
        {"method": "GET", "url": f"{start}/sobjects/Account/{id}?fields=Name"},
        {"method": "PATCH", "url": f"{start}/sobjects/Account/{id}", "richInput": {"Name": "B"}},
        {"method": "GET", "url": f"{start}/query?q=SELECT Name FROM Account"},
    )
    assert found["hasErrors"] is False
    assert found["results"][0] == {
        "statusCode": 200,
        "result": org.call("GET", f"/sobjects/Account/{id}?fields=Name") | {"Name": "Ash"},
    }
    assert found["results"][1] == {"statusCode": 204, "result": None}
    assert found["results"][2]["result"]["records"][0]["Name"] == "B"


def test_what_was_written_stays_whatever_fails(org: Org) -> None:
    found = run(org, make(Name="Ash"), make(Phone="1"), make(Name="Birch"))
    assert found["hasErrors"] is True
    assert [one["statusCode"] for one in found["results"]] == [201, 400, 201]
    (error,) = found["results"][1]["result"]
    assert error["errorCode"] == "REQUIRED_FIELD_MISSING"
    assert names(org) == ["Ash", "Birch"]
    before = rows(org)
    run(org, make(Phone="1"), make(Phone="2"))
    assert rows(org) == before


def test_a_batch_may_end_at_the_first_error(org: Org) -> None:
    parts = [make(Name="Ash"), make(Phone="1"), make(Name="Birch"), make(Name="Cedar")]
    found = run(org, *parts, haltOnError=True)
    assert [one["statusCode"] for one in found["results"]] == [201, 400, 412, 412]
    assert found["results"][3]["result"] == [
        {"errorCode": "BATCH_PROCESSING_HALTED", "message": "Batch processing halted per request"}
    ]
    assert names(org) == ["Ash"]


def test_twenty_five_describes_are_answered(org: Org) -> None:
    url = "/services/data/v61.0/sobjects/Account/describe"
    found = run(org, *[{"method": "GET", "url": url}] * 25)
    assert [one["result"]["name"] for one in found["results"]] == ["Account"] * 25
    error = org.refused(
        "POST", "/composite/batch", {"batchRequests": [{"method": "GET", "url": url}] * 26}
    )
    assert error["errorCode"] == "LIMIT_EXCEEDED"


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"batchRequests": [1]},
        {"batchRequests": [{"method": "GET"}]},
        {"batchRequests": "a"},
    ],
)
def test_bodies_that_are_no_batch(org: Org, body: Any) -> None:
    assert org.refused("POST", "/composite/batch", body)["errorCode"] == "JSON_PARSER_ERROR"


def test_a_batch_holds_no_other(org: Org) -> None:
    inner = {"batchRequests": [make(Name="Ash")]}
    part = {"method": "POST", "url": "v64.0/composite/batch", "richInput": inner}
    found = run(org, part, {"method": "GET", "url": "oauth2/token"})
    assert [one["statusCode"] for one in found["results"]] == [404, 404]
    assert names(org) == []
