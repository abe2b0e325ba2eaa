"""SLAs of a desk: their clocks, goals, pauses, and what happens when they are missed.

The sandbox's present is Tuesday 2026-06-16 14:00 UTC; the desk works from 9 to 5 in New York, which
is 13:00 to 21:00 UTC.
"""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Job
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.sla_goals import Goal, change_goals
from clones.tracker.models import Calendar, SlaCycle, SlaGoal, SlaMetric, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import JqlError
from tests.tracker.conftest import Site
from tests.tracker.desk_site import Desk, open_desk
from tests.tracker.heard import heard

HOUR = 3600
TOLD = heard("sla_breached")  # of breached SLAs


def slas(desk: Desk, key: str) -> dict[str, Any]:
    """Return how SLAs stand, by name."""
    return {one["name"]: one for one in desk.get(f"request/{key}/sla")["values"]}


def hours(duration: dict[str, Any]) -> float:
    """Return a duration's hours, to the minute."""
    return round(float(duration["millis"]) / 3_600_000, 2)


def transition(desk: Desk, key: str, number: str, **fields: Any) -> None:
    """Move a request on as an agent does."""
    body: dict[str, Any] = {"transition": {"id": number}}
    if fields:
        body["fields"] = fields
    desk.site.post(f"issue/{key}/transitions", body, by="dev", status=204)


def found(site: Site, jql: str) -> list[str]:
    """Return the keys that a query finds."""
    body = {"jql": f"project = IT AND {jql} ORDER BY key ASC", "fields": ["summary"]}
    return [one["key"] for one in site.post("search/jql", body, status=200)["issues"]]


def test_the_clocks_of_a_new_request_run_in_working_hours(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "Medium"}})["issueKey"]
    both = slas(desk, key)
    assert list(both) == ["Time to first response", "Time to resolution"]
    first = both["Time to first response"]
    assert first["completedCycles"] == []
    cycle = first["ongoingCycle"]
    assert (cycle["breached"], cycle["paused"], cycle["withinCalendarHours"]) == (
        False,
        False,
        True,
    )
    assert (cycle["goalDuration"]["friendly"], cycle["elapsedTime"]["friendly"]) == ("8h", "0m")
    # Seven hours are left of today, the last one is tomorrow's.
    assert cycle["breachTime"]["iso8601"].startswith("2026-06-17T10:00")
    assert hours(both["Time to resolution"]["ongoingCycle"]["goalDuration"]) == 16
    site.advance(10 * HOUR)  # 20:00 in New York: closed since 17:00
    cycle = slas(desk, key)["Time to first response"]["ongoingCycle"]
    assert (hours(cycle["elapsedTime"]), hours(cycle["remainingTime"])) == (7, 1)
    assert cycle["withinCalendarHours"] is False
    one = desk.get(f"request/{key}/sla/{first['id']}")
    assert one["ongoingCycle"] == cycle
    # The same in the fields of the issue.
    fields = site.get(f"issue/{key}", by="dev")["fields"]
    shown = [
        value for value in fields.values() if isinstance(value, dict) and "ongoingCycle" in value
    ]
    assert sorted(one["name"] for one in shown) == sorted(both)
    page = desk.get(f"request/{key}/sla?limit=1")
    assert (page["size"], page["isLastPage"]) == (1, False)
    # Customers are not told, and other numbers are no SLAs.
    refused = desk.get(f"request/{key}/sla", by="cara", status=403)
    assert desk.error(refused) == (
        "Only agents of this service desk can do this.",
        "sd.agent.servicedesk.error.not.agent",
    )
    assert desk.error(desk.get(f"request/{key}/sla/99", status=404))[1] == (
        "sd.sla.error.metric.not.found"
    )


