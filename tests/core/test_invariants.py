"""Rules over rows that more than one clone has: each is broken, and found."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from clones.core import jobs
from clones.core.invariants import wrong_timers
from clones.core.models import Job
from clones.core.tenancy import SandboxRow
from tests.conftest import PRESENT

LATER = PRESENT + timedelta(hours=1)


@pytest.fixture
def timers(writing: SandboxRow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers of the rows 1 and 2, those of another kind, and one that is over."""
    kind = jobs.Kind(lambda payload: None, None)
    monkeypatch.setattr(jobs, "_kinds", {"clocks": kind, "others": kind})
    for row in (1, 2):
        jobs.enqueue("clocks", due=LATER, payload={"clock": row})
    jobs.enqueue("others", due=LATER, payload={"order": 3})
    over = jobs.enqueue("clocks", due=PRESENT, payload={"clock": 2})
    Job.objects.filter(id=over.id).update(state="done")


def findings(wanted: dict[int, datetime]) -> list[str]:
    return list(wrong_timers("clocks", key="clock", wanted=wanted, called="clock"))


@pytest.mark.usefixtures("timers")
def test_rows_with_one_timer_each_at_their_time_are_right() -> None:
    assert findings({1: LATER, 2: LATER}) == []


@pytest.mark.usefixtures("timers")
def test_missing_needless_and_late_timers_are_told_by_row() -> None:
    soon = PRESENT + timedelta(minutes=1)
    assert findings({1: soon, 3: LATER}) == [
        f"clock 1 is due {soon}, its timer {LATER}",
        f"clock 2 is due None, its timer {LATER}",
        f"clock 3 is due {LATER}, its timer None",
    ]


@pytest.mark.usefixtures("timers")
def test_a_row_with_two_timers_is_told_even_if_the_later_one_is_right() -> None:
    jobs.enqueue("clocks", due=LATER, payload={"clock": 2})
    assert findings({1: LATER, 2: LATER}) == ["clock 2 has two timers"]
