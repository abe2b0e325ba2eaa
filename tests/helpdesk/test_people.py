"""Users, addresses, organizations and groups through the API."""

from __future__ import annotations

import pytest

from tests.helpdesk.conftest import Desk


def test_a_user_is_made_found_changed_and_deactivated(desk: Desk) -> None:
    body = {"name": "Nia Osei", "email": "Nia@Acme.example", "tags": ["VIP"], "phone": "+4930123"}
    made = desk.post("users.json", {"user": body})["user"]
    assert (made["email"], made["role"], made["tags"]) == ("nia@acme.example", "end-user", ["vip"])
    assert made["organization_id"] == 900
    for query in ("nia", "osei", "nia@acme.example", "email:nia@acme.example", "%2B4930123"):
        assert desk.get(f"users/search.json?query={query}")["count"] == 1, query
    assert desk.get("users/search.json?query=iao")["count"] == 0
    assert desk.get("users/autocomplete.json?name=ose")["count"] == 1
    path = f"users/{made['id']}.json"
    tier = {"user_field": {"key": "tier", "title": "Tier"}}
    desk.post("user_fields.json", tier, by="olga")
    changed = desk.put(path, {"user": {"notes": "Careful", "user_fields": {"tier": "gold"}}})[
        "user"
    ]
    assert (changed["notes"], changed["user_fields"]) == ("Careful", {"tier": "gold"})
    assert desk.call("DELETE", path).body["user"]["active"] is False
    assert desk.get("users/search.json?query=nia")["count"] == 0
    assert desk.get(path)["user"]["active"] is False


@pytest.mark.parametrize(
    ("body", "attribute"),
    [
        ({"name": ""}, "name"),
        ({"name": "X", "email": "nonsense"}, "email"),
        ({"name": "X", "email": "rosa@acme.example"}, "email"),
        ({"name": "X", "organization_id": 1}, "organization"),
    ],
)
def test_bad_users_are_refused(desk: Desk, body: dict[str, object], attribute: str) -> None:
    answer = desk.call("POST", "users.json", {"user": body})
    assert answer.status == 422
    assert attribute in answer.body["details"]


def test_agents_are_made_by_admins_and_join_the_default_group(desk: Desk) -> None:
    body = {"user": {"name": "Eve", "email": "eve@desk.example", "role": "agent"}}
    assert desk.call("POST", "users.json", body).status == 403
    made = desk.post("users.json", body, by="olga")["user"]
    assert made["default_group_id"] is not None
    groups = desk.get(f"users/{made['id']}/groups.json")["groups"]
    assert [group["name"] for group in groups] == ["Support"]
    assert desk.get("users.json?role[]=agent&role[]=admin")["count"] == 4


def test_one_call_creates_or_updates(desk: Desk) -> None:
    body = {"user": {"name": "Rosa D.", "email": "rosa@acme.example"}}
    again = desk.call("POST", "users/create_or_update.json", body)
    assert (again.status, again.body["user"]["id"]) == (200, desk.ids["rosa"])
    assert again.body["user"]["name"] == "Rosa D."
    new = {"user": {"name": "New", "email": "new@x.example"}}
    assert desk.call("POST", "users/create_or_update.json", new).status == 201


def test_many_users_at_once_are_a_job(desk: Desk) -> None:
    many = {"users": [{"name": "A"}, {"name": ""}]}
    job = desk.post("users/create_many.json", many, by="olga", status=200)["job_status"]
    desk.drain()
    results = desk.get(f"job_statuses/{job['id']}.json", by="olga")["job_status"]["results"]
    assert [item.get("status") for item in results] == ["Created", None]
    assert results[1]["error"] == "RecordInvalid"


