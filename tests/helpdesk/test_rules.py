"""Triggers, automations and SLAs at work."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clones.core import clock
from clones.core.journal import journal
from clones.core.models import Job, Message
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.inbound import receive_mail, receive_reply
from clones.helpdesk.models import MetricEvent, Schedule, SlaClock, Ticket, Trigger, User
from clones.helpdesk.queries.automations import tickets_for
from clones.helpdesk.queries.conditions import Asker, question
from clones.helpdesk.rules.conditions import Situation, holds
from tests.helpdesk.conftest import Desk
from tests.helpdesk.mails import said_in


def rule(desk: Desk, kind: str, **given: Any) -> Any:
    body = {"title": "Rule", "all": [], "any": [], "actions": [], **given}
    return desk.post(f"{kind}s.json", {kind: body}, by="olga")[kind]


def condition(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


def action(field: str, value: Any) -> dict[str, Any]:
    return {"field": field, "value": value}


CREATED = condition("update_type", "is", "Create")


def rule_events(audit: Any) -> list[tuple[str, Any]]:
    return [
        (event.get("field_name", event["type"]), event.get("value"))
        for event in audit["events"]
        if event.get("via", {}).get("channel") == "rule"
    ]


def test_triggers_act_in_order_within_the_same_audit(desk: Desk) -> None:
    rule(desk, "trigger", all=[CREATED], actions=[action("priority", "high")])
    rule(
        desk,
        "trigger",
        all=[condition("priority", "is", "high")],
        actions=[action("current_tags", "hot")],
    )
    made = desk.post("tickets.json", {"ticket": {"subject": "s", "comment": {"body": "b"}}})
    assert made["ticket"]["priority"] == "high"
    assert made["ticket"]["tags"] == ["hot"]
    changes = [event for event in rule_events(made["audit"]) if event[0] != "Notification"]
    assert changes == [("priority", "high"), ("tags", ["hot"])]
    event = next(e for e in made["audit"]["events"] if e.get("value") == "high")
    assert event["via"]["source"]["rel"] == "trigger"
    assert event["via"]["source"]["from"]["title"] == "Rule"
    assert desk.get(f"tickets/{made['ticket']['id']}/audits.json")["count"] == 1


def test_a_change_starts_the_order_again_and_each_fires_once(desk: Desk) -> None:
    low = condition("priority", "is", "low")
    high = condition("priority", "is", "high")
    rule(desk, "trigger", all=[high], actions=[action("priority", "low")])
    rule(desk, "trigger", all=[low], actions=[action("priority", "high")])
    ticket = desk.ticket(priority="low")
    # low -> high by the second, from the top again: high -> low by the first, then neither.
    assert ticket["priority"] == "low"
    audit = desk.get(f"tickets/{ticket['id']}/audits.json")["audits"][0]
    changes = [event for event in rule_events(audit) if event[0] == "priority"]
    assert changes == [("priority", "high"), ("priority", "low")]


def test_a_firing_without_change_is_not_logged(desk: Desk) -> None:
    rule(desk, "trigger", all=[CREATED], actions=[action("status", "new")])
    audit = desk.post("tickets.json", {"ticket": {"comment": {"body": "b"}}})["audit"]
    assert [event for event in rule_events(audit) if event[0] == "status"] == []


def test_what_a_trigger_writes_is_its_own_act_caused_by_the_request(desk: Desk) -> None:
    made = rule(desk, "trigger", all=[CREATED], actions=[action("priority", "urgent")])
    desk.ticket()
    with desk.bound():
        acts = journal().acts()
        rows = [row for row in journal().rows(0) if row.table.name == "helpdesk_ticket"]
        last = acts[rows[-1].act or 0]
        assert last.actor == f"helpdesk.trigger:{made['id']}"
        assert acts[last.cause or 0].label == "POST /api/v2/tickets.json"


def test_an_impossible_action_is_left_out(desk: Desk) -> None:
    rule(
        desk,
        "trigger",
        all=[CREATED],
        actions=[action("group_id", "12345"), action("priority", "low")],
    )
    ticket = desk.ticket()
    assert (ticket["group_id"], ticket["priority"]) == (None, "low")


def test_inactive_triggers_do_nothing(desk: Desk) -> None:
    rule(desk, "trigger", all=[CREATED], actions=[action("priority", "low")], active=False)
    assert desk.ticket()["priority"] is None


def test_requesters_get_mail_with_placeholders_filled(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ben"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "Try again, {{ticket.id}}."}}})
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "psst", "public": False}}})
    with desk.bound():
        mail = list(Message.objects.filter(recipients=["rosa@acme.example"]).order_by("id"))
        about = {message.about for message in mail}
        internal = [
            m for m in Message.objects.all() if "psst" in m.text and "rosa" in str(m.recipients)
        ]
    assert [message.subject for message in mail] == [
        "Laser does not start",
        "[Kestrel] Re: Laser does not start",
    ]
    assert "Try again, {{ticket.id}}." in mail[1].text
    assert mail[1].sender == "Kestrel <support@kestrel.example>"
    assert mail[1].direction == "out"
    assert about == {f"helpdesk.ticket:{key}"}
    assert internal == []


def test_messages_quote_what_was_said(desk: Desk) -> None:
    names = ("latest_comment", "latest_public_comment", "comments_formatted")
    body = "|".join("{{ticket." + name + "}}" for name in names)
    told = action("notification_user", [str(desk.ids["ben"]), "Said", body])
    rule(
        desk,
        "trigger",
        all=[condition("comment_is_public", "is", "not_relevant")],
        actions=[told],
    )
    key = desk.ticket(by="ana", body="It does not start.")["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "psst", "public": False}}})
    with desk.bound():
        mail = Message.objects.filter(subject="Said").order_by("id").last()
    assert mail is not None
    latest, public, thread = said_in(mail).split("|")
    assert (latest, public) == ("psst", "It does not start.")
    assert thread.endswith("\n\nIt does not start.")
    assert "psst" not in thread


def test_assignees_learn_of_assignment_and_replies_unless_it_was_themselves(desk: Desk) -> None:
    key = desk.ticket(by="ana", assignee_id=desk.ids["ben"])["id"]
    own = desk.ticket(by="ben", assignee_id=desk.ids["ben"])["id"]
    desk.put(f"requests/{key}.json", {"request": {"comment": {"body": "Any news?"}}}, by="rosa")
    with desk.bound():
        mail = list(Message.objects.filter(recipients=["ben@desk.example"]).order_by("id"))
    assert [message.about for message in mail] == [f"helpdesk.ticket:{key}"] * 2
    assert "Any news?" in mail[1].text
    assert own


def test_mail_from_outside_makes_tickets_and_comments(desk: Desk) -> None:
    with desk.writing("person:rosa"):
        rosa = User.objects.get(id=desk.ids["rosa"])
        audit = receive_mail(author=rosa, subject="Broken", body="Help")
        receive_reply(audit.ticket, author=rosa, body="Also this")
    ticket = desk.get(f"tickets/{audit.ticket_id}.json")["ticket"]
    assert ticket["via"]["channel"] == "email"
    assert ticket["via"]["source"]["from"]["address"] == "rosa@acme.example"
    assert ticket["recipient"] == "support@kestrel.example"
    assert desk.get(f"tickets/{audit.ticket_id}/comments.json")["count"] == 2


def test_solved_tickets_close_after_four_days(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "solved"}})
    path = f"tickets/{key}.json"
    # The sweeps run at :23; the 97th hour after 14:00 is over at 15:00 four days later.
    desk.advance(hours=97)
    assert desk.get(path)["ticket"]["status"] == "solved"
    desk.advance(minutes=30)
    assert desk.get(path)["ticket"]["status"] == "closed"
    audit = desk.get(f"tickets/{key}/audits.json")["audits"][-1]
    assert audit["author_id"] == -1
    assert audit["via"]["source"]["rel"] == "automation"
    assert audit["events"][0]["value"] == "closed"
    assert audit["created_at"] == "2026-06-20T15:23:00Z"


def test_hour_counters_count_sweeps(desk: Desk) -> None:
    rule(
        desk,
        "automation",
        all=[condition("PENDING", "is", "2")],
        actions=[action("current_tags", "nudged")],
    )
    key = desk.ticket(status="pending")["id"]  # at 14:00; sweeps at 14:23, 15:23, 16:23
    seen = []
    for _ in range(4):
        desk.advance(hours=1)
        seen.append(desk.get(f"tickets/{key}.json")["ticket"]["tags"])
    assert seen == [[], [], ["nudged"], ["nudged"]]
    assert desk.get(f"tickets/{key}/audits.json")["count"] == 2


def test_automations_set_off_triggers(desk: Desk) -> None:
    rule(
        desk,
        "trigger",
        all=[condition("current_tags", "includes", "nudged")],
        actions=[action("priority", "urgent")],
    )
    rule(
        desk,
        "automation",
        all=[condition("NEW", "is", "0")],
        actions=[action("current_tags", "nudged")],
    )
    key = desk.ticket()["id"]
    desk.advance(hours=1)
    assert desk.get(f"tickets/{key}.json")["ticket"]["priority"] == "urgent"
    assert desk.get(f"tickets/{key}/audits.json")["count"] == 2


@pytest.mark.parametrize(
    ("conditions", "actions", "status"),
    [
        ([condition("status", "is", "open")], [action("priority", "low")], 422),
        ([condition("PENDING", "greater_than", "3")], [action("status", "open")], 201),
        ([condition("PENDING", "greater_than", "3")], [action("priority", "low")], 422),
        (
            [
                condition("current_tags", "not_includes", "x"),
                condition("OPEN", "greater_than", "1"),
            ],
            [action("current_tags", "x")],
            201,
        ),
        ([condition("nonsense", "is", "1")], [action("status", "open")], 422),
        ([condition("OPEN", "is", "1")], [], 422),
    ],
)
def test_an_automation_must_come_to_an_end(
    desk: Desk, conditions: Any, actions: Any, status: int
) -> None:
    body = {"automation": {"title": "t", "all": conditions, "actions": actions}}
    assert desk.call("POST", "automations.json", body, by="olga").status == status


def targets(*metrics: tuple[str, int], business: bool = False) -> list[dict[str, Any]]:
    return [
        {"priority": "high", "metric": metric, "target": minutes, "business_hours": business}
        for metric, minutes in metrics
    ]


def policy(desk: Desk, *metrics: tuple[str, int], business: bool = False) -> Any:
    body = {
        "title": "Gold",
        "filter": {"all": [condition("priority", "is", "high")], "any": []},
        "policy_metrics": targets(*metrics, business=business),
    }
    return desk.post("slas/policies.json", {"sla_policy": body}, by="olga")["sla_policy"]


def stages(desk: Desk, key: int) -> dict[str, tuple[str, str | None]]:
    found = desk.get(f"tickets/{key}.json?include=slas")["ticket"]["slas"]["policy_metrics"]
    return {item["metric"]: (item["stage"], item["breach_at"]) for item in found}


def new_request(desk: Desk, **values: Any) -> int:
    body = {"request": {"subject": "s", "comment": {"body": "b"}, **values}}
    return int(desk.post("requests.json", body, by="rosa")["request"]["id"])


def test_a_first_reply_is_due_and_met(desk: Desk) -> None:
    policy(desk, ("first_reply_time", 60), ("next_reply_time", 30))
    key = new_request(desk, priority="high")
    created = desk.get(f"tickets/{key}.json")["ticket"]["created_at"]
    due = (datetime.fromisoformat(created) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert stages(desk, key) == {"first_reply_time": ("active", due)}
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "note", "public": False}}})
    assert stages(desk, key)["first_reply_time"][0] == "active"
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "answer"}}})
    assert stages(desk, key)["first_reply_time"][0] == "achieved"
    desk.advance(hours=2)
    with desk.bound():
        kinds = list(MetricEvent.objects.order_by("id").values_list("metric", "type"))
    assert kinds == [
        ("reply_time", "activate"),
        ("reply_time", "apply_sla"),
        ("reply_time", "fulfill"),
        ("reply_time", "update_status"),
    ]


def test_a_late_reply_breaches_at_its_own_time(desk: Desk) -> None:
    policy(desk, ("first_reply_time", 60))
    key = new_request(desk, priority="high")
    desk.advance(minutes=61)
    with desk.bound():
        [clock_row] = SlaClock.objects.all()
        breach = MetricEvent.objects.get(type="breach")
        assert clock_row.breached
        assert breach.time == clock_row.breach_at
        assert breach.body == {"deleted": False}
        assert breach.ticket_id == key
    events = desk.get("incremental/ticket_metric_events.json?start_time=0", by="olga")
    assert [event["type"] for event in events["ticket_metric_events"]] == [
        "activate",
        "apply_sla",
        "breach",
    ]
    assert events["end_of_stream"] is True


def test_requester_wait_pauses_while_pending(desk: Desk) -> None:
    policy(desk, ("requester_wait_time", 60))
    key = new_request(desk, priority="high")
    desk.advance(minutes=20)
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "pending"}})
    assert stages(desk, key)["requester_wait_time"] == ("paused", None)
    desk.advance(hours=5)
    desk.put(f"requests/{key}.json", {"request": {"comment": {"body": "back"}}}, by="rosa")
    stage, breach_at = stages(desk, key)["requester_wait_time"]
    with desk.bound():
        left = datetime.fromisoformat(str(breach_at)) - clock.now()
    assert stage == "active"
    assert timedelta(minutes=39) < left < timedelta(minutes=41)
    assigned = {"status": "solved", "assignee_id": desk.ids["ana"]}
    desk.put(f"tickets/{key}.json", {"ticket": assigned})
    assert stages(desk, key)["requester_wait_time"][0] == "achieved"
    with desk.bound():
        assert not Job.objects.filter(kind="helpdesk.sla_breach", state="pending").exists()


def sla_changes(answer: Any) -> dict[str, tuple[Any, Any]]:
    """Return what an update's audit says of SLAs: values before and after, by field."""
    found = {}
    for event in answer["audit"]["events"]:
        name = event.get("field_name")
        if name == "sla_policy":
            found[name] = (event["previous_value"], event["value"])
        elif name in ("first_reply_time", "requester_wait_time"):
            shown = (event["previous_value"], event["value"])
            before, after = (item["minutes"] if item else None for item in shown)
            found[name] = (before, after)
    return found


