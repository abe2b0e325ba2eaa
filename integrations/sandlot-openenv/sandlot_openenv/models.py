"""What is sent to an environment of Sandlot, and what it answers."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, Field


class SandlotAction(Action):
    """A call of a tool: its name and its arguments."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Tool(BaseModel):
    """A tool of an episode, with the JSON Schema of its arguments."""

    name: str
    description: str
    input_schema: dict[str, Any]


class SandlotObservation(Observation):
    """What a step was answered with, or what an episode begins with.

    A model reads `text` and sees the `screenshot` (base64 PNG, where one was asked for). After a
    reset `text` is the task and `available_tools` has the tools. `error` says that an act was
    refused, `truncated` that a limit of steps ended the episode.
    """

    step: int = 0
    text: str = ""
    screenshot: str | None = None
    error: bool = False
    truncated: bool = False
    available_tools: list[Tool] = Field(default_factory=list)


class SandlotState(State):
    """How far an episode is.

    `episode_id` is the caller's, where it gave one at the reset; `episode` is Sandlot's.
    """

    episode: str | None = None
    task: str | None = None
    status: str | None = None
    max_steps: int | None = None
