"""Business hours: kept through the API, and what rules and SLAs count by."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clones.helpdesk.models import Schedule
from clones.helpdesk.rules.zones import all_names, name_of, zone_of
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import CREATED, action, condition, new_request, policy, rule, stages

PATH = "business_hours/schedules"
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}


def made(desk: Desk, name: str = "Office", zone: str = "UTC") -> Any:
    body = {"schedule": {"name": name, "time_zone": zone}}
    return desk.post(f"{PATH}.json", body, by="olga")["schedule"]


def holiday(desk: Desk, key: int, **given: str) -> Any:
    return desk.post(f"{PATH}/{key}/holidays.json", {"holiday": given}, by="olga")["holiday"]


def details(answer: Any) -> dict[str, str]:
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    return {name: items[0]["description"] for name, items in answer.body["details"].items()}


def test_a_schedule_is_made_shown_changed_and_removed(desk: Desk) -> None:
    body = {"schedule": {"name": "Office", "time_zone": "Pacific Time (US & Canada)"}}
    answer = desk.call("POST", f"{PATH}.json", body, by="olga")
    first = answer.body["schedule"]
    assert (answer.status, answer.headers["Location"]) == (201, first["url"])
    assert (first["name"], first["time_zone"]) == ("Office", "Pacific Time (US & Canada)")
    assert first["intervals"][0] == {"start_time": 1980, "end_time": 2460}
    assert first["intervals"][-1] == {"start_time": 7740, "end_time": 8220}
    assert len(first["intervals"]) == 5
    second = made(desk, "Night", "Europe/London")
    assert second["time_zone"] == "London"
    assert desk.get(f"{PATH}.json", by="olga") == {"schedules": [first, second]}
    one = f"{PATH}/{second['id']}"
    desk.put(f"{one}.json", {"schedule": {"name": "Day", "time_zone": "Tokyo"}}, by="olga")
    shown = desk.get(f"{one}.json", by="olga")["schedule"]
    assert (shown["name"], shown["time_zone"]) == ("Day", "Tokyo")
    with desk.bound():
        assert Schedule.objects.get(id=second["id"]).time_zone == "Asia/Tokyo"
    assert desk.call("DELETE", f"{one}.json", by="olga").status == 204
    gone = desk.call("GET", f"{one}.json", by="olga")
    assert (gone.status, gone.body) == (404, NOT_FOUND)
    assert desk.get(f"{PATH}.json", by="olga")["schedules"] == [first]


def test_the_week_of_a_schedule_is_set_at_once(desk: Desk) -> None:
    key = made(desk)["id"]
    week = [{"start_time": 2520, "end_time": 2880}, {"start_time": 1980, "end_time": 2460}]
    body = {"workweek": {"intervals": week}}
    answer = desk.put(f"{PATH}/{key}/workweek.json", body, by="olga")
    assert answer == {"workweek": {"intervals": week[::-1]}}
    assert desk.get(f"{PATH}/{key}.json", by="olga")["schedule"]["intervals"] == week[::-1]


def test_holidays_are_made_shown_changed_and_removed(desk: Desk) -> None:
    key = made(desk)["id"]
    late = holiday(desk, key, name="Christmas", start_date="2026-12-25", end_date="2026-12-26")
    early = holiday(desk, key, name="Midsummer", start_date="2026-06-19", end_date="2026-06-19")
    path = f"{PATH}/{key}/holidays"
    assert desk.get(f"{path}.json", by="olga") == {"holidays": [early, late]}
    assert early == {
        "id": early["id"],
        "name": "Midsummer",
        "start_date": "2026-06-19",
        "end_date": "2026-06-19",
    }
    body = {"holiday": {"name": "Yule", "end_date": "2026-12-31"}}
    desk.put(f"{path}/{late['id']}.json", body, by="olga")
    shown = desk.get(f"{path}/{late['id']}.json", by="olga")["holiday"]
    assert shown == {**late, "name": "Yule", "end_date": "2026-12-31"}
    assert desk.call("DELETE", f"{path}/{early['id']}.json", by="olga").status == 204
    gone = desk.call("GET", f"{path}/{early['id']}.json", by="olga")
    assert (gone.status, gone.body) == (404, NOT_FOUND)
    for method in ("PUT", "DELETE"):
        assert desk.call(method, f"{path}/{early['id']}.json", body, by="olga").body == NOT_FOUND
    assert desk.get(f"{path}.json", by="olga") == {"holidays": [shown]}


def test_holidays_of_the_world_have_ids_that_last(desk: Desk) -> None:
    key = made(desk)["id"]
    days = [
        {"name": name, "start_date": f"2026-0{index}-01", "end_date": f"2026-0{index}-01"}
        for index, name in enumerate(("May", "June", "July"), 5)
    ]
    with desk.writing():
        Schedule.objects.filter(id=key).update(holidays=days)
    path = f"{PATH}/{key}/holidays"
    before = desk.get(f"{path}.json", by="olga")["holidays"]
    assert len({item["id"] for item in before}) == 3
    assert desk.call("DELETE", f"{path}/{before[0]['id']}.json", by="olga").status == 204
    made_later = holiday(desk, key, name="Day", start_date="2026-08-01", end_date="2026-08-01")
    after = desk.get(f"{path}.json", by="olga")["holidays"]
    assert after == [*before[1:], made_later]
    body = {"holiday": {"name": "Sun"}}
    desk.put(f"{path}/{before[2]['id']}.json", body, by="olga")
    assert [item["name"] for item in desk.get(f"{path}.json", by="olga")["holidays"]] == [
        "June",
        "Sun",
        "Day",
    ]


def test_unverified_bodies_of_what_is_refused(desk: Desk) -> None:
    key = made(desk)["id"]
    for given, field in (
        ({"time_zone": "UTC"}, "name"),
        ({"name": " ", "time_zone": "UTC"}, "name"),
        ({"name": "n"}, "time_zone"),
        ({"name": "n", "time_zone": "Mars/Olympus"}, "time_zone"),
        ({"name": "n", "time_zone": "../../etc/passwd"}, "time_zone"),
    ):
        refused = desk.call("POST", f"{PATH}.json", {"schedule": given}, by="olga")
        assert list(details(refused)) == [field]
    refused = desk.call("PUT", f"{PATH}/{key}.json", {"schedule": {"name": ""}}, by="olga")
    assert details(refused) == {"name": "Name: cannot be blank"}
    for given, field in (
        ({"start_date": "2026-01-01", "end_date": "2026-01-01"}, "name"),
        ({"name": "n", "start_date": "2026-01-01"}, "end_date"),
        ({"name": "n", "start_date": "01.01.2026", "end_date": "2026-01-01"}, "start_date"),
        ({"name": "n", "start_date": "2026-01-02", "end_date": "2026-01-01"}, "end_date"),
    ):
        body = {"holiday": given}
        refused = desk.call("POST", f"{PATH}/{key}/holidays.json", body, by="olga")
        assert list(details(refused)) == [field]
    assert len(desk.get(f"{PATH}.json", by="olga")["schedules"]) == 1
    assert desk.get(f"{PATH}/{key}/holidays.json", by="olga") == {"holidays": []}
    refused = desk.call("POST", f"{PATH}.json", {}, by="olga")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        ([(2460, 1980)], "Intervals: must start before they end, within the week"),
        ([(-1, 60)], "Intervals: must start before they end, within the week"),
        ([(10020, 10081)], "Intervals: must start before they end, within the week"),
        ([(1980, 3900)], "Intervals: can't span calendar days"),
        ([(1980, 2460), (2400, 2520)], "Intervals: can't overlap"),
    ],
)
def test_hours_that_are_none_are_refused(
    desk: Desk, spans: list[tuple[int, int]], text: str
) -> None:
    first = made(desk)
    week = [{"start_time": start, "end_time": end} for start, end in spans]
    body = {"workweek": {"intervals": week}}
    refused = desk.call("PUT", f"{PATH}/{first['id']}/workweek.json", body, by="olga")
    assert details(refused) == {"intervals": text}
    assert desk.get(f"{PATH}/{first['id']}.json", by="olga")["schedule"] == first


def test_only_admins_keep_and_see_business_hours(desk: Desk) -> None:
    key = made(desk)["id"]
    held = holiday(desk, key, name="n", start_date="2026-01-01", end_date="2026-01-01")["id"]
    one, days = f"{PATH}/{key}", f"{PATH}/{key}/holidays"
    name = {"name": "x", "time_zone": "UTC"}
    calls: list[tuple[str, str, Any]] = [
        ("GET", PATH, None),
        ("POST", PATH, {"schedule": name}),
        ("GET", one, None),
        ("PUT", one, {"schedule": name}),
        ("DELETE", one, None),
        ("PUT", f"{one}/workweek", {"workweek": {"intervals": []}}),
        ("GET", days, None),
        ("POST", days, {"holiday": {"name": "x"}}),
        ("GET", f"{days}/{held}", None),
        ("PUT", f"{days}/{held}", {"holiday": {"name": "x"}}),
        ("DELETE", f"{days}/{held}", None),
    ]
    for method, path, body in calls:
        assert desk.call(method, f"{path}.json", body, by="ana").status == 403, path
        missing = path.replace(str(key), "17")
        if missing != path:
            answer = desk.call(method, f"{missing}.json", body, by="olga")
            assert (answer.status, answer.body) == (404, NOT_FOUND), path
    assert desk.get(f"{days}.json", by="olga")["holidays"][0]["name"] == "n"


def test_slas_count_by_the_hours_that_the_api_set(desk: Desk) -> None:
    key = made(desk)["id"]
    holiday(desk, key, name="Off", start_date="2026-06-17", end_date="2026-06-17")
    policy(desk, ("first_reply_time", 240), business=True)
    # Tuesday 14:00; the office closes at 17:00, and Wednesday is a holiday.
    ticket = new_request(desk, priority="high")
    assert str(stages(desk, ticket)["first_reply_time"][1]).startswith("2026-06-18T10:00:")


def test_unverified_running_clocks_keep_their_moment_when_hours_change(desk: Desk) -> None:
    key = made(desk)["id"]
    policy(desk, ("first_reply_time", 60), business=True)
    early = new_request(desk, priority="high")
    moment = stages(desk, early)["first_reply_time"]
    assert str(moment[1]).startswith("2026-06-16T15:00:")
    body = {"workweek": {"intervals": [{"start_time": 4860, "end_time": 5340}]}}
    desk.put(f"{PATH}/{key}/workweek.json", body, by="olga")  # Wednesdays, nine to five
    assert stages(desk, early)["first_reply_time"] == moment
    late = new_request(desk, priority="high")
    assert str(stages(desk, late)["first_reply_time"][1]).startswith("2026-06-17T10:00:")


def test_triggers_know_whether_the_office_is_open(desk: Desk) -> None:
    key = made(desk)["id"]
    is_open = condition("in_business_hours", "is", "true")
    rule(desk, "trigger", all=[CREATED, is_open], actions=[action("priority", "low")])
    assert desk.ticket()["priority"] == "low"
    body = {"workweek": {"intervals": [{"start_time": 0, "end_time": 60}]}}
    desk.put(f"{PATH}/{key}/workweek.json", body, by="olga")
    assert desk.ticket()["priority"] is None


def test_unverified_the_oldest_schedule_follows_a_deleted_default(desk: Desk) -> None:
    first, second, third = (made(desk, name)["id"] for name in ("a", "b", "c"))
    with desk.bound():
        assert list(Schedule.objects.filter(default=True).values_list("id", flat=True)) == [first]
    desk.call("DELETE", f"{PATH}/{third}.json", by="olga")
    desk.call("DELETE", f"{PATH}/{first}.json", by="olga")
    with desk.bound():
        assert list(Schedule.objects.filter(default=True).values_list("id", flat=True)) == [second]
    desk.call("DELETE", f"{PATH}/{second}.json", by="olga")
    with desk.bound():
        assert not Schedule.objects.exists()


def test_every_name_of_a_zone_is_one() -> None:
    names = all_names()
    assert len(names) > 140
    for name, zone in names.items():
        assert zone_of(name) == zone
        assert ZoneInfo(zone).key == zone
        assert zone_of(name_of(zone)) == zone
    assert zone_of("America/Nassau") == name_of("America/Nassau") == "America/Nassau"
    assert zone_of("Nassau") is None
