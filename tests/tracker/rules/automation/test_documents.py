"""Rules as data: schedules, what happened, components and their forms."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clones.tracker.rules.automation import editing, forms
from clones.tracker.rules.automation.catalogue import KINDS, kind_of
from clones.tracker.rules.automation.comparing import ComparedValue, compare, holds
from clones.tracker.rules.automation.cron import BadCron, read_cron
from clones.tracker.rules.automation.documents import (
    BadRule,
    component_problem,
    numbered,
    problems,
    read_components,
    read_trigger,
    spaces_of,
    walk,
)
from clones.tracker.rules.automation.events import ChangedField, Happened, fires

START = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)  # a Tuesday
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("cron", "due"),
    [
        ("0 0 9 ? * MON-FRI", "2026-06-17T07:00:00+00:00"),
        ("0 0/15 * * * ?", "2026-06-16T14:15:00+00:00"),
        ("0 30 8 1 * ?", "2026-07-01T06:30:00+00:00"),
        ("0 0 12 L * ?", "2026-06-30T10:00:00+00:00"),
        ("0 0 12 ? * 6L", "2026-06-26T10:00:00+00:00"),
        ("0 0 12 ? * 2#1", "2026-07-06T10:00:00+00:00"),
        ("0 0 12 15W * ?", "2026-07-15T10:00:00+00:00"),
        ("0 0 0 29 2 ?", "2028-02-28T23:00:00+00:00"),
        ("0 0 9 ? * SAT-SUN 2026", "2026-06-20T07:00:00+00:00"),
    ],
)
def test_cron_expressions_say_when(cron: str, due: str) -> None:
    """The next time, in the zone of whoever wrote it."""
    found = read_cron(cron).next_after(START, BERLIN)
    assert found == datetime.fromisoformat(due)


def test_what_is_no_cron_expression() -> None:
    """Fields must be six or seven, and within their bounds; one that never comes is never due."""
    for text in ("", "* * * * *", "0 0 25 * * ?", "0 0 9 1 * MON", "0 0 9 ? * ?", "a b c d e f"):
        with pytest.raises(BadCron):
            read_cron(text)
    assert read_cron("0 0 0 ? * MON 2020").next_after(START, BERLIN) is None


def test_operators_compare_texts_numbers_and_times() -> None:
    """What both sides are decides how they are compared."""
    for operator, first, second, met in (
        ("EQUALS", "3", "3.0", True),
        ("EQUALS", "a", "A", False),
        ("NOT_EQUALS", "a", "b", True),
        ("CONTAINS", "laser cutter", "cut", True),
        ("STARTS_WITH", "LAS-1", "LAS", True),
        ("GREATER_THAN", "10", "9", True),
        ("LESS_THAN", "2026-06-01", "2026-06-16", True),
        ("LESS_THAN_EQUAL", "x", "y", False),
        ("REGEX_MATCHES", "LAS-12", r"LAS-\d+", True),
        ("REGEX_MATCHES", "x LAS-12", r"LAS-\d+", False),
        ("REGEX_CONTAINS", "x LAS-12", r"LAS-\d+", True),
    ):
        assert compare(operator, first, second) is met, (operator, first, second)


def test_fields_are_compared_by_id_or_name() -> None:
    """Values of a list count together."""
    two = [ComparedValue("beam", "beam"), ComparedValue("Urgent", "17")]
    for comparison, wanted, met in (
        ("CONTAINS_ALL", ["beam", "17"], True),
        ("CONTAINS_ANY", ["x", "urgent"], True),
        ("CONTAINS_NONE", ["x"], True),
        ("ONE_OF", ["x", "beam"], True),
        ("EQUALS", ["beam"], False),
        ("NOT_EMPTY", [], True),
        ("EMPTY", [], False),
    ):
        assert holds(comparison, two, wanted) is met, comparison
    assert holds("GREATER_THAN", [ComparedValue("8", number=8.0)], ["5"])
    assert holds("EQUALS", [ComparedValue("5", number=5.0)], ["5.0"])


def moved(*, to: int = 3) -> Happened:
    """Return a transition to a status."""
    details = {"from": 1, "to": to, "from_name": "To Do", "to_name": "Done", "transition": 5}
    return Happened("issue_transitioned", (), details)


def test_triggers_fire_for_what_they_ask() -> None:
    """Statuses by id or name, fields, kinds of changes, names by pattern."""
    kind = "jira.issue.event.trigger:transitioned"
    done = {"type": kind, "value": {"toStatus": [{"type": "NAME", "value": "done"}]}}
    assert fires(done, moved())
    assert fires({"type": kind, "value": {}}, moved())
    assert not fires({"type": kind, "value": {"toStatus": [{"type": "ID", "value": "9"}]}}, moved())
    assert not fires({"type": kind, "value": {"fromStatus": [{"value": "3"}]}}, moved())
    update = Happened(
        "issue_updated",
        [ChangedField("labels", "labels", None, "a", None, "a, b")],
        {"doing": "update"},
    )
    monitor: dict[str, Any] = {
        "type": "jira.issue.field.changed",
        "value": {"fields": [{"type": "ID", "value": "labels"}], "changeType": "VALUE_ADDED"},
    }
    assert fires(monitor, update)
    assert fires({"type": "jira.issue.event.trigger:updated", "value": {}}, update)
    monitor["value"]["changeType"] = "VALUE_DELETED"
    assert not fires(monitor, update)
    assigned = Happened("issue_updated", [ChangedField("assignee", "assignee")])
    assert fires({"type": "jira.issue.event.trigger:assigned", "value": {}}, assigned)
    assert not fires({"type": "jira.issue.event.trigger:updated", "value": {}}, assigned)
    several = {"type": "jira.multiple.issue.event", "value": {"events": ["created", "assigned"]}}
    assert fires(several, assigned)
    assert not fires(several, moved())
    sprint = {"type": "jira.sprint.event.trigger:started", "value": {"sprintNameFilter": "^LAS"}}
    assert fires(sprint, Happened("sprint_started", (), {"name": "LAS Sprint 3"}))
    assert not fires(sprint, Happened("sprint_started", (), {"name": "OPS Sprint 3"}))


def rule() -> list[dict[str, Any]]:
    """Return components in the vendor's form, as clients send them."""
    check = {
        "component": "CONDITION",
        "type": "jira.comparator.condition",
        "value": {"first": "{{issue.key}}", "second": "x", "operator": "CONTAINS"},
    }
    log = {"component": "ACTION", "type": "codebarrel.action.log", "value": "Hi"}
    return [
        {"component": "CONDITION", "type": "jira.jql.condition", "value": {"jql": "status = Done"}},
        {
            "component": "CONDITION",
            "type": "jira.condition.container.block",
            "value": {},
            "children": [
                {
                    "component": "CONDITION_BLOCK",
                    "type": "jira.condition.if.block",
                    "value": {"conditionMatchType": "ANY"},
                    "conditions": [check],
                    "children": [log],
                },
                {
                    "component": "CONDITION_BLOCK",
                    "type": "jira.condition.if.block",
                    "children": [log],
                },
            ],
        },
    ]