def test_a_public_comment_of_an_agent_is_the_first_response(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    site.advance(HOUR)
    desk.post(f"request/{key}/comment", {"body": "Anyone?"}, by="cara")
    desk.post(f"request/{key}/comment", {"body": "Among us.", "public": False})
    assert "ongoingCycle" in slas(desk, key)["Time to first response"]
    site.advance(HOUR)
    desk.post(f"request/{key}/comment", {"body": "We look into it."})
    first = slas(desk, key)["Time to first response"]
    assert "ongoingCycle" not in first
    [cycle] = first["completedCycles"]
    assert (hours(cycle["elapsedTime"]), hours(cycle["remainingTime"])) == (2, 6)
    assert cycle["breached"] is False
    assert cycle["stopTime"]["friendly"].startswith("Today")
    # It stays so: later comments begin nothing.
    desk.post(f"request/{key}/comment", {"body": "Still."})
    assert slas(desk, key)["Time to first response"]["completedCycles"] == [cycle]
    assert found(site, '"Time to first response" = completed()') == [key]
    assert found(site, '"Time to resolution" = running()') == [key]


def test_a_clock_rests_while_the_customer_is_asked_and_begins_anew_when_reopened(
    site: Site,
) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    site.advance(HOUR)
    transition(desk, key, "11")  # Waiting for customer
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert (cycle["paused"], "breachTime" in cycle, hours(cycle["elapsedTime"])) == (True, False, 1)
    assert found(site, '"Time to resolution" = paused()') == [key]
    site.advance(100 * 24 * HOUR)
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert (hours(cycle["elapsedTime"]), cycle["breached"]) == (1, False)
    transition(desk, key, "21")
    site.advance(HOUR)
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert (cycle["paused"], "breachTime" in cycle, hours(cycle["elapsedTime"])) == (False, True, 2)
    transition(desk, key, "71", resolution={"name": "Done"})
    both = slas(desk, key)
    assert all("ongoingCycle" not in one for one in both.values()), "a resolution answers too"
    transition(desk, key, "91")  # Reopen clears the resolution
    again = slas(desk, key)["Time to resolution"]
    assert [hours(one["elapsedTime"]) for one in again["completedCycles"]] == [2]
    assert hours(again["ongoingCycle"]["elapsedTime"]) == 0
    assert "ongoingCycle" not in slas(desk, key)["Time to first response"]


def test_another_priority_is_another_goal_and_what_has_passed_stays(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "Low"}})["issueKey"]
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert hours(cycle["goalDuration"]) == 24, "the last goal is for all that no query finds"
    site.advance(3 * HOUR)
    site.put(f"issue/{key}", {"fields": {"priority": {"name": "Highest"}}}, by="dev")
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert hours(cycle["goalDuration"]) == 4
    assert (hours(cycle["elapsedTime"]), hours(cycle["remainingTime"])) == (3, 1)
    first = slas(desk, key)["Time to first response"]["ongoingCycle"]
    assert hours(first["goalDuration"]) == 2
    assert first["breached"] is True, "three hours are more than the goal now allows"


def test_unverified_a_longer_goal_that_is_not_used_up_is_not_missed_any_more(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "Highest"}})["issueKey"]
    site.advance(3 * HOUR)
    assert slas(desk, key)["Time to first response"]["ongoingCycle"]["breached"] is True
    site.put(f"issue/{key}", {"fields": {"priority": {"name": "High"}}}, by="dev")
    first = slas(desk, key)["Time to first response"]["ongoingCycle"]
    assert (hours(first["goalDuration"]), hours(first["elapsedTime"])) == (4, 3)
    assert first["breached"] is False


def test_unverified_goals_and_hours_of_a_new_desk(site: Site) -> None:
    open_desk(site)
    with site.store():
        calendar = Calendar.objects.get()
        assert (calendar.name, calendar.time_zone) == ("Sample 9-5 Calendar", "America/New_York")
        goals = SlaGoal.objects.order_by("metric", "position")
        assert list(goals.values_list("metric__name", "jql", "milliseconds")) == [
            (name, jql, length * HOUR * 1000)
            for name, jql, length in (
                ("Time to first response", "priority = Highest", 2),
                ("Time to first response", "priority = High", 4),
                ("Time to first response", "", 8),
                ("Time to resolution", "priority = Highest", 4),
                ("Time to resolution", "priority = High", 8),
                ("Time to resolution", "priority = Medium", 16),
                ("Time to resolution", "", 24),
            )
        ]


