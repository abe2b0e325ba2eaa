"""Roles of agents: made, held, changed, removed."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def role(desk: Desk, **given: Any) -> Any:
    body = {"custom_role": {"name": "Refunds", **given}}
    return desk.post("custom_roles.json", body, by="olga", status=200)["custom_role"]


def change(desk: Desk, key: int, *, status: int = 200, **given: Any) -> Any:
    return desk.put(f"custom_roles/{key}.json", {"custom_role": given}, by="olga", status=status)


def shown(desk: Desk, key: int) -> Any:
    return desk.get(f"custom_roles/{key}.json")["custom_role"]


def hold(desk: Desk, who: str, key: int) -> None:
    desk.put(f"users/{desk.ids[who]}.json", {"user": {"custom_role_id": key}}, by="olga")


def system(desk: Desk) -> int:
    every = desk.get("custom_roles.json")["custom_roles"]
    return next(int(item["id"]) for item in every if item["role_type"] == 4)


def test_a_role_has_the_rights_it_names_and_a_plain_agents_else(desk: Desk) -> None:
    made = role(desk, description="Money", configuration={"ticket_deletion": True})
    assert (made["name"], made["description"], made["role_type"]) == ("Refunds", "Money", 0)
    assert shown(desk, made["id"]) == made
    assert made["id"] in [item["id"] for item in desk.get("custom_roles.json")["custom_roles"]]
    rights = made["configuration"]
    assert (rights["ticket_deletion"], rights["manage_triggers"]) == (True, False)
    admin = shown(desk, system(desk))["configuration"]
    assert set(rights) == set(admin)


def test_a_role_is_held_by_agents_and_cannot_go_as_long_as_it_is(desk: Desk) -> None:
    key = role(desk)["id"]
    assert shown(desk, key)["team_member_count"] == 0
    hold(desk, "ana", key)
    assert desk.get(f"users/{desk.ids['ana']}.json")["user"]["custom_role_id"] == key
    assert shown(desk, key)["team_member_count"] == 1
    answer = desk.call("DELETE", f"custom_roles/{key}.json", by="olga")
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    hold(desk, "ana", role(desk, name="Returns")["id"])
    answer = desk.call("DELETE", f"custom_roles/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"custom_roles/{key}.json").status == 404
    assert desk.call("DELETE", f"custom_roles/{key}.json", by="olga").status == 404


def test_a_change_leaves_the_other_rights_alone(desk: Desk) -> None:
    key = role(desk, configuration={"ticket_deletion": True})["id"]
    change(desk, key, name="Refunds 2", configuration={"view_access": "playonly"})
    found = shown(desk, key)
    rights = found["configuration"]
    assert (found["name"], rights["view_access"]) == ("Refunds 2", "playonly")
    assert rights["ticket_deletion"] is True


def test_rights_take_the_values_they_have_and_some_none(desk: Desk) -> None:
    key = role(desk)["id"]
    for wrong in (
        {"ticket_access": "some"},
        {"ticket_deletion": "yes"},
        {"macro_access": ["full"]},
    ):
        assert list(change(desk, key, status=422, configuration=wrong)["details"]) == [
            "configuration"
        ]
    change(desk, key, configuration={"light_agent": True, "flying": True})
    rights = shown(desk, key)["configuration"]
    assert rights["light_agent"] is False
    assert "flying" not in rights


def test_names_are_given_once(desk: Desk) -> None:
    key = role(desk)["id"]
    for name in ("", "refunds", "ADMIN"):
        body = {"custom_role": {"name": name}}
        answer = desk.call("POST", "custom_roles.json", body, by="olga")
        assert (answer.status, list(answer.body["details"])) == (422, ["name"])
    assert change(desk, key, name="REFUNDS")["custom_role"]["name"] == "REFUNDS"


def test_only_admins_write_roles(desk: Desk) -> None:
    key = role(desk)["id"]
    body = {"custom_role": {"name": "Mine"}}
    assert desk.call("POST", "custom_roles.json", body).status == 403
    assert desk.call("PUT", f"custom_roles/{key}.json", body).status == 403
    assert desk.call("DELETE", f"custom_roles/{key}.json").status == 403
    assert shown(desk, key)["name"] == "Refunds"


def test_unverified_the_systems_own_role_stays_as_it_is(desk: Desk) -> None:
    key = system(desk)
    assert list(change(desk, key, status=422, name="Boss")["details"]) == ["base"]
    assert desk.call("DELETE", f"custom_roles/{key}.json", by="olga").status == 422
    assert shown(desk, key)["name"] == "Admin"
