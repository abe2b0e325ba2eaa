"""The loop of one episode: act, grade, record, until it ends.

Each act is one step: the clock moves, what fell due runs, the act goes through the vendor's API or
the browser, and the rows it changed are graded from the database. Failures of ours end the episode
without numbers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from clones.core import jobs
from clones.core.journal import journal
from clones.core.tracing import Span, emit, within
from episodes import verbs
from episodes.answers import grade_answer
from episodes.context import EpisodeContext
from episodes.grading import GradedStep, Grader, ungraded
from episodes.own_client import own_act, past_steps
from episodes.presentation import sandbox_view
from episodes.probing import probed
from episodes.recordable import recordable
from episodes.recorder import Recorder, step_record
from episodes.rewards import Outcome, Running, StepReward
from episodes.rewards import step as take_in
from episodes.rewards.model import SCORED_OUTCOMES
from episodes.scoring import EpisodeScore, score_ending
from episodes.spaces import MetFault, Played, PlayingSpace
from episodes.spaces.errors import BadCall, HarnessFailure, HarnessKind, Unanswered
from episodes.spans import episode_span, name_step, step_span
from episodes.traffic import (
    check_requests,
    is_agents,
    is_agents_wait,
    require_rest,
    wait_for_work,
)
from episodes.views import Standing, view_of
from sandlot.service import Act, EpisodeView, Observation, StepResult
from sandlot.service.errors import Conflict
from sandlot.service.protocol import Status
from sandlot.trajectory import AbandonedBy, Reached, StepRecord

logger = logging.getLogger(__name__)


class Episode:
    """One attempt at one instance in one sandbox. Not thread-safe: the caller holds a lock.

    `ground` is where it is played and `grader` grades its steps; `begin_episode` makes them.
    """

    def __init__(
        self,
        ground: EpisodeContext,
        grader: Grader,
        running: Running,
        *,
        space: PlayingSpace,
        recorder: Recorder,
    ) -> None:
        self.ground = ground
        self.grader = grader
        self.status: Status = "running"
        self.steps = 0
        self.error: dict[str, Any] | None = None
        self.failure: HarnessKind | None = None
        self.failed_request: str | None = None
        self.abandoned_by: AbandonedBy | None = None
        self.probed: Mapping[str, Any] | None = None
        self._running = running
        self._space = space
        self._recorder = recorder
        self._actions = 0
        self._lost_writes = 0
        self._reached: dict[str, Reached] = {}
        self._caught_up = 0
        self._looked = ground.since
        self._ending: EpisodeScore | None = None
        self._apps: dict[str, Any] = {}
        self._began = time.time_ns()
        self.is_recorded = False  # whole: then nothing of this is needed any more

    # Looking

    def view(self) -> EpisodeView:
        """Return the episode from outside."""
        standing = Standing(
            status=self.status,
            steps=self.steps,
            now=self._now(),
            apps=self._shown_apps(),
            folder=str(self._recorder.folder),
            error=self.error,
            ending=self._ending,
            abandoned_by=self.abandoned_by,
            withdrawn=self._recorder.withdrawn,
        )
        return view_of(self.ground, standing)

    def _now(self) -> str:
        """Return the sandbox's time, which stands still once the episode is over."""
        if self._ending is not None:
            return self._ending.now
        if self.status == "running":
            return self.ground.now()
        return self._recorder.last.at if self._recorder.last is not None else ""

    def _shown_apps(self) -> dict[str, Any]:
        if self.status == "running" and not self._apps:
            ground = self.ground
            logins = ground.arranged.persona.logins
            self._apps = sandbox_view(ground.sandbox, ground.host.addresses, logins=logins)["apps"]
        return self._apps

    def last_record(self) -> StepRecord:
        """Return the newest step as recorded.

        Raises:
            Conflict: no step was taken yet.
        """
        if self._recorder.last is None:
            raise Conflict(f"episode {self.ground.id} has no step yet")
        return self._recorder.last

    def tools(self) -> list[dict[str, Any]]:
        """Return the space's tools and the verbs."""
        return [*self._space.tools(), *verbs.tools(self.ground.answer_type)]

    def observe(self) -> Observation:
        """Return what the agent sees, without a step."""
        self._check_running()
        return self._space.observe(self.ground.now())

    def _check_running(self) -> None:
        if self.status != "running":
            raise Conflict(f"episode {self.ground.id} is over: its outcome is {self.status}")

    # Stepping

    def act(self, act: Act, *, patience: float | None = None) -> StepResult:
        """Take one step.

        Raises:
            Conflict: the episode is over, or its agent calls the APIs itself and this is no verb.
            Busy: a request of the sandbox is under way, after `patience` seconds of waiting for it.
        """
        self._check_running()
        if self.ground.request.client == "own" and act.tool not in verbs.NAMES:
            raise Conflict("this episode's agent calls the APIs itself: only verbs are acts")
        require_rest(self.ground.sandbox, patience=patience)
        act, mistake = recordable(act)
        started = time.perf_counter()
        try:
            return self._step(act, mistake, started)
        except HarnessFailure as failure:
            return self._harness_error(act, failure, started)
        except Exception as error:  # the boundary of a step: a bug of ours is never the agent's
            logger.exception("step %s of %s failed", self.steps, self.ground.id)
            bug = HarnessFailure("harness_grader", f"{type(error).__name__}: {error}")
            return self._harness_error(act, bug, started)

    def _step(self, act: Act, mistake: str | None, started: float) -> StepResult:
        if self.ground.request.client == "own":
            self._check_requests(since=time.time())
            self._catch_up()
        self.steps += 1
        span = step_span(self.ground, self.steps, act)
        with within(span):
            return self._take_step(act, mistake, started, span)

    def _take_step(
        self, act: Act, mistake: str | None, started: float, span: Span | None
    ) -> StepResult:
        with self.ground.bound("write"):
            step_from = journal().position()
            name_step(span, self.ground, step_from)
            self._caught_up = jobs.begin_step(self.ground.step_seconds)
        asked_at = time.time()
        played = self._play(act, mistake, asked_at)
        wait_for_work(self.ground.sandbox)
        played = replace(played, faults=self._check_requests(since=asked_at))
        finish = dict(act.arguments) if act.tool == "finish" and played.accepted else None
        ending = finish is not None or self.steps >= self.ground.max_steps
        if ending:
            self.ground.end_credentials()
            self._check_requests(since=asked_at)  # those that were under way till now
            self._probe()
        said = verbs.said_by(act)
        graded, finish = grade_answer(
            self.ground, self.grader, step_from, finish=finish, probed=self.probed, said=said
        )
        self._count(act, played)
        if ending:
            graded.grade.scored = self._end(graded, finish)
        else:
            graded.grade.scored = self._take_in(graded, played.observation.now)
        result = self._record(act, played, graded, started)
        if ending:
            self._close()
        return result

    def _check_requests(self, *, since: float) -> tuple[MetFault, ...]:
        """Fail the step if one of the episode's requests failed; return the faults met `since`."""
        looked, self._looked = self._looked, time.time()
        return check_requests(self.ground, since=since, looked=looked)

    def _play(self, act: Act, mistake: str | None, asked_at: float) -> Played:
        now = self.ground.now()
        if mistake is not None:
            return Played.mistake(now, mistake)
        try:
            if act.tool in verbs.NAMES:
                return verbs.play(self.ground, act, now)
            return self._space.play(act, now)
        except BadCall as refused:
            return Played.mistake(now, str(refused))
        except Unanswered as failure:
            awaited = partial(is_agents_wait, unheard=self.ground.host.unheard)
            judge = awaited if failure.kind == "harness_timeout" else is_agents
            if not judge(self.ground.sandbox, since=asked_at):
                raise
            wait_for_work(self.ground.sandbox)
            return failure.played()

    def _count(self, act: Act, played: Played) -> None:
        """Count the step as an action, unless it waited, looked the API up or met a fault.

        A write that was lost without a word costs whoever looks before repeating it one look.
        """
        if act.tool != "wait" and not played.struck and not played.looked_up:
            self._actions += 1
        self._lost_writes += sum(fault.leaves_doubt for fault in played.faults)

    def _take_in(self, graded: GradedStep, at: str) -> StepReward:
        self._running, scored = take_in(self._running, graded.grade.snapshot)
        self._reached |= {name: Reached(step=self.steps, at=at) for name in scored.gained}
        return scored

    def _catch_up(self) -> None:
        """Grade and record the steps that the agent's own client took since the last look."""
        for past in past_steps(self.ground, self.grader, after_step=self._caught_up):
            started = time.perf_counter()
            self.steps += 1
            past.graded.grade.scored = self._take_in(past.graded, past.at)
            self._caught_up = past.step
            act, played = own_act(past)
            self._count(act, played)
            self._record(act, played, past.graded, started)

    def _record(self, act: Act, played: Played, graded: GradedStep, started: float) -> StepResult:
        """Write a step down, and return it as the agent is told of it."""
        record = step_record(
            self.steps,
            act,
            played,
            graded,
            status=self.status,
            started=started,
            error=self.error,
        )
        self._recorder.step(record)
        return StepResult(
            step=self.steps,
            observation=played.observation,
            done=self.status != "running",
            status=self.status,
            reward=record.reward,
            step_kind=record.step_kind,
            components=graded.grade.components(),
        )

    # EpisodeScore

    def _probe(self) -> None:
        """Let the family's probes meet what the agent leaves behind, and keep what they show."""
        self.probed = probed(self.ground)
        if self.probed is not None:
            self._recorder.paper("probed", self.probed)

    def _end(self, graded: GradedStep, finish: dict[str, Any] | None) -> StepReward:
        """Score the episode and return its last step's reward."""
        outcome: Outcome = "completed" if finish is not None else "truncated"
        self.status = outcome
        scored, self._ending = score_ending(
            self.ground,
            self.grader,
            self._running,
            last=graded.grade,
            outcome=outcome,
            actions=self._actions,
            lost_writes=self._lost_writes,
            finish=finish,
            number=self.steps,
            reached=self._reached,
        )
        return scored

    def _harness_error(self, act: Act, failure: HarnessFailure, started: float) -> StepResult:
        """Record a failure of ours: the episode ends and has no numbers."""
        self.status = "harness_error"
        self._ending = None  # what was scored before the failure does not count either
        self.failure = failure.kind
        self.failed_request = failure.request or self._space.name_of(act)
        self.error = {"type": failure.kind, "detail": str(failure), "step": self.steps}
        observation = Observation(kind="error", now="", text="the environment failed")
        result = self._record(act, Played(observation), ungraded(), started)
        self._close()
        return result.model_copy(update={"withdrawn": self._recorder.withdrawn})

    def abandon(self, by: AbandonedBy = "caller") -> None:
        """Stop without a score; a finished episode stays as it is."""
        if self.status == "running":
            self.status, self.abandoned_by = "abandoned", by
            self._close()

    def lose(self, detail: str) -> None:
        """End without numbers, by no fault of the agent: what it acted on is lost."""
        if self.status == "running":
            self.status = "harness_error"
            self._ending = None
            self.failure = "harness_lost"
            self.error = {"type": "harness_lost", "detail": detail, "step": self.steps}
            self._close()

    def _close(self) -> None:
        """Write down what became of the episode, and leave its ground even if that fails."""
        with ExitStack() as leaving:
            leaving.callback(self.ground.leave)
            leaving.callback(self._space.close)
            self._close_record()
        emit(
            episode_span(
                self.ground, self._began, outcome=self.status, steps=self.steps, error=self.error
            )
        )

    def _close_record(self) -> None:
        if self.status not in SCORED_OUTCOMES:
            self._recorder.unscore()
        self.ground.host.meters.note_episode(self.status, self.error)
        ending = asdict(self._ending) if self._ending is not None else {}
        ending.pop("now", None)
        ending |= {"error": self.error, "abandoned_by": self.abandoned_by}
        self._recorder.close(outcome=self.status, ended=self._now(), **ending)
        self.is_recorded = True
