"""Grade one step from the database: phases, stray rows, charges, and what kind of step it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from episodes.checks import Check, read_phases
from episodes.rewards import Evidence, Reading, Snapshot, StepFacts, StepKind, StepReward, step_kind
from episodes.spaces.played import Played
from episodes.tasks.footprint import stray_rows
from episodes.tasks.spec import Arranged, Family, Scene


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
                refused=played.refused,
                rows=len(own),
                stray=sum(write.seq in stray for write in own),
                advanced=bool(self.scored and self.scored.gained),
                shown=len(shown),
                new=len(shown - before),
            )
        )


def grade_step(family: Family, arranged: Arranged, scene: Scene) -> StepGrade:
    """Return the grade of the step that ends in `scene`. The sandbox is bound for reading."""
    return StepGrade(
        Snapshot(
            phases=read_phases(family.phases, scene),
            stray=tuple(stray_rows(scene.writes, arranged.allows)),
            charges=family.guard(scene),
        ),
        care=share_held(family.care, scene),
        scene=scene,
    )


def share_held(checks: tuple[Check[Scene], ...], scene: Scene) -> float | None:
    """Return the share of the care checks that hold, None when none applies."""
    verdicts = [check.fn(scene) for check in checks]
    values = [found.value for found in verdicts if found.value is not None]
    return sum(values) / len(values) if values else None


def no_grade() -> StepGrade:
    """Return the grade of a step that has none."""
    return StepGrade(Snapshot(), care=None)
