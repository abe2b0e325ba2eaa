"""Grade one step from the database: phases, stray rows, charges, and what kind of step it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.journal import canonical_changes, fingerprint, journal
from episodes.checks import Check, Verdict, ask_phases, readings_of
from episodes.rewards import (
    Charge,
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
from episodes.tasks.private_data import private_data_shown
from episodes.tasks.private_index import Beginning
from episodes.tasks.scenes import scene_of
from episodes.tasks.spec import Arranged, Family, Scene

CHECKS_VERSION: Final = "1"


@dataclass(slots=True)
class StepGrade:
    """What the graders made of a step; `scored` is set once its reward is known.

    `verdicts` are what the checks found, by phase and name, and `care_verdicts` those on how the
    work was done.
    """

    snapshot: Snapshot
    care: float | None
    scene: Scene | None = None
    scored: StepReward | None = field(default=None)
    verdicts: Mapping[str, Mapping[str, Verdict]] = field(default_factory=dict)
    care_verdicts: Mapping[str, Verdict] = field(default_factory=dict)

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

    Its sandbox (by id), or a copy of it, is bound for reading; `beginning` is what it was before
    anything was arranged.
    """

    family: Family
    arranged: Arranged
    start: int
    sandbox: str
    beginning: Beginning

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
        said: str | None = None,
    ) -> StepGrade:
        """Return the grade of the step that began at `step_from` and ends in the present.

        `probed` is what probes showed after it, where it was the last, and `said` what the agent
        said by it to whoever gave the goal.
        """
        family = self.family
        scene = self.scene(step_from, finish, probed)
        verdicts = ask_phases(family.phases, scene, probed=probed is not None)
        care = {check.name: check.fn(scene) for check in family.care}
        return StepGrade(
            Snapshot(
                phases=readings_of(family.phases, verdicts),
                stray=tuple(stray_rows(scene.writes, self.arranged.allows)),
                charges=self._charges(scene, said),
            ),
            care=_share(care.values()),
            scene=scene,
            verdicts=verdicts,
            care_verdicts=care,
        )

    def _charges(self, scene: Scene, said: str | None) -> tuple[Charge, ...]:
        """Return what a step costs: what its family charges, and what every family does."""
        found = self.family.guard(scene)
        besides = frozenset(
            seq
            for charge in found
            if charge.kind == "private_data_shown"
            for seq in charge.evidence.journal
        )
        shown = private_data_shown(
            scene,
            goal=self.arranged.goal,
            sandbox=self.sandbox,
            beginning=self.beginning,
            said=said,
            besides=besides,
        )
        return (*found, *shown)

    def grade_with_changes(
        self,
        step_from: int,
        finish: Mapping[str, Any] | None = None,
        probed: Mapping[str, Any] | None = None,
        said: str | None = None,
    ) -> GradedStep:
        """Return the grade of the step with what it changed."""
        return GradedStep(
            self.grade(step_from, finish, probed, said),
            canonical_changes(journal().changes(step_from)),
            fingerprint(self.start),
        )

    def unmet(self) -> frozenset[str]:
        """Return the obligations still owed."""
        return self.family.unmet(self.arranged.facts)

    def grounded(self, scene: Scene) -> bool | None:
        """Return whether an answer follows from what was seen, None where none was asked for."""
        return None if self.family.grounded is None else self.family.grounded(scene)

    def terminal(self, outcome: Outcome, parts: QualityParts, scene: Scene) -> Terminal:
        """Return what is known at the end, of which `scene` is the last step's."""
        grounded = self.grounded(scene)
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
    return _share(check.fn(scene) for check in checks)


def _share(verdicts: Iterable[Verdict]) -> float | None:
    values = [found.value for found in verdicts if found.value is not None]
    return sum(values) / len(values) if values else None


def ungraded() -> GradedStep:
    """Return what stands in place of the grade of a step that has none."""
    return GradedStep(StepGrade(Snapshot(), care=None))
