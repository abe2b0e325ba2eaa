"""Grade a played run again from its journal, and see what a reset leaves behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from clones.core.journal import store_digest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.certify.playing import LocalSpace
from episodes.context import ARRANGED
from episodes.grading import StepGrade
from episodes.probing import probed
from episodes.replay import act_of
from episodes.rewards import Outcome, QualityParts, Scorecard, Snapshot, score
from episodes.verbs import said_by
from sandlot.trajectory import StepRecord, Trajectory
from snapshots.sandboxes import BASE


def regrade(held: LocalSpace, recorded: Trajectory) -> Iterator[str]:
    """Yield where grading again, twice, from a copy's journal alone differs from the record.

    The copy is rewound from the last step to the first: each grade is made of the state that the
    journal gives for its step.
    """
    sandboxes = held.ground.host.sandboxes
    fork = sandboxes.fork(held.ground.sandbox.id)
    try:
        snapshots: list[Snapshot] = []
        for place in reversed(range(len(recorded.steps))):
            record = recorded.steps[place]
            if place + 1 < len(recorded.steps):
                _rewind(held, fork, record.step, held.positions[place + 1])
            last = place + 1 == len(recorded.steps)
            finish = recorded.manifest.finish if last else None
            said = said_by(act_of(record))
            grades = [
                _grade(held, fork, held.positions[place], finish, said=said, last=last)
                for _ in (1, 2)
            ]
            first, second = (_bytes(grade) for grade in grades)
            if first != second:
                yield f"step {record.step}: graded twice, {first} is not {second}"
            if first != _recorded_bytes(record):
                yield f"step {record.step}: {first} is not what was recorded"
            snapshots.insert(0, grades[0].snapshot)
        _rewind(held, fork, 0, held.positions[0])
        start = _grade(held, fork, held.positions[0], None).snapshot
    finally:
        sandboxes.delete(fork.id)
    yield from _compare_rewards(_scores(held, recorded, start, snapshots), recorded)


def restore(held: LocalSpace, arranged: str) -> Iterator[str]:
    """Rewind the sandbox to its arranged state, then to its beginning, and yield what differs."""
    sandboxes = held.ground.host.sandboxes
    row = held.ground.sandbox
    sandboxes.rewind(row.id, ARRANGED)
    if _digest(row) != arranged:
        yield "the arranged state did not come back"
    sandboxes.rewind(row.id, BASE)
    if _digest(row) != sandboxes.library.get(row.template).rows_digest:
        yield "the world did not come back"


def arranged_digest(held: LocalSpace) -> str:
    """Return the digest of the arranged state, without what loading the first page left behind."""
    sandboxes = held.ground.host.sandboxes
    fork = sandboxes.fork(held.ground.sandbox.id)
    try:
        server().registry.set_mark(fork.id, ARRANGED, held.episode.grader.start)
        sandboxes.rewind(fork.id, ARRANGED)
        return _digest(fork)
    finally:
        sandboxes.delete(fork.id)


def _digest(row: SandboxRow) -> str:
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return store_digest()


def _rewind(held: LocalSpace, fork: SandboxRow, step: int, position: int) -> None:
    mark = f"after-step-{step}"
    server().registry.set_mark(fork.id, mark, position)
    held.ground.host.sandboxes.rewind(fork.id, mark)


def _grade(
    held: LocalSpace,
    fork: SandboxRow,
    step_from: int,
    finish: dict[str, Any] | None,
    *,
    said: str | None = None,
    last: bool = False,
) -> StepGrade:
    shown = probed(held.ground, fork.id) if last else None
    with server().stores.bind(fork.store, fork.id), unit_of_work("read"):
        return held.episode.grader.grade(step_from, finish, shown, said)


def _bytes(grade: StepGrade) -> str:
    phases = {name: reading.value for name, reading in grade.phases().items()}
    return json.dumps([phases, grade.charges(), grade.evidence()], sort_keys=True)


def _recorded_bytes(record: StepRecord) -> str:
    return json.dumps([record.phases, record.charges, record.evidence], sort_keys=True)


def _scores(
    held: LocalSpace, recorded: Trajectory, start: Snapshot, steps: list[Snapshot]
) -> Scorecard:
    manifest = recorded.manifest
    parts = QualityParts(**manifest.components["parts"])
    outcome: Outcome = "completed" if manifest.outcome == "completed" else "truncated"
    grader = held.episode.grader
    with held.ground.bound("read"):
        scene = grader.scene(held.positions[-1], manifest.finish)
        terminal = grader.terminal(outcome, parts, scene)
    return score(held.ground.family.ladder, start, steps, terminal)


def _compare_rewards(again: Scorecard, recorded: Trajectory) -> Iterator[str]:
    if again.episode.value != recorded.manifest.reward:
        yield f"R {again.episode.value} is not {recorded.manifest.reward}"
    for step, record in zip(again.steps, recorded.steps, strict=True):
        pairs = {
            "reward": (step.value, record.reward),
            "phase reward": (step.phase_value, record.phase_reward),
            "potential": (step.potential, record.potential),
            "collateral": (step.collateral, record.collateral),
        }
        for name, (found, kept) in pairs.items():
            if found != kept:
                yield f"step {record.step}: {name} {found} is not {kept}"
