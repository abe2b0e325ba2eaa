"""Signing in, staying in, signing out, and what is refused."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from clones.core import clock
from clones.core.accounts import account_cards
from clones.core.accounts.passwords import hash_password
from clones.core.journal import act
from clones.core.models import Account, Session
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import User
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.web.conftest import AGENT, Office

SIGN_IN = "/auth/v2/login/signin"
PAGES = (
    "/",
    "/agent",
    "/agent/dashboard",
    "/agent/filters",
    "/agent/tickets/2",
    "/agent/tickets/new/1",
    "/agent/search/1?q=x",
    "/agent/customers",
    "/agent/organizations",
    "/agent/suggestions/people?q=a",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_leads_to_sign_in(office: Office, path: str) -> None:
    shown = office.get(path)
    assert shown.status == 302
    assert shown.location.startswith("/access/unauthenticated?return_to=%2F")
    again = office.get(shown.location)
    assert again.location.startswith(SIGN_IN)
    form = office.get(again.location)
    assert form.status == 200
    assert "Email" in form.text
    assert "Password" in form.text
    assert "Sign in" in form.text


def test_signing_in_comes_back_to_the_page_asked_for(office: Office) -> None:
    page = office.get(office.get("/agent/tickets/2?events=1").location)
    form = office.get(page.location)
    answer = office.client.post(
        SIGN_IN,
        {
            "email": "Ana@Kestrel.example ",
            "password": office.passwords[AGENT],
            "return_to": form.field("return_to"),
        },
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/agent/tickets/2?events=1"
    cookie = answer.cookies["_helpdesk_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["domain"]
    assert office.get("/agent/tickets/2").status == 200


@pytest.mark.parametrize(
    "address", ["https://evil.example/agent", "//evil.example/agent", "/\\evil", "/api/v2/users"]
)
def test_signing_in_leads_nowhere_else(office: Office, address: str) -> None:
    form = {"email": AGENT, "password": office.passwords[AGENT], "return_to": address}
    answer = office.client.post(SIGN_IN, form)
    assert answer.headers["Location"] == "/agent/dashboard"


def test_a_wrong_password_is_refused_in_words(office: Office) -> None:
    answer = office.client.post(SIGN_IN, {"email": AGENT, "password": "wrong"})
    assert answer.status_code == 401
    assert "do not match" in answer.content.decode()
    assert f'value="{AGENT}"' in answer.content.decode()
    assert "_helpdesk_session" not in answer.cookies


def test_an_api_token_is_no_password(office: Office) -> None:
    with office.bound(), unit_of_work("read"):
        [card] = [card for card in account_cards(office.row) if card.login == AGENT]
    answer = office.client.post(SIGN_IN, {"email": AGENT, "password": card.secrets["api_token"]})
    assert answer.status_code == 401


def test_a_chosen_password_signs_in(office: Office) -> None:
    with office.bound(), unit_of_work("write"), act(actor="test", label="choose"):
        account = Account.objects.get(clone="helpdesk", login=AGENT)
        account.password = hash_password(account, "tulip")
        account.save()
    answer = office.client.post(SIGN_IN, {"email": AGENT, "password": "tulip"})
    assert answer.status_code == 302


@pytest.mark.parametrize("wanted", ["/agent/dashboard", "/agent/tickets/2", ""])
def test_customers_have_no_way_to_the_desk(office: Office, wanted: str) -> None:
    login = "mara@acme.example"
    form = {"email": login, "password": office.passwords[login], "return_to": wanted}
    answer = office.client.post(SIGN_IN, form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/hc/en-us/requests")
    for path in PAGES:
        shown = office.get(path)
        assert (shown.status, shown.location) == (302, "/hc/en-us/requests"), path
    office.token = office.get("/hc/en-us/requests").field("authenticity_token")
    sent = office.post(f"/agent/tickets/{office.keys.charged}", {"comment": "Mine now"})
    assert sent.status == 403
    assert office.changes() == []


def test_a_suspended_agent_is_out(ana: Office) -> None:
    with ana.bound(), unit_of_work("write"), act(actor="test", label="suspend"):
        User.objects.filter(id=ana.keys.agent).update(suspended=True)
    assert ana.get("/agent/dashboard").status == 302


def test_signing_out_ends_the_session(ana: Office) -> None:
    shown = ana.post("/access/logout")
    assert shown.location == SIGN_IN
    assert ana.get("/agent/dashboard").status == 302
    with ana.bound(), unit_of_work("read"):
        assert Session.objects.get().ended_at is not None


def test_a_session_ends_when_credentials_rotate(ana: Office, sandboxes: Sandboxes) -> None:
    sandboxes.reset(ana.row.id, rotate=True)
    assert ana.get("/agent/dashboard").status == 302


def test_a_session_of_another_sandbox_is_nobody(
    ana: Office, sandboxes: Sandboxes, office_image: object
) -> None:
    other = sandboxes.create(office_image[0])  # type: ignore[index]  # the manifest and its keys
    try:
        stranger = Office(other, ana.keys)
        stranger.client.cookies = ana.client.cookies
        assert stranger.get("/agent/dashboard").status == 302
    finally:
        sandboxes.delete(other.id)


@pytest.mark.parametrize("token", [None, "", "x" * 40])
def test_a_form_without_its_token_is_refused(ana: Office, token: str | None) -> None:
    data = {"comment": "Forged.", "channel": "public", "submit_as": "solved"}
    if token is not None:
        data["authenticity_token"] = token
    answer = ana.client.post(f"/agent/tickets/{ana.keys.charged}", data)
    assert answer.status_code == 403
    assert ana.ticket(ana.keys.charged).status == "new"


def test_the_token_is_the_sessions_own(ana: Office) -> None:
    mine, other = ana.token, Office(ana.row, ana.keys).sign_in("ben@kestrel.example")
    assert other.token != mine
    other.token = mine
    assert other.post("/access/logout").status == 403


def test_a_sign_in_form_of_another_site_is_refused(office: Office) -> None:
    form = {"email": AGENT, "password": office.passwords[AGENT]}
    answer = office.client.post(SIGN_IN, form, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403


def test_signing_in_is_no_change_of_the_company(office: Office) -> None:
    office.sign_in()
    assert office.changes() == []


def test_pages_are_walled_in(ana: Office) -> None:
    headers = ana.get(f"/agent/tickets/{ana.keys.charged}").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert f"frame-src http://billing.{ana.row.id}.localhost:8800" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_unknown_pages_are_not_found(ana: Office) -> None:
    for path in ("/agent/nowhere", "/agent/tickets/999999", "/agent/users/1/requested_tickets"):
        shown = ana.get(path)
        assert shown.status == 404, path
        assert "There is no such page" in shown.text


def test_what_is_refused_keeps_the_navigation_of_who_is_signed_in(ana: Office) -> None:
    refused = [
        ana.get("/agent/nowhere"),
        ana.get("/admin/people/team/groups"),
        ana.post("/access/logout", {"authenticity_token": "x"}),
    ]
    assert [shown.status for shown in refused] == [404, 403, 403]
    for shown in refused:
        assert shown.html.count('<nav class="rail" aria-label="Main">') == 1
        assert 'data-test-id="views_icon"' in shown.html
        assert "Go to your dashboard" in shown.text
    # Nobody is signed in: there is no navigation to keep.
    plain = ana.browser().get("/agent/nowhere")
    assert (plain.status_code, b'class="rail"' in plain.content) == (404, False)


def test_looking_does_not_move_the_clock(ana: Office) -> None:
    def moment() -> object:
        with ana.bound(), unit_of_work("read"):
            return clock.now()

    before = moment()
    page = ana.get(f"/agent/tickets/{ana.keys.charged}")
    data = {**page.fields(), "comment": "half a thought"}
    assert ana.post(f"/agent/drafts/tickets/{ana.keys.charged}", data).status == 204
    assert ana.post(f"/agent/previews/tickets/{ana.keys.charged}", data).status == 200
    assert moment() == before


@pytest.mark.parametrize("urlencoded", [False, True])
def test_nul_in_what_signs_in_is_dropped(office: Office, urlencoded: bool) -> None:
    sent = {"email": "a\0na@kestrel.example", "password": office.passwords[AGENT] + "\0"}
    if urlencoded:
        answer = office.client.post(
            SIGN_IN, urlencode(sent), content_type="application/x-www-form-urlencoded"
        )
    else:
        answer = office.client.post(SIGN_IN, sent)
    assert answer.status_code == 302
    assert answer.cookies["_helpdesk_session"].value


@pytest.mark.parametrize("name", ["email", "password", "return_to"])
def test_nul_in_a_form_is_dropped(office: Office, name: str) -> None:
    form = {"email": AGENT, "password": office.passwords[AGENT], "return_to": "/agent/tickets/2"}
    answer = office.client.post(SIGN_IN, {**form, name: f"{form[name][:8]}\0{form[name][8:]}"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/agent/tickets/2")


def test_nul_finds_what_cannot_be_found(office: Office) -> None:
    shown = office.sign_in().get("/agent/search/1", q="a\0b")
    assert shown.status == 200
