"""Play scripts in this process, over WSGI: the same requests, no sockets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from clones.config.wsgi import application
from clones.core.faults import wire_of
from clones.core.journal import journal
from episodes.browser import Timeouts
from episodes.context import EpisodeContext
from episodes.control_plane import ControlPlane
from episodes.local import fresh_name
from episodes.loop import Episode
from episodes.presentation import Addresses
from episodes.start import Prepared, begin_episode
from episodes.tasks.acting import Script
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.service import Act, StartEpisode
from sandlot.service.protocol import Faults, Space

# How fast a machine is, with all that it does besides, is no property of a family.
PATIENT: Final = Timeouts(ready=10.0, settle=30.0)

Wrap = Callable[[httpx.BaseTransport], httpx.BaseTransport]


class Unexpected(Exception):
    """Raised when an act was answered with an error that its script did not say it expects."""


def local_host(wrap: Wrap = lambda transport: transport) -> ControlPlane:
    """Return a host whose acts reach the data plane in this process, through `wrap`."""
    return ControlPlane(
        Addresses("127.0.0.1", "localhost", (8800,)),
        "unused",
        http=lambda: httpx.Client(transport=wrap(httpx.WSGITransport(app=_served))),
        unheard=0.0,  # a request is over, and logged, when its call has come back
    )


def _served(environ: dict[str, Any], start_response: Any) -> Any:
    """Answer as a server would: WSGI holds a path's bytes as latin-1, the transport its text."""
    environ["PATH_INFO"] = environ["PATH_INFO"].encode().decode("latin-1")
    response = application(environ, start_response)
    wire = wire_of(response)
    if wire is not None and wire.hangs_up:
        response.close()
        # Nobody waits here: what takes longer than any client waits is a timeout at once.
        raise httpx.ReadTimeout("no answer") if wire.seconds else httpx.ReadError("hung up")
    return response


@dataclass
class LocalSpace:
    """An episode in this process, as `solve` and `cheats` hold it.

    `positions` keeps where in the journal each step began.
    """

    episode: Episode
    positions: list[int] = field(default_factory=list)
    done: bool = False

    @property
    def ground(self) -> EpisodeContext:
        """Where the episode is played."""
        return self.episode.ground

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""
        return self.ground.arranged.goal

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The agent's accounts by clone."""
        return self.episode.view().apps

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools of the space and the verbs."""
        return self.episode.tools()

    def observe(self) -> Mapping[str, Any]:
        """Return what the agent sees now."""
        return self.episode.observe().model_dump()

    def try_act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Take one step and return its observation, whatever it says."""
        self._note_position()
        result = self.episode.act(Act(tool=tool, arguments=arguments))
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

    def _note_position(self) -> None:
        with self.ground.bound("read"):
            self.positions.append(journal().position())


@contextmanager
def started(
    host: ControlPlane,
    family: Family,
    instance: InstanceId,
    *,
    space: Space = "api",
    faults: Faults = "none",
    fault_seed: int = 0,
    prepared: Prepared | None = None,
    max_steps: int | None = None,
) -> Iterator[LocalSpace]:
    """Start an episode of a family, in the catalogue or not; its sandbox goes with the block.

    What was `prepared` of the instance is not arranged again: the sandbox is a fork of that.
    """
    request = StartEpisode(
        task=str(instance),
        seed=instance.number,
        space=space,
        keep_sandbox=True,
        faults=faults,
        fault_seed=fault_seed,
        max_steps=max_steps,
    )
    episode = begin_episode(
        host, fresh_name(), family=family, instance=instance, request=request, prepared=prepared
    )
    sandbox = episode.ground.sandbox.id
    try:
        yield LocalSpace(episode)
    finally:
        episode.abandon()
        if any(row.id == sandbox for row in host.sandboxes.all()):
            host.sandboxes.delete(sandbox)


def play_out(space: LocalSpace, script: Script) -> None:
    """Let a script play to its end; one that leaves without `finish` is finished for it."""
    script(space)
    if not space.done:
        space.try_act("finish")
