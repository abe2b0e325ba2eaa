"""Reasons for bad ratings: those that every account has."""

from __future__ import annotations

from tests.helpdesk.conftest import Desk


def test_an_account_has_the_vendors_reasons(desk: Desk) -> None:
    found = desk.get("satisfaction_reasons.json", by="olga")["reasons"]
    assert [(item["reason_code"], item["value"]) for item in found] == [
        (0, "No reason provided"),
        (5, "The issue took too long to resolve"),
        (6, "The issue was not resolved"),
        (7, "The agent's knowledge is unsatisfactory"),
        (8, "The agent's attitude is unsatisfactory"),
        (1000, "Some other reason"),
    ]
    for item in found:
        assert item["url"].endswith(f"/api/v2/satisfaction_reasons/{item['id']}.json")
        assert (item["raw_value"], item["deleted_at"]) == (item["value"], None)
        assert item["created_at"] == item["updated_at"] is not None


def test_a_reason_is_shown_alone_in_a_list(desk: Desk) -> None:
    for item in desk.get("satisfaction_reasons.json", by="olga")["reasons"]:
        path = f"satisfaction_reasons/{item['id']}.json"
        assert desk.get(path, by="olga") == {"reason": [item]}
    answer = desk.call("GET", "satisfaction_reasons/999.json", by="olga")
    assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")


def test_only_admins_see_reasons(desk: Desk) -> None:
    for path in ("satisfaction_reasons.json", "satisfaction_reasons/6.json"):
        for by in ("ana", "rosa"):
            assert desk.call("GET", path, by=by).status == 403
        assert desk.call("GET", path, by=None).status == 401


def test_unverified_ids_of_reasons_follow_from_their_codes(desk: Desk) -> None:
    found = desk.get("satisfaction_reasons.json", by="olga")["reasons"]
    assert [item["id"] - item["reason_code"] for item in found] == [1] * 6
