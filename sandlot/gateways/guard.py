"""Who may ask a gateway: whoever reaches it, or whoever has the key."""

from __future__ import annotations

import hmac
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandlot.gateways.origins import OriginGuard

OPEN = "/health"


class KeyGuard:
    """Let through to an application who sends the `key`, and ask nobody for an empty one.

    Pages of other origins are refused either way (`OriginGuard`).

    It is sent as `X-API-Key`, as a bearer token, or, where a client sends no headers of its own,
    as the parameter `key` of the address.
    """

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = OriginGuard(app)
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI has it."""
        if scope["type"] == "lifespan" or not self._key or self._may(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "send the key"})
        else:
            told = "send the control plane's token as X-API-Key or as a bearer token"
            await JSONResponse({"detail": told}, status_code=401)(scope, receive, send)

    def _may(self, scope: Scope) -> bool:
        if scope["path"].endswith(OPEN):
            return True
        headers = Headers(scope=scope)
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        sent = (
            headers.get("x-api-key"),
            headers.get("authorization", "").removeprefix("Bearer "),
            *asked.get("key", ()),
        )
        return any(hmac.compare_digest((one or "").encode(), self._key.encode()) for one in sent)
