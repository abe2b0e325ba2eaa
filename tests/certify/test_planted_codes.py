"""Who remembers what an instance planted knows no code of another one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.start import prepare
from tests.certify.conftest import instance

INSTANCES = 12


def planted(number: int, host: ControlPlane) -> Iterator[str]:
    """Yield the charges and the people that an instance of H05 plants."""
    prepared = prepare(host, FAMILY, instance(number))
    try:
        facts = prepared.arranged.facts
        yield from (*facts["charges"], *facts["people"])
    finally:
        host.sandboxes.delete(prepared.sandbox)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_two_instances_plant_the_same_codes(host: ControlPlane) -> None:
    found = [code for number in range(INSTANCES) for code in planted(number, host)]
    assert len(set(found)) == len(found)
    assert len(found) >= 2 * INSTANCES


def test_an_instance_plants_the_same_codes_each_time(host: ControlPlane) -> None:
    assert list(planted(0, host)) == list(planted(0, host))