def test_audits_say_once_what_sla_a_ticket_has(desk: Desk) -> None:
    """Also of a clock that has not started: here nobody has asked for a reply."""
    policy(desk, ("first_reply_time", 60), ("requester_wait_time", 90))
    values = {"subject": "s", "comment": {"body": "call noted"}, "priority": "high"}
    made = desk.post("tickets.json", {"ticket": values})
    key = made["ticket"]["id"]
    assert sla_changes(made) == {
        "sla_policy": (None, "Gold"),
        "first_reply_time": (None, 60),
        "requester_wait_time": (None, 90),
    }
    assert set(stages(desk, key)) == {"requester_wait_time"}
    noted = desk.put(f"tickets/{key}.json", {"ticket": {"subject": "still s"}})
    assert sla_changes(noted) == {}
    dropped = desk.put(f"tickets/{key}.json", {"ticket": {"priority": "low"}})
    assert sla_changes(dropped) == {
        "sla_policy": ("Gold", None),
        "first_reply_time": (60, None),
        "requester_wait_time": (90, None),
    }


def test_no_clock_of_a_reopened_ticket_runs_without_a_target(desk: Desk) -> None:
    policy(desk, ("requester_wait_time", 60))
    key = new_request(desk, priority="high")
    solved = {"status": "solved", "assignee_id": desk.ids["ana"]}
    desk.put(f"tickets/{key}.json", {"ticket": solved})
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "pending", "priority": "low"}})
    with desk.bound():
        assert [found.state for found in SlaClock.objects.all()] == ["fulfilled"]


