"""What rules are said to understand is what they understand."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.models import TicketField
from clones.helpdesk.rules import actions, conditions, vocabulary
from clones.helpdesk.rules.conditions import Situation, holds
from tests.conftest import PRESENT
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import CREATED, action, condition, rule
from tests.helpdesk.test_webhooks import make as make_webhook

CHANGES = {"changed", "not_changed", "value", "value_previous", "not_value", "not_value_previous"}
RANKED = {"less_than", "less_than_equal", "greater_than", "greater_than_equal"}
SET = {"is", "is_not", "includes", "not_includes", "present", "not_present"}
FIELDS = {
    41: ("tagger", [{"id": 1, "name": "Beam", "value": "beam", "default": False}]),
    42: ("checkbox", []),
    43: ("date", []),
    44: ("text", []),
}


def with_fields(desk: Desk) -> None:
    """Give the account fields of its own, one of them inactive."""
    with desk.writing():
        for key, (kind, options) in {**FIELDS, 45: ("tagger", [])}.items():
            TicketField.objects.create(
                id=key,
                type=kind,
                title=f"Field {key}",
                options=options,
                active=key != 45,
                created_at=PRESENT,
                updated_at=PRESENT,
            )


def triggers(desk: Desk, part: str) -> dict[str, Any]:
    """Return a part of what triggers can say, by subject."""
    found = desk.get("triggers/definitions.json")["definitions"][part]
    return {item["subject"]: item for item in found}


def operators(item: Any) -> set[str]:
    return {found["value"] for found in item["operators"]}


def values(item: Any) -> list[str]:
    return [found["value"] for found in item["values"]]


def test_the_conditions_of_triggers_are_those_that_rules_judge(desk: Desk) -> None:
    found = triggers(desk, "conditions_all")
    # Counters of hours run in automations only.
    assert set(found) == conditions.names() - conditions.HOURS
    with_fields(desk)
    added = {f"custom_fields_{key}" for key in FIELDS}
    assert set(triggers(desk, "conditions_all")) == set(found) | added
    assert triggers(desk, "conditions_any") == triggers(desk, "conditions_all")


def test_the_operators_of_triggers_are_those_that_rules_judge(desk: Desk) -> None:
    with_fields(desk)
    found = triggers(desk, "conditions_all")
    expected = {
        "status": SET | RANKED | CHANGES,
        "priority": SET | RANKED | CHANGES,
        "group_id": SET | CHANGES,
        "current_tags": {"includes", "not_includes", "changed", "not_changed"},
        "subject_includes_word": set(vocabulary.WORDY),
        "comment_includes_word": set(vocabulary.WORDY),
        "update_type": {"is", "is_not"},
        "role": {"is", "is_not"},
        "reopens": {"is", "is_not"} | RANKED,
        "custom_fields_41": SET | CHANGES,
        "custom_fields_42": SET | CHANGES,
        "custom_fields_43": SET | RANKED | CHANGES | {"within_previous_n_days"},
    }
    for name, wanted in expected.items():
        assert operators(found[name]) == wanted, name
    alone = {item["value"] for item in found["status"]["operators"] if item["terminal"]}
    assert alone == {"changed", "not_changed", "present", "not_present"}


def test_an_operator_that_is_not_offered_never_decides_a_value() -> None:
    """Of plain fields, whose judges answer no to what they do not know."""
    for name in sorted(conditions.VALUE_FIELDS | conditions.COUNTERS):
        offered = {item.name for item in vocabulary.operators_of(name)}
        for operator in set(vocabulary.OPERATORS) - offered:
            for now in ("1", "open", "low", "red"):
                situation = Situation(values={name: now}, before={}, counters={name: 3})
                item = condition(name, operator, "1")
                assert not holds(item, situation), (name, operator)


def test_every_condition_that_is_offered_can_be_kept(desk: Desk) -> None:
    with_fields(desk)
    kept = []
    for name, item in triggers(desk, "conditions_all").items():
        for operator in sorted(operators(item)):
            value = values(item)[-1] if "values" in item else "1"
            kept.append(condition(name, operator, value))
    made = rule(desk, "trigger", all=[CREATED], any=kept, actions=[action("type", "task")])
    assert desk.get(f"triggers/{made['id']}.json")["trigger"]["conditions"]["any"] == kept
    body = {"trigger": {"title": "t", "all": [condition("moon", "is", "full")]}}
    assert desk.call("POST", "triggers.json", body, by="olga").status == 422


def test_every_value_that_is_offered_is_some_tickets(desk: Desk) -> None:
    with_fields(desk)
    before: dict[str, Any] = {"before": {}, "actor_id": 1, "actor_is_agent": True}
    said = conditions.UpdateComment("x", public=True, has_attachment=True)
    quiet = conditions.UpdateComment("x", public=False)
    for name, item in triggers(desk, "conditions_all").items():
        for value in values(item) if "values" in item else []:
            ticket = {name: int(value) if value.isdigit() else value or None}
            ticket |= {"requester_id": 1, "assignee_id": 1} if not value.isdigit() else {}
            ticket |= {name: 1} if value in ("current_user", "assignee_id", "requester_id") else {}
            ticket |= {name: 7} if value == "current_groups" else {}
            ticket |= {name: value == "true"} if value in ("true", "false") else {}
            ticket |= {name: None} if value == "" else {}
            channel = conditions.CHANNELS.get(value, "api")
            actor = int(value) if value.isdigit() else 1
            groups = frozenset({7})
            situations = [
                Situation(values=ticket, actor_groups=groups, **before),
                Situation(values=ticket, channel=channel, current_channel=channel),
                Situation(values={}, said=said, is_public=False, in_business_hours=False),
                Situation(values={}, said=quiet, actor_id=actor),
            ]
            asked = condition(name, "is", value)
            assert any(holds(asked, situation) for situation in situations), (name, value)


def test_the_actions_of_triggers_and_of_macros_are_those_that_do_something(desk: Desk) -> None:
    of_triggers = set(triggers(desk, "actions"))
    found = desk.get("macros/definitions.json")["definitions"]["actions"]
    of_macros = {item["subject"] for item in found}
    assert of_triggers | of_macros == actions.names() - actions.SILENT - actions.SIDES
    assert of_triggers - of_macros == actions.NOTICES | {actions.WEBHOOK, actions.SCHEDULE}
    assert of_macros - of_triggers == actions.COMMENTS
    body = {"trigger": {"title": "t", "all": [CREATED], "actions": [action("explode", "1")]}}
    assert desk.call("POST", "triggers.json", body, by="olga").status == 422


def test_a_trigger_does_each_action_that_is_offered(desk: Desk) -> None:
    with_fields(desk)
    shown_as = {"subject": "subject", "set_tags": "tags", "current_tags": "tags"}
    done, unseen = set(), {"cc", "follower", "remove_tags", "set_schedule"}
    for name, item in triggers(desk, "actions").items():
        if name.startswith("notification") or name in unseen:
            continue
        value = values(item)[-1] if item.get("values") else "2026-07-01"
        if name == "status":
            value = "pending"
        made = rule(desk, "trigger", all=[CREATED], actions=[action(name, value)])
        ticket = desk.ticket()
        custom = {str(field["id"]): field["value"] for field in ticket["custom_fields"]}
        if name.startswith("custom_fields_"):
            now = custom[name.removeprefix("custom_fields_")]
        elif name == "satisfaction_score":
            now = ticket["satisfaction_rating"]["score"]
        else:
            now = ticket[shown_as.get(name, name)]
        if isinstance(now, list):
            assert value in now, name
        else:
            assert str(now).lower() == value.lower(), name
        desk.call("DELETE", f"triggers/{made['id']}.json", by="olga")
        done.add(name)
    assert {"status", "priority", "assignee_id", "set_tags", "custom_fields_41"} < done
    assert len(done) > 14


def test_values_are_the_accounts_own(desk: Desk) -> None:
    webhook = make_webhook(desk)["id"]
    group = desk.post("groups.json", {"group": {"name": "Night"}}, by="olga")["group"]["id"]
    with_fields(desk)
    shown = triggers(desk, "conditions_all")
    assert str(group) in values(shown["group_id"])
    assert str(desk.ids["ben"]) in values(shown["assignee_id"])
    assert str(desk.ids["rosa"]) not in values(shown["assignee_id"])
    assert values(shown["custom_fields_41"]) == ["beam"]
    assert (shown["custom_fields_41"]["title"], shown["custom_fields_41"]["type"]) == (
        "Field 41",
        "list",
    )
    assert "" in values(shown["group_id"])
    assert "" not in values(shown["status"])
    assert values(shown["status"])[0] == "new"
    done = triggers(desk, "actions")
    assert values(done["notification_webhook"]) == [webhook]
    assert str(group) in values(done["notification_group"])
    # A ticket that was opened is not new again.
    assert values(done["status"]) == ["open", "pending", "hold", "solved", "closed"]
    assert done["notification_user"]["repeatable"] is True
    assert done["status"]["repeatable"] is False
    desk.call("DELETE", f"groups/{group}.json", by="olga")
    desk.call("DELETE", f"webhooks/{webhook}", by="olga")
    assert str(group) not in values(triggers(desk, "conditions_all")["group_id"])
    assert "values" not in triggers(desk, "actions")["notification_webhook"]


def test_macros_tell_their_actions_in_two_forms(desk: Desk) -> None:
    with_fields(desk)
    new = desk.get("macros/definitions.json")["definitions"]["actions"]
    old = desk.get("macros/actions.json")["actions"]
    assert [item["value"] for item in old] == [item["subject"] for item in new]
    for first, second in zip(old, new, strict=True):
        assert first["values"]["list"] == second.get("values", [])
        assert first["values"]["type"] == second["type"]
        assert first["operators"] == [{"title": "Is", "value": "is"}]
    kept = [
        action(item["subject"], values(item)[-1] if item.get("values") else "x") for item in new
    ]
    body = {"macro": {"title": "All", "actions": kept}}
    key = desk.post("macros.json", body, by="olga")["macro"]["id"]
    assert desk.get(f"macros/{key}.json")["macro"]["actions"] == kept
    changed = desk.get(f"macros/{key}/apply.json")["result"]["ticket"]
    assert changed["comment"]["body"] == "x"
    assert {"status", "priority", "type", "group_id", "assignee_id", "tags"} < set(changed)


def test_slas_look_at_the_ticket_alone(desk: Desk) -> None:
    with_fields(desk)
    body = desk.get("slas/policies/definitions.json", by="olga")["definitions"]
    assert body["any"] == body["all"]
    found = {item["value"]: item for item in body["all"]}
    of_triggers = triggers(desk, "conditions_all")
    assert set(found) < set(of_triggers)
    about_updates = {"update_type", "role", "comment_is_public", "current_via_id", "reopens"}
    assert not about_updates & set(found)
    assert {"brand_id", "priority", "current_tags", "via_id", "custom_fields_41"} < set(found)
    for name, item in found.items():
        assert operators(item) == operators(of_triggers[name]) - CHANGES, name
    brand = found["brand_id"]["values"]["list"][0]["value"]
    wanted = [condition("brand_id", "is", brand), condition("type", "is", "task")]
    targets = [{"priority": "high", "metric": "first_reply_time", "target": 60}]
    policy = {"title": "Gold", "filter": {"all": wanted}, "policy_metrics": targets}
    desk.post("slas/policies.json", {"sla_policy": policy}, by="olga")
    ticket = desk.ticket(priority="high", type="task")["id"]
    other = desk.ticket(priority="high", type="incident")["id"]
    told = [
        [
            event.get("value")
            for event in desk.get(f"tickets/{key}/audits.json")["audits"][0]["events"]
        ]
        for key in (ticket, other)
    ]
    assert ["Gold" in str(events) for events in told] == [True, False]


@pytest.mark.parametrize("path", ["triggers/definitions", "macros/definitions", "macros/actions"])
def test_agents_see_what_rules_can_say_and_customers_do_not(desk: Desk, path: str) -> None:
    assert desk.call("GET", f"{path}.json", by="ben").status == 200
    assert desk.call("GET", f"{path}.json", by="rosa").status == 403
    assert desk.call("GET", f"{path}.json", by=None).status == 401


def test_only_admins_see_what_slas_can_say(desk: Desk) -> None:
    assert desk.call("GET", "slas/policies/definitions.json", by="ben").status == 403


def test_unverified_kinds_of_values(desk: Desk) -> None:
    with_fields(desk)
    found = triggers(desk, "conditions_all")
    kinds = {
        name: found[name]["type"]
        for name in ("status", "current_tags", "subject_includes_word", "organization_id")
    }
    assert kinds == {
        "status": "list",
        "current_tags": "tags",
        "subject_includes_word": "text",
        "organization_id": "autocomplete",
    }
    assert [found[f"custom_fields_{key}"]["type"] for key in FIELDS] == [
        "list",
        "list",
        "date",
        "text",
    ]
    assert {item["group"] for item in found.values()} == {"ticket"}
    assert found["status"]["repeatable"] is False
    assert found["subject_includes_word"]["repeatable"] is True