def test_addresses_are_added_promoted_and_dropped(desk: Desk) -> None:
    base = f"users/{desk.ids['rosa']}/identities"
    body = {"identity": {"type": "email", "value": "rosa@home.example"}}
    made = desk.post(f"{base}.json", body)["identity"]
    assert (made["primary"], made["verified"], made["undeliverable_count"]) == (False, False, 0)
    taken = {"identity": {"type": "email", "value": "tom@acme.example"}}
    assert desk.call("POST", f"{base}.json", taken).status == 422
    assert desk.put(f"{base}/{made['id']}/verify.json", None)["identity"]["verified"] is True
    listed = desk.put(f"{base}/{made['id']}/make_primary.json", None)["identities"]
    assert {item["value"]: item["primary"] for item in listed} == {
        "rosa@acme.example": False,
        "rosa@home.example": True,
    }
    user = desk.get(f"users/{desk.ids['rosa']}.json")["user"]
    assert user["email"] == "rosa@home.example"
    assert desk.call("DELETE", f"{base}/{made['id']}.json").status == 422
    first = next(item["id"] for item in listed if not item["primary"])
    assert desk.call("DELETE", f"{base}/{first}.json").status == 204
    ticket = desk.ticket(requester_id=None, requester={"email": "rosa@home.example"})
    assert ticket["requester_id"] == desk.ids["rosa"]


def test_what_belongs_to_a_user_is_counted(desk: Desk) -> None:
    desk.ticket(assignee_id=desk.ids["ana"])
    assert desk.get(f"users/{desk.ids['rosa']}/related.json")["user_related"] == {
        "assigned_tickets": 0,
        "requested_tickets": 1,
        "ccd_tickets": 0,
        "organization_subscriptions": 0,
    }
    assert desk.get(f"users/{desk.ids['ana']}/tickets/assigned.json")["count"] == 1
    assert desk.get("organizations/900/tickets.json")["count"] == 1
    assert desk.get("organizations/900/users.json")["count"] == 1
    related = desk.get("organizations/900/related.json")["organization_related"]
    assert related == {"tickets_count": 1, "users_count": 1}


def test_organizations_have_unique_names_and_claim_domains(desk: Desk) -> None:
    body = {"organization": {"name": "Beta", "domain_names": ["beta.example"]}}
    made = desk.post("organizations.json", body, by="olga")["organization"]
    double = desk.call("POST", "organizations.json", body, by="olga")
    assert double.status == 422
    assert double.body["details"]["name"] == [
        {"description": "Name: has already been taken", "error": "DuplicateValue"}
    ]
    user = desk.post("users.json", {"user": {"name": "B", "email": "b@beta.example"}})["user"]
    assert user["organization_id"] == made["id"]
    assert desk.get("organizations/autocomplete.json?name=be")["count"] == 1
    assert desk.get("organizations/search.json?name=beta")["count"] == 1
    places = desk.get(f"users/{user['id']}/organization_memberships.json")
    assert places["organization_memberships"][0]["default"] is True
    assert desk.call("DELETE", f"organizations/{made['id']}.json", by="olga").status == 204
    assert desk.get(f"users/{user['id']}.json")["user"]["organization_id"] is None


def test_a_user_can_belong_to_two_organizations(desk: Desk) -> None:
    beta = desk.post("organizations.json", {"organization": {"name": "Beta"}}, by="olga")
    key = beta["organization"]["id"]
    body = {"organization_membership": {"user_id": desk.ids["rosa"], "organization_id": key}}
    place = desk.post("organization_memberships.json", body)["organization_membership"]
    assert (place["default"], place["organization_name"]) == (False, "Beta")
    assert desk.ticket(organization_id=key)["organization_id"] == key
    wrong = {
        "ticket": {
            "requester_id": desk.ids["tom"],
            "organization_id": key,
            "comment": {"body": "x"},
        }
    }
    assert desk.call("POST", "tickets.json", wrong).status == 422
    path = f"users/{desk.ids['rosa']}/organization_memberships/{place['id']}/make_default.json"
    desk.put(path, None)
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["organization_id"] == key
    assert desk.call("DELETE", f"organization_memberships/{place['id']}.json").status == 204
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["organization_id"] == 900


