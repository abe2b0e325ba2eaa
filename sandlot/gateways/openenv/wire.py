"""What goes over the wire of OpenEnv: frames, actions, observations, and their schemas."""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sandlot.gateways.sessions import SessionStep
from sandlot.service import EpisodeView
from sandlot.service.errors import (
    AtCapacity,
    Gone,
    Invalid,
    ServiceError,
    Unavailable,
)
from sandlot.service.protocol import Model
from sandlot.spaces.wording import prompt_of, text_of

ErrorCode = Literal[
    "INVALID_JSON",
    "UNKNOWN_TYPE",
    "VALIDATION_ERROR",
    "EXECUTION_ERROR",
    "CAPACITY_REACHED",
    "FACTORY_ERROR",
    "SESSION_ERROR",
]
Frame = dict[str, Any]

CODES: Final[dict[type[Exception], ErrorCode]] = {
    AtCapacity: "CAPACITY_REACHED",
    Unavailable: "FACTORY_ERROR",
    Gone: "SESSION_ERROR",
    Invalid: "VALIDATION_ERROR",
}


class InvalidJson(Invalid):
    """Raised when a frame is no JSON object."""


class UnknownType(Invalid):
    """Raised when a frame asks for what is not offered."""


CODES[InvalidJson] = "INVALID_JSON"
CODES[UnknownType] = "UNKNOWN_TYPE"


class ToolAction(Model):
    """An act: a tool of the environment and its arguments.

    The form in which OpenEnv's own clients call tools (`tool_name`) is taken as well.
    """

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    type: Literal["call_tool"] | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _as_clients_call_tools(cls, given: Any) -> Any:
        if isinstance(given, dict) and "tool_name" in given and "tool" not in given:
            return {("tool" if key == "tool_name" else key): given[key] for key in given}
        return given


class OfferedTool(Model):
    """A tool of the environment."""

    name: str
    description: str
    input_schema: dict[str, Any]


class StepObservation(Model):
    """What a step was answered with.

    The model reads `text`, which is JSON, and sees the `screenshot` (base64 PNG); the rest is for
    who trains it: `error` says whether its act was refused, and `metadata` how far the episode is
    and, once it is over, what its reward is made of.
    """

    step: int
    text: str
    screenshot: str | None = None
    error: bool = False
    truncated: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict)


class ResetObservation(StepObservation):
    """What an episode begins with: `text` is the task in words, `available_tools` are its tools.

    A client of OpenEnv that finds `tools` takes it for a list of them and nothing else.
    """

    available_tools: list[OfferedTool]


class EpisodeState(Model):
    """How far an episode is. `episode_id` is the client's where it gave one at the reset."""

    episode_id: str | None = None
    step_count: int = 0
    episode: str | None = None
    task: str | None = None
    status: str | None = None
    max_steps: int | None = None


class ResetOptions(BaseModel):
    """What a reset may ask for; the other keys are those of a task."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    seed: int | None = Field(default=None, ge=0)
    episode_id: str | None = Field(default=None, max_length=255)
    split: str | None = None
    index: int | None = None


def schemas() -> dict[str, Any]:
    """Return the schemas of what is sent and answered."""
    return {
        "action": ToolAction.model_json_schema(),
        "observation": StepObservation.model_json_schema(),
        "state": EpisodeState.model_json_schema(),
        "reset_observation": ResetObservation.model_json_schema(),
    }


def reset_frame(view: EpisodeView, tools: list[dict[str, Any]]) -> Frame:
    """Return the answer to a reset."""
    observation = ResetObservation(
        step=view.steps,
        text=prompt_of(view.model_dump()),
        metadata={
            "episode": view.id,
            "task": view.task,
            "step": view.steps,
            "status": view.status,
            "max_steps": view.max_steps,
        },
        available_tools=[OfferedTool.model_validate(tool) for tool in tools],
    )
    return _observed(observation, None, done=False)


def step_frame(step: SessionStep) -> Frame:
    """Return the answer to a step; R is in that which ends the episode, and in no other."""
    observation = StepObservation(
        step=step.metadata["step"],
        text=text_of(step.observation.model_dump(mode="json")),
        screenshot=step.observation.screenshot,
        error=step.observation.kind == "error",
        truncated=step.metadata.get("truncated", False),
        metadata=step.metadata,
    )
    return _observed(observation, step.reward, done=step.done)


def _observed(observation: StepObservation, reward: float | None, *, done: bool) -> Frame:
    told = {
        "observation": observation.model_dump(mode="json"),
        "reward": reward,
        "done": done,
        "metadata": observation.metadata,
    }
    return {"type": "observation", "data": told}


def state_frame(state: EpisodeState) -> Frame:
    """Return the answer to who asks how far the episode is."""
    return {"type": "state", "data": state.model_dump(mode="json")}


def error_frame(error: ServiceError, code: ErrorCode | None = None) -> Frame:
    """Return that a frame was not carried out, and why. It never has a number."""
    known = (CODES[kind] for kind in type(error).__mro__ if kind in CODES)
    found = code or next(known, "EXECUTION_ERROR")
    return {"type": "error", "data": {"message": str(error), "code": found}}


def read_frame(text: str | None) -> Frame:
    """Return a client's frame.

    Raises:
        InvalidJson: it is no object in JSON.
    """
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        raise InvalidJson("a frame is a text that is JSON") from error
    if not isinstance(found, dict):
        raise InvalidJson("a frame is a JSON object with a type")
    return found
