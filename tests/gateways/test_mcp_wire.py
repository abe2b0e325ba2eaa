"""What an episode's address by Model Context Protocol answers to whoever asks by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sandlot.gateways.mcp.tokens import EpisodeTokens
from sandlot.service import StartEpisode
from tests.gateways.conftest import SECRET, ServedEpisodes

META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}


class Address:
    """An episode's address."""

    def __init__(self, http: httpx.Client, served: ServedEpisodes, **more: Any) -> None:
        self.http = http
        self.episode = served.episodes.start(StartEpisode(task="H05", **more)).id
        token = EpisodeTokens(SECRET).of(self.episode)
        self.url = f"{served.gateways.mcp_origin}/mcp/{token}"

    def ask(self, method: str, **params: Any) -> httpx.Response:
        """Send a request."""
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        return self.http.post(self.url, json=message)

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return its result."""
        answer = self.ask(method, **params)
        assert answer.status_code == 200, answer.text
        assert answer.json()["id"] == 7
        found: dict[str, Any] = answer.json()["result"]
        return found

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool."""
        return self.result("tools/call", name=name, arguments=arguments)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """A client without an address."""
    with httpx.Client(trust_env=False, timeout=60.0) as found:
        yield found


def test_both_eras_are_answered(http: httpx.Client, served: ServedEpisodes) -> None:
    address = Address(http, served)
    modern = address.result("server/discover", **META)
    assert modern["supportedVersions"][0] == "2026-07-28"
    assert modern["resultType"] == "complete"
    assert "Do H05." in modern["instructions"]
    for asked, got in (("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")):
        legacy = address.result("initialize", protocolVersion=asked, capabilities={})
        assert (legacy["protocolVersion"], legacy["capabilities"]) == (got, {"tools": {}})
        assert "resultType" not in legacy
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert http.post(address.url, json=note).status_code == 202
    assert address.result("ping") == {}
    assert served.episodes.heard.count(address.episode) == 5


def test_an_episode_is_played_without_a_number(http: httpx.Client, served: ServedEpisodes) -> None:
    address = Address(http, served)
    tools = address.result("tools/list")["tools"]
    assert {tool["name"] for tool in tools} >= {"echo", "finish"}
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    said = address.call("echo", text="hello")
    assert (json.loads(said["content"][0]["text"])["text"], said["isError"]) == ("hello", False)
    assert address.call("picture")["content"][1]["mimeType"] == "image/png"
    assert address.call("no_such_tool")["isError"] is True
    last = address.call("finish")
    assert "reward" not in json.dumps(last)
    assert served.episodes.status[address.episode] == "completed"
    over = address.ask("tools/call", name="echo")
    assert (over.status_code, "is over" in over.json()["error"]["message"]) == (410, True)


def test_a_failure_of_ours_ends_it(http: httpx.Client, served: ServedEpisodes) -> None:
    address = Address(http, served)
    failed = address.ask("tools/call", name="fail").json()
    assert "environment failed" in failed["error"]["message"]
    assert address.ask("tools/call", name="echo").status_code == 410
    crashed = Address(http, served)
    assert (
        "environment failed" in crashed.ask("tools/call", name="crash").json()["error"]["message"]
    )
    assert served.episodes.status[crashed.episode] == "abandoned"


@pytest.mark.parametrize(
    "body", ["{", "[]", '{"id": 1}', '{"id": 1, "method": "ping", "params": 3}']
)
def test_what_is_no_message_is_refused(
    http: httpx.Client, served: ServedEpisodes, body: str
) -> None:
    answer = http.post(Address(http, served).url, content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("id", ["NaN", "1e999", '"\\ud800"', "[1]", "{}", "true"])
def test_an_id_that_no_answer_can_repeat_is_refused(
    http: httpx.Client, served: ServedEpisodes, id: str
) -> None:
    address = Address(http, served)
    sent = f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}'
    answer = http.post(address.url, content=sent)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)
    assert answer.json()["id"] is None
    odd = http.post(address.url, content='{"id": 1, "method": "\\udfff"}')
    assert (odd.status_code, odd.json()["error"]["code"]) == (400, -32600)
    # What a model's arguments say in such letters is a mistake that it reads.
    call = '{"id": 1, "method": "tools/call", "params": {"name": "\\ud800", "arguments": {}}}'
    assert http.post(address.url, content=call).json()["result"]["isError"] is True


def test_what_is_not_offered_is_refused(http: httpx.Client, served: ServedEpisodes) -> None:
    address = Address(http, served)
    assert address.ask("resources/list").json()["error"]["code"] == -32601
    assert address.ask("resources/list", **META).status_code == 404
    assert address.ask("tools/call", name=3).json()["error"]["code"] == -32602
    for method in ("GET", "DELETE"):
        assert http.request(method, address.url).status_code == 405


def test_nobody_guesses_an_address(http: httpx.Client, served: ServedEpisodes) -> None:
    address = Address(http, served)
    place, _, token = address.url.rpartition("/")
    other = served.episodes.start(StartEpisode(task="H05")).id
    for wrong in (other, f"{other}.{token.rpartition('.')[2]}", token[:-1] + "x", "ü"):
        answer = http.post(f"{place}/{wrong}", json={"id": 1, "method": "tools/list"})
        assert answer.status_code == 404
        assert answer.json()["error"]["message"]
