"""Which requests meet which faults: how many, in bursts, of every kind, and always the same."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import get_args

import pytest

from clones.core import randomness
from clones.core.faults import KINDS, LEVELS, Fault, fault_at, setting
from clones.core.faults.answers import SILENCE
from clones.core.faults.plan import LATENCY, RETRY_AFTER
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.browser.driver import Timeouts
from episodes.spaces.opening import PATIENCE
from episodes.tasks.spec import STEP_SECONDS
from sandlot.service import Faults
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind

MANY = 60_000
SEED = "kestrel|1"


def plan(level: str, *, write: bool = True, page: bool = False) -> list[Fault | None]:
    drawn = setting(level, "test")
    return [
        fault_at(drawn, SEED, "helpdesk", number, write=write, page=page)
        for number in range(1, MANY + 1)
    ]


@pytest.mark.parametrize(("level", "rate"), [("light", 0.02), ("moderate", 0.05), ("heavy", 0.10)])
def test_as_many_requests_meet_one_as_the_level_says(level: str, rate: float) -> None:
    found = sum(fault is not None for fault in plan(level)) / MANY
    assert found == pytest.approx(rate, rel=0.1)


def test_faults_come_in_bursts() -> None:
    met = [fault is not None for fault in plan("moderate")]
    after_one = [later for earlier, later in pairwise(met) if earlier]
    assert sum(after_one) / len(after_one) > 4 * LEVELS["moderate"]


def test_every_kind_comes_and_the_common_ones_often() -> None:
    kinds = Counter(fault.kind for fault in plan("heavy") if fault is not None)
    assert set(kinds) == set(KINDS)
    assert kinds["429"] > kinds["timeout"]
    assert kinds["503"] > kinds["504"]


def test_only_writes_are_applied_and_about_half_of_what_breaks_after_them() -> None:
    assert not any(fault.applied for fault in plan("heavy", write=False) if fault is not None)
    late = [
        fault
        for fault in plan("heavy")
        if fault is not None and fault.kind in ("502", "504", "timeout", "drop")
    ]
    applied = sum(fault.applied for fault in late) / len(late)
    assert applied == pytest.approx(0.5, abs=0.05)
    others = [fault for fault in plan("heavy") if fault is not None and fault not in late]
    assert not any(fault.applied for fault in others)


def test_a_browser_meets_what_a_gateway_shows() -> None:
    kinds = {fault.kind for fault in plan("heavy", page=True) if fault is not None}
    assert kinds == {"429", "500", "502", "503", "504", "latency"}


def test_what_an_answer_asks_to_wait_is_over_by_the_next_step() -> None:
    found = plan("heavy")
    asked = [
        (place, fault)
        for place, fault in enumerate(found[:-1])
        if fault is not None and fault.retry_after is not None
    ]
    assert {fault.kind for _, fault in asked} == {"429", "503"}
    assert all(found[place + 1] is None for place, _ in asked)
    assert RETRY_AFTER[1] < min(STEP_SECONDS.values())


def test_a_late_answer_comes_within_everybodys_patience_and_silence_outlasts_ours() -> None:
    late = [fault.seconds for fault in plan("heavy") if fault is not None and fault.seconds]
    assert LATENCY[0] <= min(late)
    assert max(late) <= LATENCY[1] < 5
    pages = [fault.seconds for fault in plan("heavy", page=True) if fault is not None]
    assert 0 < max(pages) <= Timeouts().ready / 2
    assert PATIENCE < SILENCE


def test_plans_differ_by_seed_clone_and_draw_and_by_nothing_else() -> None:
    def met(drawn: str, seed: str, clone: str) -> list[int]:
        return [
            number
            for number in range(1, 300)
            if fault_at(drawn, seed, clone, number, write=True, page=False) is not None
        ]

    first = met(setting("heavy", "a"), SEED, "helpdesk")
    assert first == met(setting("heavy", "a"), SEED, "helpdesk")
    assert first != met(setting("heavy", "b"), SEED, "helpdesk")
    assert first != met(setting("heavy", "a"), "kestrel|2", "helpdesk")
    assert first != met(setting("heavy", "a"), SEED, "billing")


def test_the_registry_is_told_nothing_of_the_task() -> None:
    assert "H05" not in setting("light", "H05@1/kestrel-tiny/1/0003|0")
    with pytest.raises(ValueError, match="use light, moderate, heavy"):
        setting("extreme", "a")


def test_the_contract_names_the_levels_there_are() -> None:
    assert set(get_args(Faults)) == {"none", *LEVELS}


def test_turns_are_rows_that_a_rewind_gives_back(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        assert randomness.turn("faults.helpdesk") == 1
    sandboxes.mark(empty_sandbox.id, "one")
    for _ in range(2):
        with bind(empty_sandbox), unit_of_work("write"):
            assert randomness.turn("faults.helpdesk") == 2
            assert randomness.turn("faults.billing") == 1
        assert sandboxes.diff(empty_sandbox.id, "one") == []
        sandboxes.rewind(empty_sandbox.id, "one")
