"""Sessions and passwords through the API."""

from __future__ import annotations

import pytest

from clones.core.accounts import session_cookie, start_session
from clones.core.accounts.authentication import basic_header
from clones.core.accounts.sessions import csrf_token
from clones.core.models import Account
from tests.helpdesk.conftest import Answer, Desk


def _sign_in(desk: Desk, name: str) -> tuple[int, dict[str, str]]:
    """Return a new session of somebody and the headers that prove it."""
    with desk.writing():
        account = Account.objects.get(clone="helpdesk", subject=str(desk.ids[name]))
        session = start_session(account)
        cookie, token = session_cookie(session, desk.row), csrf_token(session, desk.row)
    return session.id, {"Cookie": f"_helpdesk_session={cookie}", "X-CSRF-Token": token}


def _as(desk: Desk, headers: dict[str, str], method: str, path: str) -> Answer:
    return desk.call(method, path, by=None, **headers)


def test_admins_see_all_sessions_and_others_their_own(desk: Desk) -> None:
    anas, _ = _sign_in(desk, "ana")
    bens, _ = _sign_in(desk, "ben")
    everybody = desk.get("sessions.json", by="olga")
    assert {item["id"]: item["user_id"] for item in everybody["sessions"]} == {
        anas: desk.ids["ana"],
        bens: desk.ids["ben"],
    }
    assert [item["id"] for item in desk.get("sessions.json", by="ana")["sessions"]] == [anas]
    assert desk.get("sessions.json", by="rosa")["sessions"] == []
    page = desk.get("sessions.json?page[size]=1", by="olga")
    assert ([item["id"] for item in page["sessions"]], page["meta"]["has_more"]) == ([anas], True)
    following = desk.get(page["links"]["next"].partition("/api/v2/")[2], by="olga")
    assert [item["id"] for item in following["sessions"]] == [bens]
    assert desk.get("sessions.json?per_page=1&page=2", by="olga")["sessions"][0]["id"] == bens
    assert desk.call("GET", "sessions.json?per_page=x", by="olga").status == 400
    assert desk.call("GET", "sessions.json", by=None).status == 401


def test_sessions_of_a_user_are_listed_for_them_and_for_admins(desk: Desk) -> None:
    """In the vendor's pages and clients; its description has only how they are ended."""
    anas, _ = _sign_in(desk, "ana")
    _sign_in(desk, "ben")
    path = f"users/{desk.ids['ana']}/sessions.json"
    for who in ("ana", "olga"):
        assert [item["id"] for item in desk.get(path, by=who)["sessions"]] == [anas]
    assert desk.call("GET", path, by="ben").status == 403
    assert desk.call("GET", "users/1/sessions.json", by="olga").status == 404


def test_a_session_is_shown_and_ended_by_its_owner_or_an_admin(desk: Desk) -> None:
    key, headers = _sign_in(desk, "ana")
    path = f"users/{desk.ids['ana']}/sessions/{key}.json"
    shown = desk.get(path)["session"]
    assert (shown["id"], shown["user_id"]) == (key, desk.ids["ana"])
    assert shown["url"].endswith(path)
    assert desk.call("GET", path, by="ben").status == 403
    assert desk.call("DELETE", path, by="ben").status == 403
    other = f"users/{desk.ids['ben']}/sessions/{key}.json"
    assert desk.call("GET", other, by="olga").status == 404
    assert _as(desk, headers, "GET", "tickets.json").status == 200
    assert desk.call("DELETE", path, by="olga").status == 204
    assert _as(desk, headers, "GET", "tickets.json").status == 401
    assert desk.call("GET", path).status == 404
    assert desk.call("DELETE", path).status == 404


def test_all_sessions_of_a_user_are_ended_at_once(desk: Desk) -> None:
    signed_in = [_sign_in(desk, "ana")[1] for _ in range(2)]
    _, bens = _sign_in(desk, "ben")
    path = f"users/{desk.ids['ana']}/sessions.json"
    assert desk.call("DELETE", path, by="ben").status == 403
    assert desk.call("DELETE", path).status == 204
    for headers in signed_in:
        assert _as(desk, headers, "GET", "tickets.json").status == 401
    assert _as(desk, bens, "GET", "tickets.json").status == 200
    assert desk.call("DELETE", "users/1/sessions.json", by="olga").status == 404


