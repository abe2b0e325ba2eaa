"""Long runs end by themselves, not by what earlier episodes and deleted sandboxes left behind.

The short run goes before every merge, the long one in `make test-everything`. Each looks at a
server of its own, from outside, and fits a line to what each of its processes holds.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest

from sandlot.client import http_client
from tests.live.apart import Apart, serve_apart, with_world
from tests.soak.watching import Growth, Watch
from tests.tiers import ON_POSTGRES, in_turn_on_postgres

TOGETHER = 10  # sandboxes that are there at once
PROMPTLY = 5.0  # seconds after which nobody holds anything of what was deleted
TASK = os.environ.get("SANDLOT_SOAK_TASK", "H01")


@dataclass(frozen=True, slots=True)
class Run:
    """How often what is repeated is, when it is looked at, and what may grow by how much.

    Memory is in MB for each thousand and process; `early` ones fill caches and pools and are not
    looked at.
    """

    sandboxes: int
    episodes: int
    early: int
    every: int
    memory: float
    descriptors: float
    disk: float


SHORT = Run(200, 150, early=60, every=10, memory=200, descriptors=100, disk=100)
if ON_POSTGRES:  # a sandbox is a database there, which costs a hundred times what a file does
    SHORT = replace(SHORT, sandboxes=100, episodes=50, early=20)
LONG = Run(2000, 3000, early=500, every=50, memory=8, descriptors=4, disk=4)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    data = tmp_path_factory.mktemp("served")
    with_world(data)
    with serve_apart(data, "--workers", "2") as found:
        yield found


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with http_client() as found:
        yield found


@pytest.mark.slow(shares="served")
@pytest.mark.timeout(900)
@in_turn_on_postgres
def test_deleted_sandboxes_leave_nothing(served: Apart, http: httpx.Client) -> None:
    assert delete_sandboxes(served, http, SHORT) == []


@pytest.mark.slow(shares="served")
@pytest.mark.timeout(900)
@in_turn_on_postgres
def test_ended_episodes_leave_nothing(served: Apart) -> None:
    assert end_episodes(served, SHORT) == []


@pytest.mark.slow(shares="served")
@pytest.mark.everything
@pytest.mark.timeout(2 * 3600)
def test_thousands_of_deleted_sandboxes_leave_nothing(served: Apart, http: httpx.Client) -> None:
    assert delete_sandboxes(served, http, LONG) == []


@pytest.mark.slow(shares="served")
@pytest.mark.everything
@pytest.mark.timeout(4 * 3600)
def test_thousands_of_ended_episodes_leave_nothing(served: Apart) -> None:
    assert end_episodes(served, LONG) == []


def delete_sandboxes(served: Apart, http: httpx.Client, run: Run) -> list[str]:
    """Make, use and delete sandboxes; return what was left of them or grew with them."""
    watch, held = Watch(served.pid, served.data), list[str]()
    for done in range(0, run.sandboxes, TOGETHER):
        if done >= run.early and done % run.every == 0:
            held += watch.look(done, within=PROMPTLY)
        come_and_go(served, http)
    held += watch.let_go(PROMPTLY)
    return [*held[:20], *too_much("sandboxes", watch.growth(), run)]


def end_episodes(served: Apart, run: Run) -> list[str]:
    """Play episodes to their ends; return what was left of them or grew with them."""
    watch, held = Watch(served.pid, served.data), list[str]()
    for done in range(run.episodes):
        if done >= run.early and done % run.every == 0:
            held += watch.look(done, within=PROMPTLY)
        play(served, done)
    held += watch.let_go(PROMPTLY)
    return [*held[:20], *too_much("episodes", watch.growth(), run)]


def too_much(of: str, growth: list[Growth], run: Run) -> list[str]:
    """Print what was seen, and return what of it grows by more than it may."""
    bounds = {"descriptors": run.descriptors, "MB": run.memory}
    wrong = []
    for one in growth:
        print(f"{of}: {one}")
        bound = run.disk if one.what == "disk" else bounds[one.unit]
        if one.per_thousand > bound:
            wrong.append(f"{of}: {one}, where {bound:g} are borne")
    return wrong


def come_and_go(served: Apart, http: httpx.Client) -> None:
    """Make some sandboxes, ask each at the worker that owns it, and delete them."""
    made = [served.control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(TOGETHER)]
    for sandbox in made:
        app = sandbox["apps"]["helpdesk"]
        url = f"{app['url']}/api/v2/tickets.json?per_page=5"
        answer = http.get(url, headers={"Authorization": authorization(app)})
        assert answer.status_code == 200, answer.text
        served.control.delete(f"/v1/sandboxes/{sandbox['id']}")


def authorization(app: dict[str, Any]) -> str:
    """Return the header by which an administrator of the helpdesk signs in."""
    admin = next(entry for entry in app["accounts"] if entry["role"] == "admin")
    token = b64encode(f"{admin['email']}/token:{admin['api_token']}".encode())
    return f"Basic {token.decode()}"


def play(served: Apart, number: int) -> None:
    """Play an episode of one act and finish it."""
    started = served.control.post("/v1/episodes", {"task": TASK, "seed": number % 20})
    act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    at = f"/v1/episodes/{started['id']}"
    assert served.control.post(f"{at}/act", act)["status"] == "running"
    assert served.control.post(f"{at}/finish", {"arguments": {}})["done"]
