"""The tasks: instances of a server's families, each rollout an episode, with one reward or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field
from sandlot_episodes import DEFAULT_URL, EnvironmentFailed, Episode, Server, begin

from sandlot_verifiers.oracle import oracle_succeeds
from sandlot_verifiers.toolset import SandlotToolset, SandlotToolsetConfig


class SandlotData(vf.TaskData):
    """A task by the id of its instance, and the episode that is played, once there is one."""

    episode: str = ""


class SandlotTaskConfig(vf.TaskConfig):
    """The server, and how its episodes are played: `--env.taskset.task.*`.

    The server's token is in `SANDLOT_TOKEN`: configurations are written beside the results.
    """

    control_url: str = DEFAULT_URL
    """Address of the server's control plane."""
    surface: str = "search_call"
    """Which tools the agent has: `search_call`, `app`, `flat`, `http`."""
    max_steps: int | None = None
    """After how many calls an episode is truncated; without it as many as the task says."""
    faults: Literal["none", "light", "moderate", "heavy"] = "none"
    """How many of the agent's requests meet an injected fault."""
    idle_seconds: float | None = None
    """After how long without a call an episode is abandoned; without it the server's own."""
    command: str = "sandlot"
    """The program that `vf-validate` plays the oracle with."""
    tools: SandlotToolsetConfig = SandlotToolsetConfig()

    @property
    def options(self) -> dict[str, Any]:
        """The options of `POST /v1/episodes`."""
        return {
            "surface": self.surface,
            "max_steps": self.max_steps,
            "faults": self.faults,
            "idle_seconds": self.idle_seconds,
        }


class SandlotTask(vf.Task[SandlotData, vf.State, SandlotTaskConfig]):
    """One episode for each rollout: begun in `setup`, graded in `finalize`."""

    _unplayed: Episode | None = None

    @property
    def key(self) -> str:
        """The id of the instance."""
        return str(self.data.id)

    @property
    def _server(self) -> Server:
        return Server(self.config.control_url)

    @classmethod
    def toolsets(cls, config: SandlotTaskConfig) -> list[vf.Toolset]:
        """Return the tools of the episode, on the server that the task is configured for."""
        tools = config.tools.model_copy(update={"control_url": config.control_url})
        return [SandlotToolset(tools)]

    def runtime_env(self) -> dict[str, str]:
        """Keep the server's token from the agent's processes: it opens the rewards."""
        return {"SANDLOT_TOKEN": ""}

    async def setup(self, trace: vf.Trace) -> None:
        """Begin the episode: the trace's row gets its id, and the goal as the model reads it.

        Raises:
            EnvironmentFailed: it could not begin.
        """
        episode = await begin(self._server, self.key, **self.config.options)
        trace.task.data = self.data.model_copy(
            update={"prompt": episode.prompt, "episode": episode.id}
        )
        self._unplayed = episode

    @vf.stop
    async def episode_over(self, trace: vf.Trace) -> bool:
        """Stop once the episode has ended: by `finish`, by its limit of steps or by a failure."""
        return await self._episode(trace).status() != "running"

    async def finalize(self, trace: vf.Trace) -> None:
        """Grade the episode, as it stands where the model did not finish it.

        Raises:
            EnvironmentFailed: it has no number; the trace has an error then, and no reward.
        """
        grade = await self._episode(trace).grade()
        trace.info["sandlot"] = {
            "episode": grade.episode,
            "reward": grade.reward,
            "success": grade.success,
            "truncated": grade.truncated,
            "steps": grade.steps,
            "components": dict(grade.components),
        }

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Return R: above 0.5 where the task was done, 0 where nothing was, below 0 for harm."""
        return float(_graded(trace)["reward"])

    @vf.metric
    async def episode(self, trace: vf.Trace) -> dict[str, float]:
        """Return whether the task was done, whether its limit cut it off, and its steps."""
        graded = _graded(trace)
        return {name: float(graded[name]) for name in ("success", "truncated", "steps")}

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Tell whether the task's oracle does it; None where there is no `sandlot` to play it.

        Raises:
            EnvironmentFailed: the environment failed.
        """
        if self._unplayed is not None:
            await self._unplayed.abandon()  # what `setup` began: the oracle has its own
        return await oracle_succeeds(self.config.command, self.config.control_url, self.key)

    def _episode(self, trace: vf.Trace) -> Episode:
        return Episode(self._server, trace.task.data.episode)


class SandlotConfig(vf.TasksetConfig):
    """Which tasks: `--env.taskset.*`."""

    families: list[str] = Field(default_factory=list)
    """Families (`H05`); without any all that are played by API."""
    split: Literal["train", "validation", "test"] = "train"
    instances: int = 20
    """How many tasks of each family."""
    task: SandlotTaskConfig = SandlotTaskConfig()


class SandlotTaskset(vf.Taskset[SandlotTask, SandlotConfig]):
    """The tasks of a split of a server's families."""

    def load(self) -> Iterator[SandlotTask]:
        """Yield the tasks: each family's first, then each one's second...

        Raises:
            ServerError: there is no such family, or no server.
        """
        config = self.config
        server = Server(config.task.control_url)
        for id in server.instances(config.families, config.split, config.instances):
            # Its goal is arranged with the episode, and told by it.
            yield SandlotTask(SandlotData(id=id, name=id, prompt=f"Task {id}."), config.task)


def _graded(trace: vf.Trace) -> dict[str, Any]:
    """Return what `finalize` was told of the episode.

    Raises:
        EnvironmentFailed: it was told nothing.
    """
    if "sandlot" not in trace.info:
        raise EnvironmentFailed(f"episode {trace.task.data.episode} was not graded")
    found: dict[str, Any] = trace.info["sandlot"]
    return found
