"""Play an oracle and a no-op through the environments of `sandlot.trl`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import click

from sandlot.cli.agents import Agent, UnknownAgent, find_agent
from sandlot.cli.connection import default_data, token_for
from sandlot.cli.output import EXIT_FAILED, EXIT_NO_SERVER, EXIT_USAGE, fail
from sandlot.client import ControlError, NoServer
from sandlot.spaces import ScriptedSpace
from sandlot.spaces.rollout import EnvironmentFailed, Rollout
from sandlot.trl import Sandlot, TaskEpisode

# What an oracle is worth at least.
WORTH = 0.95


class MethodSpace(ScriptedSpace):
    """An environment's episode in the hands of a script: its acts are calls of the methods."""

    def __init__(self, environment: TaskEpisode, rollout: Rollout, sandlot: Sandlot) -> None:
        super().__init__(sandlot.client, rollout.view, rollout.view["surface"])
        self._environment = environment
        self.steps = rollout.space.steps

    def take(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call the method of a tool and return its observation."""
        method = getattr(self._environment, tool.replace(".", "_"))
        method(**arguments)
        observation: dict[str, Any] = self.steps[-1]["observation"]
        return observation


def played(sandlot: Sandlot, task: str, script: Agent | None) -> float | None:
    """Let a script play a task through an environment, or nobody, and return its reward."""
    environment = sandlot.factory()
    environment.reset(task=task)
    rollout = vars(environment)["_rollout"]
    if script is not None:
        script(MethodSpace(environment, rollout, sandlot))
    return environment.get_reward()


def undocumented(kind: type[TaskEpisode]) -> Iterator[str]:
    """Yield what TRL would not understand of an environment's methods."""
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name.startswith("_") or name in ("reset", "get_reward"):
            continue
        if not method.__doc__:
            yield f"{name} has no docstring"
        _, *parameters = inspect.signature(method).parameters.values()
        for parameter in parameters:
            if parameter.annotation is parameter.empty:
                yield f"{name}: {parameter.name} has no type"
            if f"    {parameter.name}: " not in (method.__doc__ or ""):
                yield f"{name}: {parameter.name} is not described"


@click.command()
@click.option("--check", "url", required=True, metavar="URL", help="Control plane address.")
@click.option("--family", default="H05", show_default=True, help="Whose oracle plays.")
@click.option(
    "--surface",
    default="search_call",
    show_default=True,
    type=click.Choice(["search_call", "app", "flat"]),
    help="The tools.",
)
def main(url: str, family: str, surface: Any) -> None:
    """Play an oracle and a no-op through the environments of `sandlot.trl`."""
    try:
        with closing(
            Sandlot(url, families=[family], surface=surface, token=token_for(default_data()))
        ) as sandlot:
            task = sandlot.rows[0]["task"]
            wrong = list(undocumented(sandlot.factory))
            idle = played(sandlot, task, None)
            worked = played(sandlot, task, find_agent("oracle", task, "api", 0))
    except NoServer as error:
        fail(str(error), EXIT_NO_SERVER)
    except (ControlError, UnknownAgent, ValueError) as error:
        fail(str(error), EXIT_USAGE)
    except EnvironmentFailed as error:
        fail(str(error), EXIT_FAILED)
    if idle != 0.0:
        wrong.append(f"doing nothing is worth {idle}, not 0")
    if worked is None or worked < WORTH:
        wrong.append(f"the oracle is worth {worked}, less than {WORTH}")
    click.echo(f"{task} by {surface}: no-op {idle}, oracle {worked}")
    if wrong:
        fail("; ".join(wrong))
