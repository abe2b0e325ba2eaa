"""The sandbox's clock moves as its mode says, never back; only a live one asks the machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from clones.core import clock
from clones.core.journal import act, journal
from clones.core.models import Blob, SandboxState
from clones.core.state import read_state
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind
from tests.determinism import MachineInput, no_machine_inputs


@pytest.fixture
def writing(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    """A sandbox bound, with a write transaction open."""
    with bind(empty_sandbox), unit_of_work("write"):
        yield empty_sandbox


class Machine:
    """A machine's clock that tests move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2031, 1, 1, tzinfo=UTC)
        monkeypatch.setattr(clock, "_machine_now", lambda: self.now)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_a_stepped_clock_moves_one_tick_per_act(writing: SandboxRow) -> None:
    with no_machine_inputs():
        assert clock.now() == PRESENT
        for count in (1, 2, 3):
            with act(actor="system", label="write") as done:
                assert done.at == clock.now() == PRESENT + timedelta(seconds=count)
        clock.configure(tick_ms=250)
        assert clock.tick() == PRESENT + timedelta(seconds=3, milliseconds=250)


def test_time_stands_still_within_an_act(writing: SandboxRow) -> None:
    with act(actor="system", label="outer") as outer:
        clock.tick()
        with act(actor="rule", label="inner") as inner:
            assert inner.at == outer.at == clock.now()
    assert clock.now() > outer.at


def test_a_frozen_clock_moves_only_when_told(writing: SandboxRow) -> None:
    with no_machine_inputs():
        clock.configure(mode="frozen")
        with act(actor="system", label="write") as done:
            assert done.at == PRESENT
        assert clock.tick() == clock.now() == PRESENT
        clock.set_time(PRESENT + timedelta(days=1))
        assert clock.now() == PRESENT + timedelta(days=1)


def test_a_live_clock_follows_the_machine_at_its_speed(
    writing: SandboxRow, machine: Machine
) -> None:
    clock.configure(mode="live", speed=60.0)
    assert clock.now() == PRESENT
    machine.now += timedelta(seconds=2)
    assert clock.now() == PRESENT + timedelta(minutes=2)
    assert clock.tick() == PRESENT + timedelta(minutes=2)
    machine.now += timedelta(seconds=1)
    assert clock.now() == PRESENT + timedelta(minutes=3)
    clock.set_time(PRESENT + timedelta(hours=1))
    machine.now += timedelta(seconds=1)
    assert clock.now() == PRESENT + timedelta(minutes=61)


def test_a_live_clock_does_not_go_back_with_the_machine(
    writing: SandboxRow, machine: Machine
) -> None:
    clock.configure(mode="live")
    machine.now -= timedelta(days=400)
    assert clock.now() == PRESENT


def test_leaving_live_mode_keeps_the_time_it_showed(writing: SandboxRow, machine: Machine) -> None:
    clock.configure(mode="live")
    machine.now += timedelta(minutes=5)
    clock.configure(mode="stepped")
    machine.now += timedelta(minutes=5)
    assert clock.now() == PRESENT + timedelta(minutes=5)


def test_only_a_live_clock_asks_the_machine(writing: SandboxRow) -> None:
    with no_machine_inputs():
        clock.tick()
        clock.set_time(PRESENT + timedelta(hours=1))
        with pytest.raises(MachineInput):
            clock.configure(mode="live")
    with no_machine_inputs(live_clock=True):
        clock.configure(mode="live")
        assert clock.now() >= PRESENT + timedelta(hours=1)
    with no_machine_inputs(), pytest.raises(MachineInput):
        clock.now()


def test_a_clock_never_goes_back(writing: SandboxRow) -> None:
    clock.set_time(PRESENT)
    with pytest.raises(clock.ClockBackwards):
        clock.set_time(PRESENT - timedelta(microseconds=1))
    clock.reach(PRESENT - timedelta(days=1))
    assert clock.now() == PRESENT


def test_a_back_dated_block_has_its_own_time_and_leaves_the_clock(writing: SandboxRow) -> None:
    past = PRESENT - timedelta(days=3)
    with clock.at(past):
        assert clock.is_back_dated()
        with act(actor="system", label="planted") as planted:
            assert planted.at == clock.now() == past
            Blob.objects.create(sha256="a", data=b"1")
        assert clock.tick() == past
    assert not clock.is_back_dated()
    assert clock.now() == PRESENT


def test_the_innermost_block_says_what_time_it_is(writing: SandboxRow) -> None:
    past, further = PRESENT - timedelta(days=3), PRESENT - timedelta(days=9)
    with act(actor="system", label="arrange") as outer:
        with clock.at(past):
            assert clock.now() == past
            with act(actor="system", label="planted") as planted, clock.at(further):
                assert planted.at == past
                assert planted.cause == outer.id
                assert clock.now() == further
            assert clock.now() == past
        assert clock.now() == outer.at
        assert not clock.is_back_dated()


def test_the_step_is_a_row_and_is_rewound(empty_sandbox: SandboxRow, sandboxes: Sandboxes) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        SandboxState.objects.filter(id=1).update(step=7)
        clock.configure(mode="frozen", speed=2.5, tick_ms=5)
        clock.set_time(PRESENT + timedelta(days=30))
        with act(actor="system", label="write") as done:
            assert done.step == clock.step() == 7
    sandboxes.reset(empty_sandbox.id)
    with bind(empty_sandbox), unit_of_work("write"):
        assert clock.now() == PRESENT
        assert clock.step() == 0
        assert clock.tick() == PRESENT + timedelta(seconds=1)
        assert journal().acts() == {}


def test_who_only_reads_sees_one_time(writing: SandboxRow, machine: Machine) -> None:
    clock.configure(mode="live")
    before = clock.now()
    with clock.held(read_state()):
        machine.now += timedelta(hours=1)
        assert clock.now() == before
        with clock.at(PRESENT - timedelta(days=1)), clock.held(read_state()):
            assert clock.now() == PRESENT - timedelta(days=1), "a time that is set stays"
            assert clock.is_back_dated()
        assert not clock.is_back_dated()
    assert clock.now() == before + timedelta(hours=1)
