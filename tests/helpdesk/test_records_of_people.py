"""What is written of people, groups and organizations is read back through other addresses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.conftest import Desk


def ids(found: Any, name: str) -> list[int]:
    return [item["id"] for item in found[name]]


def test_users_are_counted_by_their_roles(desk: Desk) -> None:
    whole = desk.get("users/count.json")["count"]["value"]
    desk.post("users.json", {"user": {"name": "New"}})
    assert desk.get("users/count.json")["count"]["value"] == whole + 1
    assert desk.get("users/count.json?role=admin")["count"]["value"] == 1
    assert desk.get("users/count.json?role[]=agent&role[]=admin")["count"]["value"] == 3
    assert desk.get("users.json?role=end-user")["count"] == whole + 1 - 3


def test_many_users_are_changed_and_deactivated_by_jobs(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    both = f"{rosa},{tom}"
    desk.put(f"users/update_many.json?ids={both}", {"user": {"notes": "Careful"}}, by="olga")
    each = {"users": [{"id": rosa, "phone": "+4930"}, {"id": tom, "phone": "+4931"}]}
    desk.put("users/update_many.json", each, by="olga")
    desk.drain()
    for key, phone in ((rosa, "+4930"), (tom, "+4931")):
        user = desk.get(f"users/{key}.json")["user"]
        assert (user["notes"], user["phone"]) == ("Careful", phone)
    assert desk.call("DELETE", f"users/destroy_many.json?ids={both}", by="olga").status == 200
    desk.drain()
    assert {desk.get(f"users/{key}.json")["user"]["active"] for key in (rosa, tom)} == {False}


def test_addresses_are_listed_shown_and_changed(desk: Desk) -> None:
    base = f"users/{desk.ids['rosa']}/identities"
    body = {"identity": {"type": "email", "value": "rosa@home.example"}}
    made = desk.post(f"{base}.json", body)["identity"]["id"]
    listed = desk.get(f"{base}.json")
    assert [item["value"] for item in listed["identities"]] == [
        "rosa@acme.example",
        "rosa@home.example",
    ]
    assert listed["count"] == 2
    assert desk.get(f"{base}/{made}.json")["identity"]["value"] == "rosa@home.example"
    assert desk.get(f"{base}/{made}.json", by="rosa")["identity"]["id"] == made
    assert desk.call("GET", f"{base}/{made}.json", by="tom").status == 403
    desk.put(f"{base}/{made}.json", {"identity": {"value": "rosa@new.example", "verified": True}})
    changed = desk.get(f"{base}/{made}.json")["identity"]
    assert (changed["value"], changed["verified"]) == ("rosa@new.example", True)


def test_groups_are_counted_listed_and_shown(desk: Desk) -> None:
    before = desk.get("groups/count.json")["count"]["value"]
    body = {"group": {"name": "Field", "description": "Out and about"}}
    made = desk.post("groups.json", body, by="olga")["group"]["id"]
    assert desk.get("groups/count.json")["count"]["value"] == before + 1
    assert made in ids(desk.get("groups/assignable.json"), "groups")
    shown = desk.get(f"groups/{made}.json")["group"]
    assert (shown["name"], shown["description"]) == ("Field", "Out and about")
    assert desk.call("DELETE", f"groups/{made}.json", by="olga").status == 204
    assert made not in ids(desk.get("groups/assignable.json"), "groups")
    assert desk.get("groups/count.json")["count"]["value"] == before


def test_places_in_groups_are_listed_shown_and_made_the_default(desk: Desk) -> None:
    ben = desk.ids["ben"]
    group = desk.post("groups.json", {"group": {"name": "Field"}}, by="olga")["group"]["id"]
    body = {"group_membership": {"user_id": ben, "group_id": group}}
    place = desk.post("group_memberships.json", body, by="olga")["group_membership"]["id"]
    shown = desk.get(f"group_memberships/{place}.json")["group_membership"]
    assert (shown["user_id"], shown["group_id"], shown["default"]) == (ben, group, False)
    assert place in ids(desk.get("group_memberships/assignable.json"), "group_memberships")
    path = f"users/{ben}/group_memberships"
    desk.put(f"{path}/{place}/make_default.json", None, by="olga")
    mine = desk.get(f"{path}.json")["group_memberships"]
    assert {item["group_id"]: item["default"] for item in mine if item["default"]} == {group: True}
    assert len(mine) == 2
    assert desk.get(f"users/{ben}.json")["user"]["default_group_id"] == group
    desk.call("DELETE", f"users/{ben}.json", by="olga")
    assert place not in ids(desk.get("group_memberships/assignable.json"), "group_memberships")


def test_organizations_are_counted_and_shown(desk: Desk) -> None:
    before = desk.get("organizations/count.json")["count"]["value"]
    body = {"organization": {"name": "Beta", "notes": "Pays late"}}
    made = desk.post("organizations.json", body, by="olga")["organization"]["id"]
    assert desk.get("organizations/count.json")["count"]["value"] == before + 1
    shown = desk.get(f"organizations/{made}.json")["organization"]
    assert (shown["name"], shown["notes"]) == ("Beta", "Pays late")
    many = desk.get(f"organizations/show_many.json?ids={made},900,12345")
    assert sorted(ids(many, "organizations")) == [900, made]


def test_a_users_organizations_are_listed_with_the_places_in_them(desk: Desk) -> None:
    rosa = desk.ids["rosa"]
    beta = desk.post("organizations.json", {"organization": {"name": "Beta"}}, by="olga")
    key = beta["organization"]["id"]
    assert ids(desk.get(f"users/{rosa}/organizations.json"), "organizations") == [900]
    body = {"organization_membership": {"user_id": rosa, "organization_id": key}}
    place = desk.post("organization_memberships.json", body)["organization_membership"]["id"]
    found = desk.get(f"users/{rosa}/organizations.json")
    assert sorted(ids(found, "organizations")) == [900, key]
    shown = desk.get(f"organization_memberships/{place}.json")["organization_membership"]
    assert (shown["user_id"], shown["organization_id"]) == (rosa, key)
    for path in ("organization_memberships", f"organizations/{key}/organization_memberships"):
        assert place in ids(desk.get(f"{path}.json"), "organization_memberships")
    assert desk.call("DELETE", f"organization_memberships/{place}.json").status == 204
    left = desk.get(f"organizations/{key}/organization_memberships.json")
    assert left["organization_memberships"] == []


@pytest.mark.parametrize("kind", ["users", "organizations", "tickets"])
def test_tags_are_set_added_and_taken(desk: Desk, kind: str) -> None:
    key = {"users": desk.ids["rosa"], "organizations": 900}.get(kind) or desk.ticket()["id"]
    path = f"{kind}/{key}/tags.json"
    assert desk.post(path, {"tags": ["one", "two"]}, by="olga")["tags"] == ["one", "two"]
    assert desk.get(path)["tags"] == ["one", "two"]
    desk.put(path, {"tags": ["three"]}, by="olga")
    assert sorted(desk.get(path)["tags"]) == ["one", "three", "two"]
    assert desk.call("DELETE", path, {"tags": ["one"]}, by="olga").status == 200
    assert sorted(desk.get(path)["tags"]) == ["three", "two"]
    desk.post(path, {"tags": ["four"]}, by="olga")
    record = desk.get(f"{kind}/{key}.json")[kind.rstrip("s")]
    assert record["tags"] == desk.get(path)["tags"] == ["four"]


def test_customers_see_requests_that_they_are_copied_on(desk: Desk) -> None:
    copied = desk.ticket(email_ccs=[{"user_id": desk.ids["tom"], "action": "put"}])["id"]
    desk.ticket()
    assert ids(desk.get("requests/ccd.json", by="tom"), "requests") == [copied]
    assert ids(desk.get("requests.json", by="tom"), "requests") == [copied]
    assert desk.get("requests/ccd.json", by="rosa")["requests"] == []


def test_a_requests_comments_are_shown_without_notes(desk: Desk) -> None:
    key = desk.ticket()["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "Note.", "public": False}}})
    (said,) = desk.get(f"requests/{key}/comments.json", by="rosa")["comments"]
    shown = desk.get(f"requests/{key}/comments/{said['id']}.json", by="rosa")["comment"]
    assert (shown["id"], shown["body"]) == (said["id"], "It does not start.")
    note = desk.get(f"tickets/{key}/comments.json")["comments"][1]["id"]
    assert desk.call("GET", f"requests/{key}/comments/{note}.json", by="rosa").status == 404


def test_users_are_found_by_name_and_id(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert ids(desk.get("users/search.json?query=rosa"), "users") == [rosa]
    assert ids(desk.get("users/autocomplete.json?name=ros"), "users") == [rosa]
    many = desk.get(f"users/show_many.json?ids={rosa},{tom},12345")
    assert sorted(ids(many, "users")) == sorted([rosa, tom])
    assert ids(desk.get("organizations/900/users.json"), "users") == [rosa]


def test_organizations_are_found_by_name(desk: Desk) -> None:
    assert ids(desk.get("organizations/search.json?name=Acme%20Engraving"), "organizations") == [
        900
    ]
    assert ids(desk.get("organizations/autocomplete.json?name=acm"), "organizations") == [900]
    assert desk.get("organizations/autocomplete.json?name=zzz")["organizations"] == []


def test_what_is_changed_stays_changed(desk: Desk) -> None:
    group = desk.post("groups.json", {"group": {"name": "Field"}}, by="olga")["group"]["id"]
    desk.put(f"groups/{group}.json", {"group": {"name": "Works"}}, by="olga")
    assert desk.get(f"groups/{group}.json")["group"]["name"] == "Works"
    desk.put("organizations/900.json", {"organization": {"notes": "Kind"}}, by="olga")
    assert desk.get("organizations/900.json")["organization"]["notes"] == "Kind"
    body = {"user": {"email": "rosa@acme.example", "name": "Rosa D."}}
    assert desk.call("POST", "users/create_or_update.json", body).status == 200
    assert desk.get(f"users/{desk.ids['rosa']}.json")["user"]["name"] == "Rosa D."
    new = {"user": {"email": "new@acme.example", "name": "New"}}
    made = desk.post("users/create_or_update.json", new)["user"]["id"]
    assert desk.get(f"users/{made}.json")["user"]["email"] == "new@acme.example"


def test_addresses_are_verified_and_dropped(desk: Desk) -> None:
    base = f"users/{desk.ids['rosa']}/identities"
    body = {"identity": {"type": "email", "value": "rosa@home.example"}}
    made = desk.post(f"{base}.json", body)["identity"]
    assert made["verified"] is False
    desk.put(f"{base}/{made['id']}/verify.json", None)
    assert desk.get(f"{base}/{made['id']}.json")["identity"]["verified"] is True
    assert desk.call("DELETE", f"{base}/{made['id']}.json").status == 204
    assert made["id"] not in ids(desk.get(f"{base}.json"), "identities")


def test_the_places_in_a_group_are_listed(desk: Desk) -> None:
    group = desk.get("groups.json")["groups"][0]["id"]
    places = desk.get(f"groups/{group}/memberships.json")["group_memberships"]
    agents = {desk.ids[name] for name in ("olga", "ana", "ben")}
    assert {place["user_id"] for place in places} == agents
    assert {place["group_id"] for place in places} == {group}


def test_requests_are_open_until_they_are_solved(desk: Desk) -> None:
    first = desk.ticket(subject="Lid is loose", assignee_id=desk.ids["ana"])["id"]
    second = desk.ticket(subject="Fan hums")["id"]
    opened = desk.get("requests/open.json", by="rosa")
    assert sorted(ids(opened, "requests")) == [first, second]
    desk.put(f"tickets/{first}.json", {"ticket": {"status": "solved"}})
    assert ids(desk.get("requests/open.json", by="rosa"), "requests") == [second]
    assert ids(desk.get("requests/solved.json", by="rosa"), "requests") == [first]
    assert ids(desk.get("requests/search.json?query=fan", by="rosa"), "requests") == [second]
    assert desk.get("requests/search.json?query=fan", by="tom")["requests"] == []
