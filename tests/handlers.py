"""The middleware of test clients, loaded once for a process as a server does.

Django loads it anew for each client, and each time all static files are looked through: as long as
everything else that an ordinary test of an API does.
"""

from __future__ import annotations

from typing import Any

from django.test.client import ClientHandler

PARTS = (
    "_view_middleware",
    "_template_response_middleware",
    "_exception_middleware",
    "_middleware_chain",
)
_LOADED: dict[str, Any] = {}


def share() -> None:
    """Have every test client of this process use the middleware of the first, from now on."""
    load = ClientHandler.load_middleware

    def once(handler: ClientHandler) -> None:
        if not _LOADED:
            load(handler)
            _LOADED.update({name: vars(handler)[name] for name in PARTS})
        vars(handler).update(_LOADED)

    ClientHandler.load_middleware = once  # type: ignore[assignment, method-assign]
