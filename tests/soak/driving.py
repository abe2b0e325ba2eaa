"""One driver of a soak: an agent's mix of reads and writes, with resets, over its own sandboxes."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from base64 import b64encode
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sandlot.client import ControlClient, ControlError, NoServer

SECRET = re.compile(r"zebra-(\d{3})-(\d+)-quartz")
READS = (
    "/api/v2/tickets/{ticket}.json",
    "/api/v2/tickets/{ticket}/comments.json",
    "/api/v2/tickets.json?per_page=25",
    "/api/v2/search.json?query=zebra",
    "/api/v2/users/me.json",
    "/api/v2/tickets/{ticket}/audits.json",
)
RESETS = 1 / 60  # of requests


class Wrong(AssertionError):
    """Raised when an answer is not what it has to be."""


@dataclass
class Target:
    """One sandbox: `secrets` are those that it must show, by their numbers."""

    number: int
    id: str
    host: str
    auth: tuple[str, str]
    tickets: list[int]
    secrets: set[int] = field(default_factory=set)
    asked: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """What each request says of itself."""
        token = b64encode(":".join(self.auth).encode()).decode()
        return {
            "Host": self.host,
            "Authorization": f"Basic {token}",
            "Content-Type": "application/json",
        }


@dataclass
class Tally:
    """What all drivers did, from any thread."""

    requests: int = 0
    writes: int = 0
    resets: int = 0
    slowest: float = 0.0
    late: int = 0
    seconds: list[float] = field(default_factory=list)  # of each request
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Driver:
    """Drives its targets one after the other at a rate (requests a second) until told to stop."""

    def __init__(self, targets: list[Target], rate: float, tally: Tally, control: Any) -> None:
        self.targets = targets
        self.rate = rate
        self.tally = tally
        self.control: ControlClient = control
        self.chance = Random(targets[0].number)
        self.stop = threading.Event()
        # One to each worker: a plain client, so that the machine is left to the server.
        self._connections: dict[int, http.client.HTTPConnection] = {}

    def run(self) -> None:
        """Ask until stopped or something is wrong, which the tally then tells."""
        began, sent = time.monotonic(), 0
        while not self.stop.is_set():
            wait = began + sent / self.rate - time.monotonic()
            if wait > 0:
                self.stop.wait(wait)
            target = self.targets[sent % len(self.targets)]
            try:
                self._turn(target)
            except (Wrong, http.client.HTTPException, OSError, ControlError, NoServer) as error:
                with self.tally.lock:
                    self.tally.failures.append(f"{target.id}: {error!r}"[:600])
                break
            sent += 1
            if wait < -5:  # far behind: begin to count anew
                began, sent = time.monotonic(), sent % len(self.targets)
                with self.tally.lock:
                    self.tally.late += 1
        for connection in self._connections.values():
            connection.close()

    def _turn(self, target: Target) -> None:
        target.asked += 1
        if self.chance.random() < RESETS:
            self.control.post(f"/v1/sandboxes/{target.id}/reset", {})
            target.secrets.clear()
            self._read(target, READS[3])
            with self.tally.lock:
                self.tally.resets += 1
        elif self.chance.random() < 0.2:
            self._write(target)
        else:
            self._read(target, self.chance.choice(READS))

    def _ask(self, target: Target, method: str, path: str, body: Any = None) -> str:
        port = int(target.host.rpartition(":")[2])
        connection = self._connections.get(port)
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            self._connections[port] = connection
        began = time.monotonic()
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, target.headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        took = time.monotonic() - began
        with self.tally.lock:
            self.tally.requests += 1
            self.tally.slowest = max(self.tally.slowest, took)
            self.tally.seconds.append(took)
        if answer.status >= 300:
            raise Wrong(f"{method} {path}: {answer.status} {text[:200]}")
        for number, secret in SECRET.findall(text):
            if int(number) != target.number:
                raise Wrong(f"{method} {path} shows what sandbox {number} was told")
            if int(secret) not in target.secrets:
                raise Wrong(f"{method} {path} shows {secret}, which was undone")
        return text

    def _read(self, target: Target, path: str) -> None:
        ticket = self.chance.choice(target.tickets)
        self._ask(target, "GET", path.format(ticket=ticket))

    def _write(self, target: Target) -> None:
        """Write a secret, and read it back at once."""
        ticket, secret = self.chance.choice(target.tickets), target.asked
        target.secrets.add(secret)
        text = f"zebra-{target.number:03d}-{secret}-quartz"
        body = {"ticket": {"comment": {"body": text, "public": False}}}
        self._ask(target, "PUT", f"/api/v2/tickets/{ticket}.json", body)
        read = self._ask(target, "GET", f"/api/v2/tickets/{ticket}/comments.json")
        if text not in read:
            raise Wrong(f"ticket {ticket} does not show what was just written")
        with self.tally.lock:
            self.tally.writes += 1
