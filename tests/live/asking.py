"""Callers who ask a control plane for all that it does with sandboxes, at once and without a pause.

They go on through a worker's death and end with the control process. What they were told is kept:
after that end a server has to hold to it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from sandlot.client import ControlClient, ControlError, NoServer, http_client
from tests.live.conftest import account

PATIENCE = 60.0
EPISODE = {"task": "H05", "seed": 0, "space": "api"}
LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}


@dataclass
class Asking:
    """What is asked of a control plane, and what was answered.

    `made`, `gone` and `kept` are sandboxes that are there, sandboxes whose deletion was asked for,
    and snapshots that are there, by all that was answered; `played` is the episode at hand, and
    those in `lost` ended under it.
    """

    url: str
    token: str
    made: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    played: dict[str, Any] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Make a sandbox for each kind of caller, and begin."""
        turns = (self._restore, self._fork, self._make, self._keep)
        with ControlClient(self.url, self.token) as control:
            for turn in turns:
                own = control.post("/v1/sandboxes", {"size": "tiny"})
                self.made.add(own["id"])
                self._begin(self._ask, turn, own["id"])
                self._begin(self._write, own)
            # An episode's sandbox has credentials of its own: nobody else writes there.
            own = control.post("/v1/sandboxes", {"size": "tiny"})
            self.made.add(own["id"])
            self._begin(self._ask, self._play, own["id"])

    def _begin(self, run: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """End after what is being asked."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(timeout=PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads), "somebody waits for ever"

    def all_done(self, times: int = 1) -> None:
        """Wait until each kind of caller was answered so many times from now on."""
        before = Counter(self.done)
        kinds = ("reset", "rewind", "fork", "delete", "create", "capture", "act", "write")
        until = time.monotonic() + PATIENCE
        while any(self.done[kind] < before[kind] + times for kind in kinds):
            assert time.monotonic() < until, (before, self.done, self.refused[-3:])
            time.sleep(0.02)

    def _ask(self, turn: Callable[[ControlClient, str], None], own: str) -> None:
        with ControlClient(self.url, self.token, timeout=PATIENCE) as control:
            while not self._stopped.is_set():
                try:
                    turn(control, own)
                except ControlError as error:
                    self.refused.append(f"{turn.__name__}: {error.status} {error}")
                    self._stopped.wait(0.1)
                except NoServer:
                    return

    def _restore(self, control: ControlClient, own: str) -> None:
        control.post(f"/v1/sandboxes/{own}/advance", {"seconds": 3600})
        control.post(f"/v1/sandboxes/{own}/marks", {"name": "here"})
        control.post(f"/v1/sandboxes/{own}/advance", {"seconds": 3600})
        control.post(f"/v1/sandboxes/{own}/rewind", {"name": "here"})
        self.done["rewind"] += 1
        control.post(f"/v1/sandboxes/{own}/reset")
        self.done["reset"] += 1

    def _fork(self, control: ControlClient, own: str) -> None:
        copy = control.post(f"/v1/sandboxes/{own}/fork")["id"]
        self.done["fork"] += 1
        self._delete(control, copy)

    def _make(self, control: ControlClient, _: str) -> None:
        made = control.post("/v1/sandboxes", {"size": "tiny"})["id"]
        self.done["create"] += 1
        self._delete(control, made)

    def _delete(self, control: ControlClient, sandbox: str) -> None:
        self.gone.add(sandbox)
        control.delete(f"/v1/sandboxes/{sandbox}")
        self.done["delete"] += 1

    def _keep(self, control: ControlClient, own: str) -> None:
        name = f"kept-{time.monotonic_ns()}"
        control.post("/v1/snapshots", {"sandbox": own, "name": name})
        self.done["capture"] += 1
        self.kept.add(name)
        if len(self.kept) > 2:
            old = min(self.kept)
            self.kept.remove(old)
            control.delete(f"/v1/snapshots/{old}")

    def _play(self, control: ControlClient, own: str) -> None:
        self.played = control.post("/v1/episodes", {**EPISODE, "sandbox": own})
        for _ in range(20):
            answer = control.post(f"/v1/episodes/{self.played['id']}/act", LOOK)
            if answer["status"] != "running":
                self.lost.append(self.played["id"])
                # Too many of these stop a run, until somebody has looked.
                control.post("/v1/failures/acknowledge")
                self._stopped.wait(0.3)
                return
            self.done["act"] += 1
            if self._stopped.is_set():
                break
        control.post(f"/v1/episodes/{self.played['id']}/abandon")

    def _write(self, sandbox: dict[str, Any]) -> None:
        """Make tickets over the data plane: whoever is killed may hold the store's lock."""
        admin = account(sandbox, "helpdesk", "admin")
        url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json"
        body = {"ticket": {"subject": "amid", "comment": {"body": "x" * 2000}}}
        with http_client(auth=(f"{admin['email']}/token", admin["api_token"]), timeout=20) as http:
            while not self._stopped.wait(0.05):
                try:
                    answer = http.post(url, json=body)
                except httpx.TransportError:
                    continue
                if answer.status_code == 201:
                    self.done["write"] += 1
                elif answer.status_code != 503:
                    self.refused.append(f"write: {answer.status_code} {answer.text[:200]}")


@contextmanager
def asking(control: ControlClient, token: str) -> Iterator[Asking]:
    """Ask for the length of a block."""
    found = Asking(control.url, token)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def check_answers(control: ControlClient, asked: Asking) -> None:
    """Look whether a server has what was answered, all of it whole, and answers the same again."""
    there = {row["id"] for row in control.get("/v1/sandboxes")["sandboxes"]}
    assert asked.made - there == set()
    # Of those whose deletion was asked for one may have been cut off before it was begun.
    assert len(asked.gone & there) <= 2, "two callers delete"
    named = {row["name"] for row in control.get("/v1/snapshots")["snapshots"]}
    assert asked.kept - named == set()
    for sandbox in sorted(there):
        assert control.post(f"/v1/sandboxes/{sandbox}/verify")["intact"], sandbox
        control.post(f"/v1/sandboxes/{sandbox}/reset")
        assert control.get(f"/v1/sandboxes/{sandbox}/diff")["changes"] == []
    for name in sorted(name for name in named if name.startswith("kept-")):
        copy = control.post("/v1/sandboxes", {"snapshot": name})["id"]
        assert control.post(f"/v1/sandboxes/{copy}/verify")["intact"], name
        control.delete(f"/v1/sandboxes/{copy}")
        control.delete(f"/v1/snapshots/{name}")
    for sandbox in sorted(there):
        copy = control.post(f"/v1/sandboxes/{sandbox}/fork")["id"]
        control.delete(f"/v1/sandboxes/{copy}")
    for sandbox in sorted(there & asked.gone):
        control.delete(f"/v1/sandboxes/{sandbox}")


def check_lost(control: ControlClient, asked: Asking) -> None:
    """Look whether episodes that were lost have no number, and their sandbox takes another one."""
    sandbox = asked.played["sandbox"]
    for id in {*asked.lost, asked.played["id"]}:
        ended = control.get(f"/v1/episodes/{id}/trajectory")["manifest"]
        outcomes = ("harness_error",) if id in asked.lost else ("harness_error", "abandoned")
        assert ended["outcome"] in outcomes, ended
        assert ended["reward"] is None
    again = control.post("/v1/episodes", {**EPISODE, "sandbox": sandbox})["id"]
    assert control.post(f"/v1/episodes/{again}/act", LOOK)["status"] == "running"
    control.post(f"/v1/episodes/{again}/abandon")


def left_over(data: Path, control: ControlClient, *, words: bool) -> list[str]:
    """Return what lies in a server's folder that nothing there answers for, or is half made.

    Of `words` that a killed process left beside a store a start has to know, and nobody else.
    """
    beside = ("-wal", "-shm")
    there = {row["id"] for row in control.get("/v1/sandboxes")["sandboxes"]}
    images = {row["digest"] for row in control.get("/v1/snapshots")["snapshots"]}
    found = [f"sandbox {path.name}" for path in _in(data, "sandboxes") if path.name not in there]
    found += [f"image {path.name}" for path in _in(data, "images") if path.name not in images]
    found += [f"pool {path.name}" for path in _in(data, "pool") if path.name not in images]
    found += [str(path.relative_to(data)) for path in _in(data, "scratch")]
    found += [str(path.relative_to(data)) for path in data.rglob("*.tmp*")]
    for home in _in(data, "sandboxes"):
        names = sorted(path.name for path in home.iterdir() if not path.name.endswith(beside))
        stores = [name for name in names if words or not name.startswith("working.")]
        if len(stores) != 1:
            found.append(f"{home.name} has {stores}")
    return found


def _in(data: Path, folder: str) -> list[Path]:
    return sorted((data / folder).iterdir()) if (data / folder).exists() else []


def check_tidy(data: Path, control: ControlClient, *, words: bool = True) -> None:
    """Wait until nothing is left over: what goes on in idle time is half made for a moment."""
    until = time.monotonic() + 20
    while found := left_over(data, control, words=words):
        assert time.monotonic() < until, found
        time.sleep(0.2)
