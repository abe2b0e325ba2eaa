"""What clients of gateways are let play: acts of the oracle, and of agents that do worse."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx
import psutil

from episodes.families.h05 import solve
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from sandlot.service import Surface
from sandlot.spaces import ScriptedSpace

# In the split `train` of the environment `h05` tasks are counted as instances of the family are.
INDEX = 13
# So many steps may be taken in the episode of which the workers are killed, and in no other.
MARKED = 77
LOOK = ["helpdesk_ShowCurrentUser", {}]
# The same by the two tools of `search_call`.
SEARCHED_LOOK = ["call", {"operation": "helpdesk_ShowCurrentUser"}]

Acts = list[list[Any]]


@dataclass(frozen=True, slots=True)
class OraclePlay:
    """The oracle's episode by the control plane: its instance, its acts and what it was paid."""

    instance: str
    acts: Acts
    reward: float


def oracle_play(control: ControlClient, surface: Surface = "flat") -> OraclePlay:
    """Let the oracle play by the tools of a surface, and return what it did."""
    started = control.post("/v1/episodes", {"task": "H05", "seed": INDEX, "surface": surface})
    space = ScriptedSpace(control, started, surface)
    solve.by_api(space)
    found = control.get(f"/v1/episodes/{space.id}/trajectory")
    manifest = found["manifest"]
    assert manifest["reward"] >= 0.95
    acts = [[step["act"]["tool"], step["act"]["arguments"]] for step in found["steps"]]
    return OraclePlay(manifest["instance"], acts, manifest["reward"])


def plan_of(url: str, acts: Acts, **more: Any) -> dict[str, Any]:
    """Return a plan as the clients' scripts read it."""
    return {
        "url": url,
        "environment": "H05",
        "split": "train",
        "index": INDEX,
        "acts": acts,
        **more,
    }


def status_of(control: ControlClient, episode: str) -> tuple[str, float | None]:
    """Return how an episode ended by the control plane."""
    view = control.get(f"/v1/episodes/{episode}")
    return view["status"], view["reward"]


def none_runs(control: ControlClient) -> bool:
    """Tell whether no episode runs any more, within some seconds: gateways end them apart."""
    for _ in range(50):
        episodes = control.get("/v1/episodes")["episodes"]
        if all(entry["outcome"] != "running" for entry in episodes):
            return True
        time.sleep(0.1)
    return False


@contextmanager
def killing_workers(running: RunningServer, control: ControlClient) -> Iterator[list[str]]:
    """Kill every worker once the episode of `MARKED` steps has taken one; none comes back before.

    The block is given a list, in which that episode then is. Its failure is not among those that
    stop further episodes of the test run.
    """
    keepers = [psutil.Process(pid) for pid in running.workers.pids()]
    ended, hit = threading.Event(), list[str]()

    def kill() -> None:
        while not hit:
            if ended.wait(0.02):
                return
            hit.extend(_marked(control))
        for keeper in keepers:
            keeper.suspend()
            for child in keeper.children():
                os.kill(child.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield hit
    finally:
        ended.set()
        killer.join()
        for keeper in keepers:
            keeper.resume()
        while not all(map(_answers, running.options.ports)):
            time.sleep(0.1)
        control.post("/v1/failures/acknowledge")


def _marked(control: ControlClient) -> list[str]:
    """Return the episode whose workers are to be killed, once it has taken a step."""
    found = []
    for entry in control.get("/v1/episodes")["episodes"]:
        if entry["outcome"] != "running":
            continue
        with suppress(ControlError):  # it is recorded, and only just begins
            view = control.get(f"/v1/episodes/{entry['id']}")
            if view["max_steps"] == MARKED and view["steps"]:
                found.append(view["id"])
    return found


def _answers(port: int) -> bool:
    try:
        found = httpx.get(f"http://127.0.0.1:{port}/api/v2/users.json", timeout=2)
    except httpx.HTTPError:
        return False
    return found.status_code == 401