def test_components_are_read_numbered_and_changed() -> None:
    """The whole form, ids that are unique, and each change on a copy."""
    whole = read_components(rule())
    numbered(whole)
    assert [one["id"] for one in walk(whole)] == ["1", "2", "3", "4", "5", "6", "7"]
    assert whole[0]["value"] == "status = Done"
    assert whole[1]["children"][1]["conditions"] == []
    more = editing.added(whole, editing.fresh("jira.issue.assign"), within="6")
    numbered(more)
    assert [one["type"] for one in editing.find(more, "6")["children"]] == [
        "codebarrel.action.log",
        "jira.issue.assign",
    ]
    assert len(list(walk(whole))) == 7
    up = editing.moved(more, "2", -1)
    assert [one["id"] for one in up] == ["2", "1"]
    twice = editing.duplicated(up, "1")
    numbered(twice)
    assert [one["id"] for one in twice] == ["2", "1", "9"]
    assert [one["id"] for one in editing.removed(twice, "2")] == ["1", "9"]
    with pytest.raises(BadRule, match="not in this rule"):
        editing.find(whole, "99")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"type": "jira.moon"}, "Unknown component type"),
        ({"type": "jira.issue.event.trigger:created"}, "cannot stand here"),
        ({"type": "jira.condition.if.block"}, "cannot stand here"),
        ({"type": "jira.issue.edit", "value": "text"}, "wrong form"),
        ({"type": "jira.condition.container.block"}, "at least one branch"),
    ],
)
def test_what_is_no_component(raw: dict[str, Any], said: str) -> None:
    """Kinds must be known and stand where they can."""
    with pytest.raises(BadRule, match=said):
        read_components([raw])


