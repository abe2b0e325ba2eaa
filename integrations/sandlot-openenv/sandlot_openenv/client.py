"""The client's side of an environment's WebSocket."""

from __future__ import annotations

from typing import Any, Self

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from sandlot_openenv.models import SandlotAction, SandlotObservation, SandlotState


class SandlotEnv(EnvClient[SandlotAction, SandlotObservation, SandlotState]):
    """Play the tasks of one environment; `base_url` is its address.

    The reward is R, in the result that is `done`, and None before. Where the environment failed a
    step raises `RuntimeError`, and there is no number.
    """

    @classmethod
    def at(cls, server: str, environment: str = "sandlot-search_call", **options: Any) -> Self:
        """Return the client of an environment by its name.

        `server` is the address of the server's gateways, `http://127.0.0.1:8900`. `sandlot` has
        every family, `h05` one; `-search_call`, `-app` and the like name the tools, `-browser` the
        pages. `options` are those of OpenEnv's clients (`headers`, `message_timeout_s`, ...).
        """
        return cls(base_url=f"{server.rstrip('/')}/openenv/{environment}", **options)

    def _step_payload(self, action: SandlotAction) -> dict[str, Any]:
        found: dict[str, Any] = action.model_dump(exclude={"metadata"})
        return found

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[SandlotObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        seen = {**payload["observation"], "reward": reward, "done": done}
        observation = SandlotObservation.model_validate(seen)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> SandlotState:
        found: SandlotState = SandlotState.model_validate(payload)
        return found
