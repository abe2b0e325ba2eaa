"""The control plane of a server, asked over HTTP."""

from __future__ import annotations

import os
import ssl
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import httpx

DEFAULT_URL: Final = "http://127.0.0.1:8801"
# Seconds for an answer: worlds may take minutes to build.
PATIENCE: Final = 300.0
INSTANCES: Final = 20
FAILED: Final = (httpx.HTTPError, httpx.InvalidURL)


class ServerError(Exception):
    """Raised when a server refuses, or none answers: one line, and `status`, which is None then."""

    def __init__(self, detail: str, status: int | None = None) -> None:
        super().__init__(detail)
        self.status = status


class Server:
    """A server's control plane. Its token is that of `SANDLOT_TOKEN` where none is given.

    Each request has a connection of its own: of one that was kept nobody knows whether the server
    still has it, and an act whose answer is lost may not be sent again.

    Raises:
        ValueError: the token can be none.
    """

    def __init__(self, url: str = DEFAULT_URL, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        token = os.environ.get("SANDLOT_TOKEN", "") if token is None else token
        if not token.isascii() or not token.isprintable():
            raise ValueError("the token is none: it has letters that no token has")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def instances(
        self, families: Sequence[str] | None, split: str, count: int = INSTANCES
    ) -> list[str]:
        """Return ids of a split's tasks: each family's first, then each one's second...

        Without `families` they are of all that are played by API.

        Raises:
            ServerError: there is no such family or split, or no server.
        """
        asked: dict[str, Any] = {"split": split, "family": list(families or ()), "count": count}
        try:
            with httpx.Client(**self._options()) as http:
                answer = http.get("/v1/tasks/instances", params=asked)
        except FAILED as error:
            raise self._unheard(error) from error
        found: list[str] = _read(answer)["instances"]
        return found

    async def ask(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send one request and return the parsed answer.

        Raises:
            ServerError: the server refused, or none answered in time.
        """
        try:
            async with httpx.AsyncClient(**self._options()) as http:
                answer = await http.request(method, path, json=body)
        except FAILED as error:
            raise self._unheard(error) from error
        return _read(answer)

    def _options(self) -> dict[str, Any]:
        return {
            "base_url": self.url,
            "headers": self._headers,
            "timeout": httpx.Timeout(PATIENCE, connect=10.0),
            "trust_env": False,
            "verify": _trusted(),
        }

    def _unheard(self, error: Exception) -> ServerError:
        if isinstance(error, httpx.ConnectError):
            return ServerError(f"no server at {self.url}: start one with `sandlot serve`")
        told = str(error) or type(error).__name__
        return ServerError(f"the server at {self.url} did not answer: {told}")


@cache
def _trusted() -> ssl.SSLContext:
    """Return what trusts the public authorities: reading them takes longer than most requests."""
    return httpx.create_ssl_context()


def _read(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        found = {}
        if answer.status_code < 400:
            raise ServerError(f"{answer.url} is no control plane: it answers with no JSON")
    if answer.status_code >= 400:
        told = found.get("detail") or found.get("title") or answer.reason_phrase
        raise ServerError(str(told), answer.status_code)
    return found
