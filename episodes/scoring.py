"""Score an episode at its last step: what holds in the end, and what people made of it after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from episodes.context import EpisodeContext
from episodes.grading import Grader, StepGrade
from episodes.post_episode import aftermath
from episodes.results import check_results, failures, phase_results
from episodes.rewards import Outcome, Running, StepReward, close, efficiency
from sandlot.trajectory import CheckResult, PhaseResult, Reached


@dataclass(frozen=True, slots=True)
class EpisodeScore:
    """What a scored episode came to; `finish` holds the arguments of the verb, if it was said."""

    reward: float | None
    success: bool | None
    clean: float | None
    components: dict[str, Any]
    phases: list[PhaseResult]
    checks: list[CheckResult]
    people: list[dict[str, Any]]
    finish: dict[str, Any] | None
    now: str


def score_ending(
    ground: EpisodeContext,
    grader: Grader,
    running: Running,
    *,
    last: StepGrade,
    outcome: Outcome,
    actions: int,
    lost_writes: int,
    finish: dict[str, Any] | None,
    number: int,
    reached: Mapping[str, Reached],
) -> tuple[StepReward, EpisodeScore]:
    """Let the aftermath run, and return the last step's reward and the episode's.

    `actions` counts the agent's steps without waits and without those that an injected fault
    answered. Under the same faults the oracle looks once for each of the `lost_writes` before it
    repeats it; a write that was applied all the same has its look in the place of its own step.
    `number` is the last step's, `reached` says when phases held before it for the first time.
    """
    after = aftermath(ground)
    parts = replace(
        after.parts,
        efficiency=efficiency(
            reference=ground.reference_steps + lost_writes,
            actions=actions,
        ),
        care=last.care,
    )
    if last.scene is None:
        raise ValueError("a step without a scene ends no scored episode")
    with ground.bound("read"):
        terminal = grader.terminal(outcome, parts, last.scene)
    step, episode = close(running, last.snapshot, terminal)
    now = ground.now()
    reached = {**reached, **{name: Reached(step=number, at=now) for name in step.gained}}
    return step, EpisodeScore(
        reward=episode.value,
        success=None if episode.success is None else bool(episode.success),
        clean=episode.clean,
        components={
            "partial": episode.partial,
            "quality": episode.quality,
            "parts": parts.as_json(),
            "collateral": episode.collateral,
            "charged": episode.charged,
            "failures": failures(ground.family, last, step, episode),
            "lucky": episode.lucky,
        },
        phases=phase_results(ground.family, step, reached),
        checks=check_results(ground.family, last),
        people=list(after.people),
        finish=finish,
        now=now,
    )
