"""Credentials, envelopes, headers and paging of the API."""

from __future__ import annotations

import base64
import inspect
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from clones.core import clock, ratelimit
from clones.core.accounts.sessions import csrf_token, session_cookie, start_session
from clones.core.models import Account
from clones.core.tenancy import SandboxRow
from clones.helpdesk.api import errors as api_errors
from clones.helpdesk.domain import errors
from clones.helpdesk.queries.update_limits import MOST_UPDATES
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT
from tests.helpdesk.conftest import Desk

UNAUTHENTICATED = {"error": "Couldn't authenticate you"}


def basic(login: str, secret: str) -> dict[str, str]:
    text = base64.b64encode(f"{login}:{secret}".encode()).decode()
    return {"Authorization": f"Basic {text}"}


def test_every_domain_error_has_an_answer() -> None:
    found = {
        item
        for _, item in inspect.getmembers(errors, inspect.isclass)
        if issubclass(item, errors.HelpdeskError) and item is not errors.HelpdeskError
    }
    assert found == set(api_errors.DOMAIN)
    assert len({item.code for item in found}) == len(found)


def test_three_credentials_prove_the_same_account(desk: Desk) -> None:
    secrets = desk.cards["ana"].secrets
    for headers in (
        basic("ana@desk.example/token", secrets["api_token"]),
        basic("ana@desk.example", secrets["password"]),
        {"Authorization": f"Bearer {secrets['oauth_token']}"},
    ):
        user = desk.get("users/me.json", by=None, **headers)["user"]
        assert user["id"] == desk.ids["ana"]


def test_without_a_credential_users_me_is_anonymous_and_all_else_401(desk: Desk) -> None:
    anonymous = desk.get("users/me.json", by=None)["user"]
    assert (anonymous["id"], anonymous["name"]) == (None, "Anonymous user")
    wrong = basic("ana@desk.example", "guess")
    assert desk.get("users/me.json", by=None, **wrong)["user"]["id"] is None
    answer = desk.call("GET", "tickets.json", by=None)
    assert (answer.status, answer.body) == (401, UNAUTHENTICATED)


@pytest.mark.parametrize("path", ["users/me.json", "tickets.json"])
def test_a_wrong_token_is_refused(desk: Desk, path: str) -> None:
    for secret in ("guess", desk.cards["ben"].secrets["api_token"]):
        headers = basic("ana@desk.example/token", secret)
        answer = desk.call("GET", path, by=None, **headers)
        assert (answer.status, answer.body) == (401, UNAUTHENTICATED)


def test_a_token_of_another_sandbox_is_refused(
    desk: Desk, sandboxes: Sandboxes, desk_image: Any
) -> None:
    other: SandboxRow = sandboxes.create(desk_image)
    try:
        secret = Desk(other).cards["ana"].secrets["api_token"]
        headers = basic("ana@desk.example/token", secret)
        assert desk.call("GET", "tickets.json", by=None, **headers).status == 401
    finally:
        sandboxes.delete(other.id)


def test_on_the_bare_host_the_credential_names_the_sandbox(desk: Desk) -> None:
    desk.ticket(subject="Mine")
    answer = desk.call("GET", "tickets.json", host="127.0.0.1:8800")
    assert answer.body["tickets"][0]["subject"] == "Mine"
    assert answer.body["tickets"][0]["url"].startswith("http://127.0.0.1:8800/api/v2/tickets/")
    assert desk.call("GET", "tickets.json", by=None, host="127.0.0.1:8800").status == 401


def test_a_session_reads_and_writes_only_with_its_token(desk: Desk) -> None:
    with desk.writing():
        session = start_session(Account.objects.get(login="ana@desk.example"))
        cookie, token = session_cookie(session, desk.row), csrf_token(session, desk.row)
    headers = {"Cookie": f"_helpdesk_session={cookie}"}
    me = desk.get("users/me.json", by=None, **headers)["user"]
    assert me["authenticity_token"] == token
    body = {"ticket": {"subject": "s", "comment": {"body": "b"}}}
    refused = desk.call("POST", "tickets.json", body, by=None, **headers)
    assert refused.status == 403
    assert refused.body["error"]["title"] == "Forbidden"
    proof = {**headers, "X-CSRF-Token": token}
    assert desk.call("POST", "tickets.json", body, by=None, **proof).status == 201


def test_end_users_have_no_agents_api_and_agents_no_admins(desk: Desk) -> None:
    for by, method, path in (
        ("rosa", "GET", "tickets.json"),
        ("rosa", "GET", "search.json?query=x"),
        ("ana", "POST", "triggers.json"),
        ("ana", "DELETE", f"users/{desk.ids['ben']}.json"),
    ):
        answer = desk.call(method, path, {"trigger": {"title": "x"}}, by=by)
        assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden"), path
    assert desk.get(f"users/{desk.ids['rosa']}.json", by="rosa")["user"]["name"] == "Rosa Diaz"
    assert desk.call("GET", f"users/{desk.ids['tom']}.json", by="rosa").status == 403


