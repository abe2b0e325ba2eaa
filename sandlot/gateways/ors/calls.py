"""Calls of tools, which clients may attach to again when their connection was lost."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.types import Message, Receive, Scope, Send

from sandlot.gateways.ors.wire import ToolCall, event, refusal, result_events, result_of
from sandlot.gateways.sessions import EpisodeFinished, EpisodeSession, EpisodeSessions
from sandlot.service.errors import ServiceError

# Seconds for which the result of a call is kept once it is there.
KEPT: Final = 60.0
# Seconds between two signs of life while a call is under way: clients give up after thirty.
SIGN_OF_LIFE: Final = 8.0


async def call_tool(sessions: EpisodeSessions, session: EpisodeSession, call: ToolCall) -> str:
    """Call a tool and return what it came to, as JSON.

    Raises:
        ServiceError: as for acts.
    """
    try:
        return result_of(await sessions.act(session, call.name, call.input))
    except EpisodeFinished as over:
        return refusal(str(over), "episode_finished")


class HeldCall:
    """A call that was made, and what came of it. It begins when its client knows its id."""

    def __init__(self, session: EpisodeSession, asked: Callable[[], Awaitable[str]]) -> None:
        self.id = secrets.token_hex(16)
        self.session = session
        self.asked = asked
        self.work: asyncio.Task[str] | None = None
        self.ended: float | None = None


class HeldCalls:
    """The calls of every session, by their ids."""

    def __init__(self, sessions: EpisodeSessions) -> None:
        self._sessions = sessions
        self._calls: dict[str, HeldCall] = {}

    def make(self, session: EpisodeSession, asked: Callable[[], Awaitable[str]]) -> HeldCall:
        """Return a new call, which `asked` carries out; what was kept long enough is dropped."""
        self.forget()
        made = HeldCall(session, asked)
        self._calls[made.id] = made
        return made

    def find(self, session: EpisodeSession, id: str) -> HeldCall | None:
        """Return a call that was made in a session, None if there is none of that id any more."""
        found = self._calls.get(id)
        return found if found is not None and found.session is session else None

    def drop(self, held: HeldCall) -> None:
        """Forget a call that never began."""
        if held.work is None:
            self._calls.pop(held.id, None)

    def begin(self, held: HeldCall) -> asyncio.Task[str]:
        """Carry a call out, once: whoever asks again gets the same."""
        if held.work is None:
            held.work = self._sessions.spawn(self._carry_out(held))
        return held.work

    async def _carry_out(self, held: HeldCall) -> str:
        try:
            return await held.asked()
        finally:
            held.ended = time.monotonic()

    def forget(self) -> None:
        """Drop the results that were kept long enough, and those of sessions that are closed."""
        now = time.monotonic()
        for id, held in list(self._calls.items()):
            if held.ended is None:
                continue
            if held.session.closed or now - held.ended > KEPT:
                del self._calls[id]


class CallStream:
    """The answer to a call: its id, signs of life, and its result in pieces.

    Nothing is done for a client that is gone before it has the id: it would ask again.
    """

    def __init__(self, calls: HeldCalls, held: HeldCall) -> None:
        self._calls = calls
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI has it."""
        leaving = asyncio.ensure_future(_disconnected(receive))
        try:
            await send(start_of_stream())
            await send(_part(event("task_id", self._held.id)))
            await asyncio.sleep(0)  # a connection that was lost by now is heard of
            if leaving.done():
                self._calls.drop(self._held)
                return
            await self._follow(self._calls.begin(self._held), leaving, send)
        finally:
            leaving.cancel()

    async def _follow(
        self, work: asyncio.Task[str], leaving: asyncio.Future[Any], send: Send
    ) -> None:
        while not work.done():
            await asyncio.wait(
                {work, leaving}, timeout=SIGN_OF_LIFE, return_when=asyncio.FIRST_COMPLETED
            )
            if leaving.done():
                return
            if not work.done():
                await send(_part(b": ping\n\n"))
        for part in _events(work):
            if leaving.done():
                return
            await send(_part(part))
        await send(_part(b"", more=False))


def _events(work: asyncio.Task[str]) -> list[bytes]:
    try:
        return list(result_events(work.result()))
    except ServiceError as error:
        return [event("error", " ".join(str(error).split()))]


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def start_of_stream() -> Message:
    """Return the head of an answer in events."""
    return {
        "type": "http.response.start",
        "status": 200,
        "headers": [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-cache"),
            (b"x-accel-buffering", b"no"),
        ],
    }


def _part(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}
