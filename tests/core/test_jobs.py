"""Timers run when they are due, in order, once; what fails is tried again and then visible."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError

from clones.core import clock, jobs
from clones.core.journal import JournalRow, act, journal, root_cause
from clones.core.models import Blob, Job, Message, SandboxState
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind
from tests.determinism import no_machine_inputs

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class Desk:
    """Handlers that tests script, and what they saw."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any]] = []
        self.script: dict[str, Callable[[], None]] = {}
        self.observed: list[list[JournalRow]] = []

    def handle(self, payload: dict[str, Any]) -> None:
        name = payload["name"]
        self.ran.append((name, clock.now() - PRESENT))
        self.script.get(name, lambda: None)()

    def observe(self, rows: Sequence[JournalRow]) -> None:
        self.observed.append(list(rows))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    kinds = {
        "desk": jobs.Kind(made.handle, None),
        "hourly": jobs.Kind(made.handle, HOUR),
    }
    monkeypatch.setattr(jobs, "_kinds", kinds)
    monkeypatch.setattr(jobs, "_observers", lambda: (made.observe,))
    return made


@pytest.fixture
def writing(empty_sandbox: SandboxRow, desk: Desk) -> Iterator[SandboxRow]:
    with bind(empty_sandbox), unit_of_work("write"), no_machine_inputs():
        yield empty_sandbox


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "clones.core.jobs")


def set_timer(name: str, after: timedelta, *, kind: str = "desk", key: str | None = None) -> Job:
    return jobs.enqueue(kind, due=PRESENT + after, payload={"name": name}, key=key)


def blob(name: str) -> Blob:
    return Blob.objects.create(sha256=name, data=b"")


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        blob("half done")
        raise error

    return fail


def test_jobs_run_at_their_due_times_in_due_then_id_order(writing: SandboxRow, desk: Desk) -> None:
    for name, after in (("d", 3), ("b", 2), ("c", 2), ("a", 1), ("later", 9)):
        set_timer(name, after * MINUTE)
    runs = jobs.advance(PRESENT + 5 * MINUTE)
    assert desk.ran == [("a", MINUTE), ("b", 2 * MINUTE), ("c", 2 * MINUTE), ("d", 3 * MINUTE)]
    assert [run.due - PRESENT for run in runs] == [MINUTE, 2 * MINUTE, 2 * MINUTE, 3 * MINUTE]
    assert clock.now() == PRESENT + 5 * MINUTE
    assert jobs.advance(PRESENT + 8 * MINUTE) == []
    assert list(Job.objects.filter(state="pending").values_list("payload__name", flat=True)) == [
        "later"
    ]


def test_what_a_job_sets_runs_in_the_same_advance_if_it_is_due(
    writing: SandboxRow, desk: Desk
) -> None:
    desk.script["first"] = lambda: (set_timer("second", 2 * MINUTE), None)[1]
    set_timer("third", 3 * MINUTE)
    set_timer("first", MINUTE)
    jobs.advance(PRESENT + HOUR)
    assert [name for name, _ in desk.ran] == ["first", "second", "third"]


def test_drain_runs_what_is_overdue_at_the_present(writing: SandboxRow, desk: Desk) -> None:
    set_timer("late", -HOUR)
    set_timer("early", HOUR)
    assert [run.kind for run in jobs.drain()] == ["desk"]
    assert desk.ran == [("late", timedelta(0))]
    assert clock.now() == PRESENT


def test_catching_up_dates_each_job_by_its_own_due_time(writing: SandboxRow, desk: Desk) -> None:
    set_timer("b", -MINUTE)
    set_timer("a", -HOUR)
    set_timer("no", MINUTE)
    jobs.catch_up(PRESENT)
    assert desk.ran == [("a", -HOUR), ("b", -MINUTE)]
    assert clock.now() == PRESENT
    assert Job.objects.get(payload__name="a").ran_at == PRESENT - HOUR


def test_a_failing_job_undoes_its_writes_is_retried_and_then_stays_failed(
    writing: SandboxRow, desk: Desk
) -> None:
    desk.script["bad"] = raising(ValueError("no such thing"))
    set_timer("bad", MINUTE)
    runs = jobs.advance(PRESENT + 10 * HOUR)
    waits = [timedelta(0), *jobs.RETRY_AFTER]
    expected = [sum(waits[: count + 1], MINUTE) for count in range(4)]
    assert [after for _, after in desk.ran] == expected
    assert [run.attempt for run in runs] == [1, 2, 3, 4]
    assert {run.error for run in runs} == {"ValueError: no such thing"}
    job = Job.objects.get()
    assert (job.state, job.attempts, job.last_error) == ("failed", 4, "ValueError: no such thing")
    assert job.ran_at == PRESENT + expected[-1]
    assert not Blob.objects.exists()
    assert jobs.advance(PRESENT + 100 * HOUR) == []


