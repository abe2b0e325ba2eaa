"""HTTP to `*.localhost`: browsers resolve such names themselves, Python does not."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import httpx


class LocalhostTransport(httpx.HTTPTransport):
    """Send requests for `*.localhost` to 127.0.0.1, with the Host header they name.

    `routes` says by port where requests go instead, as `host:port`: where the data plane is not on
    this machine's loopback, it is elsewhere for every name. `authority` is the certificate of a
    private authority (`DIR/tls/ca.pem`), then the only one that is trusted.
    """

    def __init__(
        self, routes: Mapping[int, str] | None = None, *, authority: Path | None = None
    ) -> None:
        trusted = _public() if authority is None else ssl.create_default_context(cafile=authority)
        super().__init__(verify=trusted)
        self._routes = dict(routes or {})

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        host = request.url.host
        route = self._routes.get(request.url.port or 0)
        if route is not None:
            place, _, port_there = route.rpartition(":")
            request.headers["Host"] = f"{host}:{request.url.port}"
            _name(request, host)
            request.url = request.url.copy_with(host=place, port=int(port_there))
        elif host.endswith(".localhost"):
            port = f":{request.url.port}" if request.url.port else ""
            request.headers["Host"] = f"{host}{port}"
            _name(request, host)
            request.url = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(request)


@cache
def _public() -> ssl.SSLContext:
    """Return what trusts the public authorities: reading them takes longer than most requests."""
    return httpx.create_ssl_context()


def _name(request: httpx.Request, host: str) -> None:
    """Ask for a host's own certificate, wherever the request is sent."""
    request.extensions = {**request.extensions, "sni_hostname": host}


def http_client(
    routes: Mapping[int, str] | None = None, *, authority: Path | None = None, **options: Any
) -> httpx.Client:
    """Return an HTTP client that reaches sandboxes by the URLs they give."""
    options.setdefault("timeout", 30.0)
    transport = LocalhostTransport(routes, authority=authority)
    return httpx.Client(transport=transport, trust_env=False, **options)
