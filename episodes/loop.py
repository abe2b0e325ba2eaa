"""One episode: arrange, step, grade, finish.

Each act is one step: the clock moves, what fell due runs, the act goes through the vendor's API or
the browser, and the rows it changed are graded from the database. Failures of ours end the episode
without numbers.
"""

from __future__ import annotations

import json
import logging
import platform
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from clones.core import clock, jobs
from clones.core.accounts import AccountCard, account_cards
from clones.core.journal import canonical_changes, fingerprint, journal, schema_version
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes import verbs
from episodes.aftermath import aftermath
from episodes.binding import bound_unit
from episodes.grading import StepGrade, grade_step, no_grade
from episodes.own_client import own_act, past_steps
from episodes.presentation import sandbox_view
from episodes.recorder import Recorder
from episodes.rewards import Outcome, Running, Terminal, begin, close
from episodes.rewards import step as take_in
from episodes.rewards.model import SCORED_OUTCOMES
from episodes.spaces import Played, PlayingSpace, open_space
from episodes.spaces.errors import BadCall, HarnessFailure, HarnessKind
from episodes.tasks.instances import InstanceId
from episodes.tasks.scenes import scene_of
from episodes.tasks.spec import STEP_SECONDS, Arranged, Family, Stage, step_limit
from sandlot.service import Act, EpisodeView, Observation, StartEpisode, StepResult
from sandlot.service.errors import Conflict
from sandlot.service.protocol import Status
from sandlot.trajectory import EpisodeManifest, Provenance, StepRecord

if TYPE_CHECKING:
    from episodes.host import Host

logger = logging.getLogger(__name__)

ARRANGED = "arranged"
HARNESS_KINDS: dict[str, HarnessKind] = {
    "harness_5xx": "harness_5xx",
    "harness_stale": "harness_stale",
    "reset": "harness_reset",
}
CHECKS_VERSION = "1"


@dataclass(frozen=True, slots=True)
class _Result:
    """What came of a step besides what the agent saw."""

    started: float
    kind: str | None
    reward: float | None = None
    fingerprint: str = ""
    changes: list[dict[str, Any]] = field(default_factory=list)


