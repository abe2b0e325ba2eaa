"""Which pages may ask a gateway: those that came from this machine.

A gateway on loopback asks nobody for a key, yet whatever page a browser of this machine has open
can send requests there, or open WebSockets: by its address, or by a name that its own server has
lead here. Browsers then say whose page it is, as `Origin`; programs say nothing of the kind. Model
Context Protocol has its servers look ("Transports", security).
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class OriginGuard:
    """Let through to an application what no page of elsewhere has sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI has it."""
        if scope["type"] == "lifespan" or all(
            is_of_this_machine(origin) for origin in Headers(scope=scope).getlist("origin")
        ):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "a foreign page asks"})
        else:
            told = "a page of another origin asks: use a program, or a page of this machine"
            await JSONResponse({"detail": told}, status_code=403)(scope, receive, send)


def is_of_this_machine(origin: str) -> bool:
    """Tell whether an origin is a loopback address or `localhost`; a sandbox's is neither."""
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        return False
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
