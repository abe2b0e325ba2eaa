"""Probes: what an agent's configuration does to tickets that come in once it is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from clones.core import clock, jobs
from clones.core.journal import act
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.models import Ticket, User
from episodes.certify import arranging, scoring
from episodes.certify.playing import LocalSpace, play_out, started
from episodes.certify.runs import Run, Trial
from episodes.checks import BadCheck, Check, Phase, Verdict, verdict
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.probing import probed
from episodes.spaces.errors import HarnessFailure
from episodes.tasks.acting import ActingSpace
from episodes.tasks.footprint import Allow
from episodes.tasks.guards import own
from episodes.tasks.personas import persona_at
from episodes.tasks.spec import Arranged, Facts, Family, NotProbed, Scene, Stage
from sandlot.trajectory import read_trajectory
from tests.certify.conftest import instance

Probe = Callable[[Facts, Stage], Mapping[str, Any]]

TRIGGER = {
    "title": "Tubes",
    "conditions": {
        "all": [
            {"field": "update_type", "operator": "is", "value": "Create"},
            {"field": "subject_includes_word", "operator": "includes", "value": "tube"},
        ],
        "any": [],
    },
    "actions": [{"field": "current_tags", "value": "tube"}],
}


def arrange(stage: Stage) -> Arranged:
    found = FAMILY.arrange(stage)
    return replace(
        found,
        goal="Tag what is about a tube.",
        persona=persona_at("helpdesk admin", role="admin"),
        facts={"obligations": [], "giver_reply": "I know no more."},
        allows=(Allow("helpdesk_trigger", frozenset({"insert"}), at_most=1),),
        oracle_steps={"api": 2},
    )


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Send two mails, one of them about a tube, and tell which tickets are tagged."""
    subjects = ["The tube is dim", "The lid squeaks"]
    stage.chance("probes").shuffle(subjects)
    author = User.objects.filter(role="end-user", active=True, suspended=False).earliest("id")
    tagged = {}
    for subject in subjects:
        with act(actor="world", label="mail"):
            ticket = receive_mail(author=author, subject=subject, body=subject).ticket_id
        tagged[subject] = "tube" in Ticket.objects.get(id=ticket).tags
    jobs.advance(clock.now())
    return {"tagged": tagged, "order": subjects}


def trigger_made(scene: Scene) -> Verdict:
    return verdict(bool(own(scene.writes, "helpdesk_trigger", "insert")))


def tags_what_it_should(scene: Scene) -> Verdict:
    tagged = scene.shown_by_probes["tagged"]
    return verdict(tagged == {"The tube is dim": True, "The lid squeaks": False})


def family(
    probes: Probe = probe, reads: Callable[[Scene], Verdict] = tags_what_it_should
) -> Family:
    made = Check("a trigger was made", "means", trigger_made, "goal", at_start=False)
    tags = Check("new tickets are tagged", "end", reads, "goal", at_start=False)
    return replace(
        FAMILY,
        phases=(
            Phase("built", 0.2, (made,), kind="means"),
            Phase("tags", 0.8, (tags,), probes=True),
        ),
        arrange=arrange,
        guard=lambda scene: (),
        care=(),
        unmet=lambda facts: frozenset(),
        solve={"api": solve},
        spaces=("api",),
        sla=None,
        probe=probes,
        cheats=(),
        prices=(),
        mutants=None,
        derive=None,
    )


def solve(space: ActingSpace) -> None:
    space.act("helpdesk_CreateTrigger", body={"trigger": TRIGGER})
    space.act("finish")


def catch_all(space: ActingSpace) -> None:
    conditions = {"all": TRIGGER["conditions"]["all"][:1], "any": []}  # type: ignore[index]
    space.act("helpdesk_CreateTrigger", body={"trigger": {**TRIGGER, "conditions": conditions}})
    space.act("finish")


def folder_of(held: LocalSpace) -> Any:
    return held.ground.host.episodes.folder / held.ground.id


def played(host: ControlPlane, script: Callable[[ActingSpace], None]) -> Run:
    return Trial(family(), instance(), host).run("run", script, regrade=True, restore=True)


def test_what_probes_show_is_scored_at_the_end_and_not_before(host: ControlPlane) -> None:
    run = played(host, solve)
    assert [step.phases for step in run.steps] == [
        {"built": 1.0, "tags": None},
        {"built": 1.0, "tags": 1.0},
    ]
    assert run.manifest.success is True
    assert run.verdicts == {"a trigger was made": 1.0, "new tickets are tagged": 1.0}
    assert run.steps[0].reward == pytest.approx(0.14)


def test_what_does_too_much_is_shown_by_a_probe_that_it_should_leave_alone(
    host: ControlPlane,
) -> None:
    run = played(host, catch_all)
    assert (run.manifest.success, run.reward) == (False, 0.0)
    assert run.verdicts["new tickets are tagged"] == 0.0