def test_restricted_agents_see_what_their_restriction_leaves(desk: Desk) -> None:
    mine = desk.ticket(assignee_id=desk.ids["ben"])["id"]
    other = desk.ticket()["id"]
    restriction = {"user": {"ticket_restriction": "assigned"}}
    desk.put(f"users/{desk.ids['ben']}.json", restriction, by="olga")
    assert [item["id"] for item in desk.get("tickets.json", by="ben")["tickets"]] == [mine]
    assert desk.call("GET", f"tickets/{other}.json", by="ben").status == 404
    assert desk.get("search/count.json?query=type:ticket", by="ben")["count"] == 1


def test_answers_carry_the_vendors_headers(desk: Desk) -> None:
    key = desk.ticket()["id"]
    answer = desk.call("GET", f"tickets/{key}.json")
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers["x-zendesk-api-version"] == "v2"
    assert answer.headers["x-rate-limit"] == "700"
    for name in ("x-request-id", "x-runtime", "rate-limit-reset", "x-rate-limit-remaining"):
        assert answer.headers[name]
    assert answer.headers["cache-control"] == "max-age=0, private, must-revalidate"
    tag = answer.headers["etag"]
    again = desk.call("GET", f"tickets/{key}.json", **{"If-None-Match": tag})
    assert (again.status, again.raw) == (304, b"")
    desk.put(f"tickets/{key}.json", {"ticket": {"priority": "low"}})
    assert desk.call("GET", f"tickets/{key}.json", **{"If-None-Match": tag}).status == 200
    assert desk.call("GET", "tickets/99.json").headers["cache-control"] == "no-cache"


def test_created_records_say_where_they_are(desk: Desk) -> None:
    answer = desk.call("POST", "groups.json", {"group": {"name": "Field"}}, by="olga")
    assert answer.headers["Location"] == answer.body["group"]["url"]


def test_unknown_keys_are_ignored_with_a_warning(desk: Desk) -> None:
    body = {"ticket": {"subject": "s", "comment": {"body": "b", "mood": 1}, "colour": "red"}}
    answer = desk.call("POST", "tickets.json", {**body, "extra": 1})
    assert answer.status == 201
    warning = answer.headers["x-zendesk-api-warn"]
    for key in ('"ticket.comment.mood"', '"ticket.colour"', '"extra"', ':controller=>"tickets"'):
        assert key in warning
    group = desk.post("groups.json", {"group": {"name": "g"}}, by="olga")["group"]["id"]
    gone = desk.call("DELETE", f"groups/{group}.json", {"group": {"id": group}}, by="olga")
    assert gone.headers["x-zendesk-api-warn"] == (
        '{:allowed_parameters=>{:controller=>"groups", :action=>"destroy", '
        ':unpermitted_keys=>["group.id", "group"], :invalid_values=>[]}}'
    )


def test_a_warning_of_many_keys_is_a_header_still(desk: Desk) -> None:
    """Clients and proxies take some kilobytes of one."""
    keys = {f"key{number}" + "x" * 1_000: number for number in range(3_000)}
    answer = desk.call("POST", "tickets.json", {"ticket": {"comment": {"body": "b"}, **keys}})
    assert answer.status == 201
    warning = answer.headers["x-zendesk-api-warn"]
    assert '"ticket.key0x' in warning
    assert len(warning) < 16_000


def test_addresses_work_with_and_without_suffix(desk: Desk) -> None:
    key = desk.ticket()["id"]
    assert desk.get(f"tickets/{key}") == desk.get(f"tickets/{key}.json")
    missing = desk.call("GET", "nothing_here.json")
    assert (missing.status, missing.body["error"]) == (404, "InvalidEndpoint")
    wrong = desk.call("PATCH", f"tickets/{key}.json", {})
    assert (wrong.status, wrong.body["error"]) == (404, "InvalidEndpoint")


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "tickets/abc.json", None, 400, "Invalid attribute"),
        ("POST", "tickets.json", b"{", 422, "Unprocessable Entity"),
        ("POST", "tickets.json", {}, 400, "RequiredParameterMissing"),
        ("POST", "tickets.json", {"ticket": []}, 400, "Invalid attribute"),
        ("POST", "tickets.json", {"ticket": {"assignee_id": "x"}}, 400, "Invalid attribute"),
        ("POST", "tickets.json", {"ticket": {"subject": "s"}}, 422, "RecordInvalid"),
        ("GET", "tickets/show_many.json", None, 400, "RequiredParameterMissing"),
        ("GET", "tickets.json?per_page=x", None, 400, "Invalid attribute"),
        ("GET", "search.json?query=x&page[size]=3", None, 400, "Invalid attribute"),
        ("GET", "search.json?query=created>soon", None, 422, "invalid"),
    ],
)
def test_bad_input_has_the_vendors_envelopes(
    desk: Desk, method: str, path: str, body: Any, status: int, error: str
) -> None:
    answer = desk.call(method, path, body)
    found = answer.body["error"]
    assert (answer.status, found["title"] if isinstance(found, dict) else found) == (status, error)


