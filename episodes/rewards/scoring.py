"""Rewards by step, phase and episode: differences of the potential, less the charges.

`begin`, `step` and `close` give each number as the episode goes on; `score` folds a whole one.
Nothing is rounded or clipped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from episodes.rewards.charges import PricedCharge, price_charges, total
from episodes.rewards.model import (
    CLOSE_ENOUGH,
    NO_PARTS,
    SCORED_OUTCOMES,
    BadReading,
    Finding,
    Ladder,
    Outcome,
    QualityParts,
    Reading,
    Snapshot,
    StrayRow,
    Terminal,
)
from episodes.rewards.potentials import (
    RowKey,
    collateral_by_clone,
    counted,
    ends_missing,
    partial,
    potential,
)
from episodes.rewards.prices import PARTIAL_SCALE, POTENTIAL_SCALE, QUALITY_SCALE
from episodes.rewards.qualities import NoQuality, quality


class ShapedStart(ValueError):
    """Raised when the arranged state has a potential: doing nothing would be paid."""


@dataclass(frozen=True, slots=True)
class StepReward:
    """One step's reward and what it is made of.

    `value` is r_t and `phase_value` the sum since the last phase boundary, None between them.
    `potential`, `collateral` and `charged` are Φ_t, C_t and h_t, kept apart for readers that
    discount. Every number is None when the episode is not scored.
    """

    value: float | None
    phase_value: float | None
    potential: float | None
    collateral: float | None
    charged: float | None
    by_clone: tuple[tuple[str, float], ...] = ()
    counted: tuple[tuple[str, float], ...] = ()
    readings: tuple[tuple[str, Reading], ...] = ()
    stray: tuple[StrayRow, ...] = ()
    charges: tuple[PricedCharge, ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


UNSCORED_STEP = StepReward(None, None, None, None, None)


@dataclass(frozen=True, slots=True)
class EpisodeReward:
    """The episode's reward R and its parts; every number is None when it is not scored.

    `failures` says what ruled success out. `lucky` marks a right answer without support.
    """

    outcome: Outcome
    value: float | None
    success: int | None
    clean: float | None
    partial: float | None
    quality: float | None
    collateral: float | None
    charged: float | None
    parts: QualityParts = NO_PARTS
    failures: tuple[Finding, ...] = ()
    lucky: bool = False


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The rewards of one episode, in all three views."""

    steps: tuple[StepReward, ...]
    episode: EpisodeReward

    @property
    def step_view(self) -> tuple[float | None, ...]:
        """r_t for each step."""
        return tuple(step.value for step in self.steps)

    @property
    def phase_view(self) -> tuple[float | None, ...]:
        """The same sums, at phase boundaries only."""
        return tuple(step.phase_value for step in self.steps)

    @property
    def episode_view(self) -> tuple[float | None, ...]:
        """R at the last step, None before it."""
        before: tuple[float | None, ...] = (None,) * max(len(self.steps) - 1, 0)
        return (*before, self.episode.value) if self.steps else ()


@dataclass(frozen=True, slots=True)
class Running:
    """An episode under way: what the next step's reward depends on."""

    ladder: Ladder
    shaped: float = 0.0
    nuisances: int = 0
    charged_rows: frozenset[RowKey] = frozenset()
    priced: tuple[PricedCharge, ...] = ()
    holding: frozenset[str] = frozenset()
    ever_held: frozenset[str] = frozenset()
    since_boundary: tuple[float, ...] = ()


def begin(ladder: Ladder, start: Snapshot) -> Running:
    """Begin an episode at its arranged state.

    Raises:
        ShapedStart: the arranged state has a potential or collateral already.
    """
    running = Running(ladder)
    if start.charges or start.stray:
        raise ShapedStart("the arranged state has charges or stray rows")
    if abs(potential(ladder, start.phases)) > CLOSE_ENOUGH:
        raise ShapedStart("the arranged state has a potential: a goal holds already")
    return running


def step(running: Running, snapshot: Snapshot) -> tuple[Running, StepReward]:
    """Take in one step before the last and return its reward."""
    moved, reward = _take_in(running, snapshot)
    value = moved.shaped - running.shaped - _number(reward.charged)
    return _settle(moved, reward, value, boundary=bool(reward.gained or reward.lost))


def close(
    running: Running, snapshot: Snapshot, terminal: Terminal
) -> tuple[StepReward, EpisodeReward]:
    """Take in the last step (`finish`, or the one that met a limit) and return both rewards.

    Raises:
        NoQuality: a success has no part of quality that applies.
    """
    if terminal.outcome not in SCORED_OUTCOMES:
        return UNSCORED_STEP, _unscored(terminal.outcome)
    moved, reward = _take_in(running, snapshot)
    earned = _earned(moved, snapshot, reward, terminal)
    net = _number(earned.value) + total(moved.priced)
    value = net - running.shaped - _number(reward.charged)
    _, settled = _settle(moved, reward, value, boundary=True)
    return settled, earned


