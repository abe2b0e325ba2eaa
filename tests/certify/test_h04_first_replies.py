"""H04: every variant is reached, every conversation is understood, and time is counted right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Final

import pytest

from episodes.families.h04 import words
from episodes.families.h04.batch import PRIORITIES, Batch, Case, Level, compose
from episodes.families.h04.guide import LINES, RULES
from episodes.families.h04.pace import Way, api_steps, paces, times
from episodes.families.h04.params import WORK, Params, params_of, structural_variants
from episodes.families.h04.plant import counted_back, first_reply_opened
from episodes.families.h04.reading import NoRules, decide, desks_of
from episodes.tasks.instances import InstanceId
from episodes.tasks.telling import is_fit, misleads, says_nothing
from seeds.kestrel.projection.rules import desk_hours

PRESENT: Final = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
MORE: Final[tuple[Way, ...]] = ("answer",) * 4 + ("hand_over",) * 2


def numbered(number: int) -> Params:
    return params_of(InstanceId("H04", 1, "kestrel", "tiny", 1, number))


def composed(params: Params, seed: int) -> Batch:
    return compose(params, Random(seed), age)


def age(level: Level) -> float:
    return (PRESENT - first_reply_opened(level, PRESENT, desk_hours())).total_seconds()


def conversation(case: Case, chance: Random) -> list[str]:
    """Return what is said in a ticket, as it is planted."""
    said = [words.mail(case.kind, case.said, case.serial, "Jo Watkins", chance).body]
    if case.later in ("correction", "called"):
        kind = "corrections" if case.later == "correction" else "called"
        said.append(words.one_of(kind, chance, machine=case.machine))
    elif case.later == "chase":
        said.append(words.one_of("chases", chance))
    elif case.added is not None:
        said.append(words.addition(case.added, chance))
    return said


def test_the_instances_reach_all_270_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(270)]
    assert len(set(structural_variants())) == 270
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert one.slack != other.slack
        assert one.handed_over != other.handed_over
        assert one.order != other.order


@pytest.mark.parametrize("number", range(len(RULES)))
def test_the_rules_are_read_back_from_their_text(number: int) -> None:
    rules = RULES[number]
    desks = desks_of(rules.text())
    assert [desks[line] for line in LINES.values()] == [rules.group(matter) for matter in LINES]
    # A page runs the lines of a list together.
    assert desks_of(rules.text().replace("\n- ", " - ").replace(" - ", "\n- ")) == desks


def test_a_text_without_rules_is_known_as_such() -> None:
    with pytest.raises(NoRules):
        desks_of("From today everything goes to Escalations at once.")


def test_every_conversation_is_understood() -> None:
    met: set[tuple[str, str | None]] = set()
    for seed, params in enumerate(structural_variants()):
        batch = composed(params, seed)
        chance = Random(seed)
        desks, titles = desks_of(params.rules.text()), [told.title for told in batch.macros]
        for case in batch.cases:
            verdict = decide(conversation(case, chance), desks, titles)
            assert verdict.macro == (None if case.told is None else case.told.title)
            assert verdict.group == case.group
            assert verdict.serial == case.serial
            met.add((case.kind, case.later))
    assert {kind for kind, _ in met} >= {*words.topics(), *LINES, "unknown"}


def test_every_way_to_ask_is_understood() -> None:
    """No drawing: each text of the bank by itself."""
    desks = desks_of(RULES[2].text())
    bank = words.bank()
    machine, serial = "Kite 60 Pro", "KT6P-2304-0017"
    for topic, about in bank["topics"].items():
        title = f"First reply::{topic}: {machine}"
        for text in about["asks"]:
            said = [f"{text.format(machine=machine)} Serial: {serial}."]
            near = [f"First reply::{topic}: Kite 60", f"{title} (until April 2026)"]
            assert decide(said, desks, [*near, title]).macro == title
            assert decide(said, desks, near).macro is None
            for matter in LINES:
                for more in bank["matters"][matter]["adds"]:
                    found = decide([*said, more], desks, [title])
                    assert found.group == RULES[2].group(matter), more
    for matter in LINES:
        for text in bank["matters"][matter]["asks"]:
            found = decide([text.format(machine=machine)], desks, [])
            assert found.group == RULES[2].group(matter), text


@pytest.mark.parametrize("seed", range(40))
def test_a_batch_has_what_makes_it_hard(seed: int) -> None:
    params = structural_variants()[seed * 6]
    batch = composed(params, seed)
    ways = [case.way for case in batch.cases]
    assert ways.count("hand_over") == params.handed_over
    assert len(batch.cases) == len(batch.levels) == WORK
    assert sum(planned for _, planned in batch.levels) == params.round_the_clock
    assert {case.later for case in batch.cases} >= {"correction", "called"}
    assert any(told.ends is not None for told in batch.macros)
    titles = [told.title for told in batch.macros]
    assert len(titles) == len(set(titles))
    by_priority = [PRIORITIES.index(priority) for priority, _ in batch.levels]
    if params.order == "priority":
        assert by_priority == sorted(by_priority, reverse=True)
        assert by_priority[0] > by_priority[-1]
    else:
        ages = [age(level) for level in batch.levels]
        assert ages == sorted(ages)


def test_neither_priority_nor_age_gives_the_order_away() -> None:
    misled = 0
    for seed, params in enumerate(structural_variants()):
        ages = [age(level) for level in composed(params, seed).levels]
        misled += ages != sorted(ages, reverse=True)
    assert misled > 135


@pytest.mark.parametrize("ways", [MORE, MORE[::-1]])
def test_the_time_there_is_follows_the_pace(ways: Sequence[Way]) -> None:
    assert api_steps(ways) == 17
    found = paces(ways)
    assert found == sorted(found)
    for slack in (4.0, 2.0, 1.4):
        due = times(ways, slack)
        assert all(later > sooner for sooner, later in pairwise(due))
        assert due[-1] < 3600
        # The oracle, without its reserve, is through in time; back to front it is not, at the
        # tightest.
        assert all(end * 30 < span for end, span in zip(range(6, 18, 2), due, strict=True))
        assert (due[0] < 16 * 30) is (slack == 1.4)


def test_time_is_counted_back_over_nights_and_weekends() -> None:
    hours = desk_hours()
    for minutes in (1, 60, 419, 421, 480, 1200, 3000):
        since = counted_back(PRESENT, minutes * 60, hours)
        assert hours.add(since, minutes * 60) == PRESENT
        assert hours.is_open(since)
    assert counted_back(PRESENT, 90, None) == PRESENT - timedelta(seconds=90)


TELLS: Final = {"code": "LN-204", "number": 51, "unit": "mm"}
WRONG: Final = [{"code": "LN-312", "number": 76, "unit": "mm"}]


@pytest.mark.parametrize(
    "text",
    [
        "The lens is LN-204, 51 mm above the sheet.",
        "51mm, and the lens is ln-204",
        "<p>Take <b>LN-204</b> at 51.0 millimetres.</p>",
        "LN-204 at 51 mm.\n\n> Or is it LN-312?",
    ],
)
def test_a_fit_reply_is_fit_however_it_is_put(text: str) -> None:
    assert is_fit(text, TELLS, WRONG)


@pytest.mark.parametrize(
    "text",
    [
        "The lens is LN-204.",
        "The lens is LN-204, 52 mm above the sheet.",
        "The lens is LN-204, 51 cm above the sheet.",
        "The lens is LN-2045, 51 mm above the sheet.",
        "LN-204 at 51 mm, or LN-312.",
        "LN-204 at 51 mm or at 76 mm.",
        "> LN-204 at 51 mm.",
    ],
)
def test_a_reply_that_gives_less_or_more_is_not(text: str) -> None:
    assert not is_fit(text, TELLS, WRONG)


def test_a_holding_reply_says_nothing_and_a_wrong_part_misleads() -> None:
    assert says_nothing("We are looking into it.", TELLS, WRONG)
    assert not says_nothing("Set it to 51 mm.", TELLS, WRONG)
    assert misleads("It is LN-312.", WRONG)
    assert not misleads("It is LN-3121.", WRONG)
