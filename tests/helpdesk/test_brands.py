"""Brands and the addresses that customers write to."""

from __future__ import annotations

from typing import Any

from clones.core.models import Message
from tests.helpdesk.conftest import Desk


def brand(desk: Desk, **given: Any) -> Any:
    body = {"name": "Swift", "subdomain": "swift", **given}
    return desk.post("brands.json", {"brand": body}, by="olga")["brand"]


def change(desk: Desk, key: int, *, status: int = 200, **given: Any) -> Any:
    return desk.put(f"brands/{key}.json", {"brand": given}, by="olga", status=status)


def address(desk: Desk, **given: Any) -> Any:
    body = {"email": "sales@kestrel.example", "name": "Sales", **given}
    path = "recipient_addresses.json"
    return desk.post(path, {"recipient_address": body}, by="olga")["recipient_address"]


def readdress(desk: Desk, key: int, *, status: int = 200, **given: Any) -> Any:
    path = f"recipient_addresses/{key}.json"
    return desk.put(path, {"recipient_address": given}, by="olga", status=status)


def default_brand(desk: Desk) -> int:
    [found] = [item["id"] for item in desk.get("brands.json")["brands"] if item["default"]]
    return int(found)


def default_address(desk: Desk) -> Any:
    every = desk.get("recipient_addresses.json")["recipient_addresses"]
    [found] = [item for item in every if item["default"]]
    return found


def test_tickets_are_written_under_a_new_brand(desk: Desk) -> None:
    body = {"brand": {"name": "Swift", "subdomain": "Swift"}}
    answer = desk.call("POST", "brands.json", body, by="olga")
    made = answer.body["brand"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["subdomain"], made["active"], made["default"]) == ("swift", True, False)
    form = desk.get("ticket_forms.json")["ticket_forms"][0]["id"]
    assert made["ticket_form_ids"] == [form]
    assert desk.get(f"brands/{made['id']}.json") == answer.body
    page = desk.get("brands.json?per_page=1&page=2")
    assert (page["count"], page["brands"][0]["id"]) == (2, made["id"])
    ticket = desk.ticket(brand_id=made["id"])
    assert desk.get(f"tickets/{ticket['id']}.json")["ticket"]["brand_id"] == made["id"]


def test_names_and_subdomains_that_cannot_be_are_refused(desk: Desk) -> None:
    key = brand(desk)["id"]

    def wrong(**given: Any) -> list[str]:
        body = {"brand": {"name": "x", "subdomain": "x", **given}}
        answer = desk.call("POST", "brands.json", body, by="olga")
        assert answer.status == 422
        return list(answer.body["details"])

    assert wrong(name="") == ["name"]
    assert wrong(subdomain=None) == ["subdomain"]
    assert wrong(subdomain="two words") == ["subdomain"]
    assert wrong(subdomain="swift") == ["subdomain"]
    assert change(desk, key, subdomain="swift", name="Swift Ltd")["brand"]["name"] == "Swift Ltd"
    assert change(desk, 5, status=404, name="x")["error"] == "RecordNotFound"


def test_new_tickets_get_the_brand_that_became_the_default(desk: Desk) -> None:
    before, key = default_brand(desk), brand(desk)["id"]
    change(desk, key, default=True)
    assert default_brand(desk) == key
    assert desk.ticket()["brand_id"] == key
    assert list(change(desk, key, status=422, active=False)["details"]) == ["active"]
    assert list(change(desk, key, status=422, default=False)["details"]) == ["default"]
    assert desk.call("DELETE", f"brands/{key}.json", by="olga").status == 422
    change(desk, before, active=False)
    body = {"ticket": {"comment": {"body": "b"}, "brand_id": before}}
    assert desk.call("POST", "tickets.json", body).status == 422