def test_next_replies_are_new_instances(desk: Desk) -> None:
    policy(desk, ("next_reply_time", 30))
    key = new_request(desk, priority="high")
    for turn in range(2):
        desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": f"answer {turn}"}}})
        desk.put(f"requests/{key}.json", {"request": {"comment": {"body": "but"}}}, by="rosa")
    with desk.bound():
        found = list(SlaClock.objects.order_by("instance").values_list("instance", "state"))
    assert found == [(2, "fulfilled"), (3, "active")]


def test_business_hours_move_the_target(desk: Desk) -> None:
    week = [{"start_time": 1440 * day + 540, "end_time": 1440 * day + 1020} for day in range(1, 6)]
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    with desk.writing():
        Schedule.objects.create(
            id=1,
            name="Office",
            time_zone="UTC",
            intervals=week,
            default=True,
            created_at=moment,
            updated_at=moment,
        )
    policy(desk, ("first_reply_time", 240), business=True)
    key = new_request(desk, priority="high")  # Tuesday 14:00; the office closes at 17:00
    assert str(stages(desk, key)["first_reply_time"][1]).startswith("2026-06-17T10:00:")


def test_a_change_of_priority_changes_the_target_from_the_start(desk: Desk) -> None:
    policy(desk, ("first_reply_time", 60))
    key = new_request(desk)
    assert stages(desk, key) == {}
    desk.advance(minutes=10)
    answer = desk.put(f"tickets/{key}.json", {"ticket": {"priority": "high"}})
    fields = {event.get("field_name"): event.get("value") for event in answer["audit"]["events"]}
    assert fields["first_reply_time"] == {"minutes": 60, "in_business_hours": False}
    assert fields["sla_policy"] == "Gold"
    breach_at = datetime.fromisoformat(str(stages(desk, key)["first_reply_time"][1]))
    created = datetime.fromisoformat(answer["ticket"]["created_at"])
    assert breach_at - created == timedelta(hours=1)
    desk.put(f"tickets/{key}.json", {"ticket": {"priority": "low"}})
    assert stages(desk, key) == {}


