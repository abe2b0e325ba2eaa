"""Webhooks through the queue: sent once by a worker, found again when lost, gone after a reset."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from clones.config.queue import Deliveries, deliver
from clones.core import clock
from clones.core.models import Delivery, DeliveryAttempt, Job
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.core.webhooks import delivering, outbox
from clones.core.webhooks.hosts import HOSTS_FILE
from clones.helpdesk.api.handouts import authorization
from clones.helpdesk.domain import deliveries
from clones.helpdesk.queries.update_limits import MOST_UPDATES
from sandlot.client import http_client
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_webhooks import call_on_creation, make
from tests.live.apart import serve_apart
from tests.receiving import Receiver, answer, listing, receiving
from tests.serving import serving
from tests.stack.conftest import beat, eventually, worker

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _by_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "sender", Deliveries)
    monkeypatch.setattr(deliveries, "sender", Deliveries)


@pytest.fixture
def host() -> Iterator[Receiver]:
    with receiving() as found, listing(f"127.0.0.1:{found.port}"):
        yield found


def call(desk: Desk, url: str, times: int = 1) -> str:
    """Make a webhook, have tickets call it, and return its id."""
    webhook: str = make(desk, endpoint=url)["id"]
    call_on_creation(desk, webhook, '{"ticket": {{ticket.id}}}')
    for _ in range(times):
        desk.ticket()
    return webhook


def statuses(desk: Desk) -> list[tuple[str, int]]:
    with desk.bound():
        rows = Delivery.objects.order_by("created_at", "id")
        return list(rows.values_list("status", "attempts"))


def is_at(desk: Desk, status: str, attempts: int) -> bool:
    return statuses(desk) == [(status, attempts)]


def noted() -> int:
    return len(server().registry.deliveries_before(1e12, now=1e12))


def test_a_worker_sends_each_delivery_once(desk: Desk, host: Receiver) -> None:
    """Each message comes three times, to two workers."""
    with worker(2):
        call(desk, host.url, times=10)
        with desk.bound():
            keys = list(Delivery.objects.values_list("id", flat=True))
        for _ in range(2):
            for key in keys:
                deliver.delay(desk.row.id, desk.row.generation, key, 1)
        eventually(lambda: statuses(desk) == [("success", 1)] * 10)
        eventually(lambda: noted() == 0)
    names = [got.headers["X-Zendesk-Webhook-Invocation-Id"] for got in host.received]
    assert sorted(names) == sorted(keys)


@pytest.mark.in_turn
def test_a_test_request_is_sent_by_a_worker_and_answered_at_once(
    desk: Desk, host: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.respond = lambda _, handler: answer(handler, 201, b"made")
    request = {"endpoint": host.url, "payload": "{}"}
    with worker():
        found = desk.call("POST", "webhooks/test", {"request": request}, by="olga")
        assert found.status == 200
        shown = found.body["response"]
        assert (shown["status_code"], shown["payload"]) == (201, "made")
    assert [got.body for got in host.received] == [b"{}"]
    monkeypatch.setattr("clones.config.queue.ASKING", 0.5)
    late = desk.call("POST", "webhooks/test", {"request": request}, by="olga")
    assert late.body["response"]["status_code"] == 504
    assert len(host.received) == 1


def test_a_failing_host_is_tried_again_and_its_attempts_can_be_read(
    desk: Desk, host: Receiver
) -> None:
    host.respond = lambda number, handler: answer(handler, 409 if number < 2 else 200, b"so")
    with worker():
        webhook = call(desk, host.url)
        for number in (1, 2):
            eventually(partial(is_at, desk, "waiting", number))
            desk.advance(minutes=2)
        eventually(lambda: statuses(desk) == [("success", 3)])
    path = f"webhooks/{webhook}/invocations"
    (invocation,) = desk.get(path, by="olga")["invocations"]
    found = desk.get(f"{path}/{invocation['id']}/attempts", by="olga")["attempts"]
    assert [item["status_code"] for item in found] == [409, 409, 200]
    assert {item["response"]["payload"] for item in found} == {"so"}


@pytest.mark.in_turn
def test_a_live_clock_tries_again_by_itself(desk: Desk, host: Receiver, tmp_path: Path) -> None:
    host.respond = lambda number, handler: answer(handler, 409 if number == 0 else 200)
    with desk.bound(), unit_of_work("write"):
        clock.configure(mode="live", speed=60.0)
    with worker(), beat(tmp_path):
        call(desk, host.url)
        eventually(lambda: statuses(desk) == [("success", 2)])
    assert len(host.received) == 2


@pytest.mark.in_turn
def test_a_worker_killed_in_the_middle_sends_again_under_the_same_name(
    desk: Desk, host: Receiver, tmp_path: Path
) -> None:
    arrived, free = threading.Event(), threading.Event()

    def hang(number: int, handler: BaseHTTPRequestHandler) -> None:
        if number == 0:
            arrived.set()
            free.wait(60)
        else:
            answer(handler, 200)

    host.respond = hang
    with worker() as process:
        call(desk, host.url)
        assert arrived.wait(20)
        _kill(process)
    free.set()
    assert statuses(desk) == [("pending", 0)]
    with worker(), beat(tmp_path):
        eventually(lambda: statuses(desk) == [("success", 1)], delivering.HOLD + 20)
        time.sleep(2.5)  # for whatever beat may send again
    assert len(host.received) == 2
    assert len({got.headers["X-Zendesk-Webhook-Invocation-Id"] for got in host.received}) == 1
    assert len({got.body for got in host.received}) == 1


def _kill(process: subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.in_turn
def test_a_lost_message_is_found_again(
    desk: Desk, host: Receiver, broker: redis.Redis, tmp_path: Path
) -> None:
    call(desk, host.url)
    broker.flushdb()
    with worker(), beat(tmp_path):
        eventually(lambda: statuses(desk) == [("success", 1)])
    assert len(host.received) == 1


def test_a_reset_during_a_delivery_leaves_nothing_of_it(
    desk: Desk, host: Receiver, sandboxes: Sandboxes
) -> None:
    arrived, free = threading.Event(), threading.Event()

    def hold(number: int, handler: BaseHTTPRequestHandler) -> None:
        if number == 0:
            arrived.set()
            free.wait(10)
        answer(handler, 409)

    host.respond = hold
    with worker():
        call(desk, host.url)
        assert arrived.wait(20)
        sandboxes.reset(desk.row.id)
        free.set()
        eventually(lambda: noted() == 0)
    assert len(host.received) == 1
    with desk.bound():
        assert not Delivery.objects.exists()
        assert not DeliveryAttempt.objects.exists()
        assert not Job.objects.filter(kind=outbox.RETRY).exists()


def test_nobody_connects_to_a_host_outside_the_list(desk: Desk, host: Receiver) -> None:
    with listing("hooks.example.com"), worker():
        webhook = call(desk, host.url)
        eventually(lambda: statuses(desk) == [("failed", 1)])
    assert host.received == []
    path = f"webhooks/{webhook}/invocations"
    (invocation,) = desk.get(path, by="olga")["invocations"]
    (found,) = desk.get(f"{path}/{invocation['id']}/attempts", by="olga")["attempts"]
    assert "not among those" in found["response"]["payload"]


@pytest.mark.in_turn
def test_a_slow_host_holds_nobody_who_writes(desk: Desk, host: Receiver) -> None:
    arrived, free = threading.Event(), threading.Event()

    def hold(_: int, handler: BaseHTTPRequestHandler) -> None:
        arrived.set()
        free.wait(10)
        answer(handler, 200)

    host.respond = hold
    with worker():
        call(desk, host.url)
        assert arrived.wait(20)
        begun = time.monotonic()
        made: Any = desk.post("groups.json", {"group": {"name": "Meanwhile"}}, by="olga")
        assert time.monotonic() - begun < 5
        free.set()
        eventually(lambda: statuses(desk) == [("success", 1)])
    assert made["group"]["name"] == "Meanwhile"


@pytest.mark.in_turn
def test_a_receiver_that_writes_to_its_ticket_is_stopped_by_the_limit_of_updates(
    desk: Desk, host: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its writes calls it anew, until the desk takes no more of them for a while."""
    with desk.bound(), unit_of_work("write"):
        clock.configure(mode="live")
    monkeypatch.setenv("SANDLOT_WEBHOOKS", "clones.config.queue.Deliveries")
    webhook = make(desk, endpoint=host.url)["id"]
    action = {"field": "notification_webhook", "value": [webhook, "{}"]}
    always = {"field": "update_type", "operator": "is", "value": "Change"}
    given = {"title": "Round", "all": [always], "actions": [action]}
    desk.post("triggers.json", {"trigger": given}, by="olga")
    key = desk.ticket()["id"]
    answers: list[httpx.Response] = []

    def write_back(_: int, handler: BaseHTTPRequestHandler) -> None:
        comment = {"ticket": {"comment": {"body": "Seen.", "public": False}}}
        answers.append(http.put(f"/api/v2/tickets/{key}.json", json=comment))
        answer(handler, 200)

    host.respond = write_back
    with serving() as address, worker(), client_at(address, desk) as http:
        begin = {"ticket": {"priority": "high"}}
        assert http.put(f"/api/v2/tickets/{key}.json", json=begin).status_code == 200
        eventually(lambda: answers and answers[-1].status_code == 429, 60)
        time.sleep(2)  # for what was sent before
        before = len(host.received)
        time.sleep(2)
        assert len(host.received) == before
        begun = time.monotonic()
        assert http.get(f"/api/v2/tickets/{key}.json").status_code == 200
        assert time.monotonic() - begun < 5
    assert 20 < len(answers) <= MOST_UPDATES
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 600


def client_at(address: str, desk: Desk) -> httpx.Client:
    """Call a desk that is served, as its admin."""
    url = address.replace("127.0.0.1", f"helpdesk.{desk.row.id}.localhost")
    return http_client(base_url=url, headers=authorization(desk.cards["olga"]), timeout=20)


@pytest.mark.in_turn
def test_serve_lists_hosts_for_workers_and_forgets_them_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / HOSTS_FILE
    words = ("--engine", "postgres", "--workers", "1")
    with serve_apart(tmp_path, *words, "--webhook-hosts", "a.example,b.example:8443"):
        assert file.read_text() == "a.example,b.example:8443"
    with serve_apart(tmp_path, *words):
        assert file.read_text() == ""
