"""What is written down of an episode: its manifest at the start, and a record per step."""

from __future__ import annotations

import platform
import time
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from clones.core.journal import schema_version
from episodes.context import EpisodeContext
from episodes.grading import CHECKS_VERSION, GradedStep
from episodes.spaces.played import Played
from sandlot.service import Act
from sandlot.service.protocol import Status
from sandlot.trajectory import EpisodeManifest, Provenance, StepRecord


def manifest_of(ground: EpisodeContext) -> EpisodeManifest:
    """Return the manifest of an episode that begins."""
    family, instance, request = ground.family, ground.instance, ground.request
    return EpisodeManifest(
        id=ground.id,
        task=f"{family.id}@{family.version}",
        family=family.id,
        instance=str(instance),
        goal=ground.arranged.goal,
        persona=ground.arranged.persona.title,
        space=request.space,
        surface=request.surface,
        seed=request.seed,
        world=instance.world,
        size=instance.size,
        world_seed=instance.seed,
        sandbox=ground.sandbox.id,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        outcome="running",
        limits={
            "steps": ground.max_steps,
            "client": request.client,
            "idle_seconds": ground.idle_seconds,
        },
        faults=request.faults,
        fault_seed=request.fault_seed,
        provenance=Provenance(
            sandlot=version("sandlot"),
            python=platform.python_version(),
            schema_version=schema_version(),
            world_digest=ground.sandbox.template,
            task_version=str(family.version),
            checks_version=CHECKS_VERSION,
            engine=ground.sandbox.engine,
        ),
        parent=ground.parent,
    )


def step_record(
    number: int,
    act: Act,
    played: Played,
    graded: GradedStep,
    *,
    status: Status,
    started: float,
    error: dict[str, Any] | None,
) -> StepRecord:
    """Return the record of a step that began at `started` by the machine's counter.

    The observation keeps its screenshot, which `Recorder.step` makes a file of.
    """
    grade = graded.grade
    scored = grade.scored
    return StepRecord(
        step=number,
        at=played.observation.now,
        act=act.model_dump(),
        handle=played.handle,
        observation=played.observation.model_dump(exclude_none=True),
        status=status,
        step_kind=grade.step_kind(act.tool, played),
        requests=list(played.requests),
        faults=[asdict(met) for met in played.faults],
        changes=graded.changes,
        fingerprint=graded.fingerprint,
        phases={name: reading.value for name, reading in grade.phases().items()},
        potential=scored.potential if scored else None,
        collateral=scored.collateral if scored else None,
        charges=grade.charges(),
        reward=scored.value if scored else None,
        phase_reward=scored.phase_value if scored else None,
        evidence=grade.evidence(),
        milliseconds=(time.perf_counter() - started) * 1000,
        error=error,
    )
