"""Pages of elsewhere, and clients that go away: a gateway on loopback asks nobody for a key."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message

from sandlot.gateways.bodies import BodyBroken, read_body
from sandlot.gateways.origins import is_of_this_machine
from tests.gateways.conftest import ServedEpisodes
from tests.gateways.test_mcp_wire import Address

FOREIGN = [
    "http://evil.example",
    "http://127.0.0.1.evil.example:8901",
    "http://evil.example#@127.0.0.1",
    "http://helpdesk.sb-aaaaaaaaaa.localhost:8800",  # an agent's browser is there
    "http://localhost.:8901",
    "http://[::1",
    "null",
    "file://",
]


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=60.0) as found:
        yield found


@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_of_elsewhere_begin_nothing(served: ServedEpisodes, origin: str) -> None:
    """Neither by our address nor by a name of theirs that leads here."""
    for host in (urlsplit(served.gateways.ors_url).netloc, "evil.example"):
        headers = {"Origin": origin, "Host": host, "Content-Type": "text/plain"}
        with served.ors(**headers) as ors:
            for path in ("/create_session", "/h05/task"):
                assert ors.post(path, content="{}").status_code == 403
    assert served.gateways.ors_url  # it stands, and has begun nothing
    assert served.episodes.status == {}


@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_of_elsewhere_play_in_no_episode(
    http: httpx.Client, served: ServedEpisodes, origin: str
) -> None:
    address = Address(http, served)
    call = {"id": 1, "method": "tools/call", "params": {"name": "finish", "arguments": {}}}
    assert http.post(address.url, json=call, headers={"Origin": origin}).status_code == 403
    assert served.episodes.status[address.episode] == "running"


@pytest.mark.parametrize(
    "origin",
    ["http://localhost:6274", "http://127.0.0.1:8901", "https://[::1]:80", "http://127.9.9.9"],
)
def test_pages_of_this_machine_are_let_in(
    http: httpx.Client, served: ServedEpisodes, origin: str
) -> None:
    assert is_of_this_machine(origin)
    answer = http.post(
        Address(http, served).url, json={"id": 1, "method": "ping"}, headers={"Origin": origin}
    )
    assert answer.json()["result"] == {}


def test_a_client_that_went_away_amid_its_body_is_no_failure_of_ours() -> None:
    """A traceback in the log for each would keep the others waiting: for thousands, minutes."""
    coming = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> Message:
        return next(coming, {"type": "http.disconnect"})

    with pytest.raises(BodyBroken):
        asyncio.run(read_body(Request({"type": "http", "method": "POST"}, receive)))