QUESTIONS = [
    condition("status", "is", "open"),
    condition("status", "is_not", "open"),
    condition("status", "less_than", "solved"),
    condition("status", "greater_than", "open"),
    condition("priority", "is", ""),
    condition("priority", "is_not", "high"),
    condition("priority", "less_than", "high"),
    condition("priority", "greater_than", "low"),
    condition("type", "is", "incident"),
    condition("type", "is_not", "incident"),
    condition("assignee_id", "is", "current_user"),
    condition("assignee_id", "is_not", "current_user"),
    condition("assignee_id", "is", ""),
    condition("assignee_id", "is_not", "requester_id"),
    condition("group_id", "is", "current_groups"),
    condition("group_id", "is_not", "current_groups"),
    condition("organization_id", "is", "900"),
    condition("current_tags", "includes", "red blue"),
    condition("current_tags", "not_includes", "red"),
    condition("ticket_is_public", "is", "private"),
    condition("subject_includes_word", "includes", "laser"),
    condition("subject_includes_word", "not_includes", "laser"),
    condition("subject_includes_word", "includes_string", "ase"),
    condition("description_includes_word", "includes", "smoke"),
    condition("via_id", "is", "5"),
    condition("updated_at", "less_than", "2"),
    condition("updated_at", "greater_than", "1"),
    condition("OPEN", "greater_than", "1"),
    condition("PENDING", "is", "0"),
    condition("PENDING", "is", "1000000000000"),
    condition("OPEN", "less_than", "1000000000000"),
    condition("satisfaction_score", "is", "unoffered"),
]