def test_a_job_that_broke_its_transaction_leaves_the_rest_usable(
    writing: SandboxRow, desk: Desk
) -> None:
    def clash() -> None:
        blob("one")
        blob("one")

    desk.script["clash"] = clash
    set_timer("clash", MINUTE)
    set_timer("fine", 2 * MINUTE)
    desk.script["fine"] = lambda: (blob("two"), None)[1]
    runs = jobs.advance(PRESENT + 2 * MINUTE)
    assert IntegrityError.__name__ in (runs[1].error or runs[0].error or "")
    assert [row.sha256 for row in Blob.objects.all()] == ["two"]


def test_a_job_that_recovers_is_done(writing: SandboxRow, desk: Desk) -> None:
    desk.script["flaky"] = raising(OSError("down"))
    set_timer("flaky", MINUTE)
    jobs.advance(PRESENT + MINUTE)
    desk.script["flaky"] = lambda: None
    jobs.advance(PRESENT + 2 * MINUTE)
    job = Job.objects.get()
    assert (job.state, job.attempts, job.last_error) == ("done", 2, None)


def test_recurring_jobs_keep_to_their_schedule(writing: SandboxRow, desk: Desk) -> None:
    set_timer("check", HOUR, kind="hourly")
    jobs.advance(PRESENT + 3 * HOUR)
    desk.script["check"] = raising(OSError("down"))
    jobs.advance(PRESENT + 4 * HOUR)
    desk.script["check"] = lambda: None
    jobs.advance(PRESENT + 6 * HOUR)
    assert [after for _, after in desk.ran] == [
        HOUR,
        2 * HOUR,
        3 * HOUR,
        4 * HOUR,
        4 * HOUR + MINUTE,  # the retry does not move the next one
        5 * HOUR,
        6 * HOUR,
    ]
    pending = Job.objects.get(state="pending")
    assert pending.due == PRESENT + 7 * HOUR


def test_cancelling_by_key_drops_what_is_pending(writing: SandboxRow, desk: Desk) -> None:
    set_timer("done", MINUTE, key="ticket:1")
    jobs.advance(PRESENT + MINUTE)
    set_timer("a", HOUR, key="ticket:1")
    set_timer("b", 2 * HOUR, key="ticket:1")
    set_timer("c", HOUR, key="ticket:2")
    assert jobs.cancel("ticket:1") == 2
    assert jobs.cancel("ticket:1") == 0
    jobs.advance(PRESENT + 3 * HOUR)
    assert [name for name, _ in desk.ran] == ["done", "c"]


def test_a_job_may_cancel_one_that_is_due_with_it(writing: SandboxRow, desk: Desk) -> None:
    desk.script["first"] = lambda: (jobs.cancel("other"), None)[1]
    set_timer("first", MINUTE)
    set_timer("second", MINUTE, key="other")
    jobs.advance(PRESENT + HOUR)
    assert [name for name, _ in desk.ran] == ["first"]


def test_unknown_kinds_are_refused_and_orphans_fail_visibly(
    writing: SandboxRow, desk: Desk
) -> None:
    with pytest.raises(jobs.UnknownJob):
        jobs.enqueue("nobody", due=PRESENT)
    Job.objects.create(id=900, kind="of an older build", due=PRESENT)
    jobs.advance(PRESENT + HOUR)
    assert Job.objects.get(id=900).state == "failed"
    assert "UnknownJob" in (Job.objects.get(id=900).last_error or "")


def test_observers_get_the_rows_of_each_act_and_each_job_once(
    writing: SandboxRow, desk: Desk
) -> None:
    desk.script["x"] = lambda: (blob("by job x"), None)[1]
    desk.script["y"] = lambda: (blob("by job y"), None)[1]
    set_timer("x", MINUTE)
    set_timer("y", MINUTE)
    with act(actor="agent", label="POST /x"):
        blob("by agent")
        Message.objects.create(
            id=1, direction="in", clone="mail", sent_at=PRESENT, sender="a", recipients=[]
        )
    jobs.advance(PRESENT + HOUR)
    assert [[row.key for row in rows] for rows in desk.observed] == [
        ["by agent", 1],
        ["by job x"],
        ["by job y"],
    ]
    desk.observed.clear()
    jobs.drain()
    assert desk.observed == []


def test_observers_are_shown_what_they_wrote_themselves_next_time(
    writing: SandboxRow, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[Any]] = []

    def observer(rows: Sequence[JournalRow]) -> None:
        seen.append([row.key for row in rows])
        if "first" in seen[-1]:
            blob("reaction")

    monkeypatch.setattr(jobs, "_observers", lambda: (observer,))
    blob("first")
    jobs.observe()
    jobs.observe()
    jobs.observe()
    assert seen == [["first"], ["reaction"]]


