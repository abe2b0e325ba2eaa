"""Queues: made, moved, removed; agents who are at work; and tickets that are really given out."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Job
from clones.helpdesk.domain.routing_settings import update_routing_settings
from clones.helpdesk.models import GroupMembership, User
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_skills import agent, give, kind, skill

URGENT = {"all": [{"field": "priority", "operator": "is", "value": "urgent"}], "any": []}
ANY = {"all": [{"field": "status", "operator": "less_than", "value": "solved"}], "any": []}
ONLINE, OFFLINE, AWAY, TRANSFERS = 3, 2, 4, 5

# Which conversations go to another agent after a while: none here.
NO_REASSIGNMENT = {
    "reassignment_messaging_enabled": False,
    "reassignment_messaging_timeout": None,
    "reassignment_talk_timeout": None,
}


def group_of(desk: Desk, name: str, *members: str) -> int:
    key = desk.post("groups.json", {"group": {"name": name}}, by="olga")["group"]["id"]
    for member in members:
        body = {"group_membership": {"user_id": desk.ids[member], "group_id": key}}
        desk.post("group_memberships.json", body, by="olga")
    return int(key)


def support(desk: Desk) -> int:
    [found] = [item for item in desk.get("groups.json")["groups"] if item["default"]]
    return int(found["id"])


def queue(desk: Desk, **given: Any) -> Any:
    body = {"name": "Hot", "definition": URGENT, "primary_groups": [support(desk)], **given}
    return desk.post("queues.json", {"queue": body}, by="olga")["queue"]


def listed(desk: Desk) -> list[tuple[str, int]]:
    found = desk.get("queues.json", by="olga")["queues"]
    return [(item["name"], item["order"]) for item in found]


def switch(desk: Desk, **given: Any) -> None:
    body = {"settings": {"routing": {"enabled": True, "max_email_capacity": 2, **given}}}
    desk.put("account/settings.json", body, by="olga")


def status(desk: Desk, who: str, key: int = ONLINE, *, by: str = "olga", answer: int = 200) -> Any:
    path = f"agent_availabilities/agent_statuses/agents/{desk.ids[who]}"
    return desk.put(path, {"id": key}, by=by, status=answer)


def assignee(desk: Desk, key: int) -> str | None:
    desk.drain()
    found = desk.get(f"tickets/{key}.json", by="olga")["ticket"]["assignee_id"]
    return next((name for name, user in desk.ids.items() if user == found), None)


def test_a_queue_is_made_shown_changed_and_removed(desk: Desk) -> None:
    second = group_of(desk, "Second line")
    body = {
        "name": "Hot",
        "description": "What cannot wait",
        "definition": URGENT,
        "priority": 2,
        "primary_groups": {"groups": [{"id": support(desk)}]},
        "secondary_groups": {"groups": [{"id": second}]},
    }
    answer = desk.call("POST", "queues.json", {"queue": body}, by="olga")
    made = answer.body["queue"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith(f"/api/v2/queues/{made['id']}.json")
    assert len(made["id"]) == 26
    assert {name: made[name] for name in ("name", "description", "definition")} == {
        name: body[name] for name in ("name", "description", "definition")
    }
    assert (made["priority"], made["order"]) == (2, 1)
    assert made["secondary_groups"] == {
        "count": 1,
        "groups": [{"id": second, "name": "Second line"}],
    }
    path = f"queues/{made['id']}.json"
    assert desk.get(path)["queue"] == made
    assert desk.get("queues.json", by="olga") == {"queues": [made]}
    changes = {"name": "Hottest", "definition": ANY, "secondary_groups": []}
    desk.put(path, {"queue": changes}, by="olga")
    found = desk.get(path)["queue"]
    assert (found["name"], found["definition"], found["priority"]) == ("Hottest", ANY, 2)
    assert found["secondary_groups"] == {"count": 0, "groups": []}
    assert desk.call("DELETE", path, by="olga").status == 204
    gone = desk.call("GET", path)
    assert gone.status == 404
    assert gone.body == {"error": "RecordNotFound", "description": "Not found"}
    assert desk.call("PUT", path, {"queue": {"name": "x"}}, by="olga").status == 404
    assert desk.call("DELETE", path, by="olga").status == 404


def test_queues_have_places_and_change_them(desk: Desk) -> None:
    keys = [queue(desk, name=name)["id"] for name in ("One", "Two")]
    keys.append(queue(desk, name="Three", order=1)["id"])
    assert listed(desk) == [("Three", 1), ("One", 2), ("Two", 3)]
    desk.put(f"queues/{keys[2]}.json", {"queue": {"order": 9}}, by="olga")
    assert listed(desk) == [("One", 1), ("Two", 2), ("Three", 3)]
    body = {"queue_ids": [keys[1], keys[2], keys[0]]}
    assert desk.call("PATCH", "queues/order.json", body, by="olga").status == 204
    assert listed(desk) == [("Two", 1), ("Three", 2), ("One", 3)]
    for wrong in (keys[:2], [*keys, keys[0]], [*keys[:2], "01HG80ATNNZK1N7XRFVKX48XD6"]):
        answer = desk.call("PATCH", "queues/order.json", {"queue_ids": wrong}, by="olga")
        assert (answer.status, answer.body["error"]["title"]) == (400, "Invalid attribute")
    assert listed(desk) == [("Two", 1), ("Three", 2), ("One", 3)]
    desk.call("DELETE", f"queues/{keys[2]}.json", by="olga")
    assert listed(desk) == [("Two", 1), ("One", 2)]


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("name", ""),
        ("definition", {"all": []}),
        ("definition", {"all": [{"field": "colour", "operator": "is", "value": "red"}]}),
        ("primary_groups", []),
        ("primary_groups", [5]),
        ("secondary_groups", {"groups": [{"id": 5}]}),
        ("priority", 0),
    ],
)
def test_a_queue_that_cannot_be_is_refused(desk: Desk, attribute: str, value: Any) -> None:
    kept = queue(desk)
    body = {"name": "Hot", "definition": URGENT, "primary_groups": [support(desk)]}
    for method, path, given in (
        ("POST", "queues.json", {**body, attribute: value}),
        ("PUT", f"queues/{kept['id']}.json", {attribute: value}),
    ):
        answer = desk.call(method, path, {"queue": given}, by="olga")
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
        named = "conditions" if attribute == "definition" else attribute
        assert list(answer.body["details"]) == [named]
    assert desk.get("queues.json", by="olga")["queues"] == [kept]


def test_a_queue_without_what_it_needs_is_refused(desk: Desk) -> None:
    for name in ("name", "definition", "primary_groups"):
        body = {"name": "Hot", "definition": URGENT, "primary_groups": [support(desk)]}
        del body[name]
        assert desk.call("POST", "queues.json", {"queue": body}, by="olga").status == 422
    answer = desk.call("POST", "queues.json", {"queue": {"primary_groups": "x"}}, by="olga")
    assert answer.status == 422
    answer = desk.call(
        "PUT", f"queues/{queue(desk)['id']}.json", {"queue": {"order": 0}}, by="olga"
    )
    assert answer.status == 400
    unknown = {"queue": {"colour": "red"}}
    answer = desk.call("PUT", f"queues/{queue(desk)['id']}.json", unknown, by="olga")
    assert '"queue.colour"' in answer.headers["x-zendesk-api-warn"]


def test_conditions_of_queues_look_at_a_ticket_alone(desk: Desk) -> None:
    found = desk.get("queues/definitions.json", by="olga")["definitions"]
    assert set(found) == {"conditions_all", "conditions_any"}
    [priority] = [item for item in found["conditions_all"] if item["subject"] == "priority"]
    assert {"value": "is", "title": "Is", "terminal": False} in priority["operators"]
    assert {"value": "urgent", "title": "Urgent", "enabled": True} in priority["values"]
    subjects = {item["subject"] for item in found["conditions_any"]}
    assert {"update_type", "comment_is_public"}.isdisjoint(subjects)


def test_admins_keep_queues_and_agents_look_at_one(desk: Desk) -> None:
    key = queue(desk)["id"]
    body = {"queue": {"name": "Mine", "definition": URGENT, "primary_groups": [support(desk)]}}
    calls: list[tuple[str, str, Any]] = [
        ("GET", "queues.json", None),
        ("POST", "queues.json", body),
        ("GET", "queues/definitions.json", None),
        ("PATCH", "queues/order.json", {"queue_ids": [key]}),
        ("PUT", f"queues/{key}.json", body),
        ("DELETE", f"queues/{key}.json", None),
    ]
    for method, path, given in calls:
        answer = desk.call(method, path, given)
        assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden"), (method, path)
        assert desk.call(method, path, given, by=None).status == 401
    assert desk.get(f"queues/{key}.json")["queue"]["name"] == "Hot"
    assert desk.call("GET", f"queues/{key}.json", by="rosa").status == 403
    assert listed(desk) == [("Hot", 1)]


def test_a_status_says_whether_an_agent_is_at_work(desk: Desk) -> None:
    path = f"agent_availabilities/{desk.ids['ana']}"
    before = desk.get(path, by="ben")["data"]
    assert before["id"] == f"agent_availabilities|{desk.ids['ana']}"
    assert before["attributes"]["agent_status"]["name"] == "Offline"
    assert before["attributes"]["group_ids"] == [support(desk)]
    french = skill(desk, kind(desk), "French")
    give(desk, agent(desk), french)
    data = status(desk, "ana")["data"]
    assert data == {
        "type": "agent_availabilities",
        "id": f"agent_availabilities|{desk.ids['ana']}",
        "attributes": {
            "agent_id": desk.ids["ana"],
            "agent_status": {"id": 3, "name": "Online"},
        },
    }
    found = desk.get(path)["data"]["attributes"]
    assert (found["agent_status"]["id"], found["skills"]) == (3, [{"id": french}])
    mine = "agent_availabilities/agent_statuses/agents/me"
    desk.put(mine, {"id": AWAY}, by="ana")
    assert desk.get(path)["data"]["attributes"]["agent_status"]["name"] == "Away"
    assert desk.put(mine, {"id": 9}, by="ana", status=422)["error"] == "RecordInvalid"
    assert status(desk, "ana", 9, answer=422)["details"]["id"]
    assert status(desk, "rosa", answer=404)["error"] == "RecordNotFound"
    assert desk.call("GET", f"agent_availabilities/{desk.ids['rosa']}").status == 404
    assert status(desk, "ben", by="ana", answer=403)["error"]["title"] == "Forbidden"
    assert desk.call("PUT", mine, {"id": ONLINE}, by="rosa").status == 403
    assert desk.call("GET", path, by="rosa").status == 403
    assert desk.get(path)["data"]["attributes"]["agent_status"]["id"] == AWAY
    known = desk.get("agent_availabilities/agent_statuses")
    assert [item["id"] for item in known["default"]] == [2, 3, 4, 5]
    assert known["custom"] == []
    assert desk.call("GET", "agent_availabilities/agent_statuses", by="rosa").status == 403


def test_an_account_that_does_not_route_leaves_tickets_alone(desk: Desk) -> None:
    routing = desk.get("account/settings.json")["settings"]["routing"]
    assert routing == {
        "autorouting_tag": "",
        "enabled": False,
        "max_email_capacity": 0,
        "max_messaging_capacity": 0,
        **NO_REASSIGNMENT,
    }
    queue(desk)
    status(desk, "ana")
    key = desk.ticket(priority="urgent")["id"]
    assert assignee(desk, key) is None
    with desk.bound():
        assert not Job.objects.filter(kind="helpdesk.routing").exists()
    switch(desk)
    assert assignee(desk, key) == "ana", "and gives out what waits when it begins to"


def test_a_new_ticket_of_a_queue_goes_to_who_is_at_work(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    status(desk, "ben")
    hot, cold = desk.ticket(priority="urgent")["id"], desk.ticket(priority="low")["id"]
    assert (assignee(desk, hot), assignee(desk, cold)) == ("ben", None)
    found = desk.get(f"tickets/{hot}.json")["ticket"]
    assert (found["status"], found["group_id"]) == ("open", support(desk))
    audits = desk.get(f"tickets/{hot}/audits.json")["audits"]
    changed = {event.get("field_name") for event in audits[-1]["events"]}
    assert {"assignee_id", "status"} <= changed
    assert audits[-1]["author_id"] == -1


def test_who_is_not_at_work_or_has_no_place_gets_nothing(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    for key in (OFFLINE, TRANSFERS):
        status(desk, "ana", key)
        assert assignee(desk, desk.ticket(priority="urgent")["id"]) is None
    status(desk, "ana", AWAY)
    waited = [item["id"] for item in desk.get("tickets.json")["tickets"]]
    assert {assignee(desk, key) for key in waited} == {"ana"}
    third = desk.ticket(priority="urgent")["id"]
    assert assignee(desk, third) is None, "two is all that an agent can have"
    desk.put(f"tickets/{waited[0]}.json", {"ticket": {"status": "solved"}})
    assert assignee(desk, third) == "ana"
    fourth = desk.ticket(priority="urgent")["id"]
    desk.call("DELETE", f"tickets/{third}.json", by="olga")
    assert assignee(desk, fourth) == "ana"


def test_the_one_with_the_most_to_spare_is_chosen(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    desk.ticket(assignee_id=desk.ids["ana"])
    status(desk, "ana")
    status(desk, "ben")
    got = [assignee(desk, desk.ticket(priority="urgent")["id"]) for _ in range(4)]
    assert got == ["ben", "ana", "ben", None]


def test_the_one_who_got_a_ticket_longest_ago_is_chosen_where_the_account_says_so(
    desk: Desk,
) -> None:
    switch(desk, max_email_capacity=9)
    with desk.writing():
        owner = User.objects.get(id=desk.ids["olga"])
        update_routing_settings(actor=owner, changes={"method": "longest_idle"})
    queue(desk)
    for _ in range(3):
        desk.ticket(assignee_id=desk.ids["ana"])
    status(desk, "ana")
    status(desk, "ben")
    got = [assignee(desk, desk.ticket(priority="urgent")["id"]) for _ in range(4)]
    assert got[0] != got[1], "who has more to do is no matter"
    assert got[2:] == got[:2]


def test_secondary_groups_take_what_the_primary_ones_cannot(desk: Desk) -> None:
    switch(desk, max_email_capacity=1)
    second = group_of(desk, "Second line", "ben")
    with desk.writing():
        GroupMembership.objects.filter(user_id=desk.ids["ben"], group_id=support(desk)).delete()
    queue(desk, secondary_groups=[second])
    status(desk, "ana")
    status(desk, "ben")
    keys = [desk.ticket(priority="urgent")["id"] for _ in range(2)]
    assert [assignee(desk, key) for key in keys] == ["ana", "ben"]
    assert desk.get(f"tickets/{keys[1]}.json")["ticket"]["group_id"] == second


def test_a_ticket_waits_for_somebody_with_its_skills(desk: Desk) -> None:
    switch(desk)
    of = kind(desk)
    conditions = {"all": [{"subject": "current_tags", "operator": "includes", "value": "fr"}]}
    french = skill(desk, of, "French", conditions=conditions)
    queue(desk)
    status(desk, "ana")
    key = desk.ticket(priority="urgent", tags=["fr"])["id"]
    assert assignee(desk, key) is None
    give(desk, agent(desk), french)
    assert assignee(desk, key) == "ana"


def test_the_first_queue_has_a_ticket_and_priorities_say_who_goes_first(desk: Desk) -> None:
    switch(desk, max_email_capacity=1)
    second = group_of(desk, "Second line", "ben")
    queue(desk, name="All", definition=ANY, priority=5)
    tagged = {"all": [{"field": "current_tags", "operator": "includes", "value": "vip"}]}
    queue(desk, name="VIP", definition=tagged, primary_groups=[second], order=1, priority=1)
    low, high = desk.ticket(priority="low")["id"], desk.ticket(priority="high")["id"]
    vip = desk.ticket(priority="low", tags=["vip"])["id"]
    status(desk, "ben")
    assert [assignee(desk, key) for key in (low, high, vip)] == [None, None, "ben"]
    status(desk, "ana")
    assert [assignee(desk, key) for key in (low, high)] == [None, "ana"]


def test_who_was_somebodys_goes_by_its_group_and_the_accounts_tag(desk: Desk) -> None:
    switch(desk, autorouting_tag="auto")
    queue(desk, definition=ANY)
    status(desk, "ana")
    key = desk.ticket()["id"]
    assert assignee(desk, key) == "ana"
    desk.put(f"tickets/{key}.json", {"ticket": {"assignee_id": None}})
    assert assignee(desk, key) is None, "it left the account's queues for good"
    desk.put(f"tickets/{key}.json", {"ticket": {"additional_tags": ["auto"]}})
    assert assignee(desk, key) == "ana"


def test_routing_is_the_same_in_each_copy_of_a_sandbox(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    status(desk, "ana")
    status(desk, "ben")
    first = desk.ticket(priority="urgent")["id"]
    assert assignee(desk, first) == min(("ana", "ben"), key=lambda name: desk.ids[name])


def test_settings_of_routing_are_kept(desk: Desk) -> None:
    switch(desk, max_messaging_capacity=4, autorouting_tag=" Auto ")
    found = desk.get("account/settings.json")["settings"]["routing"]
    assert found == {
        "autorouting_tag": "auto",
        "enabled": True,
        "max_email_capacity": 2,
        "max_messaging_capacity": 4,
        **NO_REASSIGNMENT,
    }


def test_unverified_groups_of_a_queue_are_given_as_shown_or_as_ids(desk: Desk) -> None:
    key = support(desk)
    shown = {"count": 1, "groups": [{"id": key, "name": "Support"}]}
    for given in ([key], [{"id": key}], {"groups": [key]}, shown):
        made = queue(desk, primary_groups=given)
        assert [item["id"] for item in made["primary_groups"]["groups"]] == [key]


def test_unverified_two_queues_may_have_one_name(desk: Desk) -> None:
    queue(desk)
    queue(desk)
    assert listed(desk) == [("Hot", 1), ("Hot", 2)]


def test_unverified_what_routing_does_has_a_channel_of_its_own(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    status(desk, "ana")
    key = desk.ticket(priority="urgent")["id"]
    assert assignee(desk, key) == "ana"
    audit = desk.get(f"tickets/{key}/audits.json")["audits"][-1]
    assert audit["via"]["channel"] == "omnichannel_routing"


def test_unverified_who_is_away_gets_tickets(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    status(desk, "ana", AWAY)
    assert assignee(desk, desk.ticket(priority="urgent")["id"]) == "ana"


def test_unverified_light_agents_get_no_tickets(desk: Desk) -> None:
    switch(desk)
    queue(desk)
    with desk.writing():
        User.objects.filter(id=desk.ids["ana"]).update(only_private_comments=True)
    status(desk, "ana")
    assert assignee(desk, desk.ticket(priority="urgent")["id"]) is None


def test_unverified_capacity_is_five_hundred_at_most(desk: Desk) -> None:
    for number in (501, -1):
        body = {"settings": {"routing": {"max_email_capacity": number}}}
        details = desk.put("account/settings.json", body, by="olga", status=422)["details"]
        assert list(details) == ["max_email_capacity"]
