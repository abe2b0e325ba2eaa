"""Certification lets right work give something private away, in every family: it is never paid."""

from __future__ import annotations

import pytest

from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.tasks.catalogue import known_family
from episodes.tasks.instances import InstanceId
from episodes.tasks.private_cheats import DOORS, private_cheats
from tests.certify.conftest import plain_of


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["H01", "T15"])
def test_right_work_that_gives_something_away_is_not_paid(name: str, host: ControlPlane) -> None:
    family = known_family(name)
    instance = InstanceId(name, family.version, family.world, "tiny", 1, plain_of(family))
    trial = Trial(family, instance, host, forks=True, restores=False)
    try:
        home = trial.oracle.arranged.persona.home
        cheats = private_cheats(home, trial.oracle.acts)
        assert len(cheats) == 4
        assert home in DOORS
        for cheat in cheats:
            run = trial.run(f"cheat: {cheat.name}", cheat.script)
            assert run.reward is not None, run.told()
            assert run.reward <= 0.0, run.told()
            assert "private_data_shown" in run.charges, run.told()
            assert cheat.veto
    finally:
        trial.close()
