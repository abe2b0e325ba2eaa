"""Play scripts in this process, over WSGI: the same requests, no sockets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from clones.config.wsgi import application
from episodes.host import Host
from episodes.presentation import Addresses
from episodes.tasks.acting import Script
from sandlot.service import Act, StartEpisode
from sandlot.trajectory import Trajectory, read_trajectory


class Unexpected(Exception):
    """Raised when an act was answered with an error that its script did not say it expects."""


def local_host(wrap: Callable[[Any], Any] = lambda app: app) -> Host:
    """Return a host whose acts reach the data plane in this process, through `wrap`."""
    app = wrap(application)
    return Host(
        Addresses("127.0.0.1", "localhost", (8800,)),
        "unused",
        http=lambda: httpx.Client(transport=httpx.WSGITransport(app=app)),
    )


@dataclass
class LocalSpace:
    """An episode in this process, as `solve` and `cheats` hold it."""

    host: Host
    view: Any
    done: bool = False

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""
        return str(self.view.goal)

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The agent's accounts by clone."""
        found: Mapping[str, Any] = self.view.apps
        return found

    def observe(self) -> Mapping[str, Any]:
        """Return what the agent sees now."""
        return self.host.episodes.observe(self.view.id).model_dump()

    def try_act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Take one step and return its observation, whatever it says."""
        result = self.host.episodes.act(self.view.id, Act(tool=tool, arguments=arguments))
        self.done = result.done
        return result.observation.model_dump()

    def act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Take one step and return its observation.

        Raises:
            Unexpected: the answer is an error.
        """
        observation = self.try_act(tool, **arguments)
        status = observation.get("status")
        if observation["kind"] == "error" or (status is not None and status >= 400):
            text = observation.get("text") or observation.get("body")
            raise Unexpected(f"{tool} was answered with {status or 'an error'}: {text}")
        return observation


def play(
    host: Host, script: Script, *, task: str, seed: int, space: str = "api", **options: Any
) -> Trajectory:
    """Let a script play an instance to its end and return the record.

    A script that leaves without `finish` is finished for it. What it raises is raised.
    """
    view = host.episodes.start(
        StartEpisode.model_validate({"task": task, "seed": seed, "space": space, **options})
    )
    held = LocalSpace(host, view)
    try:
        script(held)
        if not held.done:
            held.try_act("finish")
    finally:
        host.episodes.abandon(view.id)
    return read_trajectory(host.episodes.folder / view.id)