def test_a_missed_goal_is_told_at_its_moment(site: Site) -> None:
    desk = open_desk(site)
    TOLD.clear()
    key = desk.ask(values={"priority": {"name": "Highest"}})["issueKey"]
    with site.store():
        timers = Job.objects.filter(kind="tracker.sla_breach", state="pending")
        assert timers.count() == 2
    site.advance(2 * HOUR - 60)
    assert (TOLD, found(site, '"Time to first response" = breached()')) == ([], [])
    site.advance(120)
    assert [event.details["metric"] for event in TOLD] == ["Time to first response"]
    cycle = slas(desk, key)["Time to first response"]["ongoingCycle"]
    assert (cycle["breached"], cycle["remainingTime"]["friendly"]) == (True, "-1m")
    assert found(site, '"Time to first response" = breached()') == [key]
    assert found(site, '"Time to resolution" < remaining("2h")') == [key]
    assert found(site, '"Time to resolution" < remaining("1h")') == []
    # A late answer leaves it missed; what is resolved in time leaves no timer.
    desk.post(f"request/{key}/comment", {"body": "Sorry."})
    transition(desk, key, "71", resolution={"name": "Done"})
    both = slas(desk, key)
    assert both["Time to first response"]["completedCycles"][0]["breached"] is True
    assert both["Time to resolution"]["completedCycles"][0]["breached"] is False
    assert found(site, '"Time to first response" = everBreached()') == [key]
    site.advance(48 * HOUR)
    assert len(TOLD) == 1
    with site.store():
        assert not Job.objects.filter(kind="tracker.sla_breach", state="pending").exists()
        assert SlaCycle.objects.filter(breached=True).count() == 1


def test_issues_that_agents_make_have_clocks_too_and_other_spaces_have_none(site: Site) -> None:
    open_desk(site)
    site.issue("No desk's")
    fields = {
        "project": {"key": "IT"},
        "issuetype": {"name": "[System] Incident"},
        "summary": "Down",
        "priority": {"name": "High"},
    }
    key = site.post("issue", {"fields": fields}, by="dev")["key"]
    with site.store():
        cycles = SlaCycle.objects.order_by("id").values_list("issue__key", "metric__name", "goal")
        assert list(cycles) == [
            (key, "Time to first response", 4 * HOUR * 1000),
            (key, "Time to resolution", 8 * HOUR * 1000),
        ]
    site.delete(f"issue/{key}")
    with site.store():
        assert not Job.objects.filter(kind="tracker.sla_breach", state="pending").exists()


def test_admins_change_the_goals_of_running_requests_too(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask(values={"priority": {"name": "Low"}})["issueKey"]
    site.advance(HOUR)
    with site.writing():
        metric = SlaMetric.objects.select_related("desk__project").get(name="Time to resolution")
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        with pytest.raises(Invalid, match="Only the last goal"):
            change_goals(metric, [Goal("", 1), Goal("priority = Low", 1)], actor=ada)
        with pytest.raises(Invalid, match="longer than nothing"):
            change_goals(metric, [Goal("", 0)], actor=ada)
        with pytest.raises(JqlError):
            change_goals(metric, [Goal("bogus = 1", 1)], actor=ada)
        dev = Rights(User.objects.get(account_id=site.ids["dev"]))
        with pytest.raises(Forbidden):
            change_goals(metric, [Goal("", 1)], actor=dev)
        change_goals(metric, [Goal("priority = Low", 3 * HOUR * 1000)], actor=ada)
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert (hours(cycle["goalDuration"]), hours(cycle["elapsedTime"])) == (3, 1)
    assert cycle["breachTime"]["friendly"] == "Today 1:00 PM"
    # A request that no goal is for has no SLA; what has passed is not forgotten.
    site.put(f"issue/{key}", {"fields": {"priority": {"name": "High"}}}, by="dev")
    assert list(slas(desk, key)) == ["Time to first response"]
    site.put(f"issue/{key}", {"fields": {"priority": {"name": "Low"}}}, by="dev")
    cycle = slas(desk, key)["Time to resolution"]["ongoingCycle"]
    assert hours(cycle["elapsedTime"]) == 1
