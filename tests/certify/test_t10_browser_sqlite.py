"""T10 is worked on pages alone: its oracle is paid in full there, and its cheats are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clones.core.server import server
from episodes.browser import find_browser
from episodes.certify.playing import play_out, started
from episodes.families.t10.family import FAMILY
from episodes.host import Host
from episodes.rewards.prices import PARTIAL_SCALE
from episodes.tasks.acting import ActingSpace, Cheat, Script
from episodes.tasks.instances import InstanceId
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.trajectory import EpisodeManifest, read_trajectory

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def browser_host() -> Iterator[Host]:
    """A host with real ports."""
    local = "127.0.0.1"
    ports = [free_port(local), free_port(local)]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=1)
    with RunningServer(options) as running:
        yield running.host


def played(host: Host, script: Script, number: int) -> EpisodeManifest:
    """Play a script on an instance in the browser and return how it ended."""
    assert find_browser() is not None
    instance = InstanceId(FAMILY.id, FAMILY.version, FAMILY.world, "tiny", 1, number)
    with started(host, FAMILY, instance, space="browser") as held:
        play_out(held, script)
        folder = host.episodes.folder / held.ground.id
        steps = held.ground.arranged.oracle_steps["browser"]
        if script is FAMILY.solve["browser"]:
            assert len(held.positions) == steps
        return read_trajectory(folder).manifest


# More columns than there were, fewer, and one without a status.
@pytest.mark.parametrize("number", [0, 2, 20])
def test_the_oracle_is_paid_in_full(browser_host: Host, number: int) -> None:
    found = played(browser_host, FAMILY.solve["browser"], number)
    assert found.components.get("failures") == []
    assert found.success is True
    assert found.reward == 1.0


@pytest.mark.parametrize("cheat", FAMILY.cheats, ids=lambda cheat: cheat.name)
def test_cheats_are_worth_their_honest_part(browser_host: Host, cheat: Cheat) -> None:
    found = played(browser_host, cheat.script, 0)
    honest = 0.0 if cheat.veto else PARTIAL_SCALE * (found.components.get("partial") or 0.0)
    assert found.success is False
    assert found.reward is not None
    assert found.reward <= honest + 1e-9


def test_idling_is_worth_nothing(browser_host: Host) -> None:
    def idle(space: ActingSpace) -> None:
        space.act("finish")

    found = played(browser_host, idle, 0)
    assert found.success is False
    assert found.reward == 0.0
