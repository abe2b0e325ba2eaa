"""Signing in by OAuth: grants, what a token opens, and what ends it."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from tests.crm.conftest import ADA, BEN, Org

TOKEN, USERINFO = "/services/oauth2/token", "/services/oauth2/userinfo"
FORM = "application/x-www-form-urlencoded"
CALLBACK = "http://127.0.0.1:1717/OauthRedirect"


def client_of(org: Org, login: str = ADA) -> dict[str, str]:
    """Return the key and the secret of the app that runs as somebody."""
    from clones.crm.domain.connected_apps import app_id  # noqa: PLC0415 - see IS_MADE

    secret = org.cards[login].secrets["secret_key"]
    return {"client_id": app_id(secret), "client_secret": secret}


def post(org: Org, path: str, form: dict[str, str], **headers: str) -> tuple[int, Any]:
    """Return status and body of the answer to a form."""
    answer = org.client().post(path, urlencode(form), FORM, headers=headers)
    return answer.status_code, json.loads(answer.content) if answer.content else None


def granted(org: Org, **form: str) -> dict[str, str]:
    """Return what a grant gives."""
    status, body = post(org, TOKEN, form)
    assert status == 200, body
    found: dict[str, str] = body
    return found


def who(org: Org, token: str) -> tuple[int, str]:
    """Return status and user of a token."""
    answer = org.client().get(USERINFO, headers={"Authorization": f"Bearer {token}"})
    if answer.status_code != 200:
        return answer.status_code, answer.content.decode()
    return 200, json.loads(answer.content)["preferred_username"]


def by_password(org: Org, **more: str) -> dict[str, str]:
    """Return the form of a sign-in by password."""
    secret = org.cards[BEN].secrets["password"]
    return {"grant_type": "password", "username": BEN, "password": secret} | client_of(org) | more


def test_a_password_opens_a_session_that_names_where_it_was_asked_for(org: Org) -> None:
    given = granted(org, **by_password(org, password=by_password(org)["password"] + "SECURITY"))
    origin = f"http://crm.{org.row.id}.localhost:8800"
    assert given["instance_url"] == origin
    assert given["id"] == f"{origin}/id/00D5g00000Kr3LQEAZ/{org.users[BEN]}"
    assert given["access_token"].startswith("00D5g00000Kr3LQ!")
    assert who(org, given["access_token"]) == (200, BEN)


def test_an_app_signs_in_as_its_user_by_form_and_by_header(org: Org) -> None:
    app = client_of(org, BEN)
    given = granted(org, grant_type="client_credentials", **app)
    assert (given["token_type"], given["scope"]) == ("Bearer", "api web refresh_token")
    assert who(org, given["access_token"]) == (200, BEN)
    basic = base64.b64encode(":".join(app.values()).encode()).decode()
    form = {"grant_type": "client_credentials"}
    status, body = post(org, TOKEN, form, Authorization=f"Basic {basic}")
    assert status == 200
    assert who(org, body["access_token"]) == (200, BEN)


@pytest.mark.parametrize(
    ("form", "error", "description"),
    [
        ({}, "invalid_request", "missing required parameter: grant_type"),
        ({"grant_type": "magic"}, "unsupported_grant_type", "grant type not supported"),
        ({"client_id": ""}, "invalid_request", "missing required parameter: client_id"),
        ({"client_id": "3MVG9x"}, "invalid_client_id", "client identifier invalid"),
        ({"client_secret": "x"}, "invalid_client", "invalid client credentials"),
        ({"password": "x"}, "invalid_grant", "authentication failure"),
        ({"username": ADA}, "invalid_grant", "authentication failure"),
    ],
)
def test_a_sign_in_is_refused_in_the_words_of_oauth(
    org: Org, form: dict[str, str], error: str, description: str
) -> None:
    sent = {**by_password(org), **form} if form else {}
    assert post(org, TOKEN, sent) == (400, {"error": error, "error_description": description})


def test_a_user_allows_an_app_which_then_signs_in_again_and_again(org: Org) -> None:
    app, browser = client_of(org), org.client()
    verifier = "v" * 50
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    asked = {"response_type": "code", "client_id": app["client_id"], "redirect_uri": CALLBACK}
    asked |= {"state": "a&b", "code_challenge": challenge}
    where = "/services/oauth2/authorize"

    first = browser.get(where, asked)
    assert first.status_code == 302
    secret = org.cards[BEN].secrets["password"]
    signed_in = browser.post(first["Location"], {"email": BEN, "password": secret})
    page = browser.get(signed_in["Location"])
    assert page.status_code == 200
    assert "form-action 'self' http://127.0.0.1:1717" in page["Content-Security-Policy"]
    token = page.content.decode().partition('name="token" value="')[2].partition('"')[0]

    assert browser.post(where, {**asked, "allow": "1", "token": "x"}).status_code == 403
    denied = browser.post(where, {**asked, "token": token})
    assert "error=access_denied" in denied["Location"]
    allowed = browser.post(where, {**asked, "token": token, "allow": "1"})
    answer = parse_qs(urlsplit(allowed["Location"]).query)
    assert allowed["Location"].startswith(CALLBACK)
    assert answer["state"] == ["a&b"]

    use = {"grant_type": "authorization_code", "code": answer["code"][0], **app}
    use |= {"redirect_uri": CALLBACK}
    refused = (400, {"error": "invalid_grant", "error_description": "invalid authorization code"})
    assert post(org, TOKEN, {**use, "code_verifier": "w" * 50}) == refused
    assert post(org, TOKEN, use) == refused
    given = granted(org, **use, code_verifier=verifier)
    assert who(org, given["access_token"]) == (200, BEN)
    assert post(org, TOKEN, {**use, "code_verifier": verifier}) == refused

    again = {"grant_type": "refresh_token", "refresh_token": given["refresh_token"], **app}
    newer = granted(org, **again)
    assert "refresh_token" not in newer
    assert who(org, newer["access_token"]) == (200, BEN)
    assert who(org, given["refresh_token"]) == (403, "Bad_OAuth_Token")
    expired = {"error": "invalid_grant", "error_description": "expired access/refresh token"}
    assert post(org, TOKEN, {**again, **client_of(org, BEN)}) == (400, expired)

    revoked = post(org, "/services/oauth2/revoke", {"token": given["refresh_token"]})
    assert revoked == (200, None)
    assert post(org, TOKEN, again) == (400, expired)
    assert who(org, newer["access_token"]) == (403, "Bad_OAuth_Token")


def test_a_revoked_session_opens_nothing_and_the_others_live_on(org: Org) -> None:
    app = client_of(org)
    one, other = (granted(org, grant_type="client_credentials", **app) for _ in "ab")
    told = post(org, "/services/oauth2/introspect", {**app, "token": one["access_token"]})[1]
    assert (told["active"], told["username"], told["token_type"]) == (True, ADA, "access_token")
    ended = org.client().get("/services/oauth2/revoke", {"token": one["access_token"]})
    assert ended.status_code == 200
    told = post(org, "/services/oauth2/introspect", {**app, "token": one["access_token"]})
    assert told == (200, {"active": False})
    assert who(org, one["access_token"]) == (403, "Bad_OAuth_Token")
    assert who(org, other["access_token"]) == (200, ADA)
    status, body = post(org, "/services/oauth2/revoke", {"token": one["access_token"]})
    assert (status, body["error"]) == (400, "unsupported_token_type")


def test_unverified_the_token_that_was_handed_out_stays(org: Org) -> None:
    assert post(org, "/services/oauth2/revoke", {"token": org.token()}) == (200, None)
    assert who(org, org.token()) == (200, ADA)


def test_users_are_told_who_they_are(org: Org) -> None:
    user = org.users[ADA]
    told = org.call("GET", USERINFO)
    assert (told["user_id"], told["name"], told["zoneinfo"]) == (
        user,
        "Ada Quist",
        "America/Los_Angeles",
    )
    assert told["urls"]["rest"].endswith("/services/data/v{version}/")
    assert org.call("POST", USERINFO) == told
    where = urlsplit(org.call("GET", "")["identity"]).path
    headers = {"Authorization": f"Bearer {org.token()}"}
    shown = org.client().get(f"{where}?version=64.0", headers=headers).json()
    assert (shown["username"], shown["organization_id"]) == (ADA, "00D5g00000Kr3LQEAZ")
    assert shown["urls"]["rest"].endswith("/services/data/v64.0/")
    for path, said in (
        (where.replace("00D5", "00D6"), "Wrong_Org"),
        (where.replace(user, org.users[BEN]), "Bad_Id"),
    ):
        answer = org.client().get(path, headers=headers)
        assert (answer.status_code, answer.content.decode()) == (403, said)
    nobody = org.client().get(where)
    assert (nobody.status_code, nobody.content) == (403, b"Missing_OAuth_Token")


def test_programs_find_the_addresses_of_oauth(org: Org) -> None:
    where = "/.well-known/openid-configuration"
    found = org.client().get(where).json()
    origin = f"http://crm.{org.row.id}.localhost:8800"
    assert (found["issuer"], found["token_endpoint"]) == (origin, origin + TOKEN)
    assert found["userinfo_endpoint"] == origin + USERINFO
    assert org.client().post(where).status_code == 405


def test_a_token_opens_the_pages(org: Org) -> None:
    address = org.call("GET", "/services/oauth2/singleaccess")["frontdoor_uri"]
    browser = org.client()
    opened = browser.get(address)
    assert (opened.status_code, opened["Location"]) == (302, "/")
    page = browser.get("/").content.decode()
    assert ADA in page
    token = page.partition('name="token" value="')[2].partition('"')[0]
    assert browser.post("/signout", {"token": token}).status_code == 302
    assert browser.get("/").status_code == 302
    asked = {"sid": org.token(), "retURL": "/signin?x=1"}
    assert browser.get("/secur/frontdoor.jsp", asked)["Location"] == "/signin?x=1"
    for bad in ("//evil.example/", "https://evil.example/", "/\\evil.example", "evil"):
        asked = {"sid": org.token(), "retURL": bad}
        assert browser.get("/secur/frontdoor.jsp", asked)["Location"] == "/"
    closed = org.client().get("/secur/frontdoor.jsp", {"sid": "00D5g00000Kr3LQ!x"})
    assert closed["Location"] == "/signin"


def test_the_cookie_of_a_token_opens_no_resource(org: Org) -> None:
    browser = org.client()
    browser.get("/secur/frontdoor.jsp", {"sid": org.token()})
    answer = browser.get("/services/data/v64.0/sobjects")
    assert answer.status_code == 401


def test_the_bare_host_knows_a_sandbox_by_what_is_presented(org: Org) -> None:
    bare = Client(headers={"host": "localhost:8800"})
    form = {"grant_type": "client_credentials", **client_of(org)}
    given = bare.post(TOKEN, urlencode(form), FORM).json()
    assert given["instance_url"] == "http://localhost:8800"
    token = {"Authorization": f"Bearer {given['access_token']}"}
    assert bare.get(USERINFO, headers=token).json()["preferred_username"] == ADA
    refused = bare.post(TOKEN, urlencode({**form, "client_secret": "x"}), FORM)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_client")
    for grant, error in (
        ("password", "invalid_grant"),
        ("refresh_token", "invalid_grant"),
        ("magic", "unsupported_grant_type"),
        ("", "invalid_request"),
    ):
        refused = bare.post(TOKEN, urlencode({"grant_type": grant, "password": "x"}), FORM)
        assert (refused.status_code, refused.json()["error"]) == (400, error)


@pytest.mark.parametrize(
    ("grant", "field"),
    [
        ("password", "username"),
        ("password", "client_id"),
        ("client_credentials", "client_secret"),
        ("client_credentials", "client_id"),
        ("refresh_token", "refresh_token"),
        ("authorization_code", "code"),
        ("authorization_code", "redirect_uri"),
    ],
)
@pytest.mark.parametrize("value", ["\0", "é" * 3000, "9" * 5000, "3MVG9" + "9" * 400])
def test_odd_values_are_refused(org: Org, grant: str, field: str, value: str) -> None:
    form = {"grant_type": grant, **client_of(org), "username": ADA, "password": "x"}
    form |= {"code": "x", "redirect_uri": CALLBACK, "refresh_token": "x", field: value}
    status, body = post(org, TOKEN, form)
    assert status == 400, body
    assert set(body) == {"error", "error_description"}
    told = post(org, "/services/oauth2/introspect", {**client_of(org), "token": value})
    assert told == (200, {"active": False})


def test_a_token_opens_by_the_older_scheme_too(org: Org) -> None:
    for path in (USERINFO, "/services/data/v64.0/limits"):
        for scheme, status in (("OAuth", 200), ("oauth", 200), ("Token", None)):
            headers = {"Authorization": f"{scheme} {org.token()}"}
            answer = org.client().get(path, headers=headers)
            assert answer.status_code == status or (status is None and answer.status_code > 400)


def test_a_token_that_is_good_has_not_expired(org: Org) -> None:
    app = client_of(org)
    opened = granted(org, grant_type="client_credentials", **app)["access_token"]
    for token in (org.token(), opened):
        told = post(org, "/services/oauth2/introspect", {**app, "token": token})[1]
        moment = org.call("GET", "/query?q=SELECT+LastLoginDate+FROM+User+WHERE+IsActive=true")
        now = max(one["LastLoginDate"] or "" for one in moment["records"])
        seen = datetime.strptime(now, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()
        assert told["nbf"] == told["iat"] <= seen + 60
        assert told["exp"] >= seen + 7200


def test_a_sign_in_is_remembered(org: Org) -> None:
    assert org.show("User", org.users[BEN])["LastLoginDate"] is None
    before = org.show("User", org.users[BEN])["LastModifiedDate"]
    granted(org, **by_password(org))
    shown = org.show("User", org.users[BEN])
    assert shown["LastLoginDate"] is not None
    assert shown["LastModifiedDate"] == before
