"""After a family's oracle has done the work, every rule that clones declare over their rows holds.

Before a merge that is looked at once for each clone in which work starts, and of all families in
`make test-everything`.
"""

from __future__ import annotations

from typing import Final

import pytest

from episodes.certify.playing import play_out, started
from episodes.control_plane import ControlPlane
from episodes.tasks.catalogue import known_families
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from seeds.invariants import violations
from tests.certify.conftest import plain_of

ALWAYS: Final = ("H05", "T01")
# What stands askew before the work begins, by the family that plants it so.
PLANTED: Final = {
    "H01": "tickets that were closed by hand, as nobody does in the world",
    "H04": "a clock whose target passed before the planting: it is missed when the clock moves",
    "H17": "a ticket that was solved without an assignee, and clocks like H04's",
}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "family",
    [
        pytest.param(family, marks=() if family.id in ALWAYS else pytest.mark.everything)
        for family in known_families()
        if family.home == "api"
    ],
    ids=lambda family: family.id,
)
def test_no_rule_is_broken_by_the_right_work(family: Family, host: ControlPlane) -> None:
    number = plain_of(family)
    instance = InstanceId(family.id, family.version, family.world, "tiny", 1, number)
    with started(host, family, instance) as held:
        with held.episode.ground.bound("read"):
            arranged = violations()
        play_out(held, family.solve["api"])
        with held.episode.ground.bound("read"):
            done = violations()
    assert bool(arranged) == (family.id in PLANTED), arranged
    assert [line for line in done if line not in arranged] == []
