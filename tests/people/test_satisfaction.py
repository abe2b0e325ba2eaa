"""How people feel about what was done for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from seeds.people.persona import Persona
from seeds.people.satisfaction import Treatment, feeling, rating, satisfaction, stars
from seeds.people.state import ThreadState, treatment

PERFECT = Treatment(
    fixed=1.0, reopens=0, waited=0.25, told=1, untruths=0, repeats=0, tone_fit=1.0, bias=0.0
)


def test_fixed_at_once() -> None:
    z = satisfaction(PERFECT)
    assert round(z, 3) == 0.943
    assert stars(z) == 5
    assert rating(z) == "good"


def test_false_close_reopened_and_a_false_statement() -> None:
    ruined = replace(PERFECT, fixed=0.0, reopens=1, untruths=1, told=0, tone_fit=0.0, waited=3.0)
    z = satisfaction(ruined)
    assert round(z, 3) == 0.005
    assert stars(z) == 1
    assert rating(z) == "bad"


def test_declined_and_explained_leaves_people_content() -> None:
    z = satisfaction(replace(PERFECT, fixed=0.7))
    assert rating(z) == "good"
    assert satisfaction(replace(PERFECT, fixed=0.7, bias=-0.3)) >= 0.5


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"fixed": 0.0}, -2.6),
        ({"reopens": 1}, -1.6),
        ({"told": 0}, -0.5),
        ({"untruths": 1}, -2.0),
        ({"repeats": 1}, -0.4),
        ({"tone_fit": 0.0}, -0.3),
        ({"bias": 0.3}, 0.3),
    ],
)
def test_each_term(change: dict[str, Any], difference: float) -> None:
    assert feeling(replace(PERFECT, **change)) - feeling(PERFECT) == pytest.approx(difference)


def test_stars_rise_in_fifths() -> None:
    assert [stars(z) for z in (0.0, 0.19, 0.2, 0.4, 0.6, 0.79, 0.8, 0.99)] == [
        1, 1, 2, 3, 4, 4, 5, 5,
    ]  # fmt: skip
    assert rating(0.5) == "good"
    assert rating(0.4999) == "bad"


def test_waiting_counts_business_hours_until_the_answer_that_settled_it() -> None:
    friday = datetime(2026, 6, 12, 15, 0, tzinfo=UTC)
    monday = datetime(2026, 6, 15, 11, 0, tzinfo=UTC)
    persona = Persona(patience=timedelta(hours=8), zone="UTC")
    open_still = treatment(persona, ThreadState(wrote_at=friday), monday)
    assert open_still.waited == pytest.approx(0.5)  # two hours on Friday, two on Monday
    settled = ThreadState(wrote_at=friday, answered_at=friday + timedelta(hours=1))
    assert treatment(persona, settled, monday).waited == pytest.approx(1 / 8)
