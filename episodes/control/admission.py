"""Who is let into the control plane, and with how much, before a body is read."""

from __future__ import annotations

import hmac
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clones.core.digits import is_digits
from episodes.control.problems import problem

OPEN: Final = frozenset({"/healthz"})
# Of a body that is read as a whole: an act may send a file, which a data plane takes up to 50 MiB
# and of which JSON may write each character in six. A longer file is the agent's mistake.
LONGEST_BODY: Final = 384 * 1024 * 1024
# Under this and before this suffix are files, which go to the disk as they come.
FILES: Final = ("/v1/snapshots/", "/file")


class Admission:
    """ASGI middleware: whoever lacks the token is answered 401, too long a body 413.

    Both are told as problems, and their connection ends: what else comes by it is not read.
    """

    def __init__(self, app: ASGIApp, *, token: str, longest_body: int = LONGEST_BODY) -> None:
        self._app = app
        self._known = f"Bearer {token}".encode()
        self._longest = longest_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] != "http" or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not hmac.compare_digest(headers.get("authorization", "").encode(), self._known):
            text = "send the token of DIR/control-token as a bearer token"
            await _refuse(401, text, scope, receive, send)
        elif scope["path"].startswith(FILES[0]) and scope["path"].endswith(FILES[1]):
            await self._app(scope, receive, send)
        elif _length(headers) > self._longest:
            await _refuse(413, self._too_long, scope, receive, send)
        else:
            await self._app(scope, self._counted(receive), send)

    @property
    def _too_long(self) -> str:
        return f"a body has at most {self._longest} bytes"

    def _counted(self, receive: Receive) -> Receive:
        """Return what reads a body as long as it is not too long; in chunks nothing tells before.

        Raises:
            HTTPException: it is.
        """
        left = self._longest

        async def read() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, self._too_long, {"Connection": "close"})
            return message

        return read


def _length(headers: Headers) -> int:
    said = headers.get("content-length", "")
    return int(said) if is_digits(said) else 0


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    answer = problem(status, "http_error", text)
    answer.headers["Connection"] = "close"
    await answer(scope, receive, send)
