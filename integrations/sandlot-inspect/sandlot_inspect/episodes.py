"""One episode for each sample: begun, played, graded and left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from sandlot_episodes import Episode, Server, begin

from sandlot_inspect.tools import tool_of


class Played(StoreModel):
    """The episode of a sample: its id, and whether it is over."""

    episode: str = ""
    over: bool = False


@solver
def begin_episode(url: str, options: dict[str, Any]) -> Solver:
    """Begin the episode of a sample, tell the model its goal, and give it the episode's tools.

    It is the task's `setup`: whatever solver plays comes after it.

    Raises:
        EnvironmentFailed: it could not begin; the sample has an error then.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = await begin(Server(url), str(state.sample_id), **options)
        played = state.store_as(Played)
        played.episode = episode.id
        state.user_prompt.text = episode.prompt

        async def call(name: str, arguments: dict[str, Any]) -> str:
            told = await episode.call(name, arguments)
            played.over = episode.done
            return told

        state.tools = [*state.tools, *(tool_of(told, call) for told in await episode.tools())]
        return state

    return solve


@solver
def play() -> Solver:
    """Let the model call tools until the episode is over, or it calls none any more."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        played = state.store_as(Played)
        while not (played.over or state.completed):
            state = await generate(state, tool_calls="single")
            if not state.output.message.tool_calls:
                break
        return state

    return solve


@scorer(metrics={"reward": [mean(), stderr()], "success": [mean(), stderr()]})
def episode_reward(url: str) -> Scorer:
    """Score a sample by what its episode is worth: `reward` is R, `success` 1 where it was done.

    An episode that runs is ended, and graded as it stands.

    Raises:
        EnvironmentFailed: it has no number: the sample has an error then, and no score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        grade = await _episode(state, url).grade()
        return Score(
            value={"reward": grade.reward, "success": float(grade.success)},
            metadata={
                "episode": grade.episode,
                "truncated": grade.truncated,
                "steps": grade.steps,
                "components": dict(grade.components),
            },
        )

    return score


def leave(url: str) -> Callable[[TaskState], Awaitable[None]]:
    """Return what abandons the episode of a sample that was not graded."""

    async def cleanup(state: TaskState) -> None:
        if state.store_as(Played).episode:
            await _episode(state, url).abandon()

    return cleanup


def _episode(state: TaskState, url: str) -> Episode:
    return Episode(Server(url), state.store_as(Played).episode)
