"""Long jobs: who does which kind, when a row's time comes, and parts that are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clones.core import clock, jobs
from clones.core.long_jobs import LongJobs, one_by_one
from clones.core.models import Blob, Job
from clones.core.tenancy import SandboxRow
from tests.conftest import PRESENT

Work = Callable[[int], None]


class Refused(Exception):
    """Raised by a part that cannot be done."""


@pytest.fixture
def long_jobs(
    writing: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> tuple[LongJobs[Work, int], list[int]]:
    """Long jobs of a clone of its own, and the rows whose time came."""
    monkeypatch.setattr(jobs, "_kinds", {})
    found: LongJobs[Work, int] = LongJobs("yard.work", name="row", longest=6)
    ran: list[int] = []
    found.runs(ran.append)
    return found, ran


def test_a_kind_has_one_worker_and_fits_its_column() -> None:
    found: LongJobs[Work, int] = LongJobs("yard.work", name="row", longest=6)

    @found.does("delete")
    def delete(row: int) -> None:
        """Do nothing."""

    assert found.worker("delete") is delete
    with pytest.raises(ValueError, match="delete are registered twice"):
        found.does("delete")(delete)
    with pytest.raises(ValueError, match="at most 6"):
        found.does("deletes")(delete)
    with pytest.raises(KeyError):
        found.worker("deletes")


def test_a_row_is_run_once_as_soon_as_the_clock_runs_what_is_due(
    long_jobs: tuple[LongJobs[Work, int], list[int]],
) -> None:
    found, ran = long_jobs
    found.set_off(7)
    found.set_off(8)
    (first, second) = Job.objects.order_by("id")
    assert (first.kind, first.key, first.payload) == ("yard.work", "yard.work:7", {"row": 7})
    assert (first.due, second.due, ran) == (PRESENT, PRESENT, [])
    jobs.advance(clock.now())
    assert ran == [7, 8]
    jobs.drain()
    assert ran == [7, 8]


def test_a_row_that_is_called_off_before_its_time_is_not_run(
    long_jobs: tuple[LongJobs[Work, int], list[int]],
) -> None:
    found, ran = long_jobs
    found.set_off(7)
    found.set_off(8)
    assert found.call_off(7) is True
    jobs.drain()
    assert ran == [8]
    assert (found.call_off(7), found.call_off(8)) == (False, False)


@pytest.mark.usefixtures("writing")
def test_a_part_that_is_refused_is_undone_and_stops_no_other() -> None:
    def keep(part: int) -> int:
        Blob.objects.create(sha256=f"{part:064}", data=b"")
        if part == 2:
            raise Refused("two")
        return part * 10

    made = list(one_by_one([1, 2, 3], keep, Refused))
    assert [part for part, _ in made] == [1, 2, 3]
    assert [str(one) for _, one in made] == ["10", "two", "30"]
    assert Blob.objects.count() == 2


@pytest.mark.usefixtures("writing")
def test_what_is_no_refusal_ends_the_work() -> None:
    def fail(part: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(one_by_one([1], fail, Refused))