def test_probes_leave_nothing_in_the_graded_sandbox(host: ControlPlane) -> None:
    with started(host, family(), instance()) as held:
        sandboxes = {row.id for row in host.sandboxes.all()}
        held.act("helpdesk_CreateTrigger", body={"trigger": TRIGGER})
        held.act("finish")
        with held.ground.bound("read"):
            assert not Ticket.objects.filter(subject="The tube is dim").exists()
        assert {row.id for row in host.sandboxes.all()} == sandboxes
        kept = json.loads((folder_of(held) / "probed.json").read_text())
    assert kept["tagged"] == {"The tube is dim": True, "The lid squeaks": False}


def test_an_episode_that_met_its_limit_is_probed_too(host: ControlPlane) -> None:
    def reads_on(space: ActingSpace) -> None:
        space.act("helpdesk_CreateTrigger", body={"trigger": TRIGGER})
        while not space.done:
            space.try_act("helpdesk_ShowCurrentUser")

    run = played(host, reads_on)
    assert (run.manifest.outcome, run.manifest.success) == ("truncated", False)
    assert run.steps[-1].phases["tags"] == 1.0
    assert run.steps[-2].phases["tags"] is None


def test_grading_again_probes_again_and_gives_the_same_bytes(host: ControlPlane) -> None:
    trial = Trial(family(), instance(), host)
    assert scoring.grading_is_pure(trial).wrong == ()
    assert scoring.replays_the_same(trial).wrong == ()
    assert scoring.idle_is_worth_nothing(trial).wrong == ()


def test_probes_that_differ_from_time_to_time_are_found(host: ControlPlane) -> None:
    turn = iter(range(1000))

    def moody(facts: Facts, stage: Stage) -> Mapping[str, Any]:
        return {"value": next(turn) % 3 / 3}

    def reads(scene: Scene) -> Verdict:
        return Verdict(scene.shown_by_probes["value"])

    trial = Trial(family(moody, reads), instance(), host)
    assert any("graded twice" in line for line in scoring.grading_is_pure(trial).wrong)


def test_probes_that_show_at_the_start_what_is_yet_to_do_are_found(host: ControlPlane) -> None:
    assert arranging.nothing_holds_at_the_start(Trial(family(), instance(), host)).wrong == ()
    easy = family(reads=lambda scene: verdict(bool(scene.shown_by_probes["order"])))
    (line,) = arranging.nothing_holds_at_the_start(Trial(easy, instance(), host)).wrong
    assert line.endswith("new tickets are tagged: holds already at the start")


def raises(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    raise RuntimeError("broken")


def returns_objects(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    return {"tickets": {1, 2}}


@pytest.mark.parametrize("broken", [raises, returns_objects])
def test_a_probe_that_fails_is_a_failure_of_ours_without_a_number(
    host: ControlPlane, broken: Probe
) -> None:
    with started(host, family(broken), instance()) as held:
        sandboxes = {row.id for row in host.sandboxes.all()}
        held.act("helpdesk_CreateTrigger", body={"trigger": TRIGGER})
        held.try_act("finish")
        found = read_trajectory(folder_of(held))
        assert {row.id for row in host.sandboxes.all()} == sandboxes
    assert (found.manifest.outcome, found.manifest.reward) == ("harness_error", None)
    assert found.manifest.error is not None
    assert found.manifest.error["type"] == "harness_grader"
    assert [(step.reward, step.phases) for step in found.steps] == [(None, {}), (None, {})]


def test_a_sandbox_that_is_gone_at_the_end_is_told_as_lost(host: ControlPlane) -> None:
    with started(host, family(), instance()) as held:
        host.sandboxes.delete(held.ground.sandbox.id)
        with pytest.raises(HarnessFailure) as failure:
            probed(held.ground)
    assert failure.value.kind == "harness_lost"


def test_the_record_of_an_episode_gives_the_same_probes_wherever_it_is_played(
    host: ControlPlane,
) -> None:
    shown = []
    for _ in range(2):
        with started(host, family(), instance()) as held:
            play_out(held, solve)
            shown.append((folder_of(held) / "probed.json").read_bytes())
    assert shown[0] == shown[1]


def test_a_check_that_asks_too_early_is_told_so() -> None:
    scene = Scene(facts={}, writes=(), fresh=(), seen=())
    with pytest.raises(NotProbed):
        tags_what_it_should(scene)


def test_a_probe_and_the_phases_that_are_read_from_it_go_together() -> None:
    with pytest.raises(BadCheck, match="go together"):
        replace(FAMILY, probe=probe)
    with pytest.raises(BadCheck, match="go together"):
        replace(family(), probe=None)
