"""The form of a recorded episode: one folder, a manifest and one JSON line per step."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT = 1


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


class EpisodeManifest(Model):
    """One episode as a whole. Numbers are None unless the outcome is `completed` or `truncated`.

    `ended` is the sandbox's time at the end, as far as it is known. Records that were made before
    there was one have no `sandbox` and no `ended`.
    """

    format: int = FORMAT
    id: str
    task: str
    family: str
    instance: str
    goal: str
    persona: str
    space: Literal["api", "browser"]
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
    phases: list[dict[str, Any]] = Field(default_factory=list)
    checks: list[dict[str, Any]] = Field(default_factory=list)
    people: list[dict[str, Any]] = Field(default_factory=list)
    finish: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class StepRecord(Model):
    """One step.

    `act` is as the agent gave it; `handle` is the form that a replay resolves again (no refs).
    `changes` are the step's canonical row changes; `fingerprint` hashes the net change since the
    arranged state. `phases` are their values, None while not scored yet. `faults` are the injected
    faults that the step's requests met: request, kind, method, path, and whether a write was
    applied all the same. `reward` is the step's, `phase_reward` the sum since the last phase
    boundary, None between two. `potential`, `collateral` and `charges` are kept apart from
    `reward` so that a reader can form other returns.
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
    evidence: dict[str, Any] = Field(default_factory=dict)
    screenshot: str | None = None
    milliseconds: float = 0.0
    error: dict[str, Any] | None = None
