"""H16: every variant is reached, and every way of wording a contract is understood."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from random import Random

from episodes.families.h16 import words
from episodes.families.h16.params import Params, params_of, structural_variants
from episodes.families.h16.reading import contract_of, in_force, minutes_of
from episodes.tasks.instances import InstanceId

FIRM, SECOND = "Heathlock Joinery e.K.", "Ochrespar Inserts & Co"
OLD_DAY, DAY = date(2024, 10, 21), date(2026, 6, 7)


def numbered(number: int) -> Params:
    return params_of(InstanceId("H16", 1, "kestrel", "tiny", 1, number))


def test_the_instances_reach_all_360_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(360)]
    assert len(set(structural_variants())) == 360
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert one.metrics != other.metrics or one.scope != other.scope
        assert (one.hours, one.priorities, one.place) != (
            other.hours,
            other.priorities,
            other.place,
        )


def test_times_are_read_as_they_are_written() -> None:
    for minutes in (*range(1, 400), 600, 1440, 5760):
        assert minutes_of(words.time_text(minutes)) == minutes


def test_every_contract_is_read_as_it_was_meant() -> None:
    for number, params in enumerate(structural_variants()):
        chance = Random(number)
        targets = {
            priority: {metric: chance.randrange(5, 900) for metric in params.metrics}
            for priority in params.priorities
        }
        priority, metric = chance.choice(params.priorities), chance.choice(params.metrics)
        wrong = {**targets, priority: {**targets[priority], metric: 1000}}
        text = words.agreement_text(agreement(params, wrong, chance), chance)
        note = words.correction_text(priority, metric, targets[priority][metric], chance)
        found = contract_of(FIRM, text, [note])
        assert found.targets == targets
        assert found.second == (SECOND if params.scope == "two" else None)
        assert found.type == ("Incident" if params.scope == "type" else None)
        assert found.group == ("Returns & Logistics" if params.scope == "group" else None)
        assert found.after == ("Smoke and fire" if params.place == "after" else None)
        for one in params.priorities:
            assert (one in found.around_the_clock) is not params.in_business_hours(one)


def test_the_agreement_that_another_replaces_is_not_in_force() -> None:
    params = structural_variants()[0]
    for number in range(20):
        chance = Random(number)
        old = words.Agreement(
            FIRM, "It covers all.", OLD_DAY, None, {}, (), "calendar", "first", "Recall cases"
        )
        new = agreement(params, {}, chance)
        texts = [words.agreement_text(old, chance), words.agreement_text(new, chance)]
        assert in_force(texts, FIRM) == 1
        assert in_force(texts[::-1], FIRM) == 0


def agreement(params: Params, targets: words.Targets, chance: Random) -> words.Agreement:
    covers = chance.choice(words.COVERS[params.scope]).format(
        firm=FIRM, second=SECOND, type="Incident", group="Returns & Logistics"
    )
    return words.Agreement(
        firm=FIRM,
        covers=covers,
        signed=DAY,
        replaces=OLD_DAY,
        targets=targets,
        missing=tuple(p for p in ("normal", "low") if p not in params.priorities),
        hours=params.hours,
        place=params.place,
        other="Smoke and fire",
    )
