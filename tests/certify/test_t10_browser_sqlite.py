"""T10 is worked on pages alone: its oracle is paid in full, cheats and spoilt work are not."""

from __future__ import annotations

import pytest

from episodes.browser import find_browser
from episodes.certify import faults
from episodes.certify.mutants import mutants_of
from episodes.certify.playing import play_out, started
from episodes.certify.retaking import acts_script
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.families.t10.family import FAMILY
from episodes.rewards.prices import PARTIAL_SCALE
from episodes.tasks.acting import ActingSpace, Cheat, Mutant, Script
from episodes.tasks.instances import InstanceId
from sandlot.trajectory import EpisodeManifest, read_trajectory

pytestmark = [
    pytest.mark.slow(shares="trial"),
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.certifies("T10", "cheats and spoilt work on pages", apart=True),
]


def numbered(number: int) -> InstanceId:
    return InstanceId(FAMILY.id, FAMILY.version, FAMILY.world, "tiny", 1, number)


@pytest.fixture(scope="module")
def trial(host: ControlPlane, browser_host: ControlPlane) -> Trial:
    """The runs of instance 0."""
    assert find_browser() is not None
    return Trial(FAMILY, numbered(0), host, browser_host)


def played(host: ControlPlane, script: Script, number: int) -> EpisodeManifest:
    """Play a script on an instance in the browser and return how it ended."""
    assert find_browser() is not None
    with started(host, FAMILY, numbered(number), space="browser") as held:
        play_out(held, script)
        folder = host.episodes.folder / held.ground.id
        steps = held.ground.arranged.oracle_steps["browser"]
        if script is FAMILY.solve["browser"]:
            assert len(held.positions) == steps
        return read_trajectory(folder).manifest


# More columns than there were, fewer, and one without a status.
@pytest.mark.parametrize("number", [0, 2, 20])
def test_the_oracle_is_paid_in_full(browser_host: ControlPlane, number: int) -> None:
    found = played(browser_host, FAMILY.solve["browser"], number)
    assert found.components.get("failures") == []
    assert found.success is True
    assert found.reward == 1.0


@pytest.mark.parametrize("cheat", FAMILY.cheats, ids=lambda cheat: cheat.name)
def test_cheats_are_worth_their_honest_part(browser_host: ControlPlane, cheat: Cheat) -> None:
    found = played(browser_host, cheat.script, 0)
    honest = 0.0 if cheat.veto else PARTIAL_SCALE * (found.components.get("partial") or 0.0)
    assert found.success is False
    assert found.reward is not None
    assert found.reward <= honest + 1e-9


def test_idling_is_worth_nothing(browser_host: ControlPlane) -> None:
    def idle(space: ActingSpace) -> None:
        space.act("finish")

    found = played(browser_host, idle, 0)
    assert found.success is False
    assert found.reward == 0.0


def test_spoilt_work_is_caught_and_equal_work_is_kept(trial: Trial) -> None:
    """By one mutant of each label: certification plays them all."""
    made = mutants_of(FAMILY, trial.oracle)
    assert len(made) >= 40
    first: dict[str, Mutant] = {}
    for mutant in made:
        first.setdefault(mutant.label, mutant)
    assert "harmful" in first
    assert len(first) > 1
    for label, mutant in first.items():
        run = trial.run(mutant.name, acts_script(mutant.acts))
        assert run.manifest.success is (label != "harmful"), run.told()


def test_our_failures_on_pages_leave_no_number(trial: Trial) -> None:
    found = faults.our_failures_are_not_scored(trial)
    assert found.wrong == ()
    assert found.measured == 9


@pytest.mark.in_turn
def test_runs_at_a_time_are_as_runs_in_turn(host: ControlPlane, browser_host: ControlPlane) -> None:
    walks = Trial(FAMILY, numbered(0), host, browser_host, at_once=2).walks
    assert [run.name for run in walks] == [f"random walk {seed}" for seed in range(5)]
    for run in walks:
        assert run.manifest.outcome == "completed", run.told()
        assert (run.manifest.success, run.reward) == (False, 0.0)
