"""What the organization may use, what it used of its requests, and how many records it has."""

from __future__ import annotations

import re

from tests.crm.conftest import BEN, Org


def used(header: str) -> int:
    """Return how many requests a header says were used."""
    found = re.fullmatch(r"api-usage=(\d+)/100000", header)
    assert found is not None, header
    return int(found[1])


def test_every_answer_says_how_many_requests_were_made(org: Org) -> None:
    first = used(org.ask("GET", "/sobjects").headers["Sforce-Limit-Info"])
    assert first == 1
    id = org.make("Account", Name="Ash")
    answers = [
        org.ask("GET", f"/sobjects/Account/{id}", login=BEN),
        org.ask("DELETE", f"/sobjects/Account/{id}"),
        org.ask("GET", "/nothing"),
        org.ask("POST", "/sobjects/Account", {}),
        org.ask("PUT", "/sobjects"),
    ]
    counts = [used(answer.headers["Sforce-Limit-Info"]) for answer in answers]
    assert counts == [3, 4, 5, 6, 7]


def test_only_the_api_is_counted(org: Org) -> None:
    headers = {"Authorization": f"Bearer {org.token()}"}
    assert "Sforce-Limit-Info" not in org.client().get("/", headers=headers).headers
    assert used(org.ask("GET", "/sobjects").headers["Sforce-Limit-Info"]) == 1


def test_nobody_is_told_without_a_session(org: Org) -> None:
    assert "Sforce-Limit-Info" not in org.ask("GET", "/sobjects", login=None).headers
    assert used(org.ask("GET", "/sobjects").headers["Sforce-Limit-Info"]) == 1


def test_many_requests_in_one_are_one(org: Org) -> None:
    part = {"method": "GET", "url": "v64.0/limits"}
    answer = org.ask("POST", "/composite/batch", {"batchRequests": [part] * 3})
    assert used(answer.headers["Sforce-Limit-Info"]) == 1
    assert used(org.ask("GET", "/sobjects").headers["Sforce-Limit-Info"]) == 2


def test_counting_writes_nothing(org: Org) -> None:
    from clones.core.journal import journal  # noqa: PLC0415 - a store is bound by then

    with org.reading():
        before = journal().committed()
    for _ in range(3):
        org.call("GET", "/limits")
    with org.reading():
        assert journal().committed() == before


def test_limits_say_what_is_left(org: Org) -> None:
    found = org.call("GET", "/limits/")
    assert found["DailyApiRequests"] == {"Max": 100_000, "Remaining": 99_999}
    assert org.call("GET", "/limits")["DailyApiRequests"]["Remaining"] == 99_998
    assert len(found) == 52
    assert list(found) == sorted(found)
    assert found["PermissionSets"]["CreateCustom"] == {"Max": 1000, "Remaining": 1000}


def test_records_are_counted(org: Org) -> None:
    gone, _ = org.make("Account", Name="Ash"), org.make("Account", Name="Birch")
    org.ask("DELETE", f"/sobjects/Account/{gone}")
    found = org.call("GET", "/limits/recordCount?sObjects=account, Lead,Nothing,Account")
    assert found == {"sObjects": [{"count": 1, "name": "Account"}, {"count": 0, "name": "Lead"}]}
    whole = org.call("GET", "/limits/recordCount")["sObjects"]
    assert {"count": 1, "name": "Account"} in whole
    assert all(one["count"] for one in whole)
