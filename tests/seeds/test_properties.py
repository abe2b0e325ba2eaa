"""The small world looks like a real desk: each property of a desk, both sides of its bound."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from seeds.measures import __main__ as realism
from seeds.measures import report
from seeds.measures.targets import TARGETS, Target


@pytest.mark.slow(shares="small_properties")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", TARGETS)
def test_property_lies_between_its_bounds(small_properties: dict[str, float], name: str) -> None:
    value = small_properties[name]
    bounds = TARGETS[name]
    assert bounds.holds(value), f"{name} is {value:.3f}, wanted {bounds.low} to {bounds.high}"


def test_bounds_are_two_sided() -> None:
    bounds = Target(0.4, 0.6, "here")
    assert bounds.holds(0.33)
    assert not bounds.holds(0.31)
    assert not bounds.holds(0.73)
    assert Target(-1.8, -1.1, "here").holds(-0.9)
    assert not Target(-1.8, -1.1, "here").holds(-0.8)


@pytest.mark.parametrize(("shift", "code"), [(0.0, 0), (100.0, 1)])
def test_realism_fails_where_a_property_is_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shift: float, code: int
) -> None:
    @contextmanager
    def world(name: str, size: str, seed: int) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(counts={"helpdesk.Ticket": 20_000})

    def measured(report: object, bucket: int) -> dict[str, float]:
        inside = {name: (bounds.low + bounds.high) / 2 for name, bounds in TARGETS.items()}
        return {**inside, "14 reopen": inside["14 reopen"] + shift}

    monkeypatch.setattr(realism, "temporary_world", world)
    monkeypatch.setattr(report, "properties", measured)
    monkeypatch.setattr(sys, "argv", ["realism"])
    assert realism.main() == code
    told = capsys.readouterr().out
    assert ("OUT  Endsight" in told) == bool(code)
    assert told.endswith(f"{len(TARGETS)} properties, {code} out of bounds\n")
