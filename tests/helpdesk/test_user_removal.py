"""Users who go: merged, deleted, erased; and many made or changed at once."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Account
from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.user_erasure import ERASED
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import Macro, Ticket, User
from tests.helpdesk.conftest import Desk


def _merge(desk: Desk, loser: int, winner: int, by: str = "ana") -> Any:
    return desk.call("PUT", f"users/{loser}/merge.json", {"user": {"id": winner}}, by=by)


def test_tickets_and_addresses_of_a_merged_user_are_the_others(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    requested = desk.ticket(requester_id=tom)["id"]
    copied = desk.ticket(
        requester_id=desk.ids["ben"], email_ccs=[{"user_id": tom}, {"user_id": rosa}]
    )["id"]
    both = desk.ticket(requester_id=tom, email_ccs=[{"user_id": rosa}])["id"]
    desk.put(f"users/{tom}.json", {"user": {"notes": "lost", "tags": ["lost"]}})
    answer = _merge(desk, tom, rosa)
    assert answer.status == 200
    kept = answer.body["user"]
    assert (kept["id"], kept["email"], kept["notes"], kept["tags"]) == (
        rosa,
        "rosa@acme.example",
        None,
        [],
    )
    listed = desk.get("requests.json", by="rosa")["requests"]
    assert {item["id"] for item in listed} == {requested, copied, both}
    assert desk.get(f"tickets/{requested}.json")["ticket"]["requester_id"] == rosa
    assert desk.get(f"tickets/{copied}.json")["ticket"]["email_cc_ids"] == [rosa]
    assert desk.get(f"tickets/{both}.json")["ticket"]["email_cc_ids"] == []
    event = desk.get(f"tickets/{requested}/audits.json")["audits"][-1]["events"][0]
    assert (event["field_name"], event["previous_value"]) == ("requester_id", str(tom))
    known = desk.get(f"users/{rosa}/identities.json")["identities"]
    assert {item["value"]: item["primary"] for item in known} == {
        "rosa@acme.example": True,
        "tom@acme.example": False,
    }
    gone = desk.get(f"users/{tom}.json")["user"]
    assert (gone["active"], gone["email"]) == (False, None)
    assert desk.call("GET", "requests.json", by="tom").status == 401
    new = desk.ticket(requester_id=None, requester={"email": "tom@acme.example"})
    assert new["requester_id"] == rosa


def test_a_user_without_an_address_gets_the_other_ones(desk: Desk) -> None:
    bare = desk.post("users.json", {"user": {"name": "R.", "verified": True}})["user"]["id"]
    assert _merge(desk, desk.ids["tom"], bare).body["user"]["email"] == "tom@acme.example"
    [known] = desk.get(f"users/{bare}/identities.json")["identities"]
    assert known["primary"] is True


def test_a_merge_of_users_runs_no_triggers(desk: Desk) -> None:
    key = desk.ticket(requester_id=desk.ids["tom"])["id"]
    trigger = {
        "title": "Urgent",
        "all": [{"field": "update_type", "operator": "is", "value": "Change"}],
        "actions": [{"field": "priority", "value": "urgent"}],
    }
    desk.post("triggers.json", {"trigger": trigger}, by="olga")
    _merge(desk, desk.ids["tom"], desk.ids["rosa"])
    assert desk.get(f"tickets/{key}.json")["ticket"]["priority"] is None


@pytest.mark.parametrize(
    ("loser", "winner"), [("tom", "tom"), ("ben", "rosa"), ("tom", "ben"), ("bare", "rosa")]
)
def test_users_that_cannot_be_merged_stay_as_they_are(desk: Desk, loser: str, winner: str) -> None:
    bare = desk.post("users.json", {"user": {"name": "B"}})["user"]["id"]
    ids = {**desk.ids, "bare": bare}
    answer = _merge(desk, ids[loser], ids[winner], by="olga")
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    assert desk.get(f"users/{ids[loser]}.json")["user"]["active"] is True


def test_merging_users_is_the_agents(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert _merge(desk, tom, rosa, by="rosa").status == 403
    assert _merge(desk, 1, rosa).status == 404
    assert _merge(desk, tom, 1).status == 404
    assert desk.call("PUT", f"users/{tom}/merge.json", {}).status == 400
    desk.call("DELETE", f"users/{tom}.json")
    assert _merge(desk, tom, rosa).status == 422


def test_deleted_users_are_listed_counted_and_shown(desk: Desk) -> None:
    tom, rosa = desk.ids["tom"], desk.ids["rosa"]
    assert desk.get("deleted_users.json")["deleted_users"] == []
    for key in (tom, rosa):
        desk.call("DELETE", f"users/{key}.json")
    listed = desk.get("deleted_users.json")
    assert [item["id"] for item in listed["deleted_users"]] == [rosa, tom]
    assert listed["count"] == desk.get("deleted_users/count.json")["count"]["value"] == 2
    page = desk.get("deleted_users.json?page[size]=1")
    assert (page["meta"]["has_more"], page["deleted_users"][0]["id"]) == (True, rosa)
    following = desk.get(page["links"]["next"].partition("/api/v2/")[2])
    assert [item["id"] for item in following["deleted_users"]] == [tom]
    assert desk.get("deleted_users.json?per_page=1&page=2")["deleted_users"][0]["id"] == tom
    shown = desk.get(f"deleted_users/{tom}.json")["deleted_user"]
    assert (shown["name"], shown["active"]) == ("Tom Berg", False)
    assert shown["url"].endswith(f"/api/v2/deleted_users/{tom}.json")
    assert desk.call("GET", f"deleted_users/{desk.ids['ben']}.json").status == 404
    for path in ("deleted_users.json", f"deleted_users/{tom}.json", "deleted_users/count.json"):
        assert desk.call("GET", path, by="ben").status == 200
        assert desk.call("GET", path, by=None).status == 401
    assert desk.call("GET", "deleted_users.json?page[size]=101").status == 400
    with desk.bound():
        assert Account.objects.filter(subject=str(tom)).exists()


def test_nothing_is_known_of_an_erased_user_but_what_they_said(desk: Desk) -> None:
    rosa = desk.ids["rosa"]
    key = desk.ticket(by="ana", comment={"body": "hello", "author_id": rosa})["id"]
    desk.put(f"users/{rosa}.json", {"user": {"phone": "+49301", "notes": "n", "tags": ["t"]}})
    assert desk.call("DELETE", f"deleted_users/{rosa}.json", by="olga").status == 404
    desk.call("DELETE", f"users/{rosa}.json")
    assert desk.call("DELETE", f"deleted_users/{rosa}.json").status == 403
    erased = desk.call("DELETE", f"deleted_users/{rosa}.json", by="olga")
    assert erased.status == 200
    [listed] = desk.get("deleted_users.json")["deleted_users"]
    assert listed == erased.body["deleted_user"]
    assert (listed["name"], listed["email"], listed["phone"], listed["organization_id"]) == (
        "Permanently Deleted User",
        None,
        None,
        None,
    )
    user = desk.get(f"users/{rosa}.json")["user"]
    assert (user["notes"], user["tags"]) == (None, [])
    assert desk.get(f"users/{rosa}/identities.json")["count"] == 0
    assert desk.get(f"users/{rosa}/organization_memberships.json")["count"] == 0
    [said] = desk.get(f"tickets/{key}/comments.json")["comments"]
    assert (said["body"], said["author_id"]) == ("hello", rosa)
    assert desk.call("GET", f"deleted_users/{rosa}.json").status == 404
    assert desk.call("DELETE", f"deleted_users/{rosa}.json", by="olga").status == 404
    body = {"user": {"name": "Rosa again", "email": "rosa@acme.example"}}
    assert desk.post("users.json", body)["user"]["id"] != rosa


def test_many_users_are_created_or_updated_as_a_job(desk: Desk) -> None:
    path = "users/create_or_update_many.json"
    people = [
        {"name": "Rosa D.", "email": "rosa@acme.example"},
        {"name": "New", "email": "new@x.example", "external_id": "x-1"},
        {"name": "Newer", "external_id": "x-1"},
        {"name": ""},
    ]
    job = desk.post(path, {"users": people}, status=200)["job_status"]
    desk.drain()
    results = desk.get(f"job_statuses/{job['id']}.json")["job_status"]["results"]
    assert [item.get("status") for item in results] == ["Updated", "Created", "Updated", None]
    assert results[0]["id"] == desk.ids["rosa"]
    assert results[1]["id"] == results[2]["id"]
    assert desk.get(f"users/{results[1]['id']}.json")["user"]["name"] == "Newer"
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["name"] == "Rosa D."
    many = desk.call("POST", path, {"users": [{"name": "x"}] * 101})
    assert many.body["description"] == "Maximum 100 users may be created per call"
    assert desk.call("POST", path, {}).body["error"] == "RequiredParameterMissing"
    assert desk.call("POST", path, {"users": people}, by="rosa").status == 403


def test_system_fields_forget_an_erased_user_where_texts_do_not(desk: Desk) -> None:
    tom = desk.ids["tom"]
    key = desk.ticket(requester_id=tom, assignee_id=desk.ids["ana"], status="solved")["id"]
    rating = {"satisfaction_rating": {"score": "bad", "comment": "Tom is not amused"}}
    desk.post(f"tickets/{key}/satisfaction_rating.json", rating, by="tom", status=200)
    message = {"subject": "s", "body": "Tom, please", "to": [{"user_id": tom}]}
    thread = desk.post(f"tickets/{key}/side_conversations", {"message": message})
    place = f"tickets/{key}/side_conversations/{thread['side_conversation']['id']}"
    with desk.writing():
        User.objects.filter(id=tom).update(suspended=True)
        held = receive_message(Mail("tom@acme.example", "Tom Berg", "Tom here", "It is Tom."))
    desk.call("DELETE", f"users/{tom}.json")
    assert desk.call("DELETE", f"deleted_users/{tom}.json", by="olga").status == 200

    [rated] = desk.get("satisfaction_ratings.json", by="olga")["satisfaction_ratings"]
    assert (rated["score"], rated["comment"]) == ("bad", None)
    found = desk.get(place)["side_conversation"]
    forgotten = {"user_id": tom, "name": ERASED, "email": None}
    assert forgotten in found["participants"]
    assert "Ana Costa" in {person["name"] for person in found["participants"]}
    [event] = desk.get(f"{place}/events")["events"]
    assert event["message"]["to"] == [forgotten]
    assert event["message"]["body"] == "Tom, please"
    assert event["actor"]["name"] == "Ana Costa"
    shown = desk.get(f"suspended_tickets/{held.id}.json")["suspended_ticket"]
    assert shown["author"] == {"id": tom, "name": ERASED, "email": "tom@acme.example"}
    assert shown["via"]["source"]["from"]["name"] == ERASED
    assert (shown["subject"], shown["content"]) == ("Tom here", "It is Tom.")


def test_audit_logs_keep_the_names_of_erased_users(desk: Desk) -> None:
    ben = desk.ids["ben"]
    desk.put(f"users/{ben}.json", {"user": {"role": "end-user"}}, by="olga")
    desk.call("DELETE", f"users/{ben}.json", by="olga")
    assert desk.call("DELETE", f"deleted_users/{ben}.json", by="olga").status == 200
    path = f"audit_logs.json?filter[source_type]=user&filter[source_id]={ben}"
    logs = desk.get(path, by="olga")["audit_logs"]
    assert {log["source_label"] for log in logs} == {"Ben Ode"}


@pytest.fixture
def second_group(desk: Desk) -> int:
    """A group of Ben and of Ana, in which Olga is not; nobody's default."""
    key: int = desk.post("groups.json", {"group": {"name": "Second"}}, by="olga")["group"]["id"]
    for name in ("ben", "ana"):
        place = {"group_membership": {"user_id": desk.ids[name], "group_id": key}}
        desk.post("group_memberships.json", place, by="olga")
    return key


