"""Addresses with a fixed last word beside an id's, and those of products that are lacking."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clones.helpdesk.api import products
from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk
from tests.helpdesk.fidelity_pages import text_of

FACTS = Path(__file__).parents[1] / "facts" / "helpdesk" / "operations.json"
# Which pages and clients of the vendor name, beside the description.
DOCUMENTED = """
GET satisfaction_ratings/received
PUT views/reorder
PUT macros/reorder
PUT automations/reorder
PUT ticket_fields/reorder
GET views/definitions
GET automations/definitions
GET groups/assignable
GET requests/open
GET tickets/recent
GET users/me
GET locales/current
GET apps/owned
GET apps/installations
"""

# By this sentence `tap-zendesk` and others tell what an account lacks, and go on without it.
LACKING = {
    "title": "Forbidden",
    "message": "Access to this resource is restricted. "
    "Please contact the account administrator for assistance.",
}


def described() -> list[tuple[str, str]]:
    """Return methods and paths that the vendor describes or documents."""
    rows = json.loads(FACTS.read_text(encoding="utf-8"))
    found = [(row["method"], row["path"].removesuffix(".json")) for row in rows]
    beside = [line.split() for line in DOCUMENTED.strip().splitlines()]
    return found + [(method, f"/api/v2/{path}") for method, path in beside]


def test_no_id_takes_a_fixed_word_of_an_address_that_is_described() -> None:
    swallowed = []
    for method, path in described():
        segments = path.strip("/").split("/")
        asked = ["1" if part.startswith("{") else part for part in segments]
        methods, _ = operations()._find(asked)
        taken = (methods or {}).get(method)
        if taken is None:
            continue
        for part, ours in zip(segments, taken.segments, strict=True):
            if ours.startswith("{") and not part.startswith("{"):
                swallowed.append(f"{method} {path} is taken by {taken.path}")
    assert swallowed == []


@pytest.mark.parametrize("path", products.ABSENT)
def test_what_is_no_address_says_so(desk: Desk, path: str) -> None:
    for method in ("GET", "PUT"):
        answer = desk.call(method, f"/api/v2{path}.json", {}, by="olga")
        assert (answer.status, answer.body["error"]) == (404, "InvalidEndpoint")
    assert desk.call("GET", "views/x.json").status == 400


@pytest.mark.parametrize(
    "path",
    [
        "channels/voice/phone_numbers.json",
        "channels/voice/stats/current_queue_activity.json",
        "channels/voice",
        "chat/chats",
        "chats",
        "channels/twitter/monitored_twitter_handles.json",
        "any_channel/push.json",
    ],
)
def test_a_product_that_the_account_lacks_is_refused(desk: Desk, path: str) -> None:
    for method in ("GET", "POST"):
        answer = desk.call(method, path, {}, by="olga")
        assert (answer.status, answer.body) == (403, {"error": LACKING})
        stranger = desk.call(method, path, {}, by=None)
        assert (stranger.status, stranger.body) == (401, {"error": "Couldn't authenticate you"})
    assert desk.call("GET", "channelsvoice.json", by="olga").status == 404


def test_the_page_lists_products_and_addresses() -> None:
    text = text_of("helpdesk-products.md")
    rows = re.findall(r"^\| ([^|]+) \| (`/api[^|]+) \|$", text, re.MULTILINE)
    listed = {name: tuple(re.findall(r"`([^`]+)`", paths)) for name, paths in rows}
    assert listed == products.LACKING
    for path, _, _ in products.EMPTY.values():
        assert f"`{path[1:]}`" in text
    for path in products.ABSENT:
        assert f"`{path[1:]}`" in text


def test_unverified_what_the_account_has_none_of_is_an_empty_list(desk: Desk) -> None:
    nothing = {"next_page": None, "previous_page": None, "count": 0}
    for path, records, access in products.EMPTY.values():
        assert desk.get(f"/api/v2{path}.json", by="olga") == {records: [], **nothing}
        refused = desk.call("GET", f"/api/v2{path}.json", by="rosa")
        assert refused.status == 403, path
        agent = desk.call("GET", f"/api/v2{path}.json", by="ana")
        assert agent.status == (403 if access == "admin" else 200), path


def test_no_name_of_a_customers_own_leads_here(desk: Desk) -> None:
    path = "brands/check_host_mapping.json"
    found = desk.get(f"{path}?host_mapping=help.acme.example&subdomain=acme", by="olga")
    assert (found["is_valid"], found["reason"]) == (False, "not_a_cname")
    assert found["expected_cnames"][0].startswith("acme.")
    missing = desk.call("GET", f"{path}?subdomain=acme", by="olga")
    assert (missing.status, missing.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.call("GET", path, by="ana").status == 403
    brand = desk.get("brands.json", by="olga")["brands"][0]
    own = desk.get(f"brands/{brand['id']}/check_host_mapping.json", by="olga")
    assert own["expected_cnames"][0].startswith(brand["subdomain"])
    assert desk.call("GET", "brands/1/check_host_mapping.json", by="olga").status == 404


def test_ratings_that_were_given_are_listed(desk: Desk) -> None:
    key = desk.ticket(status="solved", assignee_id=desk.ids["ana"])["id"]
    rating = {"satisfaction_rating": {"score": "good", "comment": "Thanks"}}
    desk.post(f"tickets/{key}/satisfaction_rating.json", rating, by="rosa", status=200)
    found = desk.get("satisfaction_ratings/received.json")
    assert [row["ticket_id"] for row in found["satisfaction_ratings"]] == [key]
    assert desk.call("GET", "satisfaction_ratings/received.json?per_page=x").status == 400


def test_unverified_all_skips_are_listed(desk: Desk) -> None:
    key = desk.ticket()["id"]
    desk.post("skips.json", {"skip": {"ticket_id": key, "reason": "No"}})
    assert [row["ticket_id"] for row in desk.get("skips.json", by="olga")["skips"]] == [key]
    assert desk.call("GET", "skips.json", by="rosa").status == 403


def test_requests_of_a_user_and_of_an_organization_are_listed(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    key = desk.ticket()["id"]
    for by in ("ana", "rosa"):
        found = desk.get(f"users/{rosa}/requests.json", by=by)
        assert [row["id"] for row in found["requests"]] == [key]
    assert desk.get(f"users/{tom}/requests.json")["requests"] == []
    assert desk.call("GET", f"users/{rosa}/requests.json", by="tom").status == 403
    assert desk.get(f"users/{rosa}/requests.json?status=solved")["requests"] == []
    found = desk.get("organizations/900/requests.json")
    assert [row["id"] for row in found["requests"]] == [key]
    assert desk.call("GET", "organizations/900/requests.json", by="tom").status == 403
    shared = {"organization": {"shared_tickets": True}}
    desk.put("organizations/900.json", shared, by="olga")
    own = desk.get("organizations/900/requests.json", by="rosa")
    assert [row["id"] for row in own["requests"]] == [key]
    assert desk.call("GET", "organizations/1/requests.json").status == 404
    assert desk.call("GET", "users/1/requests.json").status == 404


COUNTED = """
users/[rosa]/tickets/requested: 2
users/[ana]/tickets/assigned: 1
users/[tom]/tickets/ccd: 1
tickets/[problem]/incidents: 1
organizations/900/tickets: 2
organizations/900/users: 1
groups/[group]/users: 3
users/[ana]/groups: 1
users/[rosa]/organizations: 1
"""


@pytest.mark.parametrize("line", COUNTED.strip().splitlines())
def test_what_belongs_to_somebody_is_counted_as_it_is_listed(desk: Desk, line: str) -> None:
    problem = desk.ticket(type="problem", email_ccs=[{"user_id": desk.ids["tom"]}])["id"]
    desk.ticket(type="incident", problem_id=problem, assignee_id=desk.ids["ana"])
    group = desk.get("groups.json")["groups"][0]["id"]
    keys = {**desk.ids, "problem": problem, "group": group}
    address, _, number = line.partition(": ")
    path = re.sub(r"\[(\w+)\]", lambda found: str(keys[found[1]]), address)
    count = desk.get(f"{path}/count.json")["count"]
    assert count["value"] == int(number)
    assert count["refreshed_at"].endswith("Z")
    assert desk.get(f"{path}.json")["count"] == int(number)
    nobody = re.sub(r"/\d+/", "/99/", f"/{path}")
    assert desk.call("GET", f"{nobody[1:]}/count.json").status == 404
    assert desk.call("GET", f"{path}/count.json", by="rosa").status == 403
