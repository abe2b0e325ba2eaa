"""Places in groups and organizations: many at once, and by the organization."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import User
from tests.helpdesk.conftest import Desk


def group(desk: Desk, name: str = "Repairs") -> int:
    return int(desk.post("groups.json", {"group": {"name": name}}, by="olga")["group"]["id"])


def organization(desk: Desk, name: str = "Berg & Co") -> int:
    made = desk.post("organizations.json", {"organization": {"name": name}}, by="olga")
    return int(made["organization"]["id"])


def done(desk: Desk, answer: Any) -> Any:
    """Run a job and return its results."""
    assert answer.status == 200, answer.body
    queued = answer.body["job_status"]
    assert queued["status"] == "queued"
    desk.drain()
    job = desk.get(f"job_statuses/{queued['id']}.json", by="olga")["job_status"]
    assert (job["status"], job["progress"]) == ("completed", job["total"])
    return job["results"]


def members(desk: Desk, key: int) -> dict[int, int]:
    """Return who is in a group: membership by user."""
    found = desk.get(f"groups/{key}/memberships.json")["group_memberships"]
    return {item["user_id"]: item["id"] for item in found}


def places(desk: Desk, user: str) -> dict[int, Any]:
    """Return a user's places: membership by organization."""
    path = f"users/{desk.ids[user]}/organization_memberships.json"
    found = desk.get(path)["organization_memberships"]
    return {item["organization_id"]: item for item in found}


def test_many_agents_are_put_into_groups(desk: Desk) -> None:
    key = group(desk)
    ana, ben, rosa = (desk.ids[name] for name in ("ana", "ben", "rosa"))
    given = [{"user_id": user, "group_id": key} for user in (ana, ben, rosa, ana)]
    body = {"group_memberships": given}
    answer = desk.call("POST", "group_memberships/create_many.json", body, by="olga")
    results = done(desk, answer)
    found = members(desk, key)
    assert set(found) == {ana, ben}
    assert results[0] == {
        "index": 0,
        "action": "create",
        "id": found[ana],
        "status": "Created",
        "success": True,
    }
    assert [item.get("error") for item in results] == [None, None, "RecordInvalid", "RecordInvalid"]
    ticket = desk.ticket(assignee_id=ben, group_id=key)
    assert (ticket["assignee_id"], ticket["group_id"]) == (ben, key)


def test_many_agents_leave_groups_and_the_tickets_they_had_there(desk: Desk) -> None:
    key = group(desk)
    ben = desk.ids["ben"]
    support = desk.get(f"users/{ben}.json")["user"]["default_group_id"]
    place = {"group_membership": {"user_id": ben, "group_id": key}}
    mine = desk.post("group_memberships.json", place, by="olga")["group_membership"]["id"]
    ticket = desk.ticket(assignee_id=ben, group_id=key)["id"]
    elsewhere = desk.ticket(assignee_id=ben, group_id=support)["id"]
    path = f"group_memberships/destroy_many.json?ids={mine},5"
    answer = desk.call("DELETE", path, by="olga")
    results = done(desk, answer)
    assert results[0] == {
        "index": 0,
        "action": "delete",
        "id": mine,
        "status": "Deleted",
        "success": True,
    }
    assert (results[1]["id"], results[1]["error"]) == (5, "RecordNotFound")
    assert members(desk, key) == {}
    left = desk.get(f"tickets/{ticket}.json")["ticket"]
    assert (left["assignee_id"], left["group_id"]) == (None, key)
    assert desk.get(f"tickets/{elsewhere}.json")["ticket"]["assignee_id"] == ben


def test_an_agent_who_leaves_the_default_group_gets_another(desk: Desk) -> None:
    key, ben = group(desk), desk.ids["ben"]
    place = {"group_membership": {"user_id": ben, "group_id": key}}
    desk.post("group_memberships.json", place, by="olga")
    support = desk.get(f"users/{ben}.json")["user"]["default_group_id"]
    mine = members(desk, support)[ben]
    done(desk, desk.call("DELETE", f"group_memberships/destroy_many.json?ids={mine}", by="olga"))
    assert desk.get(f"users/{ben}.json")["user"]["default_group_id"] == key