def test_groups_take_and_lose_agents(desk: Desk) -> None:
    group = desk.post("groups.json", {"group": {"name": "Field"}}, by="olga")["group"]["id"]
    refused = {"ticket": {"assignee_id": desk.ids["ben"], "group_id": group}}
    key = desk.ticket()["id"]
    assert desk.call("PUT", f"tickets/{key}.json", refused).status == 422
    body = {"group_membership": {"user_id": desk.ids["ben"], "group_id": group}}
    place = desk.post("group_memberships.json", body, by="olga")["group_membership"]
    assert desk.call("POST", "group_memberships.json", body, by="olga").status == 422
    assert desk.put(f"tickets/{key}.json", refused)["ticket"]["group_id"] == group
    assert desk.get(f"groups/{group}/memberships.json")["count"] == 1
    assert desk.get(f"groups/{group}/users.json")["users"][0]["id"] == desk.ids["ben"]
    assert desk.call("DELETE", f"group_memberships/{place['id']}.json", by="olga").status == 204
    assert desk.get(f"tickets/{key}.json")["ticket"]["assignee_id"] is None
    assert desk.call("DELETE", f"groups/{group}.json", by="olga").status == 204
    assert desk.get(f"tickets/{key}.json")["ticket"]["group_id"] is None
    support = desk.get("groups.json")["groups"][0]["id"]
    assert desk.call("DELETE", f"groups/{support}.json", by="olga").status == 422


def test_moving_a_ticket_to_a_group_drops_an_assignee_outside_it(desk: Desk) -> None:
    group = desk.post("groups.json", {"group": {"name": "Field"}}, by="olga")["group"]["id"]
    key = desk.ticket(assignee_id=desk.ids["ben"])["id"]
    ticket = desk.put(f"tickets/{key}.json", {"ticket": {"group_id": group}})["ticket"]
    assert (ticket["group_id"], ticket["assignee_id"]) == (group, None)


def test_end_users_change_their_own_name_only(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}.json"
    assert desk.put(path, {"user": {"name": "Rosa"}}, by="rosa")["user"]["name"] == "Rosa"
    assert desk.call("PUT", path, {"user": {"role": "admin"}}, by="rosa").status == 403
    other = f"users/{desk.ids['tom']}.json"
    assert desk.call("PUT", other, {"user": {"name": "x"}}, by="rosa").status == 403


@pytest.mark.parametrize(
    "given",
    [
        {"ticket_restriction": "groups"},
        {"custom_role_id": 1},
        {"only_private_comments": True},
        {"moderator": True},
    ],
)
def test_agents_do_not_change_what_they_may_do(desk: Desk, given: dict[str, object]) -> None:
    path = f"users/{desk.ids['ana']}.json"
    assert desk.call("PUT", path, {"user": {"name": "Ana C.", **given}}).status == 403
    assert desk.get(path)["user"]["name"] == "Ana Costa"
    as_it_is = {name: desk.get(path)["user"][name] for name in given}
    desk.put(path, {"user": {"name": "Ana C.", **as_it_is}})
    if "custom_role_id" not in given:
        desk.put(path, {"user": given}, by="olga")


def test_requests_show_customers_their_own_only(desk: Desk) -> None:
    mine = desk.ticket()["id"]
    theirs = desk.ticket(requester_id=desk.ids["tom"])["id"]
    listed = desk.get("requests.json", by="rosa")
    assert [item["id"] for item in listed["requests"]] == [mine]
    assert desk.call("GET", f"requests/{theirs}.json", by="rosa").status == 404
    desk.put(f"tickets/{mine}.json", {"ticket": {"status": "hold", "assignee_id": desk.ids["ana"]}})
    shown = desk.get(f"requests/{mine}.json", by="rosa")["request"]
    assert (shown["status"], shown["can_be_solved_by_me"]) == ("open", True)
    done = desk.put(f"requests/{mine}.json", {"request": {"solved": True}}, by="rosa")["request"]
    assert done["status"] == "solved"
    assert desk.get("requests/solved.json", by="rosa")["count"] == 1
    assert desk.get("requests/open.json", by="rosa")["count"] == 0
    assert desk.get("requests/search.json?query=laser", by="rosa")["count"] == 1
