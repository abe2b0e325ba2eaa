"""Act in an episode over the control plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandlot.client import ControlClient


class Unexpected(Exception):
    """Raised when an act was answered with an error that its caller did not say it expects."""


class RemoteSpace:
    """The acts of one running episode.

    `steps` keeps every step's result, rewards included: they are the trainer's, and nothing that an
    agent's code gets back from `act` holds them. What a model is to read is what `act` returns.
    """

    def __init__(self, client: ControlClient, episode: dict[str, Any]) -> None:
        self._client = client
        self._episode = episode
        self.steps: list[dict[str, Any]] = []

    @property
    def id(self) -> str:
        """The episode's id."""
        return str(self._episode["id"])

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""
        return str(self._episode["goal"])

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The addresses and accounts of each clone."""
        apps: Mapping[str, Any] = self._episode["apps"]
        return apps

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return bool(self.steps and self.steps[-1]["done"])

    def tools(self) -> list[dict[str, Any]]:
        """Return the space's tools: name, description, input_schema."""
        found: list[dict[str, Any]] = self._client.get(f"/v1/episodes/{self.id}/tools")["tools"]
        return found

    def observe(self) -> dict[str, Any]:
        """Return what the agent sees, without a step."""
        found: dict[str, Any] = self._client.get(f"/v1/episodes/{self.id}/observation")
        return found

    def try_act(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Take one step and return its observation, whatever it says."""
        return self.take(tool, arguments)

    def take(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Do as `try_act`, with arguments of any names."""
        body = {"tool": tool, "arguments": arguments}
        result = self._client.post(f"/v1/episodes/{self.id}/act?for=trainer", body)
        self.steps.append(result)
        observation: dict[str, Any] = result["observation"]
        return observation

    def act(self, tool: str, **arguments: Any) -> dict[str, Any]:
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