def test_many_users_are_put_into_organizations(desk: Desk) -> None:
    key = organization(desk)
    given = [
        {"user_id": desk.ids["tom"], "organization_id": key},
        {"user_id": desk.ids["rosa"], "organization_id": key},
        {"user_id": desk.ids["rosa"], "organization_id": 900},
    ]
    body = {"organization_memberships": given}
    results = done(desk, desk.call("POST", "organization_memberships/create_many.json", body))
    assert [item.get("status") for item in results] == ["Created", "Created", None]
    assert results[2]["error"] == "RecordInvalid"
    assert desk.get(f"users/{desk.ids['tom']}.json")["user"]["organization_id"] == key
    assert results[1]["id"] == places(desk, "rosa")[key]["id"]
    assert places(desk, "rosa")[900]["default"] is True


def test_many_users_leave_organizations_and_so_do_their_tickets(desk: Desk) -> None:
    mine = places(desk, "rosa")[900]["id"]
    ticket = desk.ticket()["id"]
    path = f"organization_memberships/destroy_many.json?ids={mine},5"
    answer = desk.call("DELETE", path)
    results = done(desk, answer)
    assert [item.get("status") for item in results] == ["Deleted", None]
    assert places(desk, "rosa") == {}
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["organization_id"] is None
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["organization_id"] is None


def test_a_user_is_taken_out_of_an_organization(desk: Desk) -> None:
    key, rosa = organization(desk), desk.ids["rosa"]
    place = {"organization_membership": {"user_id": rosa, "organization_id": key}}
    desk.post("organization_memberships.json", place)
    ticket = desk.ticket()["id"]
    other = desk.ticket(organization_id=key)["id"]
    answer = desk.call("DELETE", f"users/{rosa}/organizations/900.json")
    assert (answer.status, answer.raw) == (204, b"")
    assert list(places(desk, "rosa")) == [key]
    assert desk.get(f"users/{rosa}.json")["user"]["organization_id"] == key
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["organization_id"] is None
    assert desk.get(f"tickets/{other}.json")["ticket"]["organization_id"] == key
    assert desk.call("DELETE", f"users/{rosa}/organizations/900.json").status == 404


def test_an_organization_becomes_a_users_default_one(desk: Desk) -> None:
    key, rosa = organization(desk), desk.ids["rosa"]
    place = {"organization_membership": {"user_id": rosa, "organization_id": key}}
    made = desk.post("organization_memberships.json", place)["organization_membership"]
    path = f"users/{rosa}/organizations/{key}/make_default.json"
    shown = desk.put(path, None)["organization_membership"]
    assert (shown["id"], shown["default"]) == (made["id"], True)
    found = places(desk, "rosa")
    assert (found[key]["default"], found[900]["default"]) == (True, False)
    assert desk.get(f"users/{rosa}.json")["user"]["organization_id"] == key
    assert desk.ticket()["organization_id"] == key
    path = f"users/{desk.ids['tom']}/organizations/900/make_default.json"
    assert desk.call("PUT", path).status == 404


def test_a_call_names_at_most_a_hundred(desk: Desk) -> None:
    place = {"user_id": 1, "group_id": 1, "organization_id": 1}
    for name in ("group_memberships", "organization_memberships"):
        many: dict[str, Any] = {name: [place] * 101}
        answer = desk.call("POST", f"{name}/create_many.json", many, by="olga")
        assert (answer.status, answer.body["error"]) == (400, "TooManyValues")
        assert desk.call("POST", f"{name}/create_many.json", {}, by="olga").status == 400
        ids = ",".join(map(str, range(1, 102)))
        answer = desk.call("DELETE", f"{name}/destroy_many.json?ids={ids}", by="olga")
        assert (answer.status, answer.body["max_count"]) == (400, 100)
        answer = desk.call("DELETE", f"{name}/destroy_many.json", by="olga")
        assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_groups_are_for_admins_and_organizations_for_agents(desk: Desk) -> None:
    ben = desk.ids["ben"]
    support = desk.get(f"users/{ben}.json")["user"]["default_group_id"]
    path = f"group_memberships/destroy_many.json?ids={members(desk, support)[ben]}"
    assert desk.call("DELETE", path, by="ana").status == 403
    assert ben in members(desk, support)
    many: dict[str, Any] = {"group_memberships": []}
    assert desk.call("POST", "group_memberships/create_many.json", many, by="ana").status == 403
    rosa = f"users/{desk.ids['rosa']}/organizations/900"
    assert desk.call("DELETE", f"{rosa}.json", by="rosa").status == 403
    assert desk.call("PUT", f"{rosa}/make_default.json", by="rosa").status == 403
    many = {"organization_memberships": []}
    path = "organization_memberships/create_many.json"
    assert desk.call("POST", path, many, by="rosa").status == 403
    path = f"organization_memberships/destroy_many.json?ids={places(desk, 'rosa')[900]['id']}"
    assert desk.call("DELETE", path, by="rosa").status == 403
    assert list(places(desk, "rosa")) == [900]