def test_admins_sign_many_users_out(desk: Desk) -> None:
    _, anas = _sign_in(desk, "ana")
    _, rosas = _sign_in(desk, "rosa")
    path = f"users/logout_many.json?ids={desk.ids['ana']},{desk.ids['rosa']},1"
    assert desk.call("POST", path).status == 403
    assert desk.call("POST", path, by="olga").status == 202
    assert _as(desk, anas, "GET", "requests.json").status == 401
    assert _as(desk, rosas, "GET", "requests.json").status == 401
    assert desk.call("POST", "users/logout_many.json", by="olga").status == 400


def test_the_session_of_a_call_is_shown_renewed_and_ended(desk: Desk) -> None:
    key, headers = _sign_in(desk, "ana")
    assert _as(desk, headers, "GET", "users/me/session.json").body["session"]["id"] == key
    token = _as(desk, headers, "GET", "users/me/session/renew.json").body["authenticity_token"]
    assert token == headers["X-CSRF-Token"]
    bare = {"Cookie": headers["Cookie"]}
    assert _as(desk, bare, "DELETE", "users/me/logout.json").status == 403
    assert _as(desk, headers, "DELETE", "users/me/logout.json").status == 204
    assert _as(desk, headers, "GET", "tickets.json").status == 401
    for path in ("users/me/session.json", "users/me/session/renew.json"):
        assert _as(desk, headers, "GET", path).status == 401


def test_without_a_session_signing_out_does_nothing(desk: Desk) -> None:
    key, headers = _sign_in(desk, "ana")
    assert desk.call("DELETE", "users/me/logout.json").status == 204
    assert _as(desk, headers, "GET", "users/me/session.json").body["session"]["id"] == key


@pytest.mark.parametrize("path", ["users/me/session.json", "users/me/session/renew.json"])
def test_unverified_a_call_by_token_has_no_session(desk: Desk, path: str) -> None:
    answer = desk.call("GET", path)
    assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")


def test_people_change_their_own_password(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}/password.json"
    login, old = "rosa@acme.example", desk.cards["rosa"].secrets["password"]
    body = {"previous_password": old, "password": "correct horse"}
    assert desk.call("PUT", path, {**body, "previous_password": "x"}, by="rosa").status == 422
    assert desk.call("PUT", path, body, by="olga").status == 403
    assert desk.put(path, body, by="rosa") == {}
    new = desk.call("GET", "requests.json", by=None, **basic_header(login, "correct horse"))
    assert new.status == 200
    was = desk.call("GET", "requests.json", by=None, **basic_header(login, old))
    assert was.status == 401
    again = {"previous_password": "correct horse", "password": "battery staple"}
    assert desk.put(path, again, by="rosa") == {}
    assert desk.call("PUT", path, again, by="rosa").status == 422
    for name in ("password", "previous_password"):
        missing = {key: value for key, value in again.items() if key != name}
        assert desk.call("PUT", path, missing, by="rosa").body["error"] == (
            "RequiredParameterMissing"
        )


@pytest.mark.parametrize("password", ["", "four", "x" * 128, "Rosa@acme.example"])
def test_a_password_meets_the_requirements_that_are_listed(desk: Desk, password: str) -> None:
    path = f"users/{desk.ids['rosa']}/password"
    old = desk.cards["rosa"].secrets["password"]
    body = {"previous_password": old, "password": password}
    answer = desk.call("PUT", f"{path}.json", body, by="rosa")
    assert answer.status == 422
    listed = desk.get(f"{path}/requirements.json", by="rosa")["requirements"]
    said = [item["description"] for item in answer.body["details"]["password"]]
    assert said
    assert {f"Password: {text}" for text in listed} >= set(said)
    login = basic_header("rosa@acme.example", old)
    assert desk.call("GET", "requests.json", by=None, **login).status == 200
    assert desk.call("GET", "users/1/password/requirements.json").status == 404
