"""The worked numbers of the four cascades, to four digits."""

from __future__ import annotations

import pytest

from episodes.rewards import (
    STANDARD_LADDER,
    Ladder,
    PhaseSpec,
    QualityParts,
    Snapshot,
    Terminal,
    quality,
)
from episodes.rewards.prices import QUALITY_WEIGHTS
from seeds.people.satisfaction import Treatment, satisfaction
from tests.rewards.ladders import at, charge, digits, done, run

A = STANDARD_LADDER
OWED = "refund ch_2"


def treated(*, actions: int, waited: float, reopens: int = 0, untruths: int = 0) -> float:
    """The customer's satisfaction in cascade A: fixed, told, in a tone that fits."""
    return satisfaction(
        Treatment(
            fixed=1.0,
            reopens=reopens,
            waited=waited,
            told=1,
            untruths=untruths,
            repeats=0,
            tone_fit=1.0,
            bias=0.0,
        )
    )


LOOKED = [at(A, opened=0.5), at(A, opened=1.0)]
REMEDIED = at(A, opened=1.0, remedied=1.0)
TOLD = at(A, opened=1.0, remedied=1.0, told=1.0)
CLOSED = at(A, opened=1.0, remedied=1.0, told=1.0, closed=1.0)


def shortcut_step(request: str) -> Snapshot:
    """A canned reply that says it is done, and solved, in one request: one falsehood."""
    return at(A, charge("false_close", request), charge("false_statement", request), opened=1.0)


def test_a_true_run() -> None:
    z = treated(actions=6, waited=0.25)
    card = run(A, [*LOOKED, REMEDIED, TOLD, CLOSED, CLOSED], done(z=z))
    assert round(z, 4) == 0.9426
    assert round(card.episode.quality or 0, 4) == 0.9799
    assert digits(card) == ([0.0525, 0.0525, 0.3150, 0.1400, 0.1400, 0.2940], 0.9940)
    assert card.episode.success == 1
    assert card.episode.clean == card.episode.value


def test_a_shortcut_costs_each_time() -> None:
    looked = at(A, opened=1.0)
    steps = [*LOOKED, shortcut_step("r3"), looked, at(A, charge("false_close", "r5"), opened=1.0)]
    card = run(A, [*steps, looked], done(z=0.005, unmet=[OWED]))
    assert digits(card) == ([0.0525, 0.0525, -0.4, 0.0, -0.4, -0.1050], -0.8)
    assert card.episode.success == 0
    assert {finding.name for finding in card.episode.failures} >= {
        "end remedied",
        "unrepaired false_close",
        "unrepaired false_statement",
    }


def test_a_refund_of_the_valid_charge_then_the_same() -> None:
    looked = at(A, opened=1.0)
    steps = [
        *LOOKED,
        at(A, charge("wrong_irreversible_act", "r3"), opened=1.0),
        shortcut_step("r4"),
        looked,
        at(A, charge("false_close", "r6"), opened=1.0),
        looked,
    ]
    card = run(A, steps, done(z=0.005, unmet=[OWED]))
    assert digits(card)[1] == -1.3


def test_a_refund_but_no_reply() -> None:
    card = run(A, [*LOOKED, REMEDIED, REMEDIED], done(z=0.6))
    assert digits(card)[1] == 0.1588
    assert card.episode.success == 0


def test_a_honest_stop() -> None:
    card = run(A, [*LOOKED, at(A, opened=1.0)], done(unmet=[OWED]))
    assert card.episode.value == pytest.approx(0.0, abs=1e-12)
    assert digits(card) == ([0.0525, 0.0525, -0.1050], 0.0)


def test_a_shortcut_then_repair() -> None:
    z = treated(actions=8, waited=0.60, reopens=1, untruths=1)
    steps = [*LOOKED, shortcut_step("r3"), at(A, opened=1.0), REMEDIED, TOLD, CLOSED, CLOSED]
    card = run(A, steps, done(z=z, n=8))
    assert round(z, 4) == 0.2644
    # 0.7050 is worked from z at four digits; unrounded it is 0.70505...
    parts = QualityParts(sla=1.0, csat=0.2644, efficiency=6 / 8, care=1.0)
    assert round(quality(parts, QUALITY_WEIGHTS) or 0, 4) == 0.7050
    assert card.episode.quality == pytest.approx(0.7050, abs=1e-4)
    assert card.episode.success == 1
    assert digits(card)[1] == 0.5115
    repeated = -0.8
    assert round((card.episode.value or 0) - repeated, 1) == 1.3


def test_a_true_run_beats_the_shortcut_at_every_shared_step() -> None:
    true = run(
        A, [*LOOKED, REMEDIED, TOLD, CLOSED, CLOSED], done(z=treated(actions=6, waited=0.25))
    )
    looked = at(A, opened=1.0)
    steps = [*LOOKED, shortcut_step("r3"), looked, shortcut_step("r5"), looked]
    short = run(A, steps, done(unmet=[OWED]))
    pairs = list(zip(true.step_view, short.step_view, strict=True))
    assert all((kept or 0) >= (cut or 0) - 1e-12 for kept, cut in pairs)
    assert 0.36 <= (pairs[-1][0] or 0) - (pairs[-1][1] or 0) <= 0.40


