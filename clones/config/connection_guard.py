"""Holds bodies that come to a worker to their bounds: of bytes, of seconds, and of readers.

Granian has no limit for bodies in chunks, nor for how long a body may take, and does not tell an
application which connection a request came by. The kernel knows what each connection has received
and when: while bodies are being read, a thread looks, and ends what passes its bound. Elsewhere
than on Linux, and for connections by a path (TLS ends before those), nobody looks.
"""

from __future__ import annotations

import logging
import os
import socket
import stat
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

logger = logging.getLogger(__name__)

# Seconds between two looks: what a fast client sends meanwhile is what passes the bound.
PAUSE: Final = 0.02
SLOW_PAUSE: Final = 1.0
# Seconds for which a body may not come at all.
SILENCE: Final = 60.0
# Beside a body: its heads, the marks of its chunks, the request before it.
BESIDE: Final = 16 * 1024 * 1024
# Bodies that are read at a time: of one peer at one name, and of one peer. Agents of many sandboxes
# may share an address: past its bound a peer still sends one to each name, of a few more.
OF_ONE_NAME: Final = 32
OF_ONE_PEER: Final = 192
AT_MOST: Final = 240

# `struct tcp_info`: milliseconds since data came, and bytes received.
LAST_RECEIVED: Final = struct.Struct("=52xI")
RECEIVED: Final = struct.Struct("=128xQ")


class TooManyReads(Exception):
    """Raised when a peer sends as many bodies at a time as it may."""


class ConnectionGuard:
    """The bodies that this process reads, and the bounds that hold for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading: Counter[tuple[str, str]] = Counter()
        self._chunked = 0
        self._limit = 0
        self._port = 0
        self._cut = 0
        self._before: dict[int, int] = {}
        self._since: dict[int, float] = {}
        self._wanted = threading.Event()
        self._in_chunks = threading.Event()
        self._looking: threading.Thread | None = None

    @contextmanager
    def reading(self, peer: str, name: str, port: int) -> Iterator[None]:
        """Count a body that the block reads, of a connection to a port of ours.

        Raises:
            TooManyReads: the peer has others under way, as many as it may.
        """
        place = (peer, name)
        mine = threading.get_ident()
        with self._lock:
            whole = sum(times for (one, _), times in self._reading.items() if one == peer)
            room = OF_ONE_NAME if whole < OF_ONE_PEER else 1
            if self._reading[place] >= room or whole >= AT_MOST:
                raise TooManyReads
            self._reading[place] += 1
            self._since[mine] = time.monotonic()
            self._port = port
        self._look_on()
        try:
            yield
        finally:
            with self._lock:
                del self._since[mine]
                self._reading[place] -= 1
                if not self._reading[place]:
                    del self._reading[place]
                if not self._since:
                    self._wanted.clear()

    @contextmanager
    def in_chunks(self, limit: int) -> Iterator[None]:
        """End the connection of a body in chunks that the block reads, past `limit` bytes."""
        with self._lock:
            if not self._chunked:
                self._before = {
                    number: received for number, _, received in _connections(self._port)
                }
            self._chunked += 1
            self._limit = limit
            self._in_chunks.set()
        try:
            yield
        finally:
            with self._lock:
                self._chunked -= 1
                if not self._chunked:
                    self._in_chunks.clear()

    def cuts(self) -> int:
        """Return how many connections were ended for what they sent."""
        return self._cut

    def _look_on(self) -> None:
        if self._looking is None:
            self._looking = threading.Thread(target=self._look, name="connections", daemon=True)
            self._looking.start()
        self._wanted.set()

    def _look(self) -> None:
        while True:
            self._wanted.wait()
            # One in chunks ends the longer pause: a second is enough for a gigabyte.
            if self._in_chunks.wait(SLOW_PAUSE):
                time.sleep(PAUSE)
            try:
                with self._lock:
                    if self._chunked:
                        self._end_long()
                    oldest = min(self._since.values(), default=None)
                    if oldest is not None and time.monotonic() - oldest > SILENCE:
                        self._end_silent()
            except Exception:  # the boundary of a thread: the next look may do better
                logger.exception("connections could not be looked at")

    def _end_long(self) -> None:
        for number, _, received in _connections(self._port):
            before = self._before.get(number, 0)
            if received < before:  # another connection has the number by now
                self._before[number] = before = 0
            if received - before > self._limit + BESIDE and _end(number):
                self._cut += 1
                logger.warning("a body in chunks was longer than %s bytes", self._limit)

    def _end_silent(self) -> None:
        """End the connections by which nothing has come for so long; idle ones may go with them."""
        for number, silent, _ in _connections(self._port):
            if silent > SILENCE and _end(number):
                logger.warning("a body had not come for %.0f s", silent)


GUARD: Final = ConnectionGuard()


def _connections(port: int) -> Iterator[tuple[int, float, int]]:
    """Yield descriptor, seconds of silence and bytes received of each connection to our port."""
    with suppress(OSError):
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - names alone
            with suppress(OSError), _opened(int(name)) as found:
                found.getpeername()
                if found.getsockname()[1] != port:
                    continue  # to the store's server, say
                told = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                (silent,), (received,) = LAST_RECEIVED.unpack_from(told), RECEIVED.unpack_from(told)
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 0:
                    yield int(name), silent / 1000, received


@contextmanager
def _opened(number: int) -> Iterator[socket.socket]:
    """Give a socket that shares a descriptor's connection.

    Raises:
        OSError: it is none of a network's.
    """
    # `socket` takes a descriptor over only where it is a socket's: another would stay open.
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError("no socket")
    with socket.socket(fileno=os.dup(number)) as found:
        if found.family not in (socket.AF_INET, socket.AF_INET6):
            raise OSError("another kind of socket")
        yield found


def _end(number: int) -> bool:
    with suppress(OSError), _opened(number) as found:
        found.shutdown(socket.SHUT_RD)
        return True
    return False