def test_a_removed_brand_leaves_its_open_tickets_to_the_default_one(desk: Desk) -> None:
    key = brand(desk)["id"]
    mail = address(desk, brand_id=key)["id"]
    form = desk.get("ticket_forms.json")["ticket_forms"][0]["id"]
    only = {"in_all_brands": False, "restricted_brand_ids": [key]}
    desk.put(f"ticket_forms/{form}.json", {"ticket_form": only}, by="olga")
    ticket = desk.ticket(brand_id=key)["id"]
    answer = desk.call("DELETE", f"brands/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"brands/{key}.json").status == 404
    assert desk.call("GET", f"recipient_addresses/{mail}.json").status == 404
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["brand_id"] == default_brand(desk)
    assert desk.get(f"ticket_forms/{form}.json")["ticket_form"]["restricted_brand_ids"] == []


def test_unverified_the_brand_of_the_default_address_stays(desk: Desk) -> None:
    key = brand(desk)["id"]
    address(desk, brand_id=key, default=True)
    assert desk.call("DELETE", f"brands/{key}.json", by="olga").status == 422


def test_forms_restricted_to_a_brand_are_offered_there(desk: Desk) -> None:
    key = brand(desk)["id"]
    body = {"name": "Swift only", "in_all_brands": False, "restricted_brand_ids": [key]}
    form = desk.post("ticket_forms.json", {"ticket_form": body}, by="olga")["ticket_form"]["id"]
    assert form in desk.get(f"brands/{key}.json")["brand"]["ticket_form_ids"]
    kestrel = desk.get(f"brands/{default_brand(desk)}.json")["brand"]
    assert form not in kestrel["ticket_form_ids"]


def test_an_address_is_the_default_brands_unless_said(desk: Desk) -> None:
    body = {"recipient_address": {"email": "Sales@Kestrel.example", "name": "Sales"}}
    answer = desk.call("POST", "recipient_addresses.json", body, by="olga")
    made = answer.body["recipient_address"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["email"], made["name"]) == ("sales@kestrel.example", "Sales")
    assert (made["brand_id"], made["default"]) == (default_brand(desk), None)
    shown = desk.get(f"recipient_addresses/{made['id']}.json")["recipient_address"]
    assert shown == {**made, "default": False}
    page = desk.get("recipient_addresses.json?page[size]=1")
    assert page["meta"]["has_more"] is True
    assert address(desk, email="b@kestrel.example", brand_id=brand(desk)["id"])


def test_addresses_that_cannot_be_are_refused(desk: Desk) -> None:
    def wrong(**given: Any) -> list[str]:
        body = {"recipient_address": {"email": "x@kestrel.example", **given}}
        answer = desk.call("POST", "recipient_addresses.json", body, by="olga")
        assert answer.status == 422
        return list(answer.body["details"])

    assert wrong(email=None) == ["email"]
    assert wrong(email="nobody") == ["email"]
    assert wrong(email="support@kestrel.example") == ["email"]
    assert wrong(brand_id=5) == ["brand_id"]
    assert desk.get("recipient_addresses.json")["count"] == 1


def test_mail_goes_out_from_the_address_that_became_the_default(desk: Desk) -> None:
    before, key = default_address(desk)["id"], address(desk)["id"]
    readdress(desk, key, default=True, name="Kestrel Sales", email="other@kestrel.example")
    found = default_address(desk)
    assert (found["id"], found["name"]) == (key, "Kestrel Sales")
    assert found["email"] == "sales@kestrel.example"
    desk.ticket()
    with desk.bound():
        mail = Message.objects.filter(recipients=["rosa@acme.example"]).order_by("id").last()
    assert mail is not None
    assert mail.sender == "Kestrel Sales <sales@kestrel.example>"
    assert list(readdress(desk, key, status=422, default=False)["details"]) == ["default"]
    assert desk.call("DELETE", f"recipient_addresses/{key}.json", by="olga").status == 422
    assert desk.call("DELETE", f"recipient_addresses/{before}.json", by="olga").status == 204
    assert desk.call("GET", f"recipient_addresses/{before}.json").status == 404


def test_agents_read_brands_and_addresses_and_do_not_write_them(desk: Desk) -> None:
    key, mail = brand(desk)["id"], address(desk)["id"]
    body = {"brand": {"name": "Mine", "subdomain": "mine"}}
    assert desk.call("POST", "brands.json", body).status == 403
    assert desk.call("PUT", f"brands/{key}.json", body).status == 403
    assert desk.call("DELETE", f"brands/{key}.json").status == 403
    body = {"recipient_address": {"email": "mine@kestrel.example", "name": "Mine"}}
    assert desk.call("POST", "recipient_addresses.json", body).status == 403
    assert desk.call("PUT", f"recipient_addresses/{mail}.json", body).status == 403
    assert desk.call("DELETE", f"recipient_addresses/{mail}.json").status == 403
    assert desk.get(f"brands/{key}.json")["brand"]["name"] == "Swift"
    assert desk.get(f"recipient_addresses/{mail}.json")["recipient_address"]["name"] == "Sales"
    assert desk.call("GET", f"recipient_addresses/{mail}.json", by="rosa").status == 403


def test_unverified_closed_tickets_of_a_removed_brand_have_none(desk: Desk) -> None:
    key = brand(desk)["id"]
    ticket = desk.ticket(brand_id=key, assignee_id=desk.ids["ana"])["id"]
    for status in ("solved", "closed"):
        desk.put(f"tickets/{ticket}.json", {"ticket": {"status": status}})
    assert desk.call("DELETE", f"brands/{key}.json", by="olga").status == 204
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["brand_id"] is None