def test_offset_pages_count_and_end_with_null(desk: Desk) -> None:
    for _ in range(5):
        desk.ticket()
    first = desk.get("tickets.json?per_page=2")
    assert [item["id"] for item in first["tickets"]] == [1, 2]
    assert (first["count"], first["previous_page"]) == (5, None)
    assert first["next_page"].endswith("/api/v2/tickets.json?page=2&per_page=2")
    last = desk.get("tickets.json?per_page=2&page=3")
    assert [item["id"] for item in last["tickets"]] == [5]
    assert last["next_page"] is None
    assert last["previous_page"].endswith("page=2&per_page=2")
    assert desk.get("tickets.json?sort_by=created_at&sort_order=desc")["tickets"][0]["id"] == 5
    deep = desk.call("GET", "tickets.json?page=102&per_page=100")
    assert (deep.status, deep.body["errors"][0]["code"]) == (400, "InvalidPaginationDepth")


def test_cursor_pages_walk_both_ways_and_keep_their_links(desk: Desk) -> None:
    for _ in range(5):
        desk.ticket()

    def follow(url: str) -> Any:
        return desk.get(url.partition("/api/v2/")[2])

    page = desk.get("tickets.json?page[size]=2")
    assert "count" not in page
    seen = [item["id"] for item in page["tickets"]]
    while page["meta"]["has_more"]:
        assert "page%5Bafter%5D=" in page["links"]["next"]
        page = follow(page["links"]["next"])
        seen += [item["id"] for item in page["tickets"]]
    assert seen == [1, 2, 3, 4, 5]
    assert page["links"]["next"] is not None
    back = follow(page["links"]["prev"])
    assert [item["id"] for item in back["tickets"]] == [3, 4]
    end = follow(page["links"]["next"])
    assert end["tickets"] == []
    assert end["meta"] == {"has_more": False, "after_cursor": None, "before_cursor": None}
    assert end["links"] == {"prev": None, "next": None}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("tickets.json?page[size]=101", "InvalidPaginationParameter"),
        ("tickets.json?page[size]=2&page[after]=zzz", "InvalidPaginationParameter"),
    ],
)
def test_bad_cursors_are_refused(desk: Desk, path: str, code: str) -> None:
    answer = desk.call("GET", path)
    assert (answer.status, answer.body["errors"][0]["code"]) == (400, code)


LISTS = {
    "users": "users.json",
    "groups": "groups.json",
    "organizations": "organizations.json",
    "group_memberships": "group_memberships.json",
    "views": "views.json",
    "macros": "macros.json",
    "triggers": "triggers.json",
    "automations": "automations.json",
    "ticket_fields": "ticket_fields.json",
    "brands": "brands.json",
    "tags": "tags.json",
    "ticket_metrics": "ticket_metrics.json",
}


@pytest.mark.parametrize("name", sorted(LISTS))
def test_lists_page_both_ways_to_the_same_records(desk: Desk, name: str) -> None:
    desk.ticket(tags=["one", "two"])
    desk.ticket(tags=["two", "three"])

    def key(item: Any) -> Any:
        return item.get("id", item.get("name"))

    every = desk.get(f"{LISTS[name]}?per_page=100", by="olga")[name]
    by_offset: list[Any] = []
    page = desk.get(f"{LISTS[name]}?per_page=1", by="olga")
    by_offset += page[name]
    while page["next_page"]:
        page = desk.get(page["next_page"].partition("/api/v2/")[2], by="olga")
        by_offset += page[name]
    by_cursor: list[Any] = []
    page = desk.get(f"{LISTS[name]}?page[size]=1", by="olga")
    by_cursor += page[name]
    while page["meta"]["has_more"]:
        page = desk.get(page["links"]["next"].partition("/api/v2/")[2], by="olga")
        by_cursor += page[name]
    assert [key(item) for item in by_offset] == [key(item) for item in every]
    assert sorted(map(str, map(key, by_cursor))) == sorted(map(str, map(key, every)))


