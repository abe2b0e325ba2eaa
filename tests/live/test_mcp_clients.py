"""Unmodified clients of Model Context Protocol play H05 at an episode's address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from tests.clients import client_python, run_client
from tests.live.gateway_plays import (
    LOOK,
    MARKED,
    Acts,
    OraclePlay,
    killing_workers,
    oracle_play,
    status_of,
)

# What they load takes them longer than all that they are asked to do: each is run once.
pytestmark = pytest.mark.slow(shares="plays")
played_in_turn = pytest.mark.in_turn(by="plays")

SCRIPT = Path(__file__).with_name("mcp_clients.py")
ENVIRONMENTS = {
    "mcp-auto": ("mcp-2", ("mcp==2.3.0",)),
    "mcp-legacy": ("mcp-2", ("mcp==2.3.0",)),
    "mcp-1": ("mcp-1", ("mcp==1.30.0",)),
    "fastmcp": ("fastmcp", ("fastmcp==4.2.3",)),
}

Plays = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> OraclePlay:
    """What the oracle does, and what it is paid."""
    return oracle_play(control)


@pytest.fixture(scope="module", params=list(ENVIRONMENTS))
def plays(
    request: pytest.FixtureRequest,
    running: RunningServer,
    control: ControlClient,
    oracle: OraclePlay,
    tmp_path_factory: pytest.TempPathFactory,
) -> Plays:
    """What a client saw of each play, and the episode it was in."""
    wanted: dict[str, tuple[Acts, dict[str, Any]]] = {
        "oracle": (oracle.acts, {}),
        "nothing": ([["finish", {}], LOOK], {}),
        "short": ([LOOK, ["helpdesk_DoEverything", {}], LOOK], {"max_steps": 3}),
        "killed": ([LOOK] * 60, {"max_steps": MARKED}),
    }
    episodes, plans = dict[str, str](), dict[str, Any]()
    for title, (acts, more) in wanted.items():
        episode = control.post("/v1/episodes", {"task": oracle.instance, **more})["id"]
        url = control.get(f"/v1/episodes/{episode}/mcp")["url"]
        episodes[title], plans[title] = episode, {"url": url, "acts": acts}
    file = tmp_path_factory.mktemp("plans") / "plans.json"
    file.write_text(json.dumps(plans))
    python = client_python(*ENVIRONMENTS[request.param])
    with killing_workers(running, control):
        ran = run_client(python, SCRIPT, request.param, str(file))
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    for title, episode in episodes.items():
        found[title]["episode"] = episode
    return found


@played_in_turn
def test_the_oracle_is_paid_and_told_no_number(
    control: ControlClient, oracle: OraclePlay, plays: Plays
) -> None:
    found = plays["oracle"]
    assert "error" not in found, found["error"]
    assert status_of(control, found["episode"]) == ("completed", oracle.reward)
    assert not any(found["errors"])
    assert len(found["texts"]) == len(oracle.acts)
    assert not any('"reward"' in text for text in found["texts"])
    assert {"helpdesk_ShowTicket", "billing_PostRefunds", "finish"} <= set(found["tools"])


@played_in_turn
def test_who_does_nothing_is_paid_nothing(control: ControlClient, plays: Plays) -> None:
    found = plays["nothing"]
    assert status_of(control, found["episode"]) == ("completed", 0.0)
    assert (len(found["texts"]), "error" in found) == (1, True)  # nothing comes after it


@played_in_turn
def test_a_limit_of_steps_truncates(control: ControlClient, plays: Plays) -> None:
    found = plays["short"]
    assert found["errors"] == [False, True, False]
    assert status_of(control, found["episode"])[0] == "truncated"


@played_in_turn
def test_a_killed_worker_gives_no_number(control: ControlClient, plays: Plays) -> None:
    found = plays["killed"]
    assert "environment failed" in found["error"][1]
    assert status_of(control, found["episode"]) == ("harness_error", None)


def test_an_episode_that_is_none_has_no_address(control: ControlClient) -> None:
    with pytest.raises(ControlError, match="no episode"):
        control.get("/v1/episodes/ep-aaaaaaaaaa/mcp")
