"""The data plane for granian, with the line to the client in its own hand.

Granian's threads read requests, each to its last byte, and the application's one thread answers
them, those of a sandbox in the order in which they were read and sandboxes by turns: a client that
sends slowly, or stops, keeps nobody waiting but itself, and one that sends a hundred requests at
once those of its own sandbox. What a sandbox asks beyond its share of that thread a second process
answers (`clones.config.overflow`).

A server keeps a connection only if it has read the whole of each request. Were the application to
answer sooner (a refusal, a reset under way), a client that sends head and body apart would find the
connection closed at its next request, with no word of it in the answer. Where a body is too long to
be read, the answer says `Connection: close` (RFC 9112, 9.3 and 9.6).

Granian gives an application one way to answer: to return. This module stands between the two and
makes real what a response says of its way (`clones.core.faults.wire`). A late answer is handed over
later, by a timer: no thread of the server waits for it, and nobody else's request. A connection is
ended by an answer that cannot be sent (its length is no number): the server drops the connection
and sends nothing. Answers without a remark pass as they are.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from granian.server import Server
from granian.wsgi import ResponseIterWrap, _callback_wrapper

from clones.config.body import BROKEN, LEFT, TOO_LONG, TOO_MANY, read_body
from clones.config.fair_queue import FairQueue, asked_of
from clones.config.orphans import end_with
from clones.config.wsgi import application
from clones.core.faults import Wire, wire_of
from clones.core.server import server
from clones.core.tenancy.overfull import log_refused
from clones.core.tenancy.watching import RequestWatch
from clones.core.tracing import tracer

if TYPE_CHECKING:
    from clones.config.overflow import SecondProcess

__all__ = ["application"]

logger = logging.getLogger(__name__)

Headers = Sequence[tuple[str, str]]
Runner = Callable[[Any, dict[str, Any]], Any]
UNSENDABLE: Final = [("content-length", "none")]
# Bodies for which nobody is asked.
REFUSED: Final = {BROKEN: 400, TOO_LONG: 413, TOO_MANY: 503}
LAST: Final = ("connection", "close")
RETRY: Final = ("retry-after", "1")


class DelayedResponse:
    """Granian's protocol object of one request, as its WSGI runner uses it."""

    __slots__ = ("_ending", "_protocol")

    def __init__(self, protocol: Any, *, is_last: bool) -> None:
        self._protocol = protocol
        self._ending = (LAST,) if is_last else ()

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer with bytes."""
        self._protocol.response_bytes(status, [*headers, *self._ending], body)

    def response_iter(self, status: int, headers: Headers, body: ResponseIterWrap) -> None:
        """Answer with what an application returned: now, later, or by hanging up."""
        wire = wire_of(body.inner)
        if wire is None:
            self._protocol.response_iter(status, [*headers, *self._ending], body)
            return
        content = b"".join(body.inner)
        body.inner.close()
        self.send(status, headers, content, wire)

    def send(self, status: int, headers: Headers, content: bytes, wire: Wire) -> None:
        """Answer with what there is as a whole: now, later, or by hanging up."""
        act: Callable[[], None]
        if wire.hangs_up:
            act = self._hang_up
        else:
            act = partial(self.response_bytes, status, headers, content)
        if not wire.seconds:
            act()
            return
        timer = threading.Timer(wire.seconds, act)
        timer.daemon = True
        timer.start()

    def _hang_up(self) -> None:
        nothing: Any = ResponseIterWrap
        self._protocol.response_iter(502, UNSENDABLE, nothing([]))


Requests = FairQueue[tuple[DelayedResponse, dict[str, Any]]]


def _with_line(
    callback: Callable[..., Any], scope_opts: dict[str, Any], access_log_fmt: str | None = None
) -> Callable[[Any, Any], None]:
    """Return what granian runs for a request, on any of its threads."""
    run = _callback_wrapper(callback, scope_opts, access_log_fmt)
    from clones.config.overflow import (  # noqa: PLC0415 - needs Django set up
        SecondProcess,
        stores_of_second,
    )

    # Before there are threads. Elsewhere system libraries do not survive a fork.
    second = SecondProcess(run) if sys.platform == "linux" else None
    if second is not None:
        count, memory = stores_of_second()
        settings.OPEN_STORES = max(1, settings.OPEN_STORES - count)
        settings.STORE_MEMORY -= memory
    requests: Requests = FairQueue(overflows=second is not None)
    threading.Thread(
        target=_answer_all, args=(run, requests), name="application", daemon=True
    ).start()
    if second is not None:
        threading.Thread(
            target=_answer_overdrawn, args=(second, requests), name="overflow", daemon=True
        ).start()
    # This is the worker's process by now: neither was shared with the others.
    tracer()
    end_with(os.getppid(), at_once=True)

    def runner(protocol: Any, scope: dict[str, Any]) -> None:
        read = read_body(scope, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if read in REFUSED:
            protocol.response_bytes(REFUSED[read], [LAST], b"")
            return
        line = DelayedResponse(protocol, is_last=read is LEFT)
        whose = asked_of(scope)
        if not requests.put(whose, (line, scope)):
            log_refused(whose, scope)
            protocol.response_bytes(503, [RETRY, LAST], b"")

    return runner


def _answer_all(run: Runner, requests: Requests) -> None:
    """Answer requests one after the other, for as long as the process lives."""
    watch = RequestWatch(settings.REQUEST_SECONDS)
    while True:
        whose, (line, scope) = requests.take()
        began = time.monotonic()
        try:
            with watch.over_request():
                run(line, scope)
        except BaseException:
            logger.exception("a request was not answered")
            line.response_bytes(500, [], b"")
        # By the wall: what the others have waited, whoever worked.
        requests.charge(whose, time.monotonic() - began)
        del line, scope


def _answer_overdrawn(second: SecondProcess, requests: Requests) -> None:
    """Have requests of those who have used up their share answered by the second process."""
    while True:
        whose, (line, scope) = requests.take_overdrawn()
        began = time.monotonic()
        try:
            found = second.answer(scope)
            line.send(found.status, found.headers, found.content, found.wire or Wire())
        except BaseException:
            logger.exception("a request of %s was not answered by the second process", whose)
            server().requests.note_lost(whose)
            line.response_bytes(500, [], b"")
        requests.charge(whose, time.monotonic() - began, elsewhere=True)
        del line, scope


# Granian offers no hook for it, and makes its runner after it has loaded this module.
sys.modules[Server.__module__].__dict__["_wsgi_call_wrap"] = _with_line