def score(
    ladder: Ladder, start: Snapshot, steps: Sequence[Snapshot], terminal: Terminal
) -> Scorecard:
    """Score a whole episode; the last of `steps` is the one that ended it.

    Raises:
        ShapedStart: the arranged state has a potential.
        ValueError: there is no step.
    """
    if terminal.outcome not in SCORED_OUTCOMES:
        return Scorecard((UNSCORED_STEP,) * len(steps), _unscored(terminal.outcome))
    if not steps:
        raise ValueError("a scored episode has at least the step that ended it")
    running = begin(ladder, start)
    rewards = []
    for snapshot in steps[:-1]:
        running, reward = step(running, snapshot)
        rewards.append(reward)
    last, episode = close(running, steps[-1], terminal)
    return Scorecard((*rewards, last), episode)


def _take_in(running: Running, snapshot: Snapshot) -> tuple[Running, StepReward]:
    ladder = running.ladder
    priced = price_charges(snapshot.charges, nuisances=running.nuisances)
    charged_rows = running.charged_rows.union(*(charge.rows for charge in snapshot.charges))
    values = counted(ladder, snapshot.phases)
    by_clone = collateral_by_clone(snapshot.stray, charged_rows)
    height, harm = potential(ladder, snapshot.phases), math.fsum(by_clone.values())
    holding = frozenset(name for name, value in values.items() if value >= 1.0)
    gained = [phase.name for phase in ladder.phases if phase.name in holding - running.ever_held]
    lost = [phase.name for phase in ladder.phases if phase.name in running.holding - holding]
    moved = replace(
        running,
        shaped=height - harm,
        nuisances=running.nuisances + sum(charge.kind == "nuisance" for charge in snapshot.charges),
        charged_rows=charged_rows,
        priced=running.priced + priced,
        holding=holding,
        ever_held=running.ever_held | holding,
    )
    reward = StepReward(
        value=None,
        phase_value=None,
        potential=height,
        collateral=harm,
        charged=total(priced),
        by_clone=tuple(by_clone.items()),
        counted=tuple((phase.name, values[phase.name]) for phase in ladder.phases),
        readings=tuple((phase.name, snapshot.phases[phase.name]) for phase in ladder.phases),
        stray=tuple(row for row in snapshot.stray if (row.table, row.key) not in charged_rows),
        charges=priced,
        gained=tuple(gained),
        lost=tuple(lost),
    )
    return moved, reward


def _settle(
    moved: Running, reward: StepReward, value: float, *, boundary: bool
) -> tuple[Running, StepReward]:
    sums = (*moved.since_boundary, value)
    phase_value = math.fsum(sums) if boundary else None
    return (
        replace(moved, since_boundary=() if boundary else sums),
        replace(reward, value=value, phase_value=phase_value),
    )


def _earned(
    moved: Running, snapshot: Snapshot, last: StepReward, terminal: Terminal
) -> EpisodeReward:
    failures = tuple(_failures(moved, snapshot, last, terminal))
    success = 0 if failures else 1
    reached = partial(moved.ladder, snapshot.phases)
    mark = quality(terminal.quality, terminal.quality_weights)
    lucky = success == 1 and not terminal.grounded
    if lucky:
        mark = 0.0
    if success and mark is None:
        raise NoQuality("a success needs at least one part of quality that applies")
    clean = POTENTIAL_SCALE + QUALITY_SCALE * _number(mark) if success else 0.0
    harm, charged = _number(last.collateral), total(moved.priced)
    return EpisodeReward(
        outcome=terminal.outcome,
        value=clean + (1 - success) * PARTIAL_SCALE * reached - harm - charged,
        success=success,
        clean=clean,
        partial=reached,
        quality=mark,
        collateral=harm,
        charged=charged,
        parts=terminal.quality,
        failures=failures,
        lucky=lucky,
    )


def _failures(
    moved: Running, snapshot: Snapshot, last: StepReward, terminal: Terminal
) -> list[Finding]:
    found = []
    if terminal.outcome != "completed":
        found.append(Finding(f"outcome {terminal.outcome}"))
    missing = ends_missing(moved.ladder, snapshot.phases)
    found += [Finding(f"end {name}", snapshot.phases[name].evidence) for name in missing]
    found += [Finding(f"stray {row.table} {row.key}", row.evidence) for row in last.stray]
    for entry in moved.priced:
        charge = entry.charge
        if charge.is_veto:
            found.append(Finding(f"veto {charge.kind}", charge.evidence))
        elif charge.is_falsehood and (
            charge.obligation is None or charge.obligation in terminal.unmet
        ):
            found.append(Finding(f"unrepaired {charge.kind}", charge.evidence))
    found.extend(terminal.broken)
    return found


def _unscored(outcome: Outcome) -> EpisodeReward:
    return EpisodeReward(outcome, None, None, None, None, None, None, None)


def _number(value: float | None) -> float:
    if value is None:
        raise BadReading("a scored number is missing")
    return value
