"""An instance that is arranged once for many runs is played as if it were arranged for each."""

from __future__ import annotations

from dataclasses import replace

from clones.core.server import server
from clones.helpdesk.models import Ticket
from episodes.certify import scoring
from episodes.certify.run import certify
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.tasks.spec import Arranged, Stage
from tests.certify.conftest import PLAIN, instance, trial_of


def test_a_run_in_a_fork_is_the_run_in_a_sandbox_of_its_own(host: ControlPlane) -> None:
    own, forked = trial_of(FAMILY, host), Trial(FAMILY, instance(), host, forks=True)
    before = {row.id for row in server().registry.all()}
    one, other = own.oracle, forked.oracle
    assert [step.fingerprint for step in one.steps] == [step.fingerprint for step in other.steps]
    assert [step.reward for step in one.steps] == [step.reward for step in other.steps]
    assert one.changes == other.changes
    assert one.start == other.start
    assert (other.restored, other.regraded) == ((), ())
    assert scoring.replays_the_same(forked).wrong == ()
    forked.close()
    assert {row.id for row in server().registry.all()} == before


def test_the_instance_is_arranged_anew_only_where_that_is_looked_at(host: ControlPlane) -> None:
    arranged = []

    def arrange(stage: Stage) -> Arranged:
        arranged.append(stage.instance)
        return FAMILY.arrange(stage)

    family = replace(FAMILY, arrange=arrange, cheats=())
    report = certify(family, host=host, numbers=(PLAIN,), checks=(1, 4, 5, 7))
    assert report.passed
    # Twice for the first check, once to replay in, once for all other runs.
    assert arranged == [instance()] * 4


def test_a_fork_of_another_state_than_is_arranged_anew_is_found(host: ControlPlane) -> None:
    turn = iter(range(10))

    def arrange(stage: Stage) -> Arranged:
        found = FAMILY.arrange(stage)
        Ticket.objects.filter(id=1).update(subject=f"Another subject {next(turn)}")
        return found

    trial = Trial(replace(FAMILY, arrange=arrange), instance(), host, forks=True)
    assert trial.oracle.restored == ("the arranged state did not come back",)
    trial.close()
