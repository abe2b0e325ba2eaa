"""Webhooks: who keeps them, what they may hold, and what rules and events make them owe."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from clones.core.journal import journal
from clones.core.models import Delivery, DeliveryAttempt
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Webhook
from tests.helpdesk.conftest import Desk

GIVEN = {
    "name": "Dispatch",
    "status": "active",
    "endpoint": "https://hooks.example.com/in?x=1",
    "http_method": "POST",
    "request_format": "json",
    "subscriptions": ["conditional_ticket_events"],
}
CREATED = {"field": "update_type", "operator": "is", "value": "Create"}
ULID = set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def make(desk: Desk, **changes: Any) -> Any:
    return desk.post("webhooks", {"webhook": {**GIVEN, **changes}}, by="olga")["webhook"]


def refused(desk: Desk, **changes: Any) -> Any:
    answer = desk.call("POST", "webhooks", {"webhook": {**GIVEN, **changes}}, by="olga")
    assert answer.status == 422, answer.body
    return next(iter(answer.body["details"]))


def call_on_creation(desk: Desk, webhook: str, content: Any) -> None:
    action = {"field": "notification_webhook", "value": [webhook, content]}
    given = {"title": "Call", "all": [CREATED], "actions": [action]}
    desk.post("triggers.json", {"trigger": given}, by="olga")


def deliveries(desk: Desk) -> list[Delivery]:
    with desk.bound():
        return list(Delivery.objects.order_by("created_at", "id"))


def test_a_webhook_is_made_shown_changed_and_deleted(desk: Desk) -> None:
    made = make(desk, description="d", custom_headers={"X-Team": "red"})
    assert len(made["id"]) == 26
    assert set(made["id"]) <= ULID
    assert made["created_by"] == str(desk.ids["olga"])
    path = f"webhooks/{made['id']}"
    assert desk.get(path, by="olga")["webhook"]["custom_headers"] == {"X-Team": "red"}
    answer = desk.call("PATCH", path, {"webhook": {"name": "Other"}}, by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    shown = desk.get(path, by="olga")["webhook"]
    assert (shown["name"], shown["description"]) == ("Other", "d")
    replaced = {**GIVEN, "status": "inactive"}
    assert desk.call("PUT", path, {"webhook": replaced}, by="olga").status == 204
    assert desk.get(path, by="olga")["webhook"]["status"] == "inactive"
    answer = desk.call("PUT", path, {"webhook": {"name": "Only"}}, by="olga")
    assert answer.status == 422
    assert desk.call("DELETE", path, by="olga").status == 204
    assert desk.call("GET", path, by="olga").status == 404


@pytest.mark.parametrize("by", ["ana", "rosa"])
def test_only_admins_keep_webhooks(desk: Desk, by: str) -> None:
    made = make(desk)
    path = f"webhooks/{made['id']}"
    for method, place, body in (
        ("GET", "webhooks", None),
        ("POST", "webhooks", {"webhook": GIVEN}),
        ("POST", "webhooks/test", {"request": GIVEN}),
        ("GET", path, None),
        ("PATCH", path, {"webhook": {"name": "x"}}),
        ("PUT", path, {"webhook": GIVEN}),
        ("DELETE", path, None),
        ("GET", f"{path}/invocations", None),
        ("GET", f"{path}/invocations/{made['id']}/attempts", None),
        ("GET", f"{path}/signing_secret", None),
        ("POST", f"{path}/signing_secret", None),
    ):
        assert desk.call(method, place, body, by=by).status == 403, (method, place)
    with desk.bound():
        assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "attribute"),
    [
        ({"name": " "}, "name"),
        ({"status": "on"}, "status"),
        ({"http_method": "HEAD"}, "http_method"),
        ({"request_format": "yaml"}, "request_format"),
        ({"endpoint": "ftp://hooks.example.com"}, "endpoint"),
        ({"endpoint": "https://"}, "endpoint"),
        ({"endpoint": "https://a:b@hooks.example.com"}, "endpoint"),
        ({"endpoint": "https://hooks.example.com:99999/"}, "endpoint"),
        ({"subscriptions": ["zen:event-type:user.alias_changed"]}, "subscriptions"),
        (
            {"subscriptions": ["conditional_ticket_events", "zen:event-type:user.created"]},
            "subscriptions",
        ),
        ({"subscriptions": ["zen:event-type:user.created"], "http_method": "PUT"}, "http_method"),
        (
            {"subscriptions": ["zen:event-type:user.created"], "request_format": "xml"},
            "request_format",
        ),
        ({"authentication": {"type": "digest"}}, "authentication"),
        ({"authentication": {"type": "bearer_token", "data": {}}}, "authentication"),
        (
            {
                "authentication": {
                    "type": "bearer_token",
                    "data": {"token": "t"},
                    "add_position": "body",
                }
            },
            "authentication",
        ),
        ({"custom_headers": {"Host": "other"}}, "custom_headers"),
        ({"custom_headers": {"X-A": "two\nlines"}}, "custom_headers"),
    ],
)
def test_what_a_webhook_cannot_be_is_refused_by_name(
    desk: Desk, changes: dict[str, Any], attribute: str
) -> None:
    assert refused(desk, **changes) == attribute


def test_the_connection_method_of_a_webhook_stays(desk: Desk) -> None:
    made = make(desk)
    change = {"webhook": {"subscriptions": ["zen:event-type:user.created"]}}
    assert desk.call("PATCH", f"webhooks/{made['id']}", change, by="olga").status == 422


@pytest.mark.parametrize(
    ("authentication", "shown"),
    [
        (
            {"type": "basic_auth", "data": {"username": "u", "password": "s3cret"}},
            {"username": "u"},
        ),
        ({"type": "bearer_token", "data": {"token": "s3cret"}}, {}),
        ({"type": "api_key", "data": {"name": "X-Key", "value": "s3cret"}}, {"name": "X-Key"}),
    ],
)
def test_credentials_are_never_shown(
    desk: Desk, authentication: dict[str, Any], shown: dict[str, str]
) -> None:
    made = make(desk, authentication={**authentication, "add_position": "header"})
    assert made["authentication"]["data"] == shown
    for path in ("webhooks", f"webhooks/{made['id']}"):
        assert b"s3cret" not in desk.call("GET", path, by="olga").raw
    with desk.bound():
        kept = Webhook.objects.get().authentication
    assert kept == {**authentication, "add_position": "header"}


def test_lists_are_filtered_sorted_and_in_pages(desk: Desk) -> None:
    for name, status in (("beta", "active"), ("alpha", "inactive"), ("gamma", "active")):
        make(desk, name=name, status=status)

    def names(query: str) -> list[str]:
        return [item["name"] for item in desk.get(f"webhooks?{query}", by="olga")["webhooks"]]

    assert names("") == ["beta", "alpha", "gamma"]
    assert names("sort=-name") == ["gamma", "beta", "alpha"]
    assert names("filter[status]=active&sort=name") == ["beta", "gamma"]
    assert names("filter[name_contains]=MM") == ["gamma"]
    page = desk.get("webhooks?page[size]=2&sort=name", by="olga")
    assert page["meta"]["has_more"]
    rest = page["links"]["next"].partition("/api/v2/")[2]
    assert [item["name"] for item in desk.get(rest, by="olga")["webhooks"]] == ["gamma"]


def test_a_clone_has_all_but_its_name_and_secret(desk: Desk) -> None:
    key = {"type": "api_key", "data": {"name": "X-Key", "value": "v"}, "add_position": "header"}
    first = make(desk, authentication=key)
    path = f"webhooks?clone_webhook_id={first['id']}"
    copy = desk.post(path, {"webhook": {"name": "Copy"}}, by="olga")["webhook"]
    assert (copy["name"], copy["endpoint"]) == ("Copy", first["endpoint"])
    assert desk.post(path, None, by="olga")["webhook"]["name"] == first["name"]
    with desk.bound():
        assert Webhook.objects.get(id=copy["id"]).authentication == key
    secrets = {
        desk.get(f"webhooks/{key}/signing_secret", by="olga")["signing_secret"]["secret"]
        for key in (first["id"], copy["id"])
    }
    assert len(secrets) == 2
    assert desk.call("POST", "webhooks?clone_webhook_id=none", {}, by="olga").status == 404
    assert desk.call("POST", "webhooks", {}, by="olga").status == 400


def test_a_reset_secret_is_another_one_and_stands(desk: Desk) -> None:
    path = f"webhooks/{make(desk)['id']}/signing_secret"
    before = desk.get(path, by="olga")
    after = desk.post(path, None, by="olga")
    assert before["signing_secret"]["algorithm"] == after["signing_secret"]["algorithm"] == "SHA256"
    assert before != after
    assert desk.get(path, by="olga") == after


def test_a_trigger_calls_its_webhook_with_its_placeholders_filled(desk: Desk) -> None:
    made = make(desk)
    call_on_creation(desk, made["id"], '{"id": {{ticket.id}}, "title": "{{ticket.title}}"}')
    ticket = desk.ticket(subject='He said "no"\nand left')
    (owed,) = deliveries(desk)
    assert (owed.webhook, owed.method, owed.url) == (made["id"], "POST", GIVEN["endpoint"])
    title = ticket["subject"].replace('"', '\\"').replace("\n", "\\n")
    assert owed.body == f'{{"id": {ticket["id"]}, "title": "{title}"}}'
    assert owed.headers == [["Content-Type", "application/json"]]
    audits = desk.get(f"tickets/{ticket['id']}/audits.json")["audits"]
    event = next(item for item in audits[0]["events"] if item["type"] == "External")
    assert event["resource"] == made["id"]
    assert event["via"]["source"]["rel"] == "trigger"


def test_a_form_and_an_address_take_pairs(desk: Desk) -> None:
    pairs = [["ticket", "{{ticket.id}}"], ["what", "a&b"]]
    form = make(desk, request_format="form_encoded")
    asked = make(desk, http_method="GET")
    call_on_creation(desk, form["id"], pairs)
    call_on_creation(desk, asked["id"], pairs)
    number = desk.ticket()["id"]
    by_webhook = {item.webhook: item for item in deliveries(desk)}
    text = f"ticket={number}&what=a%26b"
    assert by_webhook[form["id"]].body == text
    assert by_webhook[asked["id"]].url == f"{GIVEN['endpoint']}&{text}"
    assert by_webhook[asked["id"]].body == ""


@pytest.mark.parametrize(
    "changes",
    [{"status": "inactive"}, {"subscriptions": ["zen:event-type:user.created"]}],
)
def test_rules_do_not_call_webhooks_that_are_not_theirs(
    desk: Desk, changes: dict[str, Any]
) -> None:
    call_on_creation(desk, make(desk, **changes)["id"], "{}")
    call_on_creation(desk, "01EJFTSCC78X5V07NPY2MHR00M", "{}")
    desk.ticket()
    assert deliveries(desk) == []


def test_an_automation_calls_a_webhook(desk: Desk) -> None:
    made = make(desk)
    action = {"field": "notification_webhook", "value": [made["id"], "{{ticket.id}}"]}
    new = {"field": "NEW", "operator": "is", "value": "1"}
    given = {"title": "Late", "all": [new], "actions": [action]}
    desk.post("automations.json", {"automation": given}, by="olga")
    ticket = desk.ticket()
    desk.advance(hours=3)
    assert [item.body for item in deliveries(desk)] == [str(ticket["id"])]


def test_events_are_told_to_those_who_subscribed(desk: Desk) -> None:
    events = [
        f"zen:event-type:{name}"
        for name in (
            "ticket.created",
            "user.created",
            "user.deleted",
            "organization.created",
            "organization.deleted",
        )
    ]
    make(desk, subscriptions=events)
    make(desk, status="inactive", subscriptions=events)
    user = desk.post("users.json", {"user": {"name": "New", "email": "n@x.example"}}, by="olga")
    firm = desk.post("organizations.json", {"organization": {"name": "Firm"}}, by="olga")
    desk.ticket(requester_id=user["user"]["id"])
    desk.call("DELETE", f"users/{user['user']['id']}.json", by="olga")
    desk.call("DELETE", f"organizations/{firm['organization']['id']}.json", by="olga")
    owed = deliveries(desk)
    assert sorted(item.event for item in owed) == sorted(events)
    bodies = {item.event: json.loads(item.body) for item in owed}
    for event, body in bodies.items():
        assert body["type"] == event
        assert body["event"] == {}
    made = bodies["zen:event-type:user.created"]
    assert made["subject"] == f"zen:user:{user['user']['id']}"
    assert made["detail"]["email"] == "n@x.example"
    told = bodies["zen:event-type:organization.created"]
    assert (told["detail"]["name"], told["account_id"]) == ("Firm", 18525119)


def test_where_nothing_is_sent_an_attempt_fails_at_once_and_says_why(desk: Desk) -> None:
    """A socket listens at the endpoint: nobody may come."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        made = make(desk, endpoint=f"http://127.0.0.1:{port}/")
        call_on_creation(desk, made["id"], "{}")
        desk.ticket()
        desk.drain()
        listening.settimeout(0.2)
        with pytest.raises(TimeoutError):
            listening.accept()
    path = f"webhooks/{made['id']}/invocations"
    (invocation,) = desk.get(path, by="olga")["invocations"]
    assert (invocation["status"], invocation["status_code"]) == ("failed", 0)
    (attempt,) = desk.get(f"{path}/{invocation['id']}/attempts", by="olga")["attempts"]
    assert "sends nothing" in attempt["response"]["payload"]
    assert attempt["request"]["payload"] == "{}"
    assert desk.get(f"{path}?filter[status]=success", by="olga")["invocations"] == []
    assert len(desk.get(f"{path}?filter[status]=failed", by="olga")["invocations"]) == 1
    assert desk.get(f"{path}?filter[from_ts]=2030-01-01T00:00:00Z", by="olga")["invocations"] == []
    assert desk.call("GET", f"{path}?filter[status]=odd", by="olga").status == 400
    answer = desk.call("POST", "webhooks/test", {"request": GIVEN}, by="olga")
    assert answer.body["response"]["status_code"] == 503


def test_what_webhooks_sent_is_in_no_diff_and_undone_by_a_rewind(desk: Desk) -> None:
    call_on_creation(desk, make(desk)["id"], "{}")
    with desk.bound():
        mark = journal().position()
    desk.ticket()
    with desk.bound():
        shown = {row.table.name for row in journal().rows(mark) if row.table.kind == "record"}
        assert DeliveryAttempt.objects.count() == 1
    assert "helpdesk_ticket" in shown
    assert not {name for name in shown if name.startswith("core_delivery")}
    with desk.bound(), unit_of_work("write"):
        assert journal().rewind(mark).mismatches == ()
        assert not DeliveryAttempt.objects.exists()
        assert not Delivery.objects.exists()
