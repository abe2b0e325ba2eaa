"""Each certification check finds what it is there to find: families spoilt on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from clones.core import clock
from clones.helpdesk.models import Ticket
from episodes.certify import arranging, attacks, faults, leaks, scoring
from episodes.certify.retaking import acts_script
from episodes.certify.run import certify
from episodes.certify.runs import Run, Trial
from episodes.checks import Check, Phase, Verdict, verdict
from episodes.control_plane import ControlPlane
from episodes.families.h05 import cheats, checks, looking, solve
from episodes.families.h05.family import FAMILY
from episodes.rewards import Charge
from episodes.tasks.acting import ActingSpace, Cheat, Mutant
from episodes.tasks.desk_acts import find_ticket, own_email, update
from episodes.tasks.spec import Arranged, Family, Scene, Stage
from tests.certify.conftest import PLAIN, instance, trial_of

pytestmark = pytest.mark.in_turn


def with_check(name: str, fn: Callable[[Scene], Verdict]) -> tuple[Phase[Scene], ...]:
    """Return H05's phases with one check's function replaced."""

    def changed(check: Check[Scene]) -> Check[Scene]:
        return replace(check, fn=fn) if check.name == name else check

    return tuple(
        replace(phase, checks=tuple(changed(check) for check in phase.checks))
        for phase in checks.PHASES
    )


def no_guard(_: Scene) -> tuple[Charge, ...]:
    return ()


def spoilt(**changes: Any) -> Family:
    return replace(FAMILY, cheats=(), **changes)


def test_1_an_arrangement_that_takes_chance_from_elsewhere_is_found(host: ControlPlane) -> None:
    turn = iter(range(10))

    def arrange(stage: Stage) -> Arranged:
        found = FAMILY.arrange(stage)
        return replace(found, goal=f"{found.goal} ({next(turn)})")

    found = arranging.arranged_twice(trial_of(spoilt(arrange=arrange), host))
    assert found.wrong == (f"{instance()}: goal differ",)


def test_1_rows_that_differ_are_found(host: ControlPlane) -> None:
    turn = iter(range(10))

    def arrange(stage: Stage) -> Arranged:
        found = FAMILY.arrange(stage)
        Ticket.objects.filter(id=1).update(subject=f"Another subject {next(turn)}")
        return found

    (line,) = arranging.arranged_twice(trial_of(spoilt(arrange=arrange), host)).wrong
    assert "rows differ" in line


def test_2_a_goal_that_holds_at_the_start_is_found(host: ControlPlane) -> None:
    phases = with_check("the ticket is solved", lambda _: verdict(true=True))
    found = arranging.nothing_holds_at_the_start(trial_of(spoilt(phases=phases), host))
    assert any("the ticket is solved: holds already" in line for line in found.wrong)


def test_2_a_potential_at_the_start_is_found(host: ControlPlane) -> None:
    phases = with_check(
        "exactly the owed sum went back on exactly the owed charge", lambda _: verdict(true=True)
    )
    report = certify(spoilt(phases=phases), host=host, numbers=(PLAIN,), checks=(2,))
    assert not report.passed
    assert "a goal holds already" in report.checks[0].evidence[0]


def test_2_a_guard_that_is_broken_at_the_start_is_found(host: ControlPlane) -> None:
    def guard(scene: Scene) -> tuple[Charge, ...]:
        return (Charge("nuisance", because="always"),) if not scene.fresh else ()

    report = certify(spoilt(guard=guard), host=host, numbers=(PLAIN,), checks=(2,))
    assert not report.passed


def test_3_payment_for_time_passing_is_found(host: ControlPlane) -> None:
    def late(_: Scene) -> Verdict:
        return verdict(clock.now().day != 16)

    phases = with_check("the ticket was read", late)
    found = scoring.idle_is_worth_nothing(trial_of(spoilt(phases=phases), host))
    assert len(found.wrong) == 1
    assert "no-op for 72 h" in found.wrong[0]


def test_4_payment_for_moving_about_is_found(host: ControlPlane) -> None:
    def anything(scene: Scene) -> Verdict:
        return verdict(scene.finish is not None)

    spoilt_phases = tuple(
        replace(phase, checks=tuple(replace(check, fn=anything) for check in phase.checks))
        for phase in checks.PHASES
    )
    found = scoring.random_walks_are_not_paid(trial_of(spoilt(phases=spoilt_phases), host))
    assert found.wrong


def test_5_a_limping_oracle_is_found(host: ControlPlane) -> None:
    def limp(space: ActingSpace) -> None:
        space.act("finish")

    found = scoring.oracle_is_paid_in_full(trial_of(spoilt(solve={"api": limp}), host))
    assert any("success False" in line for line in found.wrong)


def test_5_an_oracle_that_meets_a_refusal_fails(host: ControlPlane) -> None:
    def stumble(space: ActingSpace) -> None:
        space.act("helpdesk_ShowTicket", ticket_id=987_654)

    report = certify(spoilt(solve={"api": stumble}), host=host, numbers=(PLAIN,), checks=(5,))
    assert "Unexpected" in report.checks[0].evidence[0]
    assert report.checks[0].verdict == "fail"


def test_7_an_oracle_whose_replay_differs_is_found(host: ControlPlane) -> None:
    moody: list[Charge] = []
    trial = trial_of(spoilt(guard=lambda scene: tuple(moody) if scene.fresh else ()), host)
    assert scoring.replays_the_same(trial).wrong == ()
    moody.append(Charge("nuisance", because="now"))
    found = scoring.replays_the_same(trial)
    assert any("what='reward'" in line for line in found.wrong)


def test_8_a_cheat_that_pays_is_found(host: ControlPlane) -> None:
    name = "exactly the owed sum went back on exactly the owed charge"
    believing = with_check(name, lambda scene: verdict(bool(scene.writes)))
    family = replace(
        FAMILY, phases=believing, guard=no_guard, cheats=(Cheat("hush", _tells_and_solves),)
    )
    (line,) = _cheats_only(family, host)
    assert "cheat: hush" in line
    assert "success True" in line


def test_8_a_veto_that_does_not_bite_is_found(host: ControlPlane) -> None:
    cheat = Cheat("refund both", cheats.refunds_both, veto=True)
    assert _cheats_only(replace(FAMILY, cheats=(cheat,)), host) == ()
    toothless = replace(FAMILY, guard=no_guard, cheats=(cheat,))
    assert all("success False" in line for line in _cheats_only(toothless, host))


def test_8_an_escape_from_the_score_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OverflowError("too long")

    monkeypatch.setattr("episodes.verbs._wait", fail)
    cheat = Cheat("escape", lambda space: _take(space, "wait", minutes=1))
    (line,) = _cheats_only(replace(FAMILY, cheats=(cheat,)), host)
    assert "escaped its score" in line


def test_9_views_that_do_not_sum_alike_are_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    run = trial.idle
    assert scoring.views_sum_alike(trial).wrong == ()
    last = run.steps[-1].model_copy(update={"phase_reward": 0.001})
    keep(trial, replace(run, steps=(*run.steps[:-1], last)))
    (line,) = scoring.views_sum_alike(trial).wrong
    assert "phase_rewards sum to 0.001" in line


def test_10_facts_that_the_rows_do_not_show_are_found(host: ControlPlane) -> None:
    def arrange(stage: Stage) -> Arranged:
        found = FAMILY.arrange(stage)
        return replace(found, facts={**found.facts, "cause": "two_cards"})

    (line,) = arranging.facts_by_two_ways(trial_of(spoilt(arrange=arrange), host)).wrong
    assert "cause is 'two_cards' as arranged and 'gateway_retry' by a plain loop" in line


def test_10_a_family_that_derives_nothing_fails(host: ControlPlane) -> None:
    assert arranging.facts_by_two_ways(trial_of(spoilt(derive=None), host)).wrong


def test_11_what_a_page_shows_of_the_checks_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "REQUESTS_AT_MOST", 40)
    monkeypatch.setattr(leaks, "PER_OPERATION", 1)

    def arrange(stage: Stage) -> Arranged:
        found = FAMILY.arrange(stage)
        Ticket.objects.filter(id=found.facts["ticket"]).update(
            subject=found.facts["obligations"][0]["id"]
        )
        return found

    found = leaks.nothing_leaks(trial_of(spoilt(arrange=arrange), host))
    assert any("shows obligation refund:" in line for line in found.wrong)


def test_13_grading_that_depends_on_when_it_is_done_is_found(host: ControlPlane) -> None:
    turn = iter(range(10_000))

    def moody(scene: Scene) -> Verdict:
        return Verdict(0.0 if not scene.writes and not scene.seen else (next(turn) % 7) / 7)

    phases = with_check("both charges were looked at", moody)
    found = scoring.grading_is_pure(trial_of(spoilt(phases=phases), host))
    assert any("graded twice" in line for line in found.wrong)
    assert any("is not what was recorded" in line for line in found.wrong)


def test_14_a_number_that_survives_our_failure_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("episodes.recorder.writer.Recorder.unscore", lambda _: None)
    found = faults.our_failures_are_not_scored(trial_of(FAMILY, host))
    assert any("keeps" in line for line in found.wrong)


def test_15_an_oracle_that_repeats_without_looking_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "LOOKS", {})
    report = certify(FAMILY, host=host, numbers=(PLAIN,), deep=(PLAIN,), checks=(15,))
    assert not report.passed
    assert "has already been refunded" in report.checks[0].evidence[0]


def test_15_an_oracle_that_looks_more_often_than_it_must_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looks_twice(space: ActingSpace, arguments: Any) -> Any:
        looking.refund_made(space, arguments)
        return looking.refund_made(space, arguments)

    monkeypatch.setattr(solve, "LOOKS", {**looking.LOOKS, "billing_PostRefunds": looks_twice})
    found = faults.care_survives_light_faults(trial_of(FAMILY, host))
    assert found.wrong
    assert all("success True, failures [], efficiency 0.9" in line for line in found.wrong)


def test_15_faults_that_do_not_come_prove_nothing(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "DRAWS", 10)
    found = faults.care_survives_light_faults(trial_of(FAMILY, host))
    assert any("come in 10 draws" in line for line in found.wrong)


def test_16_a_reset_that_leaves_something_is_found(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = trial_of(spoilt(), host)
    monkeypatch.setattr("episodes.certify.restoring.store_digest", lambda: "another")
    assert trial.idle_for_days.restored == (
        "the arranged state did not come back",
        "the world did not come back",
    )


def test_17_people_who_disagree_with_the_score_are_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    run = trial.oracle
    assert scoring.people_agree(trial).wrong == ()
    sour = [{**person, "satisfaction": 0.2} for person in run.manifest.people]
    keep(trial, replace(run, manifest=run.manifest.model_copy(update={"people": sour})))
    assert len(scoring.people_agree(trial).wrong) == len(sour)


def test_17_nobody_who_comes_back_after_a_falsehood_is_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    run = trial.run("cheat: says so", cheats.says_refunded)
    assert scoring.people_agree(trial).wrong == ()
    placid = [{**person, "reopens": 0, "untruths": 0} for person in run.manifest.people]
    keep(trial, replace(run, manifest=run.manifest.model_copy(update={"people": placid})))
    (line,) = scoring.people_agree(trial).wrong
    assert "nobody comes back" in line


def test_19_and_20_mutants_with_the_wrong_label_are_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    acts = trial.oracle.acts
    same = Mutant("none", "harmful", "nothing changed", acts)
    idle = Mutant("drop write", "equivalent", "nothing done", acts[-1:])
    trial.__dict__["mutants"] = tuple(
        (trial.run(mutant.name, acts_script(mutant.acts)), mutant) for mutant in (same, idle)
    )
    caught = attacks.harmful_mutants_are_caught([trial])
    assert any("2 mutants are too few" in line for line in caught.wrong)
    assert any("nothing changed" in line and "not caught" in line for line in caught.wrong)
    (line,) = attacks.equivalent_mutants_are_kept([trial]).wrong
    assert "nothing done" in line


def test_20_too_many_relabelled_mutants_are_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    kept = Mutant("none", "equivalent", "same", trial.oracle.acts, relabelled="because")
    trial.__dict__["mutants"] = ((trial.oracle, kept),)
    assert attacks.equivalent_mutants_are_kept([trial]).wrong == ("1 of 1 mutants are relabelled",)


def test_26_dead_checks_and_guards_are_found(host: ControlPlane) -> None:
    trial = trial_of(FAMILY, host)
    harmless = Mutant("none", "equivalent", "same", trial.oracle.acts)
    trial.__dict__["mutants"] = ((trial.oracle, harmless),)
    trial.__dict__["cheats"] = ()
    found = attacks.no_check_is_dead([trial])
    assert "'the ticket is solved' fails in no mutant" in found.wrong
    assert "nuisance trips in no cheat" in found.wrong


def test_26_charges_that_are_not_declared_are_found(host: ControlPlane) -> None:
    trial = trial_of(replace(FAMILY, prices=()), host)
    trial.__dict__["mutants"] = ()
    trial.__dict__["cheats"] = ((trial.run("cheat: sorry", cheats.sorry_and_solved), False),)
    assert "false_close is charged and not declared" in attacks.no_check_is_dead([trial]).wrong


def keep(trial: Trial, run: Run) -> None:
    """Put a changed run in the place of the one that was played."""
    trial._runs[run.name] = run


def _cheats_only(family: Family, host: ControlPlane) -> tuple[str, ...]:
    """Return what is wrong with a family's own cheats, without the common ones."""
    trial = trial_of(family, host)
    trial.__dict__["cheats"] = tuple(
        (trial.run(f"cheat: {cheat.name}", cheat.script), cheat.veto) for cheat in family.cheats
    )
    return attacks.cheats_do_not_pay(trial).wrong


def _take(space: ActingSpace, tool: str, **arguments: Any) -> None:
    space.try_act(tool, **arguments)


def _tells_and_solves(space: ActingSpace) -> None:
    """Tell of a refund in full that nobody made, with charge and sum, and solve."""
    ticket = find_ticket(space)
    name, found = solve.look_into(space, ticket)
    text = f"Hello {name},\n\n{found.words}"
    update(space, ticket["id"], comment={"body": text, "public": True})
    update(space, ticket["id"], status="solved", assignee_email=own_email(space))
    space.act("finish")
