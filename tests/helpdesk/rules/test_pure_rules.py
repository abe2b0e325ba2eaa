"""The rules by themselves: life cycle, requirements, conditions, business hours, clocks, search."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clones.helpdesk.rules import sla
from clones.helpdesk.rules.actions import effect_of
from clones.helpdesk.rules.conditions import Situation, UpdateComment, holds, matches
from clones.helpdesk.rules.fields import field_value
from clones.helpdesk.rules.lifecycle import Move, StatusRefused, next_status
from clones.helpdesk.rules.placeholders import render
from clones.helpdesk.rules.required import FieldRule, missing_for
from clones.helpdesk.rules.schedules import Hours
from clones.helpdesk.rules.search import parse_query, time_span
from clones.helpdesk.rules.tags import split_tags

NOW = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)  # a Tuesday

AGENT = {"writer": "agent"}
CUSTOMER = {"writer": "end-user", "public_comment": True, "is_requester_side": True}


@pytest.mark.parametrize(
    ("current", "move", "expected"),
    [
        (None, {**AGENT}, "new"),
        (None, {**AGENT, "assigned": True, "newly": True}, "open"),
        (None, {**AGENT, "asked": "pending", "assigned": True, "newly": True}, "pending"),
        ("new", {**AGENT, "public_comment": True}, "new"),
        ("new", {**AGENT, "assigned": True, "newly": True}, "open"),
        ("open", {**AGENT, "asked": "solved"}, "solved"),
        ("pending", CUSTOMER, "open"),
        ("hold", CUSTOMER, "open"),
        ("solved", CUSTOMER, "open"),
        ("new", CUSTOMER, "new"),
        ("open", CUSTOMER, "open"),
        ("pending", {**CUSTOMER, "asked": "solved"}, "solved"),
        ("solved", {**AGENT, "public_comment": True}, "solved"),
        ("solved", {"writer": "system", "asked": "closed"}, "closed"),
    ],
)
def test_the_status_that_follows(current: str | None, move: dict[str, Any], expected: str) -> None:
    assert next_status(current, Move(**move)) == expected


@pytest.mark.parametrize(
    ("current", "move"),
    [
        ("open", {**AGENT, "asked": "new"}),
        ("solved", {**AGENT, "asked": "new"}),
        ("closed", {**AGENT, "asked": "open"}),
        ("closed", {**AGENT}),
        ("open", {**AGENT, "asked": "done"}),
        ("open", {"writer": "end-user", "asked": "closed"}),
    ],
)
def test_a_status_that_cannot_follow(current: str, move: dict[str, Any]) -> None:
    with pytest.raises(StatusRefused):
        next_status(current, Move(**move))


FIELDS = [
    FieldRule(1, "assignee", "Assignee", required=True),
    FieldRule(2, "text", "Serial", required=True),
    FieldRule(3, "checkbox", "Checked", required=True),
    FieldRule(4, "tagger", "Reason", required=False),
    FieldRule(5, "text", "Detail", required=False),
]
WHEN_OTHER = [
    {
        "parent_field_id": 4,
        "value": "other",
        "child_fields": [
            {
                "id": 5,
                "is_required": True,
                "required_on_statuses": {
                    "type": "SOME_STATUSES",
                    "statuses": ["pending", "solved"],
                },
            }
        ],
    }
]


@pytest.mark.parametrize(
    ("status", "form", "conditions", "values", "missing"),
    [
        ("open", [1, 2, 3], [], {}, []),
        ("solved", [1, 2, 3], [], {}, [1, 2, 3]),
        ("solved", [1, 2, 3], [], {1: 7, 2: "x", 3: True}, []),
        ("solved", [1, 2, 3], [], {1: 7, 2: "", 3: False}, [2, 3]),
        ("solved", [1], [], {1: 7}, []),
        ("solved", [1, 4, 5], WHEN_OTHER, {1: 7, 4: "other"}, [5]),
        ("pending", [1, 4, 5], WHEN_OTHER, {4: "other"}, [5]),
        ("open", [1, 4, 5], WHEN_OTHER, {4: "other"}, []),
        ("solved", [1, 4, 5], WHEN_OTHER, {1: 7, 4: "none"}, []),
        ("solved", [1, 5], WHEN_OTHER, {1: 7, 4: "other"}, []),
    ],
)
def test_what_solving_requires(
    status: str, form: list[int], conditions: Any, values: dict[int, Any], missing: list[int]
) -> None:
    found = missing_for(status, FIELDS, form, conditions, values)
    assert [item.field_id for item in found] == missing


TICKET: dict[str, Any] = {
    "status": "open",
    "priority": "high",
    "type": "incident",
    "assignee_id": 7,
    "group_id": 3,
    "requester_id": 9,
    "tags": ["laser", "vip"],
    "subject": "The laser stopped",
    "custom_fields_40": "blue",
    "custom_fields_41": ["a", "b"],
    "custom_fields_42": "2026-06-10",
    "custom_fields_43": "12",
}


def situation(**changes: Any) -> Situation:
    given: dict[str, Any] = {
        "values": TICKET,
        "before": {**TICKET, "status": "pending", "assignee_id": None},
        "said": UpdateComment("Please refund me", public=True),
        "actor_id": 7,
        "actor_is_agent": True,
        "actor_groups": frozenset({3}),
        "counters": {"reopens": 2, "replies": 0},
        "hours": {"OPEN": 5, "updated_at": 30},
        "channel": "email",
        "today": NOW.date(),
    }
    return Situation(**{**given, **changes})


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("status", "is", "open", True),
        ("status", "is_not", "open", False),
        ("status", "less_than", "solved", True),
        ("status", "greater_than", "open", False),
        ("status", "changed", None, True),
        ("status", "value", "open", True),
        ("status", "value_previous", "pending", True),
        ("status", "not_value_previous", "solved", True),
        ("status", "not_value", "open", False),
        ("priority", "not_changed", None, True),
        ("priority", "less_than", "urgent", True),
        ("priority", "greater_than", "high", False),
        ("ticket_type_id", "is", "2", True),
        ("assignee_id", "is", "current_user", True),
        ("assignee_id", "is_not", "requester_id", True),
        ("assignee_id", "is", "", False),
        ("assignee_id", "changed", None, True),
        ("group_id", "is", "current_groups", True),
        ("group_id", "includes", ["3", "4"], True),
        ("organization_id", "is", "", True),
        ("organization_id", "present", None, False),
        ("current_tags", "includes", "gold vip", True),
        ("current_tags", "not_includes", "gold silver", True),
        ("current_tags", "not_includes", "vip", False),
        ("update_type", "is", "Change", True),
        ("update_type", "is", "Create", False),
        ("comment_is_public", "is", "true", True),
        ("comment_is_public", "is", "false", False),
        ("comment_is_public", "is", "not_relevant", True),
        ("ticket_is_public", "is", "public", True),
        ("role", "is", "agent", True),
        ("role", "is", "end_user", False),
        ("role", "is", "7", True),
        ("via_id", "is", "4", True),
        ("via_id", "is_not", "5", True),
        ("subject_includes_word", "includes", "laser printer", True),
        ("subject_includes_word", "includes", "las", False),
        ("subject_includes_word", "includes_string", "las", True),
        ("comment_includes_word", "includes", "refund", True),
        ("comment_includes_word", "not_includes", "refund", False),
        ("reopens", "greater_than", "1", True),
        ("replies", "is", "0", True),
        ("OPEN", "greater_than", "4", True),
        ("OPEN", "is", "5", True),
        ("PENDING", "is", "0", False),
        ("updated_at", "less_than", "24", False),
        ("custom_fields_40", "is", "blue", True),
        ("custom_fields_40", "present", None, True),
        ("custom_fields_49", "present", None, False),
        ("custom_fields_49", "not_present", None, True),
        ("custom_fields_41", "includes", "b", True),
        ("custom_fields_42", "within_previous_n_days", "7", True),
        ("custom_fields_42", "within_previous_n_days", "3", False),
        ("custom_fields_42", "within_previous_n_days", 10**12, True),
        ("custom_fields_42", "within_previous_n_days", "nan", False),
        ("custom_fields_43", "greater_than", "9", True),
        ("in_business_hours", "is", "true", True),
        ("no_such_field", "is", "x", False),
    ],
)
def test_a_condition_holds_or_not(field: str, operator: str, value: Any, expected: bool) -> None:
    condition = {"field": field, "operator": operator, "value": value}
    assert holds(condition, situation()) is expected


def test_all_must_hold_and_one_of_any() -> None:
    yes = {"field": "status", "operator": "is", "value": "open"}
    no = {"field": "status", "operator": "is", "value": "new"}
    assert matches({"all": [yes], "any": []}, situation())
    assert matches({"all": [yes], "any": [no, yes]}, situation())
    assert not matches({"all": [yes], "any": [no]}, situation())
    assert not matches({"all": [yes, no], "any": [yes]}, situation())


def test_actions_come_to_changes_and_notices() -> None:
    actions: list[dict[str, Any]] = [
        {"field": "assignee_id", "value": "current_user"},
        {"field": "group_id", "value": "current_groups"},
        {"field": "current_tags", "value": "a b"},
        {"field": "custom_fields_40", "value": "red"},
        {"field": "notification_user", "value": ["requester_id", "S", "B"]},
        {"field": "comment_value", "value": ["channel:all", "Hello"]},
        {"field": "cc", "value": "current_user"},
    ]
    found = effect_of(actions, values=TICKET, actor_id=7, actor_group=3)
    assert found.changes == {
        "assignee_id": 7,
        "group_id": 3,
        "additional_tags": "a b",
        "custom_fields": {"40": "red"},
        "email_ccs": [{"user_id": 7, "action": "put"}],
    }
    assert (found.notices[0].target, found.notices[0].subject) == ("requester_id", "S")
    assert found.comment == "Hello"


@pytest.mark.parametrize(
    ("actions", "changes"),
    [
        ([("current_tags", "a b"), ("current_tags", "c b")], {"additional_tags": "a b c"}),
        ([("remove_tags", "a"), ("remove_tags", "b")], {"remove_tags": "a b"}),
        (
            [("current_tags", "a"), ("remove_tags", "a b")],
            {"remove_tags": "a b"},
        ),
        (
            [("remove_tags", "a b"), ("current_tags", "a c")],
            {"remove_tags": "b", "additional_tags": "a c"},
        ),
        (
            [("current_tags", "a"), ("set_tags", "x"), ("current_tags", "y")],
            {"tags": "x", "additional_tags": "y"},
        ),
    ],
)
def test_actions_on_tags_add_up_in_their_order(
    actions: list[tuple[str, str]], changes: dict[str, Any]
) -> None:
    given = [{"field": name, "value": value} for name, value in actions]
    found = effect_of(given, values=TICKET, actor_id=7, actor_group=3)
    assert found.changes == changes


def test_placeholders_are_filled_and_unknown_ones_vanish() -> None:
    values = {"ticket.id": "7", "ticket.requester.name": "Rosa"}
    text = "{{ticket.requester.name}}, #{{ ticket.id }} {{ticket.secret}}."
    assert render(text, values) == "Rosa, #7 ."


def test_tags_are_split_lowered_and_sorted() -> None:
    assert split_tags(["B a", "a,C"]) == ["a", "b", "c"]
    assert split_tags(None) == []


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("text", "x", "x"),
        ("text", "", None),
        ("integer", " 7", "7"),
        ("integer", "+007", "7"),
        ("decimal", "1.50", "1.50"),
        ("date", "2026-06-16T10:00:00Z", "2026-06-16"),
        ("checkbox", "true", True),
        ("checkbox", None, False),
        ("tagger", "a", "a"),
        ("multiselect", ["b", "a"], ["a", "b"]),
        ("multiselect", [], None),
    ],
)
def test_what_fields_keep(kind: str, value: Any, kept: Any) -> None:
    assert field_value(kind, value, ["a", "b"]) == kept


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", "7.5"),
        ("decimal", "NaN"),
        ("decimal", "x"),
        ("date", "yesterday"),
        ("tagger", "c"),
        ("multiselect", ["a", "c"]),
        ("checkbox", "maybe"),
        ("text", ["x"]),
    ],
)
def test_what_fields_refuse(kind: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        field_value(kind, value, ["a", "b"])


WEEK = [{"start_time": 1440 * day + 540, "end_time": 1440 * day + 1020} for day in range(1, 6)]
HOLIDAY = [{"name": "Corpus Christi", "start_date": "2026-06-18", "end_date": "2026-06-18"}]
OFFICE = Hours.parse("Europe/Berlin", WEEK, HOLIDAY)  # 9 to 17, so 7 to 15 UTC in June


@pytest.mark.parametrize(
    ("since", "until", "seconds"),
    [
        (NOW, NOW + timedelta(hours=1), 3600),
        (NOW, NOW + timedelta(hours=2), 3600),
        (NOW, NOW + timedelta(days=1), 8 * 3600),
        (NOW, NOW + timedelta(days=2), 9 * 3600),
        (NOW, NOW + timedelta(days=7), 4 * 8 * 3600),
    ],
)
def test_business_time_between_moments(since: datetime, until: datetime, seconds: int) -> None:
    assert OFFICE.seconds_between(since, until) == seconds


def test_business_time_added_is_business_time_passed() -> None:
    for seconds in (60, 3600, 3601, 9 * 3600, 40 * 3600):
        end = OFFICE.add(NOW, seconds)
        assert end is not None
        assert OFFICE.seconds_between(NOW, end) == seconds
    assert OFFICE.add(NOW, 3600 * 2) == datetime(2026, 6, 17, 8, 0, tzinfo=UTC)
    assert Hours.parse("UTC", [], []).add(NOW, 1) is None
    assert OFFICE.is_open(NOW)
    assert not OFFICE.is_open(NOW + timedelta(days=2))


def test_a_schedule_of_all_hours_counts_the_hour_that_clocks_show_twice() -> None:
    week = [{"start_time": 1440 * day, "end_time": 1440 * (day + 1)} for day in range(7)]
    always = Hours.parse("Europe/Berlin", week, [])
    since = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    assert always.seconds_between(since, since + timedelta(hours=48)) == 48 * 3600
    assert always.add(since, 48 * 3600) == since + timedelta(hours=48)


def facts(status: str = "open", **given: bool) -> sla.Facts:
    base = {"answered": False, "asked": False, "replied_before": False, "waiting": False}
    return sla.Facts(status, **{**base, **given})


@pytest.mark.parametrize(
    ("metric", "state", "given", "expected"),
    [
        ("first_reply_time", None, facts("new", asked=True, waiting=True), ["activate"]),
        ("first_reply_time", None, facts("new"), []),
        ("first_reply_time", "active", facts(answered=True), ["fulfill"]),
        ("first_reply_time", "active", facts(), []),
        ("first_reply_time", "fulfilled", facts(asked=True, waiting=True), []),
        ("next_reply_time", None, facts(asked=True, waiting=True), []),
        (
            "next_reply_time",
            None,
            facts(asked=True, waiting=True, replied_before=True),
            ["activate"],
        ),
        (
            "next_reply_time",
            "active",
            facts(asked=True, waiting=True, replied_before=True),
            [],
        ),
        ("next_reply_time", "active", facts("solved"), ["fulfill"]),
        ("requester_wait_time", None, facts("new"), ["activate"]),
        ("requester_wait_time", "active", facts("pending"), ["pause"]),
        ("requester_wait_time", "paused", facts("hold"), ["resume"]),
        ("requester_wait_time", "paused", facts("solved"), ["fulfill"]),
        ("requester_wait_time", "fulfilled", facts("open"), ["activate"]),
        ("agent_work_time", "active", facts("hold"), ["pause"]),
        ("total_resolution_time", "active", facts("pending"), []),
        ("total_resolution_time", "active", facts("closed"), ["fulfill"]),
        ("periodic_update_time", None, facts("open", answered=True), ["activate"]),
        ("periodic_update_time", "active", facts("open", answered=True), ["fulfill", "activate"]),
        ("pausable_update_time", None, facts("pending", answered=True), ["activate", "pause"]),
        ("periodic_update_time", "active", facts("pending"), []),
    ],
)
def test_what_a_clock_does(
    metric: str, state: sla.State | None, given: sla.Facts, expected: list[str]
) -> None:
    assert sla.turns(metric, state, given) == expected


def test_when_a_clock_is_breached() -> None:
    assert sla.breach_moment(NOW, 600, 60, None) == NOW + timedelta(minutes=50)
    late = sla.breach_moment(NOW, 0, 120, OFFICE)
    assert late == datetime(2026, 6, 17, 8, 0, tzinfo=UTC)


def test_queries_are_read_into_terms() -> None:
    terms = parse_query(
        'type:ticket -status:solved created>=4hours "two charges" re* -foo tag:"a b"'
    )
    assert [(t.key, t.operator, t.value, t.negated, t.quoted) for t in terms] == [
        ("type", ":", "ticket", False, False),
        ("status", ":", "solved", True, False),
        ("created", ">=", "4hours", False, False),
        (None, ":", "two charges", False, True),
        (None, ":", "re*", False, False),
        (None, ":", "foo", True, False),
        ("tag", ":", "a b", False, True),
    ]
    assert terms[4].prefix == "re"
    assert parse_query("") == []
    assert [term.value for term in parse_query('an "open quote')] == ["an", "open", "quote"]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("4hours", NOW - timedelta(hours=4), NOW - timedelta(hours=4)),
        ("1day", NOW - timedelta(days=1), NOW - timedelta(days=1)),
        ("2weeks", NOW - timedelta(days=14), NOW - timedelta(days=14)),
        (
            "2026-06-01",
            datetime(2026, 6, 1, tzinfo=UTC),
            datetime(2026, 6, 2, tzinfo=UTC),
        ),
        (
            "2026-06-01T10:00:00+02:00",
            datetime(2026, 6, 1, 8, tzinfo=UTC),
            datetime(2026, 6, 1, 8, tzinfo=UTC),
        ),
    ],
)
def test_what_dates_mean(text: str, start: datetime, end: datetime) -> None:
    found = time_span(text, NOW)
    assert found is not None
    assert (found.start, found.end) == (start, end)


@pytest.mark.parametrize("text", ["soon", "2026-13-01", "9999999years", ""])
def test_what_are_no_dates(text: str) -> None:
    assert time_span(text, NOW) is None