def test_an_idle_drain_writes_nothing(writing: SandboxRow, desk: Desk) -> None:
    blob("a")
    jobs.drain()
    position = journal().position()
    for _ in range(5):
        jobs.drain()
    assert journal().position() == position


def test_causes_lead_back_to_the_act_that_set_the_timer(writing: SandboxRow, desk: Desk) -> None:
    desk.script["first"] = lambda: (set_timer("second", 2 * MINUTE), None)[1]
    desk.script["second"] = lambda: (blob("effect"), None)[1]
    with act(actor="helpdesk.account:7", label="PUT /ticket", request="r-9") as agent:
        set_timer("first", MINUTE)
    jobs.advance(PRESENT + HOUR)
    (row,) = [row for rows in desk.observed for row in rows if row.key == "effect"]
    acts = journal().acts()
    chain = [acts[row.act or 0]]
    while chain[-1].cause is not None:
        chain.append(journal().act(chain[-1].cause) or pytest.fail("a cause is missing"))
    assert [(link.actor, link.label) for link in chain] == [
        ("job", "desk"),
        ("job", "desk"),
        ("helpdesk.account:7", "PUT /ticket"),
    ]
    assert chain[0].at == PRESENT + 2 * MINUTE
    assert root_cause(row.act) == agent
    assert root_cause(None) is None


def test_jobs_of_nobody_have_themselves_as_root(writing: SandboxRow, desk: Desk) -> None:
    desk.script["alone"] = lambda: (blob("effect"), None)[1]
    set_timer("alone", MINUTE)
    jobs.advance(PRESENT + HOUR)
    (row,) = [row for rows in desk.observed for row in rows]
    root = root_cause(row.act)
    assert root is not None
    assert (root.actor, root.cause) == ("job", None)


def test_the_clock_does_not_go_back(writing: SandboxRow, desk: Desk) -> None:
    set_timer("due", timedelta(0))
    with pytest.raises(clock.ClockBackwards):
        jobs.advance(PRESENT - MINUTE)
    assert desk.ran == []
    assert [run.error for run in jobs.advance(PRESENT)] == [None]


def test_the_clock_does_not_move_inside_an_act(writing: SandboxRow, desk: Desk) -> None:
    with act(actor="system", label="x"):
        for move in (jobs.drain, lambda: jobs.advance(PRESENT + HOUR)):
            with pytest.raises(jobs.InsideAct):
                move()
    with clock.at(PRESENT), pytest.raises(jobs.InsideAct):
        jobs.drain()


def test_a_step_moves_a_stepped_clock_and_runs_what_fell_due(
    writing: SandboxRow, desk: Desk
) -> None:
    set_timer("due", timedelta(seconds=20))
    assert jobs.begin_step(10) == 1
    assert desk.ran == []
    assert jobs.begin_step(10) == 2
    assert desk.ran == [("due", timedelta(seconds=20))]
    clock.configure(mode="frozen")
    set_timer("now", timedelta(seconds=20))
    assert jobs.begin_step(10) == clock.step() == 3
    assert clock.now() == PRESENT + timedelta(seconds=20)
    assert [name for name, _ in desk.ran] == ["due", "now"]


def test_a_live_clock_drains_although_time_goes_on(empty_sandbox: SandboxRow, desk: Desk) -> None:
    with bind(empty_sandbox), unit_of_work("write"), no_machine_inputs(live_clock=True):
        clock.configure(mode="live", speed=1000.0)
        set_timer("due", timedelta(0))
        jobs.advance(clock.now())
        jobs.begin_step(10)
        assert [name for name, _ in desk.ran] == ["due"]
        with pytest.raises(clock.ClockBackwards):
            jobs.advance(PRESENT - HOUR)


def test_equal_work_gives_equal_acts_jobs_and_rows_after_a_reset(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, desk: Desk
) -> None:
    """Down to the numbers of acts and jobs, which rows name as causes."""
    desk.script["echo"] = lambda: (blob(f"at {clock.now()}"), None)[1]

    def work() -> tuple[Any, ...]:
        with bind(empty_sandbox), unit_of_work("write"), no_machine_inputs():
            with act(actor="agent", label="idle"):
                pass
            with act(actor="agent", label="POST"):
                set_timer("echo", MINUTE)
            jobs.advance(PRESENT + HOUR)
            state = SandboxState.objects.values("now", "step").get()
            found = [(job.id, job.cause, job.ran_at) for job in Job.objects.order_by("id")]
            return found, sorted(journal().acts().items()), state

    first = work()
    sandboxes.reset(empty_sandbox.id)
    assert work() == first
