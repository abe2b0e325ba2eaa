"""Attackers of a soak: each spends all it can of a server from within one sandbox, in its own way.

    python -m tests.soak.attackers TARGETS.json

runs one for each target of the file, in turn of the kinds, until it is told to stop (SIGTERM), and
prints what each was answered. They are a process of their own, at the lowest priority: attackers
have machines of their own, and what is measured is the server.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import threading
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

STOP: Final = threading.Event()
PATIENCE: Final = 60.0
JSON: Final = "application/json"


@dataclass
class Attacker:
    """An agent of one sandbox that means ill; `told` counts what it was answered."""

    host: str
    auth: tuple[str, str]
    kind: str
    told: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def headers(self) -> dict[str, str]:
        """What each request says of itself."""
        token = b64encode(":".join(self.auth).encode()).decode()
        return {"Host": self.host, "Authorization": f"Basic {token}", "Content-Type": JSON}

    @property
    def port(self) -> int:
        """The port of the worker that owns the sandbox."""
        return int(self.host.rpartition(":")[2])

    def note(self, what: str) -> None:
        """Count an answer, or a connection that ended."""
        with self.lock:
            self.told[what] += 1

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> bytes:
        """Send one request and wait for its answer, as any client does."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            line.request(method, path, sent, {**self.headers, **headers})
            answer = line.getresponse()
            found = answer.read()
            failed = answer.status >= 500 and answer.status != 503
            self.note(
                f"{answer.status} {method} {path[:80]} {found[:200]!r}"
                if failed
                else str(answer.status)
            )
        except (OSError, http.client.HTTPException) as error:
            self.note(type(error).__name__)
            STOP.wait(0.2)
            return b""
        else:
            return found
        finally:
            line.close()

    def head(self, path: str, *lines: str) -> bytes:
        """Return the head of a request that posts something."""
        said = [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([f"POST {path} HTTP/1.1", *said, *lines, "", ""]).encode()

    def connect(self) -> socket.socket:
        """Open a connection to the sandbox's worker."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


def ticket(**values: Any) -> dict[str, Any]:
    return {"ticket": {"subject": "x", "comment": {"body": "x"}, **values}}


def patterns(who: Attacker) -> None:
    """Patterns that take a backtracking engine for ever, in fields and in searches."""
    forms = (
        "(?#[)(a+)+$(?#])",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(a|aa)+$",
        "(.*a){25}",
        "a{1000}{1000}",
    )
    for number, form in enumerate(forms):
        body = {
            "type": "regexp",
            "title": f"p{number}",
            "key": f"p{number}",
            "regexp_for_validation": form,
        }
        who.ask("POST", "/api/v2/user_fields.json", {"user_field": body})
    me = json.loads(who.ask("GET", "/api/v2/users/me.json") or b"{}").get("user", {}).get("id", 1)
    while not STOP.is_set():
        fields = {f"p{number}": "a" * 4000 + "!" for number in range(len(forms))}
        who.ask("PUT", f"/api/v2/users/{me}.json", {"user": {"user_fields": fields}})
        who.ask("GET", f"/api/v2/search.json?query={'a*' * 200}")


def automation(who: Attacker) -> None:
    """Triggers that set each other off, by the dozen, at each write."""
    for number in range(12):
        conditions = {
            "all": [{"field": "current_tags", "operator": "includes", "value": f"t{number}"}]
        }
        tags = f"t{(number + 1) % 12} t{(number + 5) % 12}"
        actions = [
            {"field": "remove_tags", "value": f"t{number}"},
            {"field": "current_tags", "value": tags},
            {
                "field": "comment_value",
                "value": ["channel:all", "{{ticket.comments_formatted}}" * 50],
            },
        ]
        body = {"title": f"t{number}", "conditions": conditions, "actions": actions}
        who.ask("POST", "/api/v2/triggers.json", {"trigger": body})
    while not STOP.is_set():
        who.ask("POST", "/api/v2/tickets.json", ticket(tags=["t0", "t3", "t7"]))


def unfinished(who: Attacker) -> None:
    """Bodies of tens of megabytes that come by the byte, and never whole."""

    def one() -> None:
        while not STOP.is_set():
            with suppress(OSError), who.connect() as line:
                line.sendall(who.head("/api/v2/tickets.json", "Content-Length: 50000000"))
                while not STOP.is_set():
                    line.sendall(b" " * 1000)
                    STOP.wait(0.5)
            who.note("ended")
            STOP.wait(0.5)

    together(one, 40)


def words(who: Attacker) -> None:
    """Searches of thousands of words, and of one word in thousands of ways."""
    long = "%20".join(f"w{number}" for number in range(2_500))
    without = "%20".join(["-a"] * 400)
    while not STOP.is_set():
        for query in (long, without, "%20".join(f"tags:t{number}" for number in range(900))):
            who.ask("GET", f"/api/v2/search.json?query={query}")
            who.ask("GET", f"/api/v2/users/search.json?query={query}")


def nested(who: Attacker) -> None:
    """JSON that is deep, and JSON that is long."""
    deep = b'{"ticket":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    odd = (
        b'{"ticket":{"comment":{"body":"x"},"metadata":'
        + b'{"a":' * 900
        + b"1"
        + b"}" * 900
        + b"}}"
    )
    long = b'{"ticket":{"x":[' + b"0," * 3_000_000 + b"0]}}"
    while not STOP.is_set():
        for body in (deep, odd, long):
            who.ask("POST", "/api/v2/tickets.json", body)


def flood(who: Attacker) -> None:
    """Connections by the hundred: idle ones, heads by the byte, and many that come and go."""

    def idle() -> None:
        while not STOP.is_set():
            with suppress(OSError), who.connect() as line:
                line.sendall(b"GET / HTTP/1.1\r\n")
                while not STOP.is_set():
                    line.sendall(b"X-A: b\r\n")
                    STOP.wait(1)
            who.note("ended")
            STOP.wait(0.5)

    def brief() -> None:
        while not STOP.is_set():
            with suppress(OSError):
                who.connect().close()
            who.note("opened")
            STOP.wait(0.02)

    for _ in range(4):
        threading.Thread(target=brief, daemon=True).start()
    together(idle, 100)


def filling(who: Attacker) -> None:
    """Files until the sandbox is full, and then still."""
    body = os.urandom(8 * 2**20)
    while not STOP.is_set():
        who.ask(
            "POST", "/api/v2/uploads.json?filename=a.bin", body, **{"Content-Type": "application/x"}
        )
        STOP.wait(0.2)


def endless(who: Attacker) -> None:
    """Requests that work until they are ended."""
    tags = [f"tag{number}" for number in range(1_000_000)]
    body = json.dumps(ticket(tags=tags)).encode()
    while not STOP.is_set():
        who.ask("POST", "/api/v2/tickets.json", body)


def crowd(who: Attacker) -> None:
    """Honest requests, fifty at a time."""

    def one() -> None:
        while not STOP.is_set():
            who.ask("GET", "/api/v2/tickets.json?per_page=100&include=users,groups,organizations")

    together(one, 50)


def chunks(who: Attacker) -> None:
    """Bodies in chunks without an end, and lines that are no requests."""

    def one() -> None:
        while not STOP.is_set():
            with suppress(OSError), who.connect() as line:
                line.sendall(who.head("/api/v2/tickets.json", "Transfer-Encoding: chunked"))
                while not STOP.is_set():
                    line.sendall(b"40000\r\n" + b"x" * 0x40000 + b"\r\n")
            who.note("ended")
            STOP.wait(1)

    def broken() -> None:
        while not STOP.is_set():
            with suppress(OSError), who.connect() as line:
                line.sendall(b"\x16\x03\x01" * 2_000 + b"\r\n\r\n")
                line.recv(4096)
            STOP.wait(0.1)

    threading.Thread(target=broken, daemon=True).start()
    together(one, 2)


def together(act: Callable[[], None], times: int) -> None:
    """Do the same on many threads, until all have stopped."""
    threads = [threading.Thread(target=act, daemon=True) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


KINDS: Final[dict[str, Callable[[Attacker], None]]] = {
    act.__name__: act
    for act in (
        patterns, automation, unfinished, words, nested, flood, filling, endless, crowd, chunks
    )
}  # fmt: skip


def attack(targets: list[dict[str, Any]]) -> None:
    """Attack from each target until told to stop, and print what was answered."""
    names = list(KINDS)
    found = [
        Attacker(target["host"], tuple(target["auth"]), names[number % len(names)])
        for number, target in enumerate(targets)
    ]
    for one in found:
        threading.Thread(target=KINDS[one.kind], args=(one,), daemon=True).start()
    while not STOP.is_set():
        time.sleep(0.2)
    print(json.dumps([[one.kind, dict(one.told)] for one in found]), flush=True)
    os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: STOP.set())
    os.nice(10)
    attack(json.loads(Path(sys.argv[1]).read_text()))
