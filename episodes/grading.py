"""Grade one step from the database: phases, stray rows, charges, and what kind of step it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.journal import canonical_changes, fingerprint, journal
from episodes.checks import Check, read_phases
from episodes.rewards import (
    Evidence,
    Finding,
    Outcome,
    QualityParts,
    Reading,
    Snapshot,
    StepFacts,
    StepKind,
    StepReward,
    Terminal,
    question_terminal,
    step_kind,
)
from episodes.spaces.played import Played
from episodes.tasks.footprint import stray_rows
from episodes.tasks.scenes import scene_of
from episodes.tasks.spec import Arranged, Family, Scene

CHECKS_VERSION: Final = "1"


@dataclass(slots=True)
class StepGrade:
    """What the graders made of a step; `scored` is set once its reward is known."""

    snapshot: Snapshot
    care: float | None
    scene: Scene | None = None
    scored: StepReward | None = field(default=None)

    def phases(self) -> dict[str, Reading]:
        """Return the phases' readings by name."""
        return dict(self.snapshot.phases)

    def charges(self) -> list[dict[str, Any]]:
        """Return the step's charges as plain data."""
        return [
            {
                "kind": charge.kind,
                "because": charge.because,
                "obligation": charge.obligation,
                "request": charge.request,
                "evidence": charge.evidence.as_json(),
            }
            for charge in self.snapshot.charges
        ]

    def evidence(self) -> dict[str, Any]:
        """Return what each number stands on."""
        found = {name: reading.evidence.as_json() for name, reading in self.phases().items()}
        stray = Evidence()
        for row in self.snapshot.stray:
            stray = stray | row.evidence
        found["collateral"] = stray.as_json()
        return found

    def components(self) -> dict[str, float | None]:
        """Return potential, collateral and charges of the step."""
        if self.scored is None:
            return {}
        return {
            "potential": self.scored.potential,
            "collateral": self.scored.collateral,
            "charged": self.scored.charged,
        }

    def step_kind(self, tool: str, played: Played) -> StepKind:
        """Return the label of the step."""
        if self.scene is None:
            return "fault"
        scene = self.scene
        before = {(seen.table, seen.key) for seen in scene.seen if seen.seq <= scene.step_from}
        shown = {(seen.table, seen.key) for seen in scene.seen if seen.seq > scene.step_from}
        stray = {seq for row in self.snapshot.stray for seq in row.evidence.journal}
        own = [write for write in scene.fresh if write.by_agent]
        return step_kind(
            StepFacts(
                waited=tool == "wait",
                fault=played.struck,
                refused=played.refused,
                rows=len(own),
                stray=sum(write.seq in stray for write in own),
                advanced=bool(self.scored and self.scored.gained),
                shown=len(shown),
                new=len(shown - before),
            )
        )


@dataclass(frozen=True, slots=True)
class GradedStep:
    """A step's grade, the row changes it made, and a hash of all that changed since the start."""

    grade: StepGrade
    changes: list[dict[str, Any]] = field(default_factory=list)
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Grader:
    """Grades the steps of one episode; `start` is the journal position of the arranged state.

    Its sandbox, or a copy of it, is bound for reading.
    """

    family: Family
    arranged: Arranged
    start: int

    def scene(
        self,
        step_from: int,
        finish: Mapping[str, Any] | None = None,
        probed: Mapping[str, Any] | None = None,
    ) -> Scene:
        """Return the present as checks see it, of a step that began at `step_from`."""
        return scene_of(
            self.arranged.facts,
            since=self.start,
            step_from=step_from,
            finish=finish,
            probed=probed,
        )

    def grade(
        self,
        step_from: int,
        finish: Mapping[str, Any] | None = None,
        probed: Mapping[str, Any] | None = None,
    ) -> StepGrade:
        """Return the grade of the step that began at `step_from` and ends in the present.

        `probed` is what probes showed after it, where it was the last.
        """
        family = self.family
        scene = self.scene(step_from, finish, probed)
        return StepGrade(
            Snapshot(
                phases=read_phases(family.phases, scene, probed=probed is not None),
                stray=tuple(stray_rows(scene.writes, self.arranged.allows)),
                charges=family.guard(scene),
            ),
            care=share_held(family.care, scene),
            scene=scene,
        )

    def grade_with_changes(
        self,
        step_from: int,
        finish: Mapping[str, Any] | None = None,
        probed: Mapping[str, Any] | None = None,
    ) -> GradedStep:
        """Return the grade of the step with what it changed."""
        return GradedStep(
            self.grade(step_from, finish, probed),
            canonical_changes(journal().changes(step_from)),
            fingerprint(self.start),
        )

    def unmet(self) -> frozenset[str]:
        """Return the obligations still owed."""
        return self.family.unmet(self.arranged.facts)

    def terminal(self, outcome: Outcome, parts: QualityParts, scene: Scene) -> Terminal:
        """Return what is known at the end, of which `scene` is the last step's."""
        grounded = None if self.family.grounded is None else self.family.grounded(scene)
        if grounded is None:
            return Terminal(outcome=outcome, quality=parts, unmet=self.unmet())
        own = {
            (write.table.name, str(write.key)): write for write in scene.writes if write.by_agent
        }
        return question_terminal(
            outcome=outcome,
            efficiency=parts.efficiency,
            care=parts.care,
            grounded=grounded,
            written=tuple(
                Finding(f"write {table} {key}", Evidence(journal=(write.seq,)))
                for (table, key), write in own.items()
            ),
        )


def share_held(checks: tuple[Check[Scene], ...], scene: Scene) -> float | None:
    """Return the share of the care checks that hold, None when none applies."""
    verdicts = [check.fn(scene) for check in checks]
    values = [found.value for found in verdicts if found.value is not None]
    return sum(values) / len(values) if values else None


def ungraded() -> GradedStep:
    """Return what stands in place of the grade of a step that has none."""
    return GradedStep(StepGrade(Snapshot(), care=None))
