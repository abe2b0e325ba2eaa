"""A host of somebody else's, on the loopback: it writes down what comes, and answers as told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from clones.core.server import server
from clones.core.webhooks.hosts import HOSTS_FILE


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came."""

    method: str
    path: str
    headers: Message
    body: bytes


Respond = Callable[[int, BaseHTTPRequestHandler], None]


def taken(_: int, handler: BaseHTTPRequestHandler) -> None:
    """Answer that all is well."""
    answer(handler, 200, b"taken")


def answer(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    """Answer with a status, headers (`Retry_After` is Retry-After) and a body."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@dataclass
class Receiver:
    """What came to a host, and where it listens."""

    port: int
    respond: Respond = taken
    received: list[Received] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def receiving(respond: Respond = taken) -> Iterator[Receiver]:
    """Listen for the length of a block; `respond` is told how many came before, and answers."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _take(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            request = Received(str(self.command), self.path, self.headers, self.rfile.read(size))
            found.received.append(request)
            found.respond(len(found.received) - 1, self)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _take  # noqa: N815 - the base's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        found = Receiver(listening.server_address[1], respond)
        thread = threading.Thread(target=listening.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield found
        finally:
            listening.shutdown()
            thread.join()


@contextmanager
def listing(*hosts: str) -> Iterator[None]:
    """List hosts that webhooks may reach, as `sandlot serve` does, for the length of a block."""
    file = server().data / HOSTS_FILE
    before = file.read_text() if file.exists() else ""
    file.write_text(",".join(hosts))
    try:
        yield
    finally:
        file.write_text(before)