def test_the_database_and_the_pure_rules_answer_alike(desk: Desk) -> None:
    desk.ticket(status="open", priority="high", tags=["red"], assignee_id=desk.ids["ana"])
    desk.ticket(type="incident", tags=["blue"], subject="Printer", body="smoke came out")
    desk.ticket(requester_id=desk.ids["tom"], comment={"body": "hidden", "public": False})
    desk.advance(hours=2, minutes=10)
    desk.ticket(status="pending", priority="low", assignee_id=desk.ids["ben"])
    hour = timedelta(hours=1)
    with desk.bound():
        ana = User.objects.get(id=desk.ids["ana"])
        asker = Asker(clock.now(), ana)
        rows = list(Ticket.objects.select_related("metric").order_by("id"))
        groups = frozenset(ana.group_memberships.values_list("group_id", flat=True))
        for item in QUESTIONS:
            found = set(
                Ticket.objects.filter(question({"all": [item]}, asker)).values_list("id", flat=True)
            )
            expected = set()
            for ticket in rows:
                since = ticket.metric.status_updated_at
                assert since is not None
                situation = Situation(
                    values=snapshot(ticket),
                    before={},
                    description=ticket.description,
                    is_public=ticket.is_public,
                    actor_id=ana.id,
                    actor_is_agent=True,
                    actor_groups=groups,
                    channel=ticket.via["channel"],
                    hours={
                        ticket.status.upper(): (clock.now() - since) // hour,
                        "updated_at": (clock.now() - ticket.updated_at) // hour,
                    },
                )
                if holds(item, situation):
                    expected.add(ticket.id)
            assert found == expected, item


