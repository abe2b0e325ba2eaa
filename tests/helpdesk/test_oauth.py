"""Programs that may act for people: their tokens really sign in, and do what their scopes say."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.accounts import account_cards
from clones.helpdesk.rules.scopes import allows
from tests.helpdesk.conftest import Answer, Desk


def program(desk: Desk, **given: Any) -> Any:
    body = {"name": "Reports", "identifier": "reports", **given}
    return desk.post("oauth/clients.json", {"client": body}, by="olga")["client"]


def token(desk: Desk, client: int, *scopes: str) -> Any:
    body = {"token": {"client_id": client, "scopes": list(scopes)}}
    return desk.post("oauth/tokens.json", body, by="olga")["token"]


def use(desk: Desk, text: str, method: str, path: str, body: Any = None) -> Answer:
    return desk.call(method, path, body, by=None, Authorization=f"Bearer {text}")


def test_a_program_is_made_shown_changed_and_removed(desk: Desk) -> None:
    body = {
        "name": "Reports",
        "identifier": "reports",
        "company": "Kestrel",
        "redirect_uri": ["https://reports.example/back"],
    }
    answer = desk.call("POST", "oauth/clients.json", {"client": body}, by="olga")
    made = answer.body["client"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert {name: made[name] for name in body} == body
    assert (made["user_id"], made["kind"], made["global"]) == (
        desk.ids["olga"],
        "confidential",
        False,
    )
    path = f"oauth/clients/{made['id']}.json"
    found = desk.get(path, by="olga")["client"]
    assert len(made["secret"]) > 40
    assert found == {**made, "secret": made["secret"][:10]}, "a secret is shown whole once"
    desk.put(path, {"client": {"name": "Figures", "redirect_uri": []}}, by="olga")
    found = desk.get(path, by="olga")["client"]
    assert (found["name"], found["redirect_uri"], found["company"]) == ("Figures", [], "Kestrel")
    assert desk.call("DELETE", path, by="olga").status == 204
    for method in ("GET", "PUT", "DELETE"):
        gone = desk.call(method, path, {"client": {"name": "x"}}, by="olga")
        assert (gone.status, gone.body["error"]) == (404, "RecordNotFound")
    path = path.replace(".json", "/generate_secret.json")
    assert desk.call("PUT", path, by="olga").status == 404


def test_a_program_gets_another_secret(desk: Desk) -> None:
    made = program(desk)
    path = f"oauth/clients/{made['id']}"
    renewed = desk.put(f"{path}/generate_secret.json", None, by="olga")["client"]
    assert renewed["secret"] != made["secret"]
    assert len(renewed["secret"]) == len(made["secret"])
    shown = desk.get(f"{path}.json", by="olga")["client"]["secret"]
    assert shown == renewed["secret"][:10]


def test_a_program_that_cannot_be_is_refused(desk: Desk) -> None:
    key = program(desk)["id"]
    other = program(desk, identifier="other")["id"]

    def refused(**given: Any) -> list[str]:
        body = {"name": "Reports", "identifier": "third", **given}
        answer = desk.call("POST", "oauth/clients.json", {"client": body}, by="olga")
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
        changed = desk.call("PUT", f"oauth/clients/{other}.json", {"client": given}, by="olga")
        assert changed.status == 422
        return list(answer.body["details"])

    assert refused(name=" ") == ["name"]
    assert refused(identifier="") == ["identifier"]
    assert refused(identifier="reports") == ["identifier"]
    assert refused(kind="secret") == ["kind"]
    assert refused(redirect_uri=["/back"]) == ["redirect_uri"]
    assert refused(redirect_uri="ftp://reports.example") == ["redirect_uri"]
    found = desk.get("oauth/clients.json", by="olga")["clients"]
    assert [item["id"] for item in found] == [key, other]


def test_programs_and_tokens_come_in_both_pagings(desk: Desk) -> None:
    clients = [program(desk, identifier=f"program-{number}")["id"] for number in range(3)]
    tokens = [token(desk, key, "read")["id"] for key in clients]
    for name, keys in (("clients", clients), ("tokens", tokens)):
        path = f"oauth/{name}.json"
        page = desk.get(f"{path}?per_page=2", by="olga")
        assert ([item["id"] for item in page[name]], page["count"]) == (keys[:2], 3)
        cut = desk.get(f"{path}?page[size]=2", by="olga")
        after = cut["meta"]["after_cursor"]
        rest = desk.get(f"{path}?page[size]=2&page[after]={after}", by="olga")
        assert [item["id"] for item in rest[name]] == keys[2:]
        assert desk.call("GET", f"{path}?page[size]=101", by="olga").status == 400
    found = desk.get(f"oauth/tokens.json?client_id={clients[1]}", by="olga")["tokens"]
    assert [item["id"] for item in found] == [tokens[1]]


def test_a_token_signs_its_maker_in(desk: Desk) -> None:
    made = token(desk, program(desk)["id"], "read", "write")
    text = made["token"]
    me = use(desk, text, "GET", "users/me.json")
    assert (me.status, me.body["user"]["id"]) == (200, desk.ids["olga"])
    body = {"group": {"name": "Made by a program"}}
    assert use(desk, text, "POST", "groups.json", body).status == 201
    names = [item["name"] for item in desk.get("groups.json")["groups"]]
    assert "Made by a program" in names
    current = use(desk, text, "GET", "oauth/tokens/current.json").body["token"]
    assert current == {**made, "token": text[:10]}
    assert desk.get(f"oauth/tokens/{made['id']}.json", by="olga")["token"] == current
    assert (current["scopes"], current["user_id"]) == (["read", "write"], desk.ids["olga"])


def test_a_revoked_token_signs_nobody_in(desk: Desk) -> None:
    client = program(desk)["id"]
    first, second, third = (token(desk, client, "read", "write") for _ in range(3))
    path = f"oauth/tokens/{first['id']}.json"
    assert desk.call("DELETE", path, by="olga").status == 204
    assert use(desk, first["token"], "GET", "users/me.json").status == 401
    assert desk.call("GET", path, by="olga").status == 404
    assert desk.call("DELETE", path, by="olga").status == 404
    assert use(desk, second["token"], "DELETE", "oauth/tokens/current.json").status == 204
    assert use(desk, second["token"], "GET", "users/me.json").status == 401
    assert use(desk, third["token"], "GET", "users/me.json").status == 200
    desk.call("DELETE", f"oauth/clients/{client}.json", by="olga")
    assert use(desk, third["token"], "GET", "users/me.json").status == 401


def test_a_token_does_what_its_scopes_say(desk: Desk) -> None:
    client = program(desk)["id"]
    key = desk.ticket()["id"]
    change = {"ticket": {"priority": "high"}}

    def allowed(*scopes: str) -> list[bool]:
        text = token(desk, client, *scopes)["token"]
        calls = [
            use(desk, text, "GET", f"tickets/{key}.json"),
            use(desk, text, "PUT", f"tickets/{key}.json", change),
            use(desk, text, "GET", "users.json"),
        ]
        assert {answer.status for answer in calls} <= {200, 403}
        return [answer.status == 200 for answer in calls]

    assert allowed("read") == [True, False, True]
    assert allowed("tickets:read") == [True, False, False]
    assert desk.get(f"tickets/{key}.json")["ticket"]["priority"] is None
    assert allowed("tickets:write", "read") == [True, True, True]
    assert desk.get(f"tickets/{key}.json")["ticket"]["priority"] == "high"
    assert allowed("nonsense") == [False, False, False]
    assert allowed() == [False, False, False]


@pytest.mark.parametrize(
    ("scopes", "method", "resource", "wanted"),
    [
        (["read"], "GET", "search", True),
        (["write"], "GET", "search", False),
        (["write"], "PATCH", "queues", True),
        (["tickets"], "DELETE", "tickets", True),
        (["tickets"], "GET", "users", False),
        (["users:read"], "HEAD", "users", True),
        (["users:read"], "POST", "users", False),
        (["search:read"], "GET", "search", False),
    ],
)
def test_scopes_allow(scopes: list[str], method: str, resource: str, wanted: bool) -> None:
    assert allows(scopes, method, resource) == wanted


def test_a_token_needs_a_program_and_scopes(desk: Desk) -> None:
    body: dict[str, Any] = {"token": {"client_id": 5, "scopes": ["read"]}}
    answer = desk.call("POST", "oauth/tokens.json", body, by="olga")
    assert (answer.status, list(answer.body["details"])) == (422, ["client_id"])
    body = {"token": {"client_id": program(desk)["id"]}}
    answer = desk.call("POST", "oauth/tokens.json", body, by="olga")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_admins_keep_programs_and_everybody_sees_their_own_tokens(desk: Desk) -> None:
    client = program(desk)["id"]
    made = token(desk, client, "read")
    path = f"oauth/clients/{client}"
    calls: list[tuple[str, str, Any]] = [
        ("GET", "oauth/clients.json", None),
        ("POST", "oauth/clients.json", {"client": {"name": "x", "identifier": "x"}}),
        ("GET", f"{path}.json", None),
        ("PUT", f"{path}.json", {"client": {"name": "x"}}),
        ("DELETE", f"{path}.json", None),
        ("PUT", f"{path}/generate_secret.json", None),
        ("GET", "oauth/tokens.json", None),
        ("POST", "oauth/tokens.json", {"token": {"client_id": client, "scopes": ["read"]}}),
    ]
    for method, address, body in calls:
        answer = desk.call(method, address, body)
        assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden")
        assert desk.call(method, address, body, by=None).status == 401
    for who in ("ana", "rosa"):
        for method in ("GET", "DELETE"):
            answer = desk.call(method, f"oauth/tokens/{made['id']}.json", by=who)
            assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")
    for odd in ("current", "x", "9" * 30):
        assert desk.call("GET", f"oauth/tokens/{odd}.json", by="olga").status == 404
    assert use(desk, made["token"], "GET", "users/me.json").status == 200


def test_the_tokens_of_all_are_listed_where_asked(desk: Desk) -> None:
    made = token(desk, program(desk)["id"], "read")
    desk.put(f"users/{desk.ids['ana']}.json", {"user": {"role": "admin"}}, by="olga")
    assert desk.get("oauth/tokens.json", by="ana")["tokens"] == []
    found = desk.get("oauth/tokens.json?all=true", by="ana")["tokens"]
    assert [item["id"] for item in found] == [made["id"]]
    assert found[0]["token"] == made["token"][:10]


def test_what_a_sandbox_hands_out_stays_what_it_was(desk: Desk) -> None:
    token(desk, program(desk)["id"], "read")
    with desk.bound():
        cards = {card.subject: card for card in account_cards(desk.row)}
    handed = cards[str(desk.ids["olga"])].secrets["oauth_token"]
    assert handed == desk.cards["olga"].secrets["oauth_token"]
    body = {"group": {"name": "By the token handed out"}}
    assert use(desk, handed, "POST", "groups.json", body).status == 201


def test_unverified_words_of_a_missing_scope(desk: Desk) -> None:
    text = token(desk, program(desk)["id"], "read")["token"]
    answer = use(desk, text, "POST", "groups.json", {"group": {"name": "x"}})
    assert answer.status == 403
    assert answer.body == {
        "error": "Forbidden",
        "description": "You are missing the following required scopes: write",
    }


def test_unverified_the_beginning_of_a_clients_secret_is_shown(desk: Desk) -> None:
    made = program(desk)
    found = desk.get(f"oauth/clients/{made['id']}.json", by="olga")["client"]
    assert found["secret"] == made["secret"][:10]


def test_unverified_a_program_is_confidential_unless_it_says_otherwise(desk: Desk) -> None:
    assert program(desk)["kind"] == "confidential"
    assert program(desk, identifier="open", kind="public")["kind"] == "public"
