"""The business hours of a ticket: a trigger gives them, and its clocks follow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from clones.helpdesk.models import Schedule, SlaClock
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import action, condition, new_request, policy, rule, stages

DAY = 24 * 60
OFFICE = [{"start_time": DAY * day + 540, "end_time": DAY * day + 1020} for day in range(1, 6)]
LATE = [{"start_time": DAY * day + 960, "end_time": DAY * day + 1320} for day in range(1, 6)]


def schedules(desk: Desk) -> None:
    """Two schedules: the office's, which is the default, and one of the evening."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    with desk.writing():
        for key, name, week in ((1, "Office", OFFICE), (2, "Evening", LATE)):
            Schedule.objects.create(
                id=key,
                name=name,
                time_zone="UTC",
                intervals=week,
                default=key == 1,
                created_at=at,
                updated_at=at,
            )


def evening_trigger(desk: Desk, **more: Any) -> None:
    rule(
        desk,
        "trigger",
        title="Evening people",
        all=[condition("subject_includes_word", "includes", "evening")],
        actions=[action("set_schedule", "2")],
        **more,
    )


def breach_at(desk: Desk, key: int) -> str:
    return str(stages(desk, key)["first_reply_time"][1])


def test_a_trigger_gives_a_ticket_its_hours(desk: Desk) -> None:
    schedules(desk)
    evening_trigger(desk)
    policy(desk, ("first_reply_time", 240), business=True)
    plain = new_request(desk, priority="high")  # Tuesday 14:00: three hours left in the office
    late = new_request(desk, subject="evening", priority="high")
    assert breach_at(desk, plain).startswith("2026-06-17T10:00:")
    assert breach_at(desk, late).startswith("2026-06-16T20:00:")


def test_clocks_that_run_keep_what_they_counted(desk: Desk) -> None:
    schedules(desk)
    evening_trigger(desk)
    policy(desk, ("first_reply_time", 240), business=True)
    key = new_request(desk, priority="high")
    desk.advance(minutes=60)  # 15:00: one of four hours used
    desk.put(f"tickets/{key}.json", {"ticket": {"subject": "evening"}})
    with desk.bound():
        [found] = SlaClock.objects.all()
    assert found.used_seconds // 60 == 60
    due = datetime.fromisoformat(breach_at(desk, key))  # three more, from 16:00 on
    assert abs(due - datetime(2026, 6, 16, 19, tzinfo=UTC)) < timedelta(minutes=1)
    desk.advance(hours=3)
    assert stages(desk, key)["first_reply_time"][0] == "active"
    desk.advance(hours=2)
    with desk.bound():
        assert SlaClock.objects.get().breached


def test_a_rule_sees_the_hours_that_an_earlier_one_gave(desk: Desk) -> None:
    schedules(desk)
    rule(
        desk,
        "trigger",
        title="Closed now",
        all=[condition("in_business_hours", "is", "false")],
        actions=[action("current_tags", "out_of_hours")],
    )
    evening_trigger(desk)
    plain = new_request(desk)
    late = new_request(desk, subject="evening")
    tags = {key: desk.get(f"tickets/{key}.json")["ticket"]["tags"] for key in (plain, late)}
    assert tags == {plain: [], late: ["out_of_hours"]}


def test_unverified_the_audit_tells_of_the_schedule(desk: Desk) -> None:
    """`ScheduleAssignment` is what exports of audits are known to hold; its reference is silent."""
    schedules(desk)
    evening_trigger(desk)
    key = new_request(desk, subject="evening")
    [audit] = desk.get(f"tickets/{key}/audits.json")["audits"]
    [found] = [item for item in audit["events"] if item["type"] == "ScheduleAssignment"]
    assert (found["previous_schedule_id"], found["new_schedule_id"]) == (None, "2")
    assert found["via"]["source"]["from"]["title"] == "Evening people"
    desk.put(f"tickets/{key}.json", {"ticket": {"priority": "low"}})
    audits = desk.get(f"tickets/{key}/audits.json")["audits"]
    told = [item for audit in audits for item in audit["events"]]
    assert sum(item["type"] == "ScheduleAssignment" for item in told) == 1


def test_a_schedule_that_goes_leaves_the_default_one(desk: Desk) -> None:
    schedules(desk)
    evening_trigger(desk)
    policy(desk, ("requester_wait_time", 240), business=True)
    key = new_request(desk, subject="evening", priority="high")
    assert desk.call("DELETE", "business_hours/schedules/2.json", by="olga").status == 204
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "pending"}})
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "open"}})
    due = str(stages(desk, key)["requester_wait_time"][1])
    assert due.startswith("2026-06-17T10:00:")


def test_the_definitions_offer_the_schedules(desk: Desk) -> None:
    schedules(desk)
    found = desk.get("triggers/definitions.json", by="olga")["definitions"]["actions"]
    [offered] = [item for item in found if item["subject"] == "set_schedule"]
    assert [item["value"] for item in offered["values"]] == ["1", "2"]
    macros = desk.get("macros/definitions.json", by="olga")["definitions"]["actions"]
    assert "set_schedule" not in {item["subject"] for item in macros}