def test_an_agent_is_put_into_a_group_and_taken_out_by_the_agent(desk: Desk) -> None:
    key, ben = group(desk), desk.ids["ben"]
    path = f"users/{ben}/group_memberships"
    body = {"group_membership": {"group_id": key}}
    answer = desk.call("POST", f"{path}.json", body, by="olga")
    made = answer.body["group_membership"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert members(desk, key) == {ben: made["id"]}
    assert desk.get(f"{path}/{made['id']}.json")["group_membership"] == made
    ana = f"users/{desk.ids['ana']}/group_memberships/{made['id']}.json"
    assert desk.call("GET", ana).status == 404
    assert desk.call("DELETE", ana, by="olga").status == 404
    ticket = desk.ticket(assignee_id=ben, group_id=key)["id"]
    assert desk.call("POST", f"{path}.json", body, by="olga").status == 422
    assert desk.call("DELETE", f"{path}/{made['id']}.json", by="ana").status == 403
    assert desk.call("POST", f"{path}.json", body, by="ana").status == 403
    answer = desk.call("DELETE", f"{path}/{made['id']}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert members(desk, key) == {}
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["assignee_id"] is None


def test_a_user_is_put_into_an_organization_and_taken_out_by_the_user(desk: Desk) -> None:
    key = organization(desk)
    path = f"users/{desk.ids['rosa']}/organization_memberships"
    body = {"organization_membership": {"organization_id": key}}
    answer = desk.call("POST", f"{path}.json", body)
    made = answer.body["organization_membership"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert places(desk, "rosa")[key] == made
    assert desk.get(f"{path}/{made['id']}.json")["organization_membership"] == made
    tom = f"users/{desk.ids['tom']}/organization_memberships/{made['id']}.json"
    assert desk.call("GET", tom).status == 404
    assert desk.call("DELETE", tom).status == 404
    assert desk.call("POST", f"{path}.json", body).status == 422
    assert desk.call("DELETE", f"{path}/{made['id']}.json", by="rosa").status == 403
    answer = desk.call("DELETE", f"{path}/{made['id']}.json")
    assert (answer.status, answer.raw) == (204, b"")
    assert list(places(desk, "rosa")) == [900]


def test_the_agents_of_a_group_that_work_are_listed(desk: Desk) -> None:
    support = desk.get("groups.json")["groups"][0]["id"]
    ana, ben, olga = (desk.ids[name] for name in ("ana", "ben", "olga"))
    with desk.writing():
        User.objects.filter(id=ben).update(active=False)
    path = f"groups/{support}/memberships/assignable.json"
    found = desk.get(f"{path}?include=users")
    assert {item["user_id"] for item in found["group_memberships"]} == {ana, olga}
    assert {user["id"] for user in found["users"]} == {ana, olga}
    page = desk.get(f"{path}?per_page=1&page=2")
    assert (len(page["group_memberships"]), page["count"]) == (1, 2)
    assert desk.get(f"{path}?page[size]=1")["meta"]["has_more"] is True
    assert desk.call("GET", f"groups/{group(desk)}/memberships/assignable.json").status == 200
    assert desk.call("GET", "groups/5/memberships/assignable.json").status == 404
    assert desk.call("GET", path, by="rosa").status == 403


def test_unverified_closed_tickets_keep_the_organization(desk: Desk) -> None:
    closed = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{closed}.json", {"ticket": {"status": "solved"}})
    desk.put(f"tickets/{closed}.json", {"ticket": {"status": "closed"}})
    rosa = desk.ids["rosa"]
    assert desk.call("DELETE", f"users/{rosa}/organizations/900.json").status == 204
    assert desk.get(f"tickets/{closed}.json")["ticket"]["organization_id"] == 900