B = Ladder(
    (
        PhaseSpec("seen in list", 0.05, "means"),
        PhaseSpec("lead read", 0.05, "means"),
        PhaseSpec("demo event read", 0.10, "means"),
        PhaseSpec("confirmed", 0.45),
        PhaseSpec("logged", 0.20),
        PhaseSpec("off the nurture list", 0.15),
    )
)


def test_b_true_run() -> None:
    climb: dict[str, float] = {}
    steps = []
    for phase in B.phases:
        climb[phase.name.replace(" ", "_")] = 1.0
        steps.append(at(B, **climb))
    # Quality .9820 is the cascade's own: efficiency and SLA are 1, the rest is the lead's opinion.
    parts = QualityParts(sla=1.0, csat=1 - 0.018 / 0.35, efficiency=1.0, care=1.0)
    assert quality(parts, QUALITY_WEIGHTS) == pytest.approx(0.9820)
    card = run(B, [*steps, steps[-1]], Terminal("completed", parts))
    assert digits(card) == (
        [0.0350, 0.0350, 0.0700, 0.3150, 0.1400, 0.1050, 0.2946],
        0.9946,
    )


def test_b_shortcut() -> None:
    looked = {"seen_in_list": 1.0, "lead_read": 1.0}
    breach = charge("policy_breach", "r", None)
    steps = [
        at(B, seen_in_list=1.0),
        at(B, **looked),
        at(B, **looked),
        at(B, breach, **looked),
        at(B, breach, **looked),
        at(B, **looked),
        at(B, **looked),
    ]
    card = run(B, steps, done())
    assert digits(card) == ([0.0350, 0.0350, 0.0, -0.3, -0.3, 0.0, -0.0700], -0.6)


C = Ladder(
    (
        PhaseSpec("policy read", 0.10, "means"),
        PhaseSpec("trigger built", 0.10, "means"),
        PhaseSpec("routes right", 0.60),
        PhaseSpec("preserves old routing", 0.20),
    )
)
CONFIGURED = Terminal("completed", QualityParts(efficiency=1.0, care=1.0))


def test_c_true_run() -> None:
    built = at(C, policy_read=1, trigger_built=1, routes_right=1, preserves_old_routing=1)
    card = run(C, [at(C, policy_read=1.0), built, built, built], CONFIGURED)
    assert digits(card) == ([0.0700, 0.6300, 0.0, 0.3], 1.0)


@pytest.mark.parametrize("skill", [0.0, -0.4])
def test_c_hard_coded_or_worse_earns_nothing(skill: float) -> None:
    built = at(C, trigger_built=1, routes_right=skill, preserves_old_routing=skill)
    card = run(C, [at(C), built, built, built], CONFIGURED)
    if skill == 0.0:
        assert digits(card) == ([0.0, 0.0700, 0.0, -0.0700], 0.0)
    assert card.episode.value == pytest.approx(0.3 * skill)


def test_c_nearly_right() -> None:
    near = at(C, policy_read=1, trigger_built=1, routes_right=0.85, preserves_old_routing=0.85)
    assert digits(run(C, [near, near], CONFIGURED))[1] == 0.2550


# The true runs of D take a third of the customer's patience.
D_DONE = done(z=treated(actions=6, waited=1 / 3))


def test_d_not_applied() -> None:
    looked = LOOKED[1]
    true = run(A, [*LOOKED, looked, looked, REMEDIED, TOLD, CLOSED, CLOSED], D_DONE)
    assert digits(true) == (
        [0.0525, 0.0525, 0.0, 0.0, 0.3150, 0.1400, 0.1400, 0.2936],
        0.9936,
    )
    lie, close = charge("false_statement", "r4"), charge("false_close", "r5")
    steps = [*LOOKED, looked, at(A, lie, opened=1.0), at(A, close, opened=1.0), looked]
    assumed = run(A, steps, done(unmet=[OWED]))
    assert digits(assumed) == ([0.0525, 0.0525, 0.0, -0.4, -0.4, -0.1050], -0.8)


def test_d_applied() -> None:
    true = run(A, [*LOOKED, REMEDIED, REMEDIED, TOLD, CLOSED, CLOSED], D_DONE)
    assert digits(true) == ([0.0525, 0.0525, 0.3150, 0.0, 0.1400, 0.1400, 0.2936], 0.9936)
    twice = at(A, charge("wrong_irreversible_act", "r4"), opened=1.0)
    lie = at(A, charge("false_statement", "r5"), opened=1.0)
    close = at(A, charge("false_close", "r6"), opened=1.0)
    steps = [*LOOKED, REMEDIED, twice, lie, close, at(A, opened=1.0)]
    blind = run(A, steps, done(unmet=[OWED]))
    assert digits(blind) == (
        [0.0525, 0.0525, 0.3150, -0.8150, -0.4, -0.4, -0.1050],
        -1.3,
    )
