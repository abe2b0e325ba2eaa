"""The small world looks like a real desk: properties 1 to 29, both sides of each bound."""

from __future__ import annotations

import pytest

from seeds.measures.targets import TARGETS, Target


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TARGETS)
def test_property_lies_between_its_bounds(small_properties: dict[str, float], name: str) -> None:
    value = small_properties[name]
    bounds = TARGETS[name]
    assert bounds.holds(value), f"{name} is {value:.3f}, wanted {bounds.low} to {bounds.high}"


def test_bounds_are_two_sided() -> None:
    bounds = Target(0.4, 0.6)
    assert bounds.holds(0.33)
    assert not bounds.holds(0.31)
    assert not bounds.holds(0.73)
    assert Target(-1.8, -1.1).holds(-0.9)
    assert not Target(-1.8, -1.1).holds(-0.8)