class Episode:
    """One attempt at one instance in one sandbox. Not thread-safe: the caller holds a lock."""

    def __init__(
        self, host: Host, name: str, family: Family, instance: InstanceId, request: StartEpisode
    ) -> None:
        self.host = host
        self.id = name
        self.family = family
        self.instance = instance
        self.request = request
        self.status: Status = "running"
        self.steps = 0
        self.max_steps = request.max_steps or 0
        self.error: dict[str, Any] | None = None
        self.result: dict[str, Any] = {}
        self._own_sandbox = request.sandbox is None
        self._agent_steps = 0
        self._caught_up = 0
        self.sandbox: SandboxRow
        self.arranged: Arranged
        self.start = 0
        self._running: Running
        self._space: PlayingSpace
        self._recorder: Recorder
        self._accounts: dict[str, Any] = {}
        self._last: StepRecord | None = None

    # Beginning

    def begin(self) -> None:
        """Make or take the sandbox, arrange the instance and open the space.

        Credentials are fresh: what was handed out before no longer opens anything.
        """
        registry = server().registry
        if self.request.sandbox is None:
            row = self.host.create_sandbox(
                self.instance.world, self.instance.size, self.instance.seed
            )
        else:
            row = registry.get(self.request.sandbox)
            self.host.sandboxes.reset(row.id)
        try:
            self._arrange(row)
        except BaseException:
            if self._own_sandbox:
                self.host.sandboxes.delete(row.id)
            raise

    def _arrange(self, row: SandboxRow) -> None:
        registry = server().registry
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            self.arranged = self.family.arrange(Stage(self.instance))
        if not self.max_steps:
            space = self.request.space
            self.max_steps = step_limit(self.arranged.oracle_steps[space], space)
        self.start = self.host.sandboxes.mark(row.id, ARRANGED)
        registry.rotate_credentials(row.id)
        seconds = STEP_SECONDS[self.request.space] if self.request.client == "own" else None
        limit = self.max_steps - 1 if self.request.client == "own" else None
        registry.set_episode(row.id, self.id, seconds, limit)
        self.sandbox = registry.get(row.id)
        with self.bound("write"):
            cards = {
                clone: _card(account_cards(self.sandbox, own_client=False), clone, login)
                for clone, login in self.arranged.persona.logins.items()
            }
            self._space = open_space(self, cards)
        # Signing in is the harness's doing: the graded state begins after it.
        self.start = self.host.sandboxes.mark(row.id, ARRANGED)
        with self.bound("read"):
            scene = scene_of(self.arranged.facts, since=self.start, step_from=self.start)
            grade = grade_step(self.family, self.arranged, scene)
        self._running = begin(self.family.ladder, grade.snapshot)
        self._record_start()
        self._space.start()

    def _record_start(self) -> None:
        self._recorder = Recorder(
            self.host.episodes.folder / self.id,
            EpisodeManifest(
                id=self.id,
                task=f"{self.family.id}@{self.family.version}",
                family=self.family.id,
                instance=str(self.instance),
                goal=self.arranged.goal,
                persona=self.arranged.persona.title,
                space=self.request.space,
                seed=self.request.seed,
                world=self.instance.world,
                size=self.instance.size,
                world_seed=self.instance.seed,
                started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                outcome="running",
                limits={"steps": self.max_steps, "client": self.request.client},
                provenance=Provenance(
                    sandlot=version("sandlot"),
                    python=platform.python_version(),
                    schema_version=schema_version(),
                    world_digest=self.sandbox.template,
                    task_version=str(self.family.version),
                    checks_version=CHECKS_VERSION,
                    engine=self.sandbox.engine,
                ),
            ),
        )
        self._recorder.paper("facts", dict(self.arranged.facts))

    # Looking

    def view(self) -> EpisodeView:
        """Return the episode from outside."""
        return EpisodeView(
            id=self.id,
            task=str(self.instance),
            goal=self.arranged.goal,
            persona=self.arranged.persona.title,
            space=self.request.space,
            sandbox=self.sandbox.id,
            seed=self.request.seed,
            status=self.status,
            steps=self.steps,
            max_steps=self.max_steps,
            now=self.result["now"] if "now" in self.result else self.now(),
            apps=self._apps(),
            reward=self.result.get("reward"),
            success=self.result.get("success"),
            clean=self.result.get("clean"),
            components=self.result.get("components", {}),
            error=self.error,
            folder=str(self._recorder.folder),
        )

    def last_record(self) -> StepRecord:
        """Return the newest step as recorded.

        Raises:
            Conflict: no step was taken yet.
        """
        if self._last is None:
            raise Conflict(f"episode {self.id} has no step yet")
        return self._last

    def tools(self) -> list[dict[str, Any]]:
        """Return the space's tools and the verbs."""
        return [*self._space.tools(), *verbs.TOOLS]

    def observe(self) -> Observation:
        """Return what the agent sees, without a step."""
        self._check_running()
        return self._space.observe(self.now())

    # Stepping

    def act(self, act: Act) -> StepResult:
        """Take one step.

        Raises:
            Conflict: the episode is over.
        """
        self._check_running()
        act = _recordable(act)
        started = time.perf_counter()
        try:
            return self._step(act, started)
        except HarnessFailure as failure:
            return self._harness_error(act, failure, started)
        except Exception as error:  # the boundary of a step: a bug of ours is never the agent's
            logger.exception("step %s of %s failed", self.steps, self.id)
            bug = HarnessFailure("harness_grader", f"{type(error).__name__}: {error}")
            return self._harness_error(act, bug, started)

    def _catch_up(self) -> None:
        """Grade and record the steps that the agent's own client took since the last look."""
        registry = server().registry
        found = past_steps(
            self.host,
            registry.get(self.sandbox.id),
            self.family,
            self.arranged,
            since=self.start,
            after_step=self._caught_up,
        )
        for past in found:
            started = time.perf_counter()
            self._running, scored = take_in(self._running, past.grade.snapshot)
            grade = replace(past.grade, scored=scored)
            self.steps += 1
            self._agent_steps += 1
            self._caught_up = past.step
            act, played = own_act(past)
            kind = grade.step_kind("own", played)
            result = _Result(started, kind, scored.value, past.fingerprint, past.changes)
            self._record(act, played, grade, result)

    def _step(self, act: Act, started: float) -> StepResult:
        if self.request.client == "own":
            if act.tool not in verbs.NAMES:
                raise Conflict("this episode's agent calls the APIs itself: only verbs are acts")
            self._catch_up()
        self.steps += 1
        with self.bound("write"):
            step_from = journal().position()
            self._caught_up = jobs.begin_step(STEP_SECONDS[self.request.space])
        asked_at = time.time()
        played = self._play(act)
        self._check_requests(asked_at)
        finish = dict(act.arguments) if act.tool == "finish" and played.accepted else None
        ending = finish is not None or self.steps >= self.max_steps
        if ending:
            self._freeze()
        with self.bound("read"):
            scene = scene_of(
                self.arranged.facts, since=self.start, step_from=step_from, finish=finish
            )
            grade = grade_step(self.family, self.arranged, scene)
            changes = canonical_changes(journal().changes(step_from))
            mark = fingerprint(self.start)
        if act.tool != "wait":
            self._agent_steps += 1
        if ending:
            self.status = "completed" if finish is not None else "truncated"
            reward = self._end(grade, finish)
        else:
            self._running, scored = take_in(self._running, grade.snapshot)
            reward = scored.value
            grade = replace(grade, scored=scored)
        kind = grade.step_kind(act.tool, played)
        self._record(act, played, grade, _Result(started, kind, reward, mark, changes))
        if ending:
            self._close()
        return StepResult(
            step=self.steps,
            observation=played.observation,
            done=ending,
            status=self.status,
            reward=reward,
            step_kind=kind,
            components=grade.components(),
        )

    def _check_requests(self, since: float) -> None:
        """Fail the step if the data plane failed at a request of it.

        Raises:
            HarnessFailure: an answer was ours to be ashamed of: 5xx, stale, cut off by a reset.
        """
        for entry in server().requests.read(self.sandbox.id, since=since):
            kind = HARNESS_KINDS.get(entry.fault or "")
            if kind is not None:
                detail = f"{entry.method} {entry.path} answered {entry.status}: {entry.fault}"
                raise HarnessFailure(kind, detail)

    def _play(self, act: Act) -> Played:
        now = self.now()
        try:
            if act.tool in verbs.NAMES:
                return verbs.play(self, act, now)
            return self._space.play(act, now)
        except BadCall as mistake:
            return Played.mistake(now, str(mistake))

    def _freeze(self) -> None:
        """End the agent's credentials: what is graded now is what remains."""
        registry = server().registry
        if registry.find(self.sandbox.id) is None:
            return  # a sandbox that was lost has no credentials to end
        registry.rotate_credentials(self.sandbox.id)
        registry.set_episode(self.sandbox.id, None)

    def _end(self, grade: StepGrade, finish: dict[str, Any] | None) -> float | None:
        """Let the aftermath run in a copy, and score."""
        after = aftermath(self.host, self.sandbox, self.family, self.arranged, self.start)
        parts = replace(
            after.parts,
            efficiency=verbs.efficiency(
                self.arranged.oracle_steps[self.request.space], self._agent_steps
            ),
            care=grade.care,
        )
        with self.bound("read"):
            unmet = self.family.unmet(self.arranged.facts)
        outcome: Outcome = "completed" if self.status == "completed" else "truncated"
        terminal = Terminal(outcome=outcome, quality=parts, unmet=unmet)
        last, episode = close(self._running, grade.snapshot, terminal)
        self.result = {
            "reward": episode.value,
            "success": None if episode.success is None else bool(episode.success),
            "clean": episode.clean,
            "components": {
                "partial": episode.partial,
                "quality": episode.quality,
                "parts": parts.as_json(),
                "collateral": episode.collateral,
                "charged": episode.charged,
                "failures": [finding.name for finding in episode.failures],
            },
            "people": list(after.people),
            "finish": finish,
            "now": self.now(),
        }
        grade.scored = last
        return last.value

    def _harness_error(self, act: Act, failure: HarnessFailure, started: float) -> StepResult:
        """Record a failure of ours: the episode ends and has no numbers."""
        self.status = "harness_error"
        self.error = {"type": failure.kind, "detail": str(failure), "step": self.steps}
        observation = Observation(kind="error", now="", text="the environment failed")
        self._record(act, Played(observation), no_grade(), _Result(started, "fault"))
        self._close()
        return StepResult(
            step=self.steps,
            observation=observation,
            done=True,
            status=self.status,
            reward=None,
            step_kind="fault",
        )

    def abandon(self) -> None:
        """Stop without a score; a finished episode stays as it is."""
        if self.status == "running":
            self.status = "abandoned"
            self._close()

    # Ending

    def _record(self, act: Act, played: Played, grade: StepGrade, result: _Result) -> None:
        observation = played.observation.model_dump(exclude_none=True)
        screenshot = observation.pop("screenshot", None)
        scored = grade.scored
        self._last = self._recorder.step(
            StepRecord(
                step=self.steps,
                at=played.observation.now,
                act=act.model_dump(),
                handle=played.handle,
                observation=observation,
                status=self.status,
                step_kind=result.kind,
                requests=list(played.requests),
                changes=result.changes,
                fingerprint=result.fingerprint,
                phases={name: reading.value or 0.0 for name, reading in grade.phases().items()},
                potential=scored.potential if scored else None,
                collateral=scored.collateral if scored else None,
                charges=grade.charges(),
                reward=result.reward,
                phase_reward=scored.phase_value if scored else None,
                evidence=grade.evidence(),
                milliseconds=(time.perf_counter() - result.started) * 1000,
                error=self.error,
            ),
            screenshot,
        )

    def _close(self) -> None:
        if self.status not in SCORED_OUTCOMES:
            self._recorder.unscore()
        kept = ("reward", "success", "clean", "components", "people", "finish")
        self._recorder.close(
            outcome=self.status,
            error=self.error,
            **{name: self.result[name] for name in kept if name in self.result},
        )
        self._space.close()
        self.result.setdefault("now", self._last.at if self._last is not None else "")
        self._apps()
        if self._own_sandbox and not self.request.keep_sandbox:
            if server().registry.find(self.sandbox.id) is not None:
                self.host.sandboxes.delete(self.sandbox.id)
        elif self.status != "running":
            self._freeze()

    # Small things

    def _check_running(self) -> None:
        if self.status != "running":
            raise Conflict(f"episode {self.id} is over: its outcome is {self.status}")

    def bound(self, kind: Literal["read", "write"]) -> AbstractContextManager[None]:
        """Bind the episode's sandbox for one transaction."""
        return bound_unit(self.sandbox, kind)

    def now(self) -> str:
        """Return the sandbox's time."""
        with self.bound("read"):
            return clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _apps(self) -> dict[str, Any]:
        if self.status == "running" and not self._accounts:
            logins = self.arranged.persona.logins
            self._accounts = sandbox_view(self.sandbox, self.host.addresses, logins=logins)["apps"]
        return self._accounts


def _recordable(act: Act) -> Act:
    """Return an act as it can be written down: half characters, which no text holds, replaced."""
    text = json.dumps(act.model_dump(), ensure_ascii=False)
    if text.isascii():
        return act
    return Act.model_validate(json.loads(text.encode(errors="replace")))


def _card(cards: list[AccountCard], clone: str, login: str) -> AccountCard:
    for card in cards:
        if card.clone == clone and card.login == login:
            return card
    raise HarnessFailure("harness_reset", f"the world has no listed account {login} in {clone}")
