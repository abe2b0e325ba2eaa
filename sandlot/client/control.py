"""The control plane's HTTP API as a Python object."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import httpx

from sandlot.client.transport import http_client


class ControlError(Exception):
    """Raised when the control plane refuses: `status`, `code` and one line of detail."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code


class NoServer(Exception):
    """Raised when nothing answers at the control plane's address."""


class ControlClient:
    """Talk to a control plane at `url` with its `token`.

    `timeout` is in seconds; None waits for as long as an answer takes, since worlds may take
    minutes to build.

    Raises:
        ValueError: `url` or `token` can be none.
    """

    def __init__(self, url: str, token: str, *, timeout: float | None = 300.0) -> None:
        self.url = url.rstrip("/")
        _check(self.url, token)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = http_client(
            base_url=self.url, headers=headers, timeout=httpx.Timeout(timeout, connect=10.0)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def request(self, method: str, path: str, **options: Any) -> Any:
        """Send one request and return the parsed answer (None for an empty one).

        Raises:
            NoServer: nothing answers.
            ControlError: the control plane refused.
        """
        try:
            response = self._http.request(method, path, **options)
        except httpx.ConnectError as error:
            raise NoServer(f"no server at {self.url}: start one with `sandlot serve`") from error
        except httpx.TimeoutException as error:
            raise NoServer(
                f"the server at {self.url} has not answered in time: look whether it went on"
            ) from error
        except httpx.HTTPError as error:
            raise NoServer(f"the server at {self.url} broke off: {error}") from error
        if response.status_code >= 400:
            raise _error(response)
        if not response.content:
            return None
        if response.headers.get("content-type", "").startswith("application/json"):
            return response.json()
        return response.content

    def get(self, path: str, **query: Any) -> Any:
        """GET a path."""
        # Parameters of its own are lost where others are given, were it none.
        return self.request("GET", path, params=_without_none(query) or None)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """POST a JSON body."""
        return self.request("POST", path, json=body or {})

    def delete(self, path: str) -> Any:
        """DELETE a path."""
        return self.request("DELETE", path)


def _check(url: str, token: str) -> None:
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL:
        found = httpx.URL("")
    if found.scheme not in ("http", "https") or not found.host or (found.port or 1) > 65535:
        raise ValueError(f"{url!r} is no address of a server: use one like http://127.0.0.1:8801")
    if not token.isascii() or not token.isprintable():
        raise ValueError("the token is none: it has letters that no token has")


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _error(response: httpx.Response) -> ControlError:
    try:
        problem = response.json()
        detail = problem.get("detail") or problem.get("title") or response.reason_phrase
        return ControlError(response.status_code, problem.get("code", "error"), str(detail))
    except ValueError:
        return ControlError(response.status_code, "error", response.text[:200])
