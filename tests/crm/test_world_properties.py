"""The small world's CRM looks like a real one: each property, both sides of its bound."""

from __future__ import annotations

from functools import cache

import pytest

from seeds.measures.targets import CRM_TARGETS
from tests.seeds.conftest import SEEDS, stored_world


@cache
def measured(seed: int) -> dict[str, float]:
    """Return the properties of the CRM of the small world of a seed."""
    from seeds.measures.crm import crm_properties  # noqa: PLC0415 - the app may not be there

    with stored_world("small", seed) as world, world.bound() as report:
        return crm_properties(report.ledger)


@pytest.fixture(scope="module", params=SEEDS)
def small_crm(request: pytest.FixtureRequest) -> dict[str, float]:
    """The measured properties of the CRM of the small world, for each seed."""
    print(f"world kestrel/small, seed {request.param}")
    return measured(request.param)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CRM_TARGETS)
def test_property_lies_between_its_bounds(small_crm: dict[str, float], name: str) -> None:
    value = small_crm[name]
    bounds = CRM_TARGETS[name]
    assert bounds.holds(value), f"{name} is {value:.3f}, wanted {bounds.low} to {bounds.high}"


def test_every_property_has_its_bounds(small_crm: dict[str, float]) -> None:
    assert small_crm.keys() == CRM_TARGETS.keys()
