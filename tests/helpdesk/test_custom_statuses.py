"""Statuses of tickets: made, changed, and which is the default of its category."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def status(desk: Desk, **given: Any) -> Any:
    body = {"status_category": "open", "agent_label": "In the workshop", **given}
    return desk.post("custom_statuses.json", {"custom_status": body}, by="olga")["custom_status"]


def change(desk: Desk, key: int, *, status: int = 200, **given: Any) -> Any:
    path = f"custom_statuses/{key}.json"
    return desk.put(path, {"custom_status": given}, by="olga", status=status)


def shown(desk: Desk, key: int) -> Any:
    return desk.get(f"custom_statuses/{key}.json")["custom_status"]


def defaults(desk: Desk, ids: str, *, status: int = 200, by: str = "olga") -> Any:
    return desk.put("custom_status/default.json", {"ids": ids}, by=by, status=status)


def default_of(desk: Desk, category: str) -> int:
    path = f"custom_statuses.json?status_categories={category}&default=true"
    [found] = desk.get(path)["custom_statuses"]
    return int(found["id"])


def test_a_ticket_takes_a_status_and_the_category_it_is_of(desk: Desk) -> None:
    body = {"custom_status": {"status_category": "pending", "agent_label": "At the carrier"}}
    answer = desk.call("POST", "custom_statuses.json", body, by="olga")
    made = answer.body["custom_status"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["end_user_label"], made["default"], made["active"]) == (
        "At the carrier",
        False,
        True,
    )
    assert shown(desk, made["id"]) == made
    listed = desk.get("custom_statuses.json?status_categories=pending")["custom_statuses"]
    assert made["id"] in [item["id"] for item in listed]
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"custom_status_id": made["id"]}})
    ticket = desk.get(f"tickets/{key}.json")["ticket"]
    assert (ticket["status"], ticket["custom_status_id"]) == ("pending", made["id"])


def test_a_status_without_label_or_category_is_refused(desk: Desk) -> None:
    def wrong(**given: Any) -> list[str]:
        body = {"custom_status": {"status_category": "open", "agent_label": "x", **given}}
        answer = desk.call("POST", "custom_statuses.json", body, by="olga")
        assert answer.status == 422
        return list(answer.body["details"])

    assert wrong(agent_label=" ") == ["agent_label"]
    assert wrong(agent_label="x" * 49) == ["agent_label"]
    assert wrong(status_category="closed") == ["status_category"]
    assert wrong(status_category="new") == ["status_category"]
    assert len(desk.get("custom_statuses.json")["custom_statuses"]) == 5


def test_a_change_keeps_the_category(desk: Desk) -> None:
    key = status(desk)["id"]
    change(
        desk,
        key,
        agent_label="On the bench",
        end_user_label="In repair",
        description="A technician has it.",
        status_category="solved",
    )
    found = shown(desk, key)
    assert (found["agent_label"], found["raw_agent_label"]) == ("On the bench", "On the bench")
    assert (found["end_user_label"], found["status_category"]) == ("In repair", "open")
    assert found["description"] == "A technician has it."
    assert change(desk, key, status=422, agent_label="")["error"] == "RecordInvalid"
    assert change(desk, 5, status=404, agent_label="x")["error"] == "RecordNotFound"


def test_tickets_take_no_inactive_status_and_a_default_stays_active(desk: Desk) -> None:
    key = status(desk)["id"]
    change(desk, key, active=False)
    assert key not in [
        item["id"] for item in desk.get("custom_statuses.json?active=true")["custom_statuses"]
    ]
    ticket = desk.ticket()["id"]
    body = {"ticket": {"custom_status_id": key}}
    assert desk.call("PUT", f"tickets/{ticket}.json", body).status == 422
    details = change(desk, default_of(desk, "open"), status=422, active=False)["details"]
    assert list(details) == ["active"]


def test_tickets_get_the_status_that_became_the_default(desk: Desk) -> None:
    before = default_of(desk, "pending")
    bench = status(desk)["id"]
    carrier = status(desk, status_category="pending", agent_label="At the carrier")["id"]
    assert defaults(desk, f"{bench}, {carrier}") == {}
    assert (default_of(desk, "open"), default_of(desk, "pending")) == (bench, carrier)
    assert shown(desk, before)["default"] is False
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    assert desk.get(f"tickets/{key}.json")["ticket"]["custom_status_id"] == bench
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "pending"}})
    assert desk.get(f"tickets/{key}.json")["ticket"]["custom_status_id"] == carrier


def test_defaults_are_all_set_or_none(desk: Desk) -> None:
    before = default_of(desk, "open")
    bench, other = status(desk)["id"], status(desk, agent_label="Elsewhere")["id"]
    assert defaults(desk, f"{bench},5", status=404)["error"] == "RecordNotFound"
    assert list(defaults(desk, f"{bench},{other}", status=422)["details"]) == ["ids"]
    change(desk, other, active=False)
    assert list(defaults(desk, f"{other}", status=422)["details"]) == ["active"]
    assert defaults(desk, "", status=400)["error"] == "RequiredParameterMissing"
    assert defaults(desk, f"{bench}000000", status=400)["error"]["title"] == "Invalid attribute"
    assert defaults(desk, "one", status=400)["error"]["title"] == "Invalid attribute"
    assert default_of(desk, "open") == before


def test_agents_read_statuses_and_do_not_write_them(desk: Desk) -> None:
    key = status(desk)["id"]
    body = {"custom_status": {"status_category": "open", "agent_label": "Mine"}}
    assert desk.call("POST", "custom_statuses.json", body).status == 403
    assert desk.call("PUT", f"custom_statuses/{key}.json", body).status == 403
    assert defaults(desk, str(key), by="ana", status=403)
    assert shown(desk, key)["agent_label"] == "In the workshop"


def test_unverified_words_of_refusals(desk: Desk) -> None:
    body = {"custom_status": {"status_category": "new", "agent_label": "Newer"}}
    details = desk.call("POST", "custom_statuses.json", body, by="olga").body["details"]
    [problem] = details["status_category"]
    assert problem["description"] == "Status category: new has one status only"
    details = change(desk, default_of(desk, "open"), status=422, active=False)["details"]
    assert details["active"][0]["description"] == "Active: a default status cannot be deactivated"
