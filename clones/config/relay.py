"""Carry bytes between a client and the worker that answers it, as they are.

Not without end: behind TLS the worker cannot tell what a connection has brought (its own guard asks
the kernel, which counts for networks alone), so it is counted here. What a client has said since
the worker last said something is one request, or the beginning of one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, cast

from clones.config.body import LONGEST_BODY
from clones.config.connection_guard import BESIDE

logger = logging.getLogger(__name__)

Connect = Callable[[Callable[[], asyncio.Protocol]], Awaitable[asyncio.BaseTransport]]

# Bytes of a request, its body and what is beside it.
LONGEST: Final = LONGEST_BODY + BESIDE
# Seconds in which neither says a word amid a request: longer than one may be under way, for nobody
# here knows whether it is the client that owes one, or the worker.
SILENCE: Final = 180.0
TOO_LONG: Final = (
    b"HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class Relay(asyncio.Protocol):
    """The client's end of a relayed connection.

    `connect` opens the other end; `open_ends` holds the clients' ends that are open.
    """

    def __init__(self, connect: Connect, open_ends: set[Relay]) -> None:
        self._connect = connect
        self._open_ends = open_ends
        self._client: asyncio.Transport | None = None
        self._worker: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        # Python 3.11.2 reads on although it is told to pause as the connection is made.
        self._early: list[bytes] = []
        self._unanswered = 0  # bytes since the worker last said something
        self._heard = 0.0  # when the client said something, or was last kept from it
        self._is_held_up = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take no bytes until the worker's end is open."""
        self._client = cast("asyncio.Transport", transport)
        self._client.pause_reading()
        self._open_ends.add(self)
        self._opening = asyncio.get_running_loop().create_task(self._open())

    async def _open(self) -> None:
        try:
            await self._connect(lambda: _WorkersEnd(self))
        except OSError:
            self.abort()  # nobody answers there: neither does this

    def worker_is_there(self, transport: asyncio.Transport) -> None:
        """Begin to carry."""
        self._worker = transport
        if self._client is None:
            transport.abort()  # the client has gone meanwhile
        else:
            transport.writelines(self._early)
            self._early.clear()
            self._client.resume_reading()

    def answer(self, data: bytes) -> None:
        """Carry what the worker says."""
        self._unanswered = 0
        if self._client is not None:
            self._client.write(data)

    def end_if_silent(self, now: float) -> None:
        """End the connection if a request has stood still for too long at the loop's time `now`."""
        if self._unanswered and not self._is_held_up and now - self._heard > SILENCE:
            logger.warning("nothing was said of a request for %.0f s", SILENCE)
            self.abort()

    def worker_is_gone(self) -> None:
        """Close the client's end once it has what was said."""
        self._worker = None
        if self._client is not None:
            self._client.close()

    def slow_down(self, *, client: bool) -> None:
        """Read less of the client, or of the worker: the other end is full."""
        self._is_held_up |= client
        if (transport := self._client if client else self._worker) is not None:
            transport.pause_reading()

    def go_on(self, *, client: bool) -> None:
        """Read again."""
        if client:
            self._is_held_up, self._heard = False, asyncio.get_running_loop().time()
        if (transport := self._client if client else self._worker) is not None:
            transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Carry what the client says, as long as it comes to an end."""
        self._heard = asyncio.get_running_loop().time()
        self._unanswered += len(data)
        if self._unanswered > LONGEST:
            self._refuse()
        elif self._worker is not None:
            self._worker.write(data)
        elif self._client is not None:
            self._early.append(data)
            # Told again it does pause: no more than one piece waits here.
            self._client.resume_reading()
            self._client.pause_reading()

    def _refuse(self) -> None:
        """Tell the client that its request is too long, in the place of the worker; end both."""
        if self._client is not None and not self._client.is_closing():
            logger.warning("a request was longer than %s bytes", LONGEST)
            self._client.write(TOO_LONG)
            self._client.close()
        if self._worker is not None:
            self._worker.abort()

    def pause_writing(self) -> None:
        """Wait for a slow client."""
        self.slow_down(client=False)

    def resume_writing(self) -> None:
        """Stop waiting."""
        self.go_on(client=False)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the worker's end."""
        self._open_ends.discard(self)
        self._client = None
        if self._opening is not None:
            self._opening.cancel()
        if self._worker is not None:
            self._worker.close()

    def abort(self) -> None:
        """Close both ends at once."""
        if self._client is not None:
            self._client.abort()


class _WorkersEnd(asyncio.Protocol):
    """The worker's end of a relayed connection."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tell the other end."""
        self._relay.worker_is_there(cast("asyncio.Transport", transport))

    def data_received(self, data: bytes) -> None:
        """Carry what the worker says."""
        self._relay.answer(data)

    def pause_writing(self) -> None:
        """Wait for a slow worker."""
        self._relay.slow_down(client=True)

    def resume_writing(self) -> None:
        """Stop waiting."""
        self._relay.go_on(client=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the other end."""
        self._relay.worker_is_gone()
