"""The small world's tracker looks like a real one: each property, both sides of its bound."""

from __future__ import annotations

import pytest

from seeds.measures.targets import TRACKER_TARGETS


@pytest.mark.slow(shares="small_properties")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TRACKER_TARGETS)
def test_property_lies_between_its_bounds(small_properties: dict[str, float], name: str) -> None:
    value = small_properties[name]
    bounds = TRACKER_TARGETS[name]
    assert bounds.holds(value), f"{name} is {value:.3f}, wanted {bounds.low} to {bounds.high}"
