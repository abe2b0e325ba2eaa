"""Deliveries on the wire: signed, shown as they went, tried again as the service does."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from django.db import transaction

from clones.core.models import Delivery, Job
from clones.core.server import server
from clones.core.webhooks import delivering, outbox, wire
from clones.core.webhooks.messages import Outcome, Outgoing, outcome_of_json
from clones.core.webhooks.senders import listed_hosts
from clones.helpdesk.domain import deliveries
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_webhooks import call_on_creation, make
from tests.receiving import Receiver, answer, listing, receiving

Message = tuple[str, int, str, int]


class Kept:
    """A sender whose messages wait until a test hands them on."""

    refusal: str | None = None

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def committed(self, sandbox: str, generation: int, delivery: str, number: int) -> None:
        """Keep a message."""
        self.messages.append((sandbox, generation, delivery, number))

    def ask(self, outgoing: Outgoing) -> Outcome:
        """Send at once, as a worker would that was told of it in JSON."""
        told = json.loads(json.dumps(outgoing.as_json()))
        outcome = wire.send(Outgoing.of_json(told), listed_hosts())
        return outcome_of_json(json.loads(json.dumps(asdict(outcome))))

    def send(self) -> None:
        """Hand on what was kept, in order."""
        waiting, self.messages = self.messages, []
        for message in waiting:
            delivering.deliver(*message)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    found = Kept()
    monkeypatch.setattr(outbox, "sender", lambda: found)
    monkeypatch.setattr(deliveries, "sender", lambda: found)
    return found


@pytest.fixture
def host() -> Iterator[Receiver]:
    with receiving() as found, listing(f"127.0.0.1:{found.port}"):
        yield found


def invocations(desk: Desk, webhook: str) -> list[Any]:
    found: list[Any] = desk.get(f"webhooks/{webhook}/invocations", by="olga")["invocations"]
    return found


def attempts(desk: Desk, webhook: str) -> list[Any]:
    (invocation,) = invocations(desk, webhook)
    path = f"webhooks/{webhook}/invocations/{invocation['id']}/attempts"
    found: list[Any] = desk.get(path, by="olga")["attempts"]
    return found


def called(desk: Desk, host: Receiver, content: Any = "{}", **changes: Any) -> str:
    """Make a webhook to the host, call it once, and return its id."""
    webhook: str = make(desk, endpoint=host.url, **changes)["id"]
    call_on_creation(desk, webhook, content)
    desk.ticket()
    return webhook


def test_a_delivery_is_signed_as_the_service_signs(desk: Desk, kept: Kept, host: Receiver) -> None:
    token = {"type": "bearer_token", "data": {"token": "s3cret"}, "add_position": "header"}
    webhook = called(
        desk,
        host,
        '{"title": "{{ticket.title}} é"}',
        authentication=token,
        custom_headers={"X-Team": "red"},
    )
    kept.send()
    (got,) = host.received
    (invocation,) = invocations(desk, webhook)
    secret = desk.get(f"webhooks/{webhook}/signing_secret", by="olga")["signing_secret"]["secret"]
    stamp = got.headers["X-Zendesk-Webhook-Signature-Timestamp"]
    mac = hmac.new(secret.encode(), stamp.encode() + got.body, hashlib.sha256).digest()
    assert got.headers["X-Zendesk-Webhook-Signature"] == base64.b64encode(mac).decode()
    assert got.headers["X-Zendesk-Webhook-Id"] == webhook
    assert got.headers["X-Zendesk-Webhook-Invocation-Id"] == invocation["id"]
    assert got.headers["X-Zendesk-Account-Id"].isdigit()
    assert got.headers["User-Agent"] == "Zendesk Webhook"
    assert got.headers["Content-Type"] == "application/json"
    assert got.headers["X-Team"] == "red"
    assert got.headers["Authorization"] == "Bearer s3cret"
    assert json.loads(got.body)["title"].endswith("é")
    assert (invocation["status"], invocation["status_code"]) == ("success", 200)
    (attempt,) = attempts(desk, webhook)
    sent = {item["key"]: item["value"] for item in attempt["request"]["headers"]}
    assert sent.pop("Authorization") == "[hidden]"
    assert {name: got.headers[name] for name in sent} == sent
    assert attempt["request"]["payload"].encode() == got.body
    assert attempt["response"]["payload"] == "taken"
    assert {"key": "Content-Length", "value": "5"} in attempt["response"]["headers"]


@pytest.mark.parametrize(
    ("authentication", "header", "value"),
    [
        (
            {"type": "basic_auth", "data": {"username": "u", "password": "p"}},
            "Authorization",
            "Basic " + base64.b64encode(b"u:p").decode(),
        ),
        ({"type": "api_key", "data": {"name": "X-Key", "value": "v"}}, "X-Key", "v"),
    ],
)
def test_credentials_go_out_as_headers(
    desk: Desk, kept: Kept, host: Receiver, authentication: Any, header: str, value: str
) -> None:
    called(desk, host, authentication={**authentication, "add_position": "header"})
    kept.send()
    assert host.received[0].headers[header] == value


def owe(webhook: str, url: str) -> None:
    outbox.owe(
        clone="helpdesk",
        webhook=webhook,
        event="e",
        method="POST",
        url=url,
        headers=[],
        body="",
    )


def test_nothing_is_sent_of_a_write_that_was_refused(
    desk: Desk, kept: Kept, host: Receiver
) -> None:
    webhook = make(desk, endpoint=host.url)["id"]
    call_on_creation(desk, webhook, "{}")
    bad = {"subject": "s", "comment": {"body": "b"}, "priority": "odd"}
    assert desk.call("POST", "tickets.json", {"ticket": bad}).status == 422
    assert kept.messages == []
    with desk.writing():
        owe(webhook, host.url)
        transaction.set_rollback(True)
    assert kept.messages == []
    # It had been noted before: the sweep finds that there is nothing.
    assert delivering.sweep(delivering.deliver) == 1
    assert delivering.sweep(delivering.deliver) == 0
    assert host.received == []


def test_a_conflict_is_tried_three_times_more_by_the_sandboxs_clock(
    desk: Desk, kept: Kept, host: Receiver
) -> None:
    host.respond = lambda _, handler: answer(handler, 409, b"not now")
    webhook = called(desk, host)
    kept.send()
    desk.drain()
    assert kept.messages == []  # its clock stands
    assert invocations(desk, webhook)[0]["status"] == "retrying"
    for number in range(2, 5):
        desk.advance(minutes=2)
        assert [message[3] for message in kept.messages] == [number]
        kept.send()
    desk.advance(minutes=10)
    assert kept.messages == []
    assert len(host.received) == 4
    names = {got.headers["X-Zendesk-Webhook-Invocation-Id"] for got in host.received}
    assert len(names) == 1
    found = attempts(desk, webhook)
    assert [(item["status"], item["status_code"]) for item in found] == [("failed", 409)] * 4
    assert len({item["id"] for item in found}) == 4
    assert invocations(desk, webhook)[0]["status"] == "failed"


def test_a_host_that_names_a_time_is_tried_then(desk: Desk, kept: Kept, host: Receiver) -> None:
    host.respond = lambda number, handler: (
        answer(handler, 503, Retry_After="30") if number == 0 else answer(handler, 204)
    )
    webhook = called(desk, host)
    kept.send()
    desk.advance(seconds=29)
    assert kept.messages == []
    desk.advance(seconds=1)
    kept.send()
    assert [item["status"] for item in attempts(desk, webhook)] == ["failed", "success"]


@pytest.mark.parametrize(
    ("status", "retry_after"),
    [(500, "5"), (404, "5"), (302, "5"), (429, "60"), (503, "600"), (503, "soon"), (503, "-1")],
)
def test_other_failures_are_not_tried_again(
    desk: Desk, kept: Kept, host: Receiver, status: int, retry_after: str
) -> None:
    host.respond = lambda _, handler: answer(handler, status, Retry_After=retry_after)
    webhook = called(desk, host)
    kept.send()
    with desk.bound():
        assert not Job.objects.filter(kind=outbox.RETRY).exists()
    assert invocations(desk, webhook)[0]["status"] == "failed"


def test_a_message_that_comes_twice_sends_once(desk: Desk, kept: Kept, host: Receiver) -> None:
    webhook = called(desk, host)
    (message,) = kept.messages

    def meanwhile(_: int, handler: Any) -> None:
        delivering.deliver(*message)  # another worker, while this one waits for the answer
        answer(handler, 200)

    host.respond = meanwhile
    delivering.deliver(*message)
    delivering.deliver(*message)
    delivering.deliver(*message[:3], 2)
    assert len(host.received) == 1
    assert len(attempts(desk, webhook)) == 1
    assert delivering.sweep(delivering.deliver) == 0


def test_messages_do_not_pile_up_while_workers_wait(desk: Desk, kept: Kept, host: Receiver) -> None:
    called(desk, host)
    sent: list[tuple[str, int, str, int]] = []
    for _ in range(3):
        delivering.sweep(lambda *note: sent.append(note))
    assert sent == kept.messages
    delivering.deliver(*sent[0])
    assert len(host.received) == 1


def test_a_reset_during_a_delivery_leaves_nothing(
    desk: Desk, kept: Kept, host: Receiver, sandboxes: Sandboxes
) -> None:
    called(desk, host)
    (message,) = kept.messages

    def resetting(_: int, handler: Any) -> None:
        sandboxes.reset(desk.row.id)
        answer(handler, 409)

    host.respond = resetting
    delivering.deliver(*message)
    delivering.deliver(*message)
    assert len(host.received) == 1
    with desk.bound():
        assert not Delivery.objects.exists()
        assert not Job.objects.filter(kind=outbox.RETRY).exists()
    assert delivering.sweep(delivering.deliver) == 0


def test_what_a_rewind_brings_back_is_noted_again(
    desk: Desk, kept: Kept, host: Receiver, sandboxes: Sandboxes
) -> None:
    called(desk, host)
    sandboxes.mark(desk.row.id, "owed")
    kept.send()
    sandboxes.rewind(desk.row.id, "owed")
    assert delivering.sweep(delivering.deliver) == 1
    assert len(host.received) == 2
    assert len({got.headers["X-Zendesk-Webhook-Invocation-Id"] for got in host.received}) == 1


def test_a_deleted_webhook_sends_nothing_more(desk: Desk, kept: Kept, host: Receiver) -> None:
    webhook = called(desk, host)
    desk.call("DELETE", f"webhooks/{webhook}", by="olga")
    kept.send()
    assert host.received == []
    with desk.bound():
        assert Delivery.objects.get().status == Delivery.FAILED


def test_a_host_outside_the_list_is_a_failure_that_readers_see(
    desk: Desk, kept: Kept, host: Receiver
) -> None:
    with listing("hooks.example.com"):
        webhook = called(desk, host)
        kept.send()
    assert host.received == []
    (attempt,) = attempts(desk, webhook)
    assert "not among those" in attempt["response"]["payload"]
    assert server().registry.deliveries_before(1e12, now=1e12) == []


def tried(desk: Desk, query: str = "", **request: Any) -> Any:
    """Return the response that a test request is answered with."""
    body = {"request": request} if request else {}
    answer = desk.call("POST", f"webhooks/test{query}", body, by="olga")
    assert answer.status == 200, answer.body
    return answer.body["response"]


def test_a_test_request_is_sent_and_its_answer_shown(
    desk: Desk, kept: Kept, host: Receiver
) -> None:
    host.respond = lambda _, handler: answer(handler, 418, b"short", X_Kind="teapot")
    proof = {"type": "bearer_token", "data": {"token": "t0p"}, "add_position": "header"}
    found = tried(desk, endpoint=host.url, payload='{"a": 1}', authentication=proof)
    assert (found["status_code"], found["payload"]) == (418, "short")
    assert {"key": "X-Kind", "value": "teapot"} in found["headers"]
    (got,) = host.received
    assert (got.method, got.body) == ("POST", b'{"a": 1}')
    assert got.headers["Content-Type"].startswith("application/json")
    assert got.headers["Authorization"] == "Bearer t0p"
    assert kept.messages == []
    with desk.bound():
        assert not Delivery.objects.exists()


def test_a_webhook_is_tried_as_it_stands_or_with_changes(
    desk: Desk, kept: Kept, host: Receiver
) -> None:
    key = make(desk, endpoint=host.url)["id"]
    assert tried(desk, f"?webhook_id={key}")["status_code"] == 200
    assert tried(desk, f"?webhook_id={key}", http_method="PUT", payload="{}")["status_code"] == 200
    plain, changed = host.received
    assert (plain.method, changed.method, changed.body) == ("POST", "PUT", b"{}")
    assert {got.headers["X-Zendesk-Webhook-Id"] for got in host.received} == {key}
    secret = desk.get(f"webhooks/{key}/signing_secret", by="olga")["signing_secret"]["secret"]
    stamp = changed.headers["X-Zendesk-Webhook-Signature-Timestamp"]
    digest = hmac.new(secret.encode(), stamp.encode() + b"{}", hashlib.sha256).digest()
    assert changed.headers["X-Zendesk-Webhook-Signature"] == base64.b64encode(digest).decode()
    assert desk.get(f"webhooks/{key}", by="olga")["webhook"]["http_method"] == "POST"


def test_a_test_request_reaches_listed_hosts_only(desk: Desk, kept: Kept) -> None:
    with receiving() as other:
        found = tried(desk, endpoint=other.url)
    assert (found["status_code"], found["headers"], other.received) == (503, [], [])
    assert "is not among those that webhooks may reach" in found["payload"]
    assert desk.call("POST", "webhooks/test", {}, by="olga").status == 400
    bad = {"request": {"endpoint": "nowhere"}}
    assert desk.call("POST", "webhooks/test", bad, by="olga").status == 422
    assert desk.call("POST", "webhooks/test", {"request": {}}, by="ana").status == 403
