"""Requests per second over HTTP, with the load generator on the same machine."""

from __future__ import annotations

import http.client
import json
import threading
import time
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

from sandlot.cli.measures.asking import RequestFailed
from sandlot.cli.measures.figures import Figure, percentile

CLIENTS = 4


@dataclass(frozen=True, slots=True)
class Target:
    """One sandbox to put load on: where, with which credential, and which tickets it has."""

    port: int
    host: str
    authorization: str
    tickets: tuple[int, ...]


def target_of(sandbox: dict[str, Any], tickets: tuple[int, ...]) -> Target:
    """Return a sandbox's helpdesk as a target."""
    app = sandbox["apps"]["helpdesk"]
    account = next(entry for entry in app["accounts"] if entry["role"] == "admin")
    text = b64encode(f"{account['email']}/token:{account['api_token']}".encode()).decode()
    host = app["url"].removeprefix("http://")
    return Target(int(host.rpartition(":")[2]), host, f"Basic {text}", tickets)


class LoadClient:
    """One client: keeps a connection to each port, and asks sandboxes and tickets in turn."""

    def __init__(self, targets: list[Target], request: tuple[str, str, str | None]) -> None:
        self.targets = targets
        self.request = request
        self._connections: dict[int, http.client.HTTPConnection] = {}

    def ask(self, place: int) -> None:
        """Send the request whose turn it is.

        Raises:
            RequestFailed: the answer was an error.
        """
        method, path, body = self.request
        target = self.targets[place % len(self.targets)]
        ticket = target.tickets[place // len(self.targets) % len(target.tickets)]
        connection = self._connections.setdefault(
            target.port, http.client.HTTPConnection("127.0.0.1", target.port, timeout=30)
        )
        headers = {"Host": target.host, "Authorization": target.authorization}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path.format(ticket=ticket), body, headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise RequestFailed(f"{method} {path}: {answer.status} {content[:200]!r}")

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()


def run(
    name: str,
    targets: list[Target],
    request: tuple[str, str, str | None],
    *,
    seconds: float,
    budget: float | None = None,
) -> tuple[Figure, Figure, Figure]:
    """Send one kind of request for some seconds from several clients.

    Sandboxes and their tickets take turns, so that no thread grows beyond what real ones have. Each
    sandbox answers one such request before, one after the other: these are a figure of their own.
    `request` is (method, path with {ticket}, body or None). Return the latency of the first
    requests in milliseconds, the rate per second of the others and their latency.

    Raises:
        RequestFailed: an answer was an error.
    """
    rate = Figure(f"{name}: per second", "1/s", budget=budget, higher_is_better=True)
    latency = Figure(f"{name}: latency", "ms")
    first = Figure(f"{name}: first of each", "ms")
    lock, failures = threading.Lock(), list[str]()

    warming = LoadClient(targets, request)
    for place in range(len(targets)):
        began = time.perf_counter()
        warming.ask(place)
        first.samples.append((time.perf_counter() - began) * 1000)
    warming.close()
    stop = time.monotonic() + seconds

    def client(number: int) -> None:
        asker = LoadClient(targets, request)
        done, times, began = 0, [], time.monotonic()
        place = number
        while time.monotonic() < stop and not failures:
            started = time.perf_counter()
            try:
                asker.ask(place)
            except RequestFailed as failure:
                failures.append(str(failure))
            times.append((time.perf_counter() - started) * 1000)
            place += CLIENTS
            done += 1
        asker.close()
        with lock:
            latency.samples.extend(times)
            rate.samples.append(done / (time.monotonic() - began))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RequestFailed(failures[0])
    rate.samples = [sum(rate.samples)]
    return first, rate, latency


def p99(figure: Figure) -> float:
    """Return the 99th percentile of a latency."""
    return percentile(figure.samples, 99)


def write_body(text: str) -> str:
    """Return the body of a small ticket update."""
    return json.dumps({"ticket": {"comment": {"body": text, "public": False}}})