def test_rules_lack_what_they_need() -> None:
    """A trigger, an action, whatever a form requires, queries that can be read."""
    trigger = read_trigger({"type": "jira.issue.event.trigger:created"})
    assert problems(None, []) == {"": "A rule needs a trigger."}
    assert problems(trigger, []) == {"": "A rule needs at least one action."}
    whole = read_components(rule())
    numbered(whole)
    assert problems(trigger, whole) == {}
    whole[0]["value"] = "status ="
    assert "Error in JQL Query" in problems(trigger, whole)["1"]
    comment = editing.fresh("jira.issue.comment")
    assert component_problem(comment) == "Comment is required."
    with pytest.raises(BadRule, match="cron expression is not valid"):
        read_trigger(
            {
                "type": "jira.jql.scheduled",
                "value": {"schedule": {"method": "CRON", "cronExpression": "x"}},
            }
        )
    with pytest.raises(BadRule, match="65"):
        read_components([{"type": "codebarrel.action.log", "value": "x"}] * 66)


def test_scopes_are_named_as_the_vendor_names_them() -> None:
    """Spaces by their ids, or the whole site."""
    assert spaces_of(["ari:cloud:jira:x:project/10001"]) == [10001]
    assert spaces_of(["ari:cloud:jira::site/x"]) == []
    assert spaces_of("x") is None


def typed_of(kind_type: str, value: Any) -> dict[str, list[str]]:
    """Return what a browser would send of a component's form."""
    kind = kind_of(kind_type)
    assert kind is not None
    sent: dict[str, list[str]] = {}
    for one in kind.inputs:
        name, held = forms.control_name(one), forms.shown(one, value)
        if one.kind in ("operations", "checks"):
            middle = "verb" if one.kind == "operations" else "check"
            for part in ("field", middle, "value"):
                sent[f"{name}.{part}"] = [row[part] for row in held]
        elif one.kind == "flag":
            sent[name] = ["1"] if held else []
        else:
            sent[name] = held if isinstance(held, list) else [str(held)]
    return sent


def test_forms_keep_what_they_show() -> None:
    """Sending the form of any component untouched leaves its value as it is."""
    for kind in KINDS.values():
        once = forms.read(kind, kind.value, typed_of(kind.type, kind.value))
        again = forms.read(kind, once, typed_of(kind.type, once))
        assert once == again, kind.type
        for one in kind.inputs:
            assert forms.shown(one, once) == forms.shown(one, kind.value), (kind.type, one.path)


def test_forms_make_values() -> None:
    """Rows of fields, recipients by their parts, statuses by their ids."""
    kind = kind_of("jira.issue.edit")
    assert kind is not None
    made = forms.read(
        kind,
        kind.value,
        {
            "f.operations.field": ["priority", "labels", "", "duedate"],
            "f.operations.verb": ["SET", "ADD", "SET", "CLEAR"],
            "f.operations.value": ["High", "beam", "", ""],
            "f.sendNotifications": ["1"],
        },
    )
    assert [(one["field"]["value"], one["type"], one["value"]) for one in made["operations"]] == [
        ("priority", "SET", "High"),
        ("labels", "ADD", "beam"),
        ("duedate", "SET", None),
    ]
    mail = kind_of("jira.issue.outgoing.email")
    assert mail is not None
    text = "Assignee\nhelp@firm.example\n{{issue.reporter.emailAddress}}\ngroup: jira-users"
    sent = {"f.to": [text], "f.subject": ["S"], "f.body": ["B"]}
    assert forms.read(mail, mail.value, sent)["to"] == [
        {"type": "COPY", "value": "assignee"},
        {"type": "FREE", "value": "help@firm.example"},
        {"type": "SMART", "value": "{{issue.reporter.emailAddress}}"},
        {"type": "GROUP", "value": "jira-users"},
    ]
    step = kind_of("jira.issue.transition")
    assert step is not None
    found = forms.read(step, step.value, {"f.destinationStatus": ["ID:10002"]})
    assert found["destinationStatus"] == {"type": "ID", "value": "10002"}
