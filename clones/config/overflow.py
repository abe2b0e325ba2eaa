"""A second process of a worker, which answers for sandboxes that have used up their share of it.

The worker's own thread is for everybody: what works for seconds there cannot be put aside for
whoever comes. The second process has what is left of the machine (a lower priority), answers one
request at a time, and is begun when it is first needed.

It is forked from a process that does nothing else: the worker itself has many threads by then, and
a fork takes no thread along but leaves the locks that they hold.
"""

from __future__ import annotations

import io
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from django.conf import settings
from granian.wsgi import ResponseIterWrap

from clones.config.orphans import end_with
from clones.core.faults import Wire, wire_of
from clones.core.tenancy.watching import RequestWatch
from clones.core.tracing import tracer

logger = logging.getLogger(__name__)

Headers = Sequence[tuple[str, str]]
Scope = dict[str, Any]
Run = Callable[[Any, Scope], Any]
# What is added to the worker's name for the requests that its second process answers.
SUFFIX: Final = "s"
# Of the processor the worker and its like have nine times as much, where there is not enough.
NICENESS: Final = 10
# Stores that it keeps open, of those that the worker may: they are of few.
OPEN_STORES: Final = 8
NEW: Final = b"n"
BODY: Final = "wsgi.input"


@dataclass(slots=True)
class WholeAnswer:
    """Granian's protocol object of one request, as its WSGI runner uses it: keeps the answer."""

    status: int = 500
    headers: Headers = ()
    content: bytes = b""
    wire: Wire | None = None

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
        """Keep an answer of bytes."""
        self.status, self.headers, self.content = status, headers, body

    def response_iter(self, status: int, headers: Headers, body: ResponseIterWrap) -> None:
        """Keep what an application returned, and what it says of its way to the client."""
        self.status, self.headers, self.wire = status, headers, wire_of(body.inner)
        self.content = b"".join(body.inner)
        body.inner.close()


def stores_of_second() -> tuple[int, int]:
    """Return how many of the worker's stores its second process may keep open, and in how much.

    The second is bytes of memory.
    """
    count = max(1, min(OPEN_STORES, settings.OPEN_STORES // 4))
    return count, settings.STORE_MEMORY * count // max(settings.OPEN_STORES, 1)


class SecondProcess:
    """The worker's end of its second process; made while the worker has one thread.

    `run` answers a request to a protocol object, as granian has it.
    """

    def __init__(self, run: Run) -> None:
        self._forker, theirs = socket.socketpair()
        self._line: Connection | None = None
        parent = os.getpid()
        if os.fork() == 0:
            try:
                self._forker.close()
                _fork_when_asked(theirs, run, parent)
            finally:
                os._exit(1)
        theirs.close()

    def answer(self, scope: Scope) -> WholeAnswer:
        """Have a request answered.

        Raises:
            EOFError, OSError: the process ended over it; the next request gets another.
        """
        if self._line is None:
            self._line = self._begin()
        source = scope[BODY]
        body = source.getvalue() if isinstance(source, io.BytesIO) else b""
        try:
            self._line.send(({**scope, BODY: None}, body))
            found: WholeAnswer = self._line.recv()
        except (EOFError, OSError):
            self._line.close()
            self._line = None
            raise
        return found

    def close(self) -> None:
        """End it, and what forks it."""
        self._forker.close()
        if self._line is not None:
            self._line.close()

    def _begin(self) -> Connection:
        ours, theirs = socket.socketpair()
        socket.send_fds(self._forker, [NEW], [theirs.fileno()])
        theirs.close()
        return Connection(ours.detach())


def _fork_when_asked(asked: socket.socket, run: Run, parent: int) -> None:
    """Begin a process for each line that comes, until the worker is gone."""
    end_with(parent, at_once=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who has ended is gone
    own = os.getpid()
    while True:
        message, lines, _, _ = socket.recv_fds(asked, len(NEW), 1)
        if not message:
            return
        if os.fork() == 0:
            try:
                asked.close()
                _answer_all(Connection(lines[0]), run, own)
            finally:
                os._exit(0)
        os.close(lines[0])


def _answer_all(line: Connection, run: Run, parent: int) -> None:
    """Answer the requests that come by a line, one after the other."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end_with(parent, at_once=True)
    os.nice(NICENESS)
    settings.PROCESS_NAME += SUFFIX
    settings.OPEN_STORES, settings.STORE_MEMORY = stores_of_second()
    tracer()
    watch = RequestWatch(settings.REQUEST_SECONDS)
    while True:
        try:
            scope, body = line.recv()
        except EOFError:
            return
        scope[BODY] = io.BytesIO(body)
        answer = WholeAnswer()
        try:
            with watch.over_request():
                run(answer, scope)
        except BaseException:
            logger.exception("a request was not answered")
            answer = WholeAnswer()
        line.send(answer)
