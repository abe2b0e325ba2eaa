"""SLAs of groups: policies kept through the API, and the clock of who owns a ticket."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import MetricEvent, SlaClock
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import CREATED, action, condition, rule
from tests.helpdesk.test_rules import policy as customer_policy

PATH = "group_slas/policies"
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}
HOUR = 3600
OWNED = "group_ownership_time"


def group(desk: Desk, name: str) -> int:
    return int(desk.post("groups.json", {"group": {"name": name}}, by="olga")["group"]["id"])


def of(*groups: int, operator: str = "includes") -> dict[str, Any]:
    return {"all": [{"field": "group_id", "operator": operator, "value": list(groups)}]}


def target(priority: str = "high", seconds: int = HOUR, *, business: bool = False) -> Any:
    return {
        "priority": priority,
        "metric": OWNED,
        "target": seconds,
        "business_hours": business,
    }


def policy(desk: Desk, title: str = "Tier 1", **given: Any) -> Any:
    body = {"title": title, "filter": {"all": []}, "policy_metrics": [target()], **given}
    return desk.post(f"{PATH}.json", {"group_sla_policy": body}, by="olga")["group_sla_policy"]


def change(desk: Desk, ticket: int, **given: Any) -> None:
    desk.put(f"tickets/{ticket}.json", {"ticket": given})


def clocks(desk: Desk, ticket: int) -> list[tuple[int, str, int | None, bool]]:
    with desk.bound():
        rows = SlaClock.objects.filter(ticket_id=ticket, metric=OWNED).order_by("instance")
        return [(row.instance, row.state, row.target_minutes, row.breached) for row in rows]


def events(desk: Desk, ticket: int) -> list[tuple[int, str]]:
    with desk.bound():
        rows = MetricEvent.objects.filter(ticket_id=ticket, metric=OWNED).order_by("id")
        return [(row.instance_id, row.type) for row in rows]


def titles(desk: Desk) -> list[str]:
    found = desk.get(f"{PATH}.json", by="olga")["group_sla_policies"]
    return [item["title"] for item in found]


def details(answer: Any) -> dict[str, str]:
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    return {name: items[0]["description"] for name, items in answer.body["details"].items()}


def test_a_policy_is_made_shown_changed_and_removed(desk: Desk) -> None:
    first = group(desk, "First")
    given = {
        "title": "Tier 1",
        "description": "An hour each",
        "filter": of(first),
        "policy_metrics": [target(), target("urgent", 600, business=True)],
    }
    answer = desk.call("POST", f"{PATH}.json", {"group_sla_policy": given}, by="olga")
    made = answer.body["group_sla_policy"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith(f"/api/v2/{PATH}/{made['id']}.json")
    assert len(made["id"]) == 26
    assert {name: made[name] for name in given} == given
    assert made["position"] == 1
    path, odd = f"{PATH}/{made['id']}.json", f"{PATH}/a%00b.json"
    assert desk.get(path, by="olga") == {"group_sla_policy": made}
    desk.advance(minutes=1)
    body = {"title": "Tier 2", "policy_metrics": [target("low", 90)]}
    changed = desk.put(path, {"group_sla_policy": body}, by="olga")["group_sla_policy"]
    assert changed == desk.get(path, by="olga")["group_sla_policy"]
    assert changed == {**made, **body, "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > made["updated_at"]
    assert desk.call("DELETE", path, by="olga").status == 204
    for method, missing in (("GET", path), ("PUT", path), ("DELETE", path), ("GET", odd)):
        gone = desk.call(method, missing, {"group_sla_policy": {}}, by="olga")
        assert (gone.status, gone.body) == (404, NOT_FOUND)
    assert titles(desk) == []


def test_policies_are_listed_in_their_order(desk: Desk) -> None:
    a, b, c = (policy(desk, title)["id"] for title in "abc")
    path = f"{PATH}/reorder.json?group_sla_policy_ids={c},{a}"
    answer = desk.call("PUT", path, by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    assert titles(desk) == ["c", "a", "b"]
    body = {"group_sla_policy_ids": [b, c, a]}
    assert desk.call("PUT", f"{PATH}/reorder.json", body, by="olga").status == 200
    assert titles(desk) == ["b", "c", "a"]
    assert desk.call("PUT", path, by="olga").status == 200
    page = desk.get(f"{PATH}.json?per_page=2&page=2", by="olga")
    assert [item["id"] for item in page["group_sla_policies"]] == [b]
    assert (page["count"], page["next_page"]) == (3, None)
    assert desk.get(f"{PATH}.json?page[size]=1", by="olga")["count"] == 3
    refused = desk.call("PUT", f"{PATH}/reorder.json", by="olga")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
    many = ",".join([a] * 101)
    refused = desk.call("PUT", f"{PATH}/reorder.json?group_sla_policy_ids={many}", by="olga")
    assert (refused.status, refused.body["error"]) == (400, "TooManyValues")
    assert titles(desk) == ["c", "a", "b"]


def test_unverified_an_order_of_unknown_policies_is_refused_as_a_whole(desk: Desk) -> None:
    a, b = (policy(desk, title)["id"] for title in "ab")
    path = f"{PATH}/reorder.json?group_sla_policy_ids={b},{a},nothing"
    refused = desk.call("PUT", path, by="olga")
    assert (refused.status, refused.body) == (404, NOT_FOUND)
    assert titles(desk) == ["a", "b"]


def test_definitions_name_the_groups_first(desk: Desk) -> None:
    key = group(desk, "First")
    found = desk.get(f"{PATH}/definitions.json", by="olga")["definitions"]["all"]
    assert (found[0]["value"], found[0]["title"]) == ("group_id", "Group ID")
    assert [item["value"] for item in found[0]["operators"]] == ["includes", "not_includes"]
    assert {"title": "First", "value": key} in found[0]["values"]["list"]
    names = [item["value"] for item in found]
    assert len(set(names)) == len(names) > 5
    assert {"brand_id", "ticket_form_id"} <= set(names)


def test_only_admins_keep_and_see_policies(desk: Desk) -> None:
    made = policy(desk)
    one = f"{PATH}/{made['id']}"
    body = {"group_sla_policy": {"title": "x", "filter": {"all": []}}}
    for method, path in (
        ("GET", PATH),
        ("POST", PATH),
        ("GET", f"{PATH}/definitions"),
        ("PUT", f"{PATH}/reorder"),
        ("GET", one),
        ("PUT", one),
        ("DELETE", one),
    ):
        for who in ("ana", "rosa"):
            answer = desk.call(method, f"{path}.json", body, by=who)
            assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden")
        assert desk.call(method, f"{path}.json", body, by=None).status == 401
    assert desk.get(f"{PATH}.json", by="olga")["group_sla_policies"] == [made]


def test_unverified_words_of_refusals(desk: Desk) -> None:
    made = policy(desk)
    fit = {"title": "x", "filter": {"all": []}}
    invalid = "Policy metrics: is invalid"
    cases: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({"title": ""}, {"title": "Title: cannot be blank"}),
        ({"filter": of(17)}, {"filter": "Filter: is invalid"}),
        ({"filter": of(operator="is")}, {"filter": "Filter: is invalid"}),
        (
            {"filter": {"all": [condition("colour", "is", "red")]}},
            {"conditions": "Conditions: colour is not a valid field"},
        ),
        ({"policy_metrics": [target(seconds=0)]}, {"policy_metrics": invalid}),
        ({"policy_metrics": [target(seconds=2**40)]}, {"policy_metrics": invalid}),
        (
            {"policy_metrics": [{**target(), "metric": "first_reply_time"}]},
            {"policy_metrics": invalid},
        ),
        (
            {"policy_metrics": [target("loud")]},
            {"policy_metrics": "Policy metrics: priority is invalid"},
        ),
        (
            {"policy_metrics": [target(), target()]},
            {"policy_metrics": "Policy metrics: have a priority twice"},
        ),
        ({"position": 2**40}, {"position": "Position: is invalid"}),
    ]
    for given, expected in cases:
        body = {"group_sla_policy": {**fit, **given}}
        assert details(desk.call("POST", f"{PATH}.json", body, by="olga")) == expected
        body = {"group_sla_policy": given}
        path = f"{PATH}/{made['id']}.json"
        assert details(desk.call("PUT", path, body, by="olga")) == expected
    refused = desk.call("POST", f"{PATH}.json", {"group_sla_policy": {"title": "x"}}, by="olga")
    assert details(refused) == {"filter": "Filter: cannot be blank"}
    assert desk.get(f"{PATH}.json", by="olga")["group_sla_policies"] == [made]


def test_the_clock_runs_from_assignment_to_the_next_group_or_the_end(desk: Desk) -> None:
    first, second, third = (group(desk, name) for name in ("First", "Second", "Third"))
    policy(desk, "a", filter=of(first))
    policy(
        desk, "b", filter=of(third, operator="not_includes"), policy_metrics=[target("high", 90)]
    )
    ticket = desk.ticket(priority="high")["id"]
    assert clocks(desk, ticket) == []
    change(desk, ticket, group_id=first)
    assert clocks(desk, ticket) == [(1, "active", 60, False)]
    desk.advance(minutes=20)
    change(desk, ticket, group_id=second)
    assert clocks(desk, ticket) == [(1, "fulfilled", 60, False), (2, "active", 2, False)]
    change(desk, ticket, group_id=third)
    assert [state for _, state, _, _ in clocks(desk, ticket)] == ["fulfilled"] * 2
    place = {"user_id": desk.ids["ana"], "group_id": first}
    desk.post("group_memberships.json", {"group_membership": place}, by="olga")
    change(desk, ticket, group_id=first, assignee_id=desk.ids["ana"])
    change(desk, ticket, status="solved")
    assert clocks(desk, ticket)[2:] == [(3, "fulfilled", 60, False)]
    change(desk, ticket, status="open")
    assert clocks(desk, ticket)[3:] == [(4, "active", 60, False)]
    with desk.bound():
        done = MetricEvent.objects.filter(ticket_id=ticket, type="update_status").order_by("id")[0]
        assert done.body == {"status": {"calendar": 20, "business": 20}}


def test_the_clock_tells_of_its_turns_and_is_breached(desk: Desk) -> None:
    first = group(desk, "First")
    made = policy(desk, description="An hour", filter=of(first))
    ticket = desk.ticket(priority="high", group_id=first)["id"]
    turns = [(1, "activate"), (1, "apply_group_sla")]
    assert events(desk, ticket) == turns
    path = "incremental/ticket_metric_events.json?start_time=0"
    told = desk.get(path, by="olga")["ticket_metric_events"]
    (applied,) = [item for item in told if item["type"] == "apply_group_sla"]
    assert applied["metric"] == OWNED
    assert applied["group_sla"] == {
        "target": 60,
        "business_hours": False,
        "policy": {"id": made["id"], "title": "Tier 1", "description": "An hour"},
    }
    desk.advance(minutes=59)
    assert clocks(desk, ticket) == [(1, "active", 60, False)]
    desk.advance(minutes=1)
    assert clocks(desk, ticket) == [(1, "active", 60, True)]
    assert events(desk, ticket) == [*turns, (1, "breach")]
    change(desk, ticket, priority="low")
    assert clocks(desk, ticket) == [(1, "active", None, False)]


def test_triggers_and_automations_turn_the_clock(desk: Desk) -> None:
    first, second = group(desk, "First"), group(desk, "Second")
    policy(desk)
    rule(desk, "trigger", all=[CREATED], actions=[action("group_id", str(first))])
    moves = [action("group_id", str(second)), action("current_tags", "moved")]
    new = [condition("NEW", "is", 1), condition("current_tags", "not_includes", "moved")]
    rule(desk, "automation", all=new, actions=moves)
    ticket = desk.ticket(priority="high")["id"]
    assert clocks(desk, ticket) == [(1, "active", 60, False)]
    desk.advance(hours=2)
    assert [state for _, state, _, _ in clocks(desk, ticket)] == ["fulfilled", "active"]


def test_deleted_tickets_and_policies_have_no_clock_that_breaks(desk: Desk) -> None:
    first = group(desk, "First")
    made = policy(desk)
    kept = desk.ticket(priority="high", group_id=first)["id"]
    gone = desk.ticket(priority="high", group_id=first)["id"]
    assert desk.call("DELETE", f"tickets/{gone}.json", by="olga").status == 204
    assert desk.call("DELETE", f"{PATH}/{made['id']}.json", by="olga").status == 204
    desk.advance(hours=2)
    assert [clocks(desk, key)[0][3] for key in (kept, gone)] == [False, False]


def test_clocks_of_customers_and_of_groups_do_not_meet(desk: Desk) -> None:
    first = group(desk, "First")
    policy(desk)
    customer_policy(desk, ("first_reply_time", 30))
    ticket = desk.ticket(priority="high", group_id=first, requester_id=desk.ids["rosa"])["id"]
    change(desk, ticket, comment={"body": "Here you are."})
    assert clocks(desk, ticket) == [(1, "active", 60, False)]
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["priority"] == "high"


def test_unverified_no_status_but_the_last_stops_the_clock(desk: Desk) -> None:
    policy(desk)
    ticket = desk.ticket(priority="high", group_id=group(desk, "First"))["id"]
    for status in ("open", "pending", "hold"):
        change(desk, ticket, status=status)
        desk.advance(minutes=15)
    assert clocks(desk, ticket) == [(1, "active", 60, False)]
    desk.advance(minutes=15)
    assert clocks(desk, ticket) == [(1, "active", 60, True)]


def test_unverified_parts_of_a_minute_count_as_one(desk: Desk) -> None:
    policy(desk, policy_metrics=[target("high", 61)])
    ticket = desk.ticket(priority="high", group_id=group(desk, "First"))["id"]
    assert clocks(desk, ticket) == [(1, "active", 2, False)]


def test_unverified_a_late_target_counts_from_then_on(desk: Desk) -> None:
    first = group(desk, "First")
    policy(desk)
    ticket = desk.ticket(group_id=first)["id"]
    assert clocks(desk, ticket) == []
    desk.advance(minutes=50)
    change(desk, ticket, priority="high")
    desk.advance(minutes=50)
    assert clocks(desk, ticket) == [(1, "active", 60, False)]


def test_unverified_slas_beside_tickets_show_the_groups_clock(desk: Desk) -> None:
    policy(desk)
    ticket = desk.ticket(priority="high", group_id=group(desk, "First"))["id"]
    found = desk.get(f"tickets/{ticket}.json?include=slas")["ticket"]["slas"]["policy_metrics"]
    assert [(item["metric"], item["stage"]) for item in found] == [(OWNED, "active")]
