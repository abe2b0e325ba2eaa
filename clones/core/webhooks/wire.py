"""One request to a foreign host: bounded in time and size, to listed hosts only, no redirects."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from functools import cache

import httpx

from clones.core.webhooks.headers import flaw_of_header
from clones.core.webhooks.hosts import Host, is_listed
from clones.core.webhooks.messages import Answer, NoAnswer, Outcome, Outgoing

TIMEOUT = 12.0
BODY_LIMIT = 64 * 1024
HEADER_LIMIT = 16 * 1024


def send(outgoing: Outgoing, hosts: tuple[Host, ...], *, timeout: float = TIMEOUT) -> Outcome:
    """Send a request and return what came of it. No transaction may be open meanwhile."""
    try:
        url = httpx.URL(outgoing.url)
    except httpx.InvalidURL as error:
        return NoAnswer(f"The endpoint is no address: {error}")
    # As the client that connects has read it: nobody reads the address in two ways.
    if not is_listed(url.scheme, url.raw_host.decode("ascii"), url.port, hosts):
        return NoAnswer(
            f"The host {url.netloc.decode('ascii')} is not among those that webhooks may reach"
            " here: nothing was sent."
        )
    # What is owed may have been written by an earlier build, or come in a snapshot.
    flaws = (flaw_of_header(header.name, header.value) for header in outgoing.headers)
    flaw = next(filter(None, flaws), None)
    if flaw is not None:
        return NoAnswer(f"Nothing was sent: {flaw}.")
    try:
        return asyncio.run(_within(timeout, _exchange(outgoing, url)))
    except (TimeoutError, httpx.TimeoutException):
        return NoAnswer(f"No answer came within {timeout:g} seconds.", timed_out=True)
    except httpx.HTTPError as error:
        return NoAnswer(f"The request failed: {type(error).__name__}: {error}"[:500])


async def _within(seconds: float, exchange: Coroutine[None, None, Answer]) -> Answer:
    # Of the whole: httpx's own limits are of each wait, and a host may drip.
    async with asyncio.timeout(seconds):
        return await exchange


async def _exchange(outgoing: Outgoing, url: httpx.URL) -> Answer:
    headers = [(header.name.encode(), header.value.encode()) for header in outgoing.headers]
    request = httpx.Request(outgoing.method, url, headers=headers, content=outgoing.body)
    async with httpx.AsyncClient(
        timeout=TIMEOUT, follow_redirects=False, trust_env=False, verify=_trusted()
    ) as client:
        response = await client.send(request, stream=True)
        try:
            body = b""
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) >= BODY_LIMIT:
                    break
        finally:
            await response.aclose()
    return Answer(response.status_code, _headers(response), _text(body[:BODY_LIMIT]))


@cache
def _trusted() -> ssl.SSLContext:
    """Return what trusts the public authorities: reading them takes longer than most requests."""
    return httpx.create_ssl_context(trust_env=False)


def _headers(response: httpx.Response) -> tuple[tuple[str, str], ...]:
    found, size = [], 0
    for raw_name, raw_value in response.headers.raw:
        name, value = _text(raw_name), _text(raw_value)
        size += len(name) + len(value)
        if size > HEADER_LIMIT:
            break
        found.append((name, value))
    return tuple(found)


def _text(raw: bytes) -> str:
    """Return bytes as text that every engine keeps: NUL is none."""
    return raw.decode("utf-8", errors="replace").replace("\x00", "\ufffd")
