"""Subscriptions to organizations: who may have which, and who sees them."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk

NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}
PATH = "organization_subscriptions.json"


def wish(user: int, organization: int = 900) -> dict[str, Any]:
    return {"organization_subscription": {"user_id": user, "organization_id": organization}}


def subscribe(desk: Desk, who: str, organization: int = 900, *, by: str = "ana") -> Any:
    body = wish(desk.ids[who], organization)
    return desk.post(PATH, body, by=by, status=200)["organization_subscription"]


def share(desk: Desk) -> None:
    desk.put("organizations/900.json", {"organization": {"shared_tickets": True}}, by="olga")


def subscribers(desk: Desk, path: str = PATH, *, by: str = "ana") -> list[int]:
    return [item["user_id"] for item in desk.get(path, by=by)["organization_subscriptions"]]


def test_a_subscription_is_made_shown_and_ended(desk: Desk) -> None:
    made = subscribe(desk, "tom")
    assert set(made) == {"id", "user_id", "organization_id", "created_at"}
    assert (made["user_id"], made["organization_id"]) == (desk.ids["tom"], 900)
    path = f"organization_subscriptions/{made['id']}.json"
    assert desk.get(path)["organization_subscription"] == made
    assert desk.get(PATH)["organization_subscriptions"] == [made]
    related = desk.get(f"users/{desk.ids['tom']}/related.json")["user_related"]
    assert related["organization_subscriptions"] == 1
    answer = desk.call("DELETE", path)
    assert (answer.status, answer.raw) == (204, b"")
    answer = desk.call("GET", path)
    assert (answer.status, answer.body) == (404, NOT_FOUND)
    assert desk.call("DELETE", path).status == 404


def test_subscriptions_are_listed_whole_by_organization_and_by_user_in_pages(desk: Desk) -> None:
    body = {"organization": {"name": "Bolt"}}
    bolt = desk.post("organizations.json", body, by="olga")["organization"]["id"]
    subscribe(desk, "rosa")
    subscribe(desk, "tom", bolt)
    subscribe(desk, "tom")
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert subscribers(desk) == [rosa, tom, tom]
    assert subscribers(desk, "organizations/900/subscriptions.json") == [rosa, tom]
    assert subscribers(desk, f"users/{tom}/organization_subscriptions.json") == [tom, tom]
    for path, second in [
        (PATH, tom),
        ("organizations/900/subscriptions.json", tom),
        (f"users/{tom}/organization_subscriptions.json", tom),
    ]:
        page = desk.get(f"{path}?per_page=1&page=2")
        assert [item["user_id"] for item in page["organization_subscriptions"]] == [second]
        assert page["count"] >= 2
        page = desk.get(f"{path}?page[size]=1")
        assert (len(page["organization_subscriptions"]), page["meta"]["has_more"]) == (1, True)
    assert desk.call("GET", "organizations/1/subscriptions.json").status == 404
    assert desk.call("GET", "users/1/organization_subscriptions.json").status == 404


def test_end_users_subscribe_to_shared_organizations_of_theirs(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert desk.call("POST", PATH, wish(rosa), by="rosa").status == 403
    share(desk)
    assert desk.call("POST", PATH, wish(tom), by="tom").status == 403
    assert desk.call("POST", PATH, wish(tom), by="rosa").status == 403
    assert desk.call("POST", PATH, wish(rosa, 1), by="rosa").status == 403
    assert subscribers(desk) == []
    subscribe(desk, "rosa", by="rosa")
    assert subscribers(desk) == [rosa]


def test_end_users_see_and_end_their_own(desk: Desk) -> None:
    share(desk)
    others = subscribe(desk, "tom")["id"]
    mine = subscribe(desk, "rosa", by="rosa")["id"]
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert subscribers(desk, by="rosa") == [rosa]
    assert subscribers(desk, "organizations/900/subscriptions.json", by="rosa") == [rosa]
    path = "users/{}/organization_subscriptions.json"
    assert subscribers(desk, path.format(rosa), by="rosa") == [rosa]
    assert desk.call("GET", path.format(tom), by="rosa").status == 403
    one = "organization_subscriptions/{}.json"
    for method in ("GET", "DELETE"):
        assert desk.call(method, one.format(others), by="rosa").status == 404
        assert desk.call(method, one.format(mine), by=None).status == 401
    assert desk.call("DELETE", one.format(mine), by="rosa").status == 204
    assert subscribers(desk) == [tom]


def test_nobody_subscribes_without_a_credential_or_a_user(desk: Desk) -> None:
    assert desk.call("POST", PATH, wish(desk.ids["rosa"]), by=None).status == 401
    assert desk.call("GET", PATH, by=None).status == 401
    body = {"organization_subscription": {"organization_id": 900}}
    answer = desk.call("POST", PATH, body)
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_subscriptions_go_with_their_organization(desk: Desk) -> None:
    subscribe(desk, "tom")
    assert desk.call("DELETE", "organizations/900.json", by="olga").status == 204
    assert subscribers(desk) == []


def test_unverified_words_of_refusals(desk: Desk) -> None:
    subscribe(desk, "rosa")
    for body, attribute, words in [
        (wish(desk.ids["rosa"]), "user_id", "User: has already been taken"),
        (wish(1), "user", "User: is invalid"),
        (wish(desk.ids["rosa"], 1), "organization", "Organization: is invalid"),
    ]:
        answer = desk.call("POST", PATH, body)
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
        assert answer.body["details"][attribute][0]["description"] == words
    assert len(subscribers(desk)) == 1