def test_what_an_hour_asks_is_the_question_of_its_moment(desk: Desk) -> None:
    desk.ticket(status="open", priority="high", tags=["red"], assignee_id=desk.ids["ana"])
    desk.advance(hours=2, minutes=10)
    desk.ticket(type="incident", tags=["blue"], subject="Printer", due_at="2026-06-17T12:00:00Z")
    more = [
        condition("until_due_date", "less_than", "20"),
        condition("created_at", "is", "2"),
        condition("until_due_date", "greater_than", "999999999999999999"),
        condition("created_at", "less_than", "1000000000000"),
        condition("subject_includes_word", "includes_string", "2026-06-16 14:00:00"),
        condition("an unknown field", "is", "1"),
    ]
    given = [{"all": [item]} for item in [*QUESTIONS, *more]]
    given += [{"all": [QUESTIONS[0], more[1]], "any": [*QUESTIONS[20:], *more]}, {}]
    answers = set()
    with desk.bound():
        for hours in (0, 0.75, 1, 3, 26):
            moment = clock.now() + hours * timedelta(hours=1)
            for asked in given:
                open_ones = Ticket.objects.exclude(status="closed").filter(deleted_at=None)
                wanted = open_ones.filter(question(asked, Asker(moment))).order_by("id")
                found = tickets_for(json.dumps(asked)).all(moment)
                assert found == list(wanted.values_list("id", flat=True)), (asked, hours)
                answers.add((json.dumps(asked), tuple(found)))
    # Some of them have another answer at another moment.
    assert len(answers) > len(given) + 3


def test_a_target_that_no_calendar_holds_is_refused(desk: Desk) -> None:
    target = {"priority": "high", "metric": "first_reply_time", "target": 10**12}
    wanted = {"all": [condition("type", "is", "task")]}
    policy = {"title": "Never", "filter": wanted, "policy_metrics": [target]}
    refused = desk.call("POST", "slas/policies.json", {"sla_policy": policy}, by="olga")
    assert refused.status == 422
    assert "Policy metrics: is invalid" in str(refused.body)


def test_rules_are_kept_by_admins_and_checked(desk: Desk) -> None:
    made = rule(desk, "trigger", all=[CREATED], actions=[action("priority", "low")])
    path = f"triggers/{made['id']}.json"
    edited = desk.put(path, {"trigger": {"title": "Renamed"}}, by="olga")["trigger"]
    assert (edited["title"], edited["conditions"]["all"]) == ("Renamed", [CREATED])
    bad = {"trigger": {"actions": [action("explode", "1")]}}
    assert desk.call("PUT", path, bad, by="olga").status == 422
    with desk.bound():
        order = list(Trigger.objects.order_by("-position").values_list("id", flat=True))
    desk.put("triggers/reorder.json", {"trigger_ids": order}, by="olga")
    assert desk.get("triggers.json?per_page=1")["triggers"][0]["id"] == order[0]
    assert desk.get("triggers/search.json?query=Renamed")["count"] == 1
