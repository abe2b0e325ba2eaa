"""Episodes of which every answer is known: what gateways do on the wire shows against them."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

from sandlot.service import (
    Act,
    EpisodeView,
    Observation,
    StartEpisode,
    Status,
    StepResult,
)
from sandlot.service.errors import Conflict, NotFound, Unavailable

NOW = "2026-06-16T14:00:00Z"
REWARD = 0.75
CARDS: list[dict[str, Any]] = [
    {"id": id, "version": 1, "title": id, "persona": "agent", "spaces": spaces, "world": "kestrel"}
    for id, spaces in (("H01", ["api"]), ("H05", ["api", "browser"]))
]


def tool(name: str, **properties: Any) -> dict[str, Any]:
    """Return a tool of the form that spaces give."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"name": name, "description": f"To {name}.", "input_schema": schema}


TOOLS = [
    tool("echo", text={"type": "string"}),
    tool("repeat", text={"type": "string"}, times={"type": "integer"}),
    tool("sleep", seconds={"type": "number"}),
    tool("records", **{"from": {"type": "string"}, "to": {"type": "string"}}),
    tool("fail"),
    tool("crash"),
    tool("finish", status={"type": "string", "default": "done"}),
]


class ScriptedEpisodes:
    """An `EpisodeService` that counts what it is asked.

    A task with `seed` 9 takes `starting` seconds to begin, one with `seed` 8 cannot.
    """

    def __init__(self, *, starting: float = 1.0) -> None:
        self.starting = starting
        self.status: dict[str, Status] = {}
        self.requests: dict[str, StartEpisode] = {}
        self.acts: list[tuple[str, Act]] = []
        self.heard: list[str] = []
        self.rewards: dict[str, float] = {}
        self.at_once = 0
        self.most_at_once = 0
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def running(self) -> list[str]:
        """Return the episodes that run."""
        return [id for id, status in self.status.items() if status == "running"]

    def tasks(self) -> list[dict[str, Any]]:
        """Return the cards."""
        return CARDS

    def start(self, request: StartEpisode) -> EpisodeView:
        """Begin, in as long as the seed says."""
        if request.seed == 9:
            time.sleep(self.starting)
        if request.seed == 8:
            raise Unavailable("the episode cannot begin: harness_reset: it is broken")
        id = f"ep-{next(self._numbers):06d}"
        self.status[id], self.requests[id] = "running", request
        return self.view(id)

    def view(self, episode: str) -> EpisodeView:
        """Return an episode as it stands."""
        status = self._status(episode)
        request = self.requests[episode]
        over = status in ("completed", "truncated")
        failed = {"type": "harness_lost", "detail": "gone"} if status == "harness_error" else None
        return EpisodeView(
            id=episode, task=request.task, goal=f"Do {request.task}.", persona="an agent",
            space=request.space, sandbox="sb-1", seed=request.seed, status=status,
            steps=self._steps(episode), max_steps=request.max_steps or 20, now=NOW, apps={},
            reward=self.rewards.get(episode, REWARD) if over else None, success=over or None,
            error=failed,
        )  # fmt: skip

    def _steps(self, episode: str) -> int:
        return sum(id == episode for id, _ in self.acts)

    def _status(self, episode: str) -> Status:
        if episode not in self.status:
            raise NotFound(f"there is no episode {episode}")
        return self.status[episode]

    def _check(self, episode: str) -> None:
        if self._status(episode) != "running":
            raise Conflict(f"episode {episode} is over: its outcome is {self.status[episode]}")

    def tools(self, episode: str) -> list[dict[str, Any]]:
        """Return the tools."""
        self._check(episode)
        return TOOLS

    def observe(self, episode: str) -> Observation:
        """Return a word."""
        self._check(episode)
        return Observation(kind="message", now=NOW, text="here")

    def act(self, episode: str, act: Act, *, patience: float | None = None) -> StepResult:
        """Do what the tool's name says."""
        self._check(episode)
        with self._lock:
            self.acts.append((episode, act))
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            return self._act(episode, act)
        finally:
            with self._lock:
                self.at_once -= 1

    def _act(self, episode: str, act: Act) -> StepResult:
        given = act.arguments
        text, kind, screenshot = str(given.get("text", "done")), "message", None
        if act.tool == "repeat":
            text *= int(given["times"])
        elif act.tool == "sleep":
            time.sleep(float(given["seconds"]))
        elif act.tool == "picture":
            screenshot = "iVBORw0KGgo="
        elif act.tool == "crash":
            raise RuntimeError("a bug")
        elif act.tool == "fail":
            self.status[episode] = "harness_error"
        elif act.tool == "finish":
            self.status[episode] = "completed"
            self.rewards[episode] = float(given.get("reward", REWARD))
        elif act.tool not in ("echo", "records"):
            kind, text = "error", f"there is no tool {act.tool!r}"
        limit = self.requests[episode].max_steps
        if limit is not None and self._steps(episode) >= limit and not self._is_over(episode):
            self.status[episode] = "truncated"
        observation = Observation.model_validate(
            {"kind": kind, "now": NOW, "text": text, "screenshot": screenshot}
        )
        status = self.status[episode]
        return StepResult(
            step=self._steps(episode), observation=observation, done=status != "running",
            status=status, reward=0.25, step_kind="write_goal",
        )  # fmt: skip

    def _is_over(self, episode: str) -> bool:
        return self.status[episode] != "running"

    def finish(self, episode: str, arguments: dict[str, Any]) -> StepResult:
        """End an episode with its score."""
        return self.act(episode, Act(tool="finish", arguments=arguments))

    def abandon(self, episode: str) -> EpisodeView:
        """End an episode without one."""
        if self._status(episode) == "running":
            self.status[episode] = "abandoned"
        return self.view(episode)

    def hear(self, episode: str) -> None:
        """Keep who was heard of."""
        self.heard.append(episode)
