"""One host in this process for the tests of certification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from clones.core.server import server
from episodes.certify.playing import PATIENT, local_host
from episodes.certify.report import Report
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from tests.certify.private_stand import HOUSE, Stand, standing

# Owed, and within the agent's own limits.
PLAIN = 13
# The instance of each family that tests play; 0 where none is named.
NUMBERS: Final = {"H03": 1, "H04": 1, "H05": PLAIN, "H07": 5, "H13": 2, "H16": 2}


@pytest.fixture(scope="session")
def host() -> ControlPlane:
    """A host whose acts reach the data plane in this process."""
    return local_host()


@pytest.fixture(scope="session")
def browser_host() -> Iterator[ControlPlane]:
    """A host with real ports."""
    local = "127.0.0.1"
    ports = [free_port(local), free_port(local)]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=1)
    with RunningServer(options) as running:
        running.host.browsers.wait_longer(PATIENT)
        yield running.host


@pytest.fixture(scope="module")
def private_trial(host: ControlPlane) -> Iterator[Trial]:
    """An instance for somebody who may do everything in every clone, arranged once."""
    found = Trial(HOUSE, instance(), host, forks=True)
    yield found
    found.close()


@pytest.fixture
def stand(private_trial: Trial) -> Iterator[Stand]:
    """That instance as it begins."""
    with standing(private_trial) as found:
        yield found


def instance(number: int = PLAIN) -> InstanceId:
    """Return an instance of H05 in the tiny world."""
    return InstanceId(FAMILY.id, FAMILY.version, FAMILY.world, "tiny", 1, number)


def trial_of(family: Family, host: ControlPlane, number: int = PLAIN) -> Trial:
    """Return a trial of a family, as it is or spoilt."""
    return Trial(family, instance(number), host)


def plain_of(family: Family) -> int:
    """Return the number of the instance that tests play."""
    return NUMBERS.get(family.id, 0)


def failures(report: Report) -> list[str]:
    """Return the evidence of all that failed."""
    return [line for check in report.checks if check.verdict == "fail" for line in check.evidence]
