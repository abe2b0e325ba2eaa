"""The small world's tracker looks like a real one: each property, both sides of its bound."""

from __future__ import annotations

import pytest

from seeds.measures.targets import TRACKER_TARGETS
from tests.seeds.conftest import Measured


@pytest.mark.slow(shares="small_properties")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TRACKER_TARGETS)
def test_property_lies_between_its_bounds(small_properties: Measured, name: str) -> None:
    value = small_properties.values[name]
    bounds = TRACKER_TARGETS[name]
    said = f"{name} is {value:.3f}, wanted {bounds.low} to {bounds.high}"
    assert bounds.holds(value, small_properties.tolerance), said
