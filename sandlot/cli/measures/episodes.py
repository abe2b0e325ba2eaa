"""Whole episodes per second: clients in a process of their own play what the oracle did."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from sandlot.cli.measures.asking import RequestFailed
from sandlot.cli.measures.figures import Figure
from sandlot.client import ControlClient
from sandlot.spaces import ScriptedSpace

TASK = "H05"
# Instances that are played in turn: groups of a trainer, most of which are no first ones.
SEEDS = 8
WELL_PAID = 0.9
# Episodes per second on two cores.
BUDGET = 8.0

Acts = list[tuple[str, dict[str, Any]]]
Times = dict[str, list[float]]


def episodes(url: str, token: str, *, count: int, at_once: Sequence[int]) -> Iterator[Figure]:
    """Yield how many episodes of H05 a server plays per second, and how long their parts take.

    Each of `at_once` is how many are played side by side, `count` how many in all.

    Raises:
        RequestFailed: an episode was not paid as the oracle is.
    """
    command = [sys.executable, "-m", __name__, url, token, str(count), *map(str, at_once)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        raise RequestFailed(done.stderr[-1000:])
    for parallel, found in zip(at_once, map(json.loads, done.stdout.splitlines()), strict=True):
        name = f"episodes of {TASK}, {parallel} at once"
        rate, seconds = found["rate"], found["seconds"]
        yield Figure(f"{name}: per second", "1/s", [rate], BUDGET, higher_is_better=True)
        for part, budget in (("start", 40.0 if parallel == 1 else None), ("act", None)):
            samples = [1000 * value for value in seconds[part]]
            yield Figure(f"{name}: {part}", "ms", samples, budget)


def oracles_acts(control: ControlClient) -> dict[int, Acts]:
    """Let the oracle play each instance, and return what it did."""
    solve = importlib.import_module(f"episodes.families.{TASK.lower()}.solve")
    found = {}
    for seed in range(SEEDS):
        started = control.post("/v1/episodes", {"task": TASK, "seed": seed})
        space = ScriptedSpace(control, started, None)
        solve.by_api(space)
        steps = control.get(f"/v1/episodes/{space.id}/trajectory")["steps"]
        found[seed] = [(step["act"]["tool"], step["act"]["arguments"]) for step in steps]
    return found


def play(control: ControlClient, seed: int, acts: Acts, times: Times) -> None:
    """Play one episode whole and note the seconds of its parts.

    Raises:
        RequestFailed: it was not paid as the oracle is.
    """

    def post(part: str, path: str, body: dict[str, Any]) -> Any:
        began = time.perf_counter()
        answer = control.post(path, body)
        times[part].append(time.perf_counter() - began)
        return answer

    name = post("start", "/v1/episodes", {"task": TASK, "seed": seed})["id"]
    for tool, arguments in acts:
        part = "finish" if tool == "finish" else "act"
        post(part, f"/v1/episodes/{name}/act", {"tool": tool, "arguments": arguments})
    reward = control.get(f"/v1/episodes/{name}")["reward"]
    if reward is None or reward < WELL_PAID:
        raise RequestFailed(f"episode {name} was paid {reward}")


def side_by_side(
    url: str, token: str, acts: dict[int, Acts], *, count: int, parallel: int
) -> dict[str, Any]:
    """Play so many episodes, some side by side; return the rate and the seconds of the parts."""
    left, lock, failures = iter(range(count)), threading.Lock(), list[Exception]()
    times: Times = {"start": [], "act": [], "finish": []}

    def run() -> None:
        with ControlClient(url, token) as control:
            while not failures:
                with lock:
                    number = next(left, None)
                if number is None:
                    return
                try:
                    play(control, number % SEEDS, acts[number % SEEDS], times)
                except Exception as failure:  # noqa: BLE001 - raised by whoever waits for the threads
                    failures.append(failure)

    threads = [threading.Thread(target=run) for _ in range(parallel)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return {"rate": count / (time.perf_counter() - began), "seconds": times}


def main(url: str, token: str, count: str, *at_once: str) -> None:
    """Print one line of JSON for each number of episodes that are played side by side."""
    with ControlClient(url, token) as control:
        acts = oracles_acts(control)
    for parallel in map(int, at_once):
        found = side_by_side(url, token, acts, count=max(int(count), parallel), parallel=parallel)
        print(json.dumps(found), flush=True)  # noqa: T201 - its output


if __name__ == "__main__":
    main(*sys.argv[1:])
