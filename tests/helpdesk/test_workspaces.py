"""Contextual workspaces: kept through the API, and which tickets open in them."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.workspaces import workspace_of
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import action, condition

PATH = "workspaces"
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}
URGENT = condition("priority", "is", "urgent")


def macro(desk: Desk, title: str) -> Any:
    body = {"title": title, "actions": [action("priority", "low")]}
    return desk.post("macros.json", {"macro": body}, by="olga")["macro"]


def workspace(desk: Desk, title: str = "Fires", **given: Any) -> Any:
    body = {"title": title, "conditions": {"all": [URGENT], "any": []}, **given}
    return desk.post(f"{PATH}.json", {"workspace": body}, by="olga")["workspace"]


def listed(desk: Desk) -> list[tuple[int, int]]:
    found = desk.get(f"{PATH}.json")["workspaces"]
    return [(item["id"], item["position"]) for item in found]


def opens_in(desk: Desk, ticket: int) -> str | None:
    with desk.bound():
        found = workspace_of(Ticket.objects.get(id=ticket))
        return found.title if found is not None else None


def details(answer: Any) -> dict[str, str]:
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    return {name: items[0]["description"] for name, items in answer.body["details"].items()}


def test_a_workspace_is_made_shown_changed_and_removed(desk: Desk) -> None:
    first, second = macro(desk, "One"), macro(desk, "Two")
    form = desk.get("ticket_forms.json")["ticket_forms"][0]["id"]
    given = {
        "title": "Fires",
        "description": "What burns",
        "conditions": {"all": [URGENT], "any": []},
        "macros": [second["id"], first["id"]],
        "ticket_form_id": form,
        "apps": [{"id": 7, "expand": True}, {"id": 9}],
    }
    answer = desk.call("POST", f"{PATH}.json", {"workspace": given}, by="olga")
    made = answer.body["workspace"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith("/api/v2/workspaces.json")
    assert made["macro_ids"] == [second["id"], first["id"]]
    assert made["selected_macros"] == [second, first]
    assert made["apps"] == [
        {"id": 7, "expand": True, "position": 1},
        {"id": 9, "expand": False, "position": 2},
    ]
    assert (made["ticket_form_id"], made["conditions"]) == (form, given["conditions"])
    assert (made["activated"], made["position"]) == (True, 1)
    assert (made["prefer_workspace_app_order"], made["description"]) == (True, "What burns")
    path = f"{PATH}/{made['id']}.json"
    assert desk.get(path, by="olga") == {"workspace": made}
    desk.advance(minutes=1)
    change: dict[str, Any] = {
        "title": "Cold",
        "macro_ids": [],
        "ticket_form_id": None,
        "activated": False,
    }
    changed = desk.put(path, {"workspace": {**change, "colour": "red"}}, by="olga")["workspace"]
    assert changed == desk.get(path, by="olga")["workspace"]
    assert changed["updated_at"] > made["updated_at"]
    assert changed == {
        **made,
        **change,
        "selected_macros": [],
        "updated_at": changed["updated_at"],
    }
    assert desk.call("DELETE", path, by="olga").status == 204
    for method in ("GET", "PUT", "DELETE"):
        gone = desk.call(method, path, {"workspace": {}}, by="olga")
        assert (gone.status, gone.body) == (404, NOT_FOUND)
    assert listed(desk) == []


def test_workspaces_are_listed_in_their_order(desk: Desk) -> None:
    a, b, c = (workspace(desk, title)["id"] for title in "abc")
    answer = desk.call("PUT", f"{PATH}/reorder.json", {"ids": [c, a]}, by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    assert listed(desk) == [(c, 1), (a, 2), (b, 3)]
    page = desk.get(f"{PATH}.json?per_page=2&page=2")
    assert ([item["id"] for item in page["workspaces"]], page["count"]) == ([b], 3)
    assert page["next_page"] is None
    assert desk.get(f"{PATH}.json?page[size]=1")["count"] == 3
    desk.put(f"{PATH}/{b}.json", {"workspace": {"position": 0}}, by="olga")
    assert [key for key, _ in listed(desk)] == [b, c, a]


def test_unverified_an_order_of_unknown_workspaces_is_refused_as_a_whole(desk: Desk) -> None:
    a, b = (workspace(desk, title)["id"] for title in "ab")
    refused = desk.call("PUT", f"{PATH}/reorder.json", {"ids": [b, a, 17]}, by="olga")
    assert (refused.status, refused.body) == (404, NOT_FOUND)
    assert listed(desk) == [(a, 1), (b, 2)]


def test_unverified_a_deletion_passes_over_unknown_workspaces(desk: Desk) -> None:
    a, b = (workspace(desk, title)["id"] for title in "ab")
    answer = desk.call("DELETE", f"{PATH}/destroy_many.json?ids={a},17", by="olga")
    assert answer.status == 200
    assert [key for key, _ in listed(desk)] == [b]


def test_several_workspaces_are_removed_at_once(desk: Desk) -> None:
    a, b, c = (workspace(desk, title)["id"] for title in "abc")
    path = f"{PATH}/destroy_many.json"
    answer = desk.call("DELETE", f"{path}?ids={a},{c}", by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    assert [key for key, _ in listed(desk)] == [b]
    for query, error in (("", "RequiredParameterMissing"), ("?ids=x", None)):
        refused = desk.call("DELETE", f"{path}{query}", by="olga")
        assert refused.status == 400
        assert error is None or refused.body["error"] == error


def test_agents_list_workspaces_and_admins_keep_them(desk: Desk) -> None:
    key = workspace(desk)["id"]
    body = {"workspace": {"title": "x", "conditions": {"all": [URGENT]}}, "ids": [key]}
    for method, path in (
        ("POST", PATH),
        ("GET", f"{PATH}/{key}"),
        ("PUT", f"{PATH}/{key}"),
        ("DELETE", f"{PATH}/{key}"),
        ("DELETE", f"{PATH}/destroy_many"),
        ("PUT", f"{PATH}/reorder"),
    ):
        for who in ("ana", "rosa"):
            answer = desk.call(method, f"{path}.json?ids={key}", body, by=who)
            assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden")
        assert desk.call(method, f"{path}.json", body, by=None).status == 401
    assert listed(desk) == [(key, 1)]
    assert desk.call("GET", f"{PATH}.json", by="rosa").status == 403
    assert desk.call("GET", f"{PATH}.json", by=None).status == 401


def test_unverified_words_of_refusals(desk: Desk) -> None:
    made = workspace(desk)
    fit = {"title": "x", "conditions": {"all": [URGENT]}}
    cases: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({"title": " "}, {"title": "Title: cannot be blank"}),
        (
            {"conditions": {"all": [], "any": []}},
            {"conditions": "Conditions: must have at least one condition"},
        ),
        (
            {"conditions": {"all": [condition("colour", "is", "red")]}},
            {"conditions": "Conditions: colour is not a valid field"},
        ),
        ({"macros": [17]}, {"macros": "Macros: are invalid"}),
        ({"macros": [2**70]}, {"macros": "Macros: are invalid"}),
        ({"ticket_form_id": 17}, {"ticket_form_id": "Ticket form: is invalid"}),
        ({"position": -1}, {"position": "Position: is invalid"}),
    ]
    for given, expected in cases:
        body = {"workspace": {**fit, **given}}
        assert details(desk.call("POST", f"{PATH}.json", body, by="olga")) == expected
        body = {"workspace": given}
        path = f"{PATH}/{made['id']}.json"
        assert details(desk.call("PUT", path, body, by="olga")) == expected
    refused = desk.call("POST", f"{PATH}.json", {}, by="olga")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.get(f"{PATH}.json")["workspaces"] == [made]


def test_a_ticket_opens_in_the_first_active_workspace_that_it_meets(desk: Desk) -> None:
    tagged = {"all": [], "any": [condition("current_tags", "includes", "hot")]}
    first = workspace(desk, "Hot", conditions=tagged)["id"]
    workspace(desk, "Fires")
    both = desk.ticket(priority="urgent", tags=["hot"])["id"]
    urgent = desk.ticket(priority="urgent")["id"]
    plain = desk.ticket()["id"]
    assert [opens_in(desk, key) for key in (both, urgent, plain)] == ["Hot", "Fires", None]
    desk.put(f"{PATH}/{first}.json", {"workspace": {"activated": False}}, by="olga")
    assert opens_in(desk, both) == "Fires"
    desk.put(f"tickets/{both}.json", {"ticket": {"priority": "low"}})
    assert opens_in(desk, both) is None


def test_deleted_macros_and_forms_leave_workspaces(desk: Desk) -> None:
    kept, gone = macro(desk, "Kept"), macro(desk, "Gone")
    form = desk.post("ticket_forms.json", {"ticket_form": {"name": "F"}}, by="olga")
    form_id = form["ticket_form"]["id"]
    workspace(desk, macros=[gone["id"], kept["id"]], ticket_form_id=form_id)
    assert desk.call("DELETE", f"macros/{gone['id']}.json", by="olga").status == 204
    assert desk.call("DELETE", f"ticket_forms/{form_id}.json", by="olga").status == 204
    (found,) = desk.get(f"{PATH}.json")["workspaces"]
    assert (found["macro_ids"], found["ticket_form_id"]) == ([kept["id"]], None)
    assert [item["id"] for item in found["selected_macros"]] == [kept["id"]]
