"""The form of a recorded episode: one folder, a manifest and one JSON line per step."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT = 2
# Records of format 1 read as those of 2: what 2 has more is empty in them.
READABLE = frozenset({1, 2})


class Model(BaseModel):
    """A recorded thing: unknown keys are refused, so that a misread is loud."""

    model_config = ConfigDict(extra="forbid")


class Provenance(Model):
    """What produced the episode, enough to produce it again."""

    sandlot: str
    python: str
    schema_version: str
    world_digest: str
    task_version: str
    checks_version: str
    engine: str


class Reached(Model):
    """The step after which a phase held whole for the first time, and the sandbox's time then."""

    step: int
    at: str


class PhaseResult(Model):
    """What a phase of the task came to: `value` as its checks read at the end, in [-1, 1].

    `counted` is what of it is paid for, since a phase counts nothing while one that it `needs` does
    not hold. `weight` is its share of the whole ladder. `reached` stays when it was lost again.
    """

    name: str
    kind: Literal["means", "end"]
    weight: float
    needs: list[str] = Field(default_factory=list)
    value: float | None
    counted: float
    reached: Reached | None = None


class CheckResult(Model):
    """What a check found at the end: 1.0 where its sentence is true, None where it does not apply.

    `weight` is its weight among the checks of its phase; one of no `phase` says how well the work
    was done. `because` is what demands it. `evidence` are journal rows, sightings and requests.
    """

    name: str
    phase: str | None
    kind: str
    because: str
    weight: float
    needs: list[str] = Field(default_factory=list)
    value: float | None
    evidence: dict[str, Any] = Field(default_factory=dict)


# The tools by which an agent reaches the APIs: one for each operation (`flat`), two to look
# operations up and to call them (`search_call`), one for requests as they are written (`http`),
# named ones for what work is mostly done with (`app`); and tools beside them that do not help. In
# the browser there are elements of a tree without one, a picture and its places (`computer`), both
# (`hybrid`).
Surface = Literal[
    "flat",
    "search_call",
    "search_call+5",
    "search_call+10",
    "search_call+15",
    "http",
    "http+5",
    "http+10",
    "http+15",
    "app",
    "app+5",
    "app+10",
    "app+15",
    "computer",
    "hybrid",
]
# Those of the space `browser`.
ON_SCREEN: Final = ("computer", "hybrid")
# Who ended an episode without a score: its caller, its lease, or the server as it stopped.
AbandonedBy = Literal["caller", "lease", "server"]


class Parent(Model):
    """The episode that this one went on from, and the last step that it has in common with it."""

    episode: str
    step: int


class EpisodeManifest(Model):
    """One episode as a whole. Numbers are None unless the outcome is `completed` or `truncated`.

    `ended` is the sandbox's time at the end, as far as it is known. Records that were made before
    there was one have no `sandbox` and no `ended`. `phases` and `checks` are empty without a score;
    in format 1 they always are. `parent` is set in a branch. `abandoned_by` says by whom it was
    abandoned. `withdrawn` are the steps whose rewards had been given before the episode ended
    without a score: they are not to be used. `surface` is None in the browser without one, and in
    records that were made when there was one only (`flat`).
    """

    format: int = FORMAT
    id: str
    task: str
    family: str
    instance: str
    goal: str
    persona: str
    space: Literal["api", "browser"]
    surface: Surface | None = None
    seed: int
    world: str
    size: str
    world_seed: int
    sandbox: str = ""
    started: str
    ended: str = ""
    outcome: Literal["running", "completed", "truncated", "abandoned", "harness_error"]
    limits: dict[str, Any]
    faults: Literal["none", "light", "moderate", "heavy"] = "none"
    fault_seed: int = 0
    provenance: Provenance
    reward: float | None = None
    success: bool | None = None
    clean: float | None = None
    components: dict[str, Any] = Field(default_factory=dict)
    phases: list[PhaseResult] = Field(default_factory=list)
    checks: list[CheckResult] = Field(default_factory=list)
    people: list[dict[str, Any]] = Field(default_factory=list)
    finish: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    parent: Parent | None = None
    abandoned_by: AbandonedBy | None = None
    withdrawn: list[int] = Field(default_factory=list)


class StepRecord(Model):
    """One step.

    `act` is as the agent gave it; `handle` is the form that a replay resolves again (no refs).
    `changes` are the step's canonical row changes; `fingerprint` hashes the net change since the
    arranged state. `phases` are their values, None while not scored yet. `faults` are the injected
    faults that the step's requests met: request, kind, method, path, and whether a write was
    applied all the same. `reward` is the step's, `phase_reward` the sum since the last phase
    boundary, None between two. `potential`, `collateral` and `charges` are kept apart from
    `reward` so that a reader can form other returns. `withdrawn` says that there had been a reward,
    and that it was taken back with all numbers, since the episode has no score.
    """

    step: int
    at: str
    act: dict[str, Any]
    handle: dict[str, Any] | None = None
    observation: dict[str, Any]
    status: Literal["running", "completed", "truncated", "abandoned", "harness_error"]
    step_kind: str | None = None
    requests: list[str] = Field(default_factory=list)
    faults: list[dict[str, Any]] = Field(default_factory=list)
    changes: list[dict[str, Any]] = Field(default_factory=list)
    fingerprint: str
    phases: dict[str, float | None] = Field(default_factory=dict)
    potential: float | None = None
    collateral: float | None = None
    charges: list[dict[str, Any]] = Field(default_factory=list)
    reward: float | None = None
    phase_reward: float | None = None
    withdrawn: bool = False
    evidence: dict[str, Any] = Field(default_factory=dict)
    screenshot: str | None = None
    milliseconds: float = 0.0
    error: dict[str, Any] | None = None


class TrajectoryView(Model):
    """A recorded episode whole, and the folder that it lies in on the server's machine."""

    folder: str
    manifest: EpisodeManifest
    steps: list[StepRecord]
