"""Sandlot as a Gymnasium environment: `SandlotEnv`. It needs `gymnasium`, which is no dependency.

An action is a JSON text that names a tool and its arguments; an observation is a JSON text, too.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any, ClassVar, Final, Literal

from sandlot.client import ControlClient
from sandlot.service import Surface
from sandlot.service.splits import INSTANCES
from sandlot.spaces.instances import instances_of
from sandlot.spaces.rollout import EnvironmentFailed, Rollout
from sandlot.spaces.tool_calls import NoToolCall, read_call
from sandlot.spaces.wording import text_of

_gymnasium: Any = import_module("gymnasium")
_spaces: Any = import_module("gymnasium.spaces")

LETTERS: Final = string.printable
LONGEST_ACTION: Final = 100_000
LONGEST_OBSERVATION: Final = 100_000_000


class SandlotEnv(_gymnasium.Env):  # type: ignore[misc] # of a package that is not there
    """Tasks of a server at `url`.

    `families` are all that the server has where none are named; `reset(seed=n)` takes the n-th
    task of the split, going round, and without a seed one that the environment's generator draws.
    `options={"task": ...}` names another. `reward` says what a step is worth: nothing until the
    last, which is worth R (`episode`), or what it changed, so that the sum is R (`step`). Others
    are options of `POST /v1/episodes` (`max_steps`, `faults`, ...).

    An episode that ends by its limit of steps is `truncated`, one that the agent ends `terminated`.
    `info` has the tools after a reset, and after each step what it was (`step_kind`), what it was
    worth (`step_reward`, None where there was no grade), and at the end `success` and `components`.

    Raises:
        ValueError: there is no such family or split.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        url: str,
        *,
        families: Sequence[str] | None = None,
        split: str = "train",
        surface: Surface = "search_call",
        instances: int = INSTANCES,
        token: str = "",
        reward: Literal["episode", "step"] = "episode",
        **options: Any,
    ) -> None:
        self._client = ControlClient(url, token)
        self._options = {"surface": surface, **options}
        self._reward = reward
        with ExitStack() as failing:
            failing.callback(self._client.close)
            self.tasks = instances_of(self._client, families, split, instances)
            failing.pop_all()
        self._rollout: Rollout | None = None
        self.action_space = _spaces.Text(max_length=LONGEST_ACTION, min_length=0, charset=LETTERS)
        self.observation_space = _spaces.Text(
            max_length=LONGEST_OBSERVATION, min_length=0, charset=LETTERS
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode and return what the agent is to read, and the tools in `info`.

        Raises:
            EnvironmentFailed: it could not begin.
        """
        super().reset(seed=seed)
        self._leave()
        number = int(self.np_random.integers(len(self.tasks))) if seed is None else seed
        task = (options or {}).get("task") or self.tasks[number % len(self.tasks)]
        self._rollout = Rollout(self._client, {**self._options, "task": task})
        told = text_of({"kind": "message", "text": self._rollout.prompt}, only_ascii=True)
        return told, {"task": task, "tools": self._rollout.space.tools()}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one step: observation, reward, terminated, truncated, info.

        A text that names no tool is the agent's mistake: it is a step that does nothing.

        Raises:
            EnvironmentFailed: the environment failed, or no episode runs.
        """
        rollout = self._rollout
        if rollout is None or rollout.done:
            raise EnvironmentFailed("no episode runs: reset first")
        try:
            tool, arguments = read_call(action)
        except NoToolCall:
            tool, arguments = "", {}
        before = len(rollout.space.steps)
        observation = text_of(rollout.observe_act(tool, arguments), only_ascii=True)
        taken = rollout.space.steps[before:]
        last: dict[str, Any] = taken[0] if taken else {"step_kind": "refused", "reward": 0.0}
        info = {"step_kind": last["step_kind"], "step_reward": last["reward"]}
        worth: float = (last["reward"] or 0.0) if self._reward == "step" else 0.0
        if rollout.space.done:
            total = rollout.score()
            worth = worth if self._reward == "step" else total
            info |= {name: rollout.view[name] for name in ("reward", "success", "components")}
        status = rollout.status
        return observation, worth, status == "completed", status == "truncated", info

    def close(self) -> None:
        """Abandon the episode that runs, and close the connections."""
        self._leave()
        self._client.close()

    def _leave(self) -> None:
        if self._rollout is not None:
            self._rollout.close()
            self._rollout = None