def test_side_loads_go_beside_or_inside(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    wanted = "users,groups,organizations,last_audits,metric_sets,dates,comment_count,ticket_forms"
    body = desk.get(f"tickets/{key}.json?include={wanted},incident_counts,slas")
    assert {user["id"] for user in body["users"]} == {desk.ids["ana"], desk.ids["rosa"]}
    assert body["groups"][0]["name"] == "Support"
    assert body["organizations"][0]["id"] == 900
    assert body["last_audits"][0]["ticket_id"] == key
    assert body["ticket"]["comment_count"] == 1
    assert body["ticket"]["dates"]["assigned_at"] is not None
    assert body["ticket"]["slas"] == {"policy_metrics": []}
    assert len(body["ticket_forms"]) == 1
    listed = desk.get(f"tickets.json?include={wanted}")
    assert listed["tickets"][0]["comment_count"] == 1
    assert len(listed["users"]) == 2


def test_a_limit_is_counted_told_and_enforced(desk: Desk) -> None:
    with desk.writing():
        ratelimit.set_limit(2)
    first = desk.call("GET", "users/me.json")
    assert (first.headers["x-rate-limit"], first.headers["x-rate-limit-remaining"]) == ("2", "1")
    assert desk.call("GET", "users/me.json").status == 200
    third = desk.call("GET", "users/me.json")
    assert (third.status, third.body["error"]) == (429, "APIRateLimitExceeded")
    assert int(third.headers["Retry-After"]) > 0
    assert desk.call("GET", "users/me.json", by="ben").status == 200
    desk.advance(minutes=2)
    assert desk.call("GET", "users/me.json").status == 200


def test_a_live_clock_takes_thirty_updates_of_a_ticket_in_ten_minutes(desk: Desk) -> None:
    """By one user: of another ticket, and by another, more. A clock that steps counts none."""
    key, other = desk.ticket(by="olga")["id"], desk.ticket(by="olga")["id"]
    path, body = f"tickets/{key}.json", {"ticket": {"comment": {"body": "Once more."}}}
    for _ in range(MOST_UPDATES):
        desk.put(path, body)
    with desk.writing():
        clock.configure(mode="live", speed=1.0)
    refused = desk.call("PUT", path, body)
    assert (refused.status, refused.body["error"]) == (429, "APIRateLimitExceeded")
    assert 500 < int(refused.headers["Retry-After"]) <= 600
    desk.put(path, body, by="ben")
    desk.put(f"tickets/{other}.json", body)
    desk.advance(seconds=int(refused.headers["Retry-After"]))
    desk.put(path, body)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"ticket":{"comment":{"body":"a\\u0000b"}}}', 400),
        (b'{"ticket":{"comment":{"body":"a\\\\u0000b"}}}', 201),
    ],
)
def test_nul_is_refused_everywhere(desk: Desk, body: bytes, status: int) -> None:
    assert desk.call("POST", "tickets.json", body).status == status


def test_answers_are_dated_by_the_sandboxs_clock(desk: Desk) -> None:
    before = parsedate_to_datetime(desk.call("GET", "users/me.json").headers["Date"])
    assert abs(before - PRESENT) < timedelta(minutes=1)
    desk.advance(hours=5)
    for method, path in (("GET", "tickets/1.json"), ("POST", "tickets.json"), ("GET", "nowhere")):
        for by in ("ana", None):
            moment = parsedate_to_datetime(desk.call(method, path, {}, by=by).headers["Date"])
            assert timedelta(hours=5) <= moment - before < timedelta(hours=5, minutes=1), path
    page = desk.client.get("/auth/v2/login/signin")
    assert parsedate_to_datetime(page.headers["Date"]) >= before + timedelta(hours=5)


def test_slashes_that_are_too_many_are_as_one(desk: Desk) -> None:
    assert desk.get("/api/v2//users/me.json") == desk.get("users/me.json")
    assert desk.get("/api/v2/users//me.json/")["user"]["name"] == "Ana Costa"
    key = desk.ticket()["id"]
    for path in (f"/agent/tickets/{key}/", f"/agent//tickets/{key}"):
        led = desk.client.get(f"{path}?a=b")
        assert (led.status_code, led.headers["Location"]) == (302, f"/agent/tickets/{key}?a=b")
    assert desk.client.get("/agent/nowhere/").status_code == 404
    assert desk.client.post(f"/agent/tickets/{key}/").status_code == 404
    assert desk.client.get("//evil.example//").status_code == 404


def test_whoever_calls_is_given_an_anti_forgery_token(desk: Desk) -> None:
    tokens = {
        desk.get("users/me.json", by=name)["user"]["authenticity_token"] for name in ("ana", "ben")
    }
    assert len(tokens) == 2
    assert "authenticity_token" not in desk.get("users/me.json", by=None)["user"]
