"""The data plane for granian, with the line to the client in its own hand.

Granian gives an application one way to answer: to return. This module stands between the two and
makes real what a response says of its way (`clones.core.faults.wire`). A late answer is handed over
later, by a timer: no thread of the server waits for it, and nobody else's request. A connection is
ended by an answer that cannot be sent (its length is no number): the server drops the connection
and sends nothing. Answers without a remark pass as they are.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from granian.server import Server
from granian.wsgi import ResponseIterWrap, _callback_wrapper

from clones.config.wsgi import application
from clones.core.faults import wire_of

__all__ = ["application"]

Headers = Sequence[tuple[str, str]]
UNSENDABLE: Final = [("content-length", "none")]


class Line:
    """Granian's protocol object of one request, as its WSGI runner uses it."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer with bytes."""
        self._protocol.response_bytes(status, headers, body)

    def response_iter(self, status: int, headers: Headers, body: ResponseIterWrap) -> None:
        """Answer with what an application returned: now, later, or by hanging up."""
        wire = wire_of(body.inner)
        act: Callable[[], None]
        if wire is None:
            self._protocol.response_iter(status, headers, body)
            return
        content = b"".join(body.inner)
        body.inner.close()
        if wire.hangs_up:
            act = self._hang_up
        else:
            act = partial(self._protocol.response_bytes, status, headers, content)
        if not wire.seconds:
            act()
            return
        timer = threading.Timer(wire.seconds, act)
        timer.daemon = True
        timer.start()

    def _hang_up(self) -> None:
        nothing: Any = ResponseIterWrap
        self._protocol.response_iter(502, UNSENDABLE, nothing([]))


def _with_line(
    callback: Callable[..., Any], scope_opts: dict[str, Any], access_log_fmt: str | None = None
) -> Callable[[Any, Any], Any]:
    """Return granian's runner of an application, answering through a `Line`."""
    run = _callback_wrapper(callback, scope_opts, access_log_fmt)

    def runner(protocol: Any, scope: Any) -> Any:
        return run(Line(protocol), scope)

    return runner


# Granian offers no hook for it, and makes its runner after it has loaded this module.
sys.modules[Server.__module__].__dict__["_wsgi_call_wrap"] = _with_line
