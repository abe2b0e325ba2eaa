"""The HTTP servers of the control plane and the gateways, and how long they wait for a body."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Seconds from a request's headers to the last byte of its body; the longest has 50 MB.
BODY_SECONDS: Final = 120.0


class BodyDeadline:
    """Answer 408 where a request's body has not come whole within `seconds` of its headers.

    The application is told that its client went away, and what it then answers is dropped.
    WebSockets have no body.
    """

    def __init__(self, app: ASGIApp, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + self._seconds
        whole = refused = answered = False

        async def receive_in_time() -> Message:
            nonlocal whole, refused
            if refused:
                return {"type": "http.disconnect"}
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                refused = True
                if not answered:
                    told = f"the body did not come within {self._seconds:g} seconds: send it again"
                    late = JSONResponse(
                        {"detail": told}, status_code=408, headers={"Connection": "close"}
                    )
                    await late(scope, receive, send)
                return {"type": "http.disconnect"}
            whole = not message.get("more_body", False)
            return message

        async def send_unless_refused(message: Message) -> None:
            nonlocal answered
            if not refused:
                answered = True
                await send(message)

        await self._app(scope, receive_in_time, send_unless_refused)


def asgi_server(app: ASGIApp, **options: Any) -> uvicorn.Server:
    """Return what will serve an application; `options` are uvicorn's own."""
    return uvicorn.Server(
        uvicorn.Config(
            BodyDeadline(app), log_level="warning", lifespan="off", access_log=False, **options
        )
    )