def test_an_agent_who_becomes_an_end_user_leaves_the_desk(desk: Desk, second_group: int) -> None:
    ben, ana = desk.ids["ben"], desk.ids["ana"]
    group = desk.get(f"users/{ben}.json")["user"]["default_group_id"]
    first = desk.ticket(assignee_id=ben, group_id=group)["id"]
    second = desk.ticket(assignee_id=ben, group_id=second_group)["id"]
    closed = desk.ticket(assignee_id=ben, group_id=group, status="closed")["id"]
    tidy = {"title": "Mine", "actions": [{"field": "priority", "value": "low"}]}
    own = {**tidy, "restriction": {"type": "User", "id": ben}}
    macro = desk.post("macros.json", {"macro": own}, by="ben")["macro"]["id"]
    answer = desk.call("PUT", f"users/{ben}.json", {"user": {"role": "end-user"}}, by="olga")
    user = answer.body["user"]
    assert (answer.status, user["role"], user["default_group_id"]) == (200, "end-user", None)
    assert (user["custom_role_id"], user["ticket_restriction"]) == (None, "requested")
    assert desk.get(f"users/{ben}/group_memberships.json", by="olga")["count"] == 0
    with desk.bound():
        standing = dict(Ticket.objects.values_list("id", "assignee_id"))
        assert not Macro.objects.filter(id=macro).exists()
    assert standing == {first: desk.ids["olga"], second: ana, closed: ben}
    event = desk.get(f"tickets/{second}/audits.json")["audits"][-1]["events"][0]
    assert (event["field_name"], event["previous_value"]) == ("assignee_id", str(ben))
    again = desk.put(f"users/{ben}.json", {"user": {"role": "agent"}}, by="olga")["user"]
    assert again["default_group_id"] == group


def test_nobody_inherits_where_a_group_has_no_other_agent(desk: Desk) -> None:
    key = desk.post("groups.json", {"group": {"name": "Alone"}}, by="olga")["group"]["id"]
    place = {"group_membership": {"user_id": desk.ids["ben"], "group_id": key}}
    desk.post("group_memberships.json", place, by="olga")
    ticket = desk.ticket(assignee_id=desk.ids["ben"], group_id=key)["id"]
    desk.put(f"users/{desk.ids['ben']}.json", {"user": {"role": "end-user"}}, by="olga")
    left = desk.get(f"tickets/{ticket}.json", by="olga")["ticket"]
    assert (left["assignee_id"], left["group_id"]) == (None, key)
