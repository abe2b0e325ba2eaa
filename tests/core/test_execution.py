"""What is due is noted where no reset undoes it, and run once, whoever comes."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from clones.core import clock, execution, jobs
from clones.core.journal import act
from clones.core.models import Blob
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind


@jobs.handles("test.leave_a_trace")
def leave_a_trace(payload: dict[str, Any]) -> None:
    Blob.objects.create(sha256=str(payload["name"]), data=b"")


def leave(row: SandboxRow, name: str, *, seconds: float = 0.0) -> bool:
    with bind(row), unit_of_work("write"):
        with act(actor="agent", label="leave"):
            due = clock.now() + timedelta(seconds=seconds)
            jobs.enqueue("test.leave_a_trace", due=due, payload={"name": name})
        return execution.note_due(row)


def traces(row: SandboxRow) -> list[str]:
    with bind(row), unit_of_work("read"):
        return list(Blob.objects.order_by("sha256").values_list("sha256", flat=True))


def test_what_a_process_that_died_left_is_swept(empty_sandbox: SandboxRow) -> None:
    assert leave(empty_sandbox, "left")
    assert execution.sweep(execution.drain_quietly, older_than=60) == 0
    assert execution.sweep(execution.drain_quietly) == 1
    assert traces(empty_sandbox) == ["left"]
    assert execution.sweep(execution.drain_quietly) == 0


def test_what_is_not_due_yet_is_not_noted(empty_sandbox: SandboxRow) -> None:
    assert not leave(empty_sandbox, "later", seconds=60)
    assert server().registry.due_ticket(empty_sandbox.id) is None


def test_a_message_of_a_generation_that_has_passed_does_nothing(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    assert leave(empty_sandbox, "gone")
    sandboxes.reset(empty_sandbox.id)
    assert execution.drain(empty_sandbox.id, empty_sandbox.generation) is None
    assert traces(empty_sandbox) == []
    assert execution.sweep(execution.drain_quietly) == 0


def test_a_note_made_during_a_drain_outlives_it(
    empty_sandbox: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry, settle = server().registry, server().registry.settle_due

    def while_another_writes(sandbox: str, ticket: int, *, again: float | None) -> None:
        leave(empty_sandbox, "second")
        settle(sandbox, ticket, again=again)

    assert leave(empty_sandbox, "first")
    with monkeypatch.context() as patch:
        patch.setattr(registry, "settle_due", while_another_writes)
        execution.drain(empty_sandbox.id, empty_sandbox.generation)
    assert traces(empty_sandbox) == ["first"]
    assert execution.sweep(execution.drain_quietly) == 1
    assert traces(empty_sandbox) == ["first", "second"]


def test_a_live_clock_notes_when_its_next_timer_falls_due(empty_sandbox: SandboxRow) -> None:
    row, registry = empty_sandbox, server().registry
    with bind(row), unit_of_work("write"):
        clock.configure(mode="live", speed=60.0)
    assert not leave(row, "timer", seconds=3600)
    now = time.time()
    assert (row.id, row.generation) not in registry.due_before(now + 50)
    assert (row.id, row.generation) in registry.due_before(now + 70)


def test_a_live_clock_is_noted_after_a_rewind_and_for_a_fork(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        clock.configure(mode="live", speed=60.0)
    leave(empty_sandbox, "timer", seconds=60)
    sandboxes.mark(empty_sandbox.id, "live")
    sandboxes.rewind(empty_sandbox.id, "live")
    fork = sandboxes.fork(empty_sandbox.id)
    soon = server().registry.due_before(time.time() + 5)
    assert {(empty_sandbox.id, empty_sandbox.generation + 1), (fork.id, 1)} <= set(soon)
    sandboxes.delete(fork.id)


def test_a_sandbox_that_is_gone_leaves_no_note(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    twin = sandboxes.fork(empty_sandbox.id)
    assert leave(twin, "left")
    sandboxes.delete(twin.id)
    assert execution.drain(twin.id, twin.generation) is None
    assert (twin.id, twin.generation) not in server().registry.due_before(time.time() + 1)
