"""Writes to one record at once, by several workers: none is lost, none breaks, none is doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import http_client
from tests.live.conftest import account

TIMES = 12
Send = Callable[..., httpx.Response]


class Crowd:
    """Many clients of a sandbox, each of another worker than the one before."""

    def __init__(self, sandbox: dict[str, Any], ports: tuple[int, ...]) -> None:
        self._sandbox, self._ports = sandbox, ports

    def send(
        self, clone: str, method: str, path: str, *, place: int = 0, **more: Any
    ) -> httpx.Response:
        """Send one request of the clone's administrator."""
        card = account(self._sandbox, clone, "admin")
        if clone == "billing":
            auth = (card["secret_key"], "")
        else:
            user = f"{card['email']}/token" if clone == "helpdesk" else card["email"]
            auth = (user, card["api_token"])
        host = urlsplit(self._sandbox["apps"][clone]["url"]).hostname
        url = f"http://{host}:{self._ports[place % len(self._ports)]}{path}"
        with http_client(auth=auth, timeout=60.0) as http:
            return http.request(method, url, **more)

    def at_once(self, send: Callable[[int], httpx.Response]) -> list[httpx.Response]:
        """Send so many requests at once and return their answers."""
        with ThreadPoolExecutor(TIMES) as pool:
            return list(pool.map(send, range(TIMES)))


@pytest.fixture
def crowd(sandbox: dict[str, Any], running: RunningServer) -> Crowd:
    return Crowd(sandbox, running.options.ports)


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def test_comments_and_tags_of_a_ticket(crowd: Crowd) -> None:
    body = {"ticket": {"subject": "Race", "comment": {"body": "x"}}}
    made = crowd.send("helpdesk", "POST", "/api/v2/tickets.json", json=body).json()["ticket"]
    path = f"/api/v2/tickets/{made['id']}.json"

    def add(number: int) -> httpx.Response:
        change = {"comment": {"body": f"c{number}"}, "additional_tags": [f"race_{number}"]}
        return crowd.send("helpdesk", "PUT", path, place=number, json={"ticket": change})

    assert statuses(crowd.at_once(add)) == {200: TIMES}
    ticket = crowd.send("helpdesk", "GET", path).json()["ticket"]
    assert {f"race_{number}" for number in range(TIMES)} <= set(ticket["tags"])
    comments = crowd.send("helpdesk", "GET", path.replace(".json", "/comments.json")).json()
    assert len(comments["comments"]) == TIMES + 1

    def safely(number: int) -> httpx.Response:
        change = {"priority": "high", "safe_update": True, "updated_stamp": ticket["updated_at"]}
        return crowd.send("helpdesk", "PUT", path, place=number, json={"ticket": change})

    assert statuses(crowd.at_once(safely)) == {200: 1, 409: TIMES - 1}


def test_one_user_of_an_address(crowd: Crowd) -> None:
    def create(number: int) -> httpx.Response:
        body = {"user": {"email": "race@one.example", "name": f"Race {number}"}}
        return crowd.send("helpdesk", "POST", "/api/v2/users.json", place=number, json=body)

    assert statuses(crowd.at_once(create)) == {201: 1, 422: TIMES - 1}


def test_keys_labels_and_time_of_issues(crowd: Crowd) -> None:
    def create(number: int) -> httpx.Response:
        fields = {
            "project": {"key": "WEB"}, "summary": f"Race {number}", "issuetype": {"name": "Task"}
        }  # fmt: skip
        path = "/rest/api/3/issue"
        return crowd.send("tracker", "POST", path, place=number, json={"fields": fields})

    keys = {answer.json()["key"] for answer in crowd.at_once(create)}
    assert len(keys) == TIMES
    path = f"/rest/api/3/issue/{min(keys)}"

    def label(number: int) -> httpx.Response:
        change = {"update": {"labels": [{"add": f"race-{number}"}]}}
        return crowd.send("tracker", "PUT", path, place=number, json=change)

    def log(number: int) -> httpx.Response:
        body = {"timeSpentSeconds": 60}
        return crowd.send("tracker", "POST", f"{path}/worklog", place=number, json=body)

    assert statuses(crowd.at_once(label)) == {204: TIMES}
    assert statuses(crowd.at_once(log)) == {201: TIMES}
    fields = crowd.send("tracker", "GET", path).json()["fields"]
    assert (len(fields["labels"]), fields["timespent"]) == (TIMES, 60 * TIMES)


def test_one_answer_for_a_key_and_no_refund_beyond_its_charge(crowd: Crowd) -> None:
    def same(number: int) -> httpx.Response:
        headers = {"Idempotency-Key": "race-1"}
        return crowd.send("billing", "POST", "/v1/customers", place=number, headers=headers)

    answers = crowd.at_once(same)
    assert statuses(answers) == {200: TIMES}
    assert len({answer.json()["id"] for answer in answers}) == 1

    def other(number: int) -> httpx.Response:
        headers, data = {"Idempotency-Key": "race-2"}, {"name": f"Race {number}"}
        path = "/v1/customers"
        return crowd.send("billing", "POST", path, place=number, headers=headers, data=data)

    assert statuses(crowd.at_once(other)) == {200: 1, 400: TIMES - 1}
    charges = crowd.send("billing", "GET", "/v1/charges?limit=100").json()["data"]
    charge = next(
        one for one in charges if one["paid"] and not one["amount_refunded"] and one["amount"] > 10
    )
    most = charge["amount"] * 6 // 10  # two of them are more than it

    def refund(number: int) -> httpx.Response:
        data = {"charge": charge["id"], "amount": most}
        return crowd.send("billing", "POST", "/v1/refunds", place=number, data=data)

    assert statuses(crowd.at_once(refund)) == {200: 1, 400: TIMES - 1}
    after = crowd.send("billing", "GET", f"/v1/charges/{charge['id']}").json()
    assert after["amount_refunded"] == most
