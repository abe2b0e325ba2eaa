"""HTTP to `*.localhost`: browsers resolve such names themselves, Python does not."""

from __future__ import annotations

from typing import Any

import httpx


class LocalhostTransport(httpx.HTTPTransport):
    """Send requests for `*.localhost` to 127.0.0.1, with the Host header they name."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        host = request.url.host
        if host.endswith(".localhost"):
            port = f":{request.url.port}" if request.url.port else ""
            request.headers["Host"] = f"{host}{port}"
            request.url = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(request)


def http_client(**options: Any) -> httpx.Client:
    """Return an HTTP client that reaches sandboxes by the URLs they give."""
    options.setdefault("timeout", 30.0)
    return httpx.Client(transport=LocalhostTransport(), trust_env=False, **options)
