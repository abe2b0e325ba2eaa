"""Chance comes from named streams of the sandbox, and from nowhere else."""

from __future__ import annotations

import os
import random
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from clones.core import randomness
from clones.core.models import Job, RandomStream
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.determinism import MachineInput, no_machine_inputs


@pytest.fixture
def writing(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    with bind(empty_sandbox), unit_of_work("write"):
        yield empty_sandbox


def draws(name: str, count: int) -> list[float]:
    return [randomness.stream(name).random() for _ in range(count)]


def test_streams_are_independent(writing: SandboxRow, sandboxes: Sandboxes) -> None:
    with no_machine_inputs():
        alone = draws("people", 5)
        assert len(set(alone)) == 5
    twin = sandboxes.create(sandboxes.library.get(writing.template))
    with bind(twin), unit_of_work("write"), no_machine_inputs():
        mixed = []
        for _ in range(5):
            draws("faults", 3)
            mixed += draws("people", 1)
        assert mixed == alone
        assert draws("faults", 1) != draws("people", 1)
    sandboxes.delete(twin.id)


def test_a_stream_does_not_depend_on_how_much_a_decision_drew(writing: SandboxRow) -> None:
    greedy = randomness.stream("a")
    greedy.randbytes(10_000)
    second = randomness.stream("a").random()
    assert second == randomness.seeded("test|a|1").random()


def test_streams_are_rewound(empty_sandbox: SandboxRow, sandboxes: Sandboxes) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        first = draws("people", 4)
    sandboxes.reset(empty_sandbox.id)
    with bind(empty_sandbox), unit_of_work("write"):
        assert not RandomStream.objects.exists()
        assert draws("people", 4) == first


def test_a_seeded_generator_is_the_same_in_every_release() -> None:
    assert randomness.seeded("kestrel|1").randrange(10**9) == 279_590_409


@pytest.mark.parametrize(
    "ask",
    [  # a lambda each, so that the name is looked up when it is called
        lambda: os.urandom(1),
        lambda: secrets.token_hex(4),
        lambda: secrets.choice("ab"),
        lambda: uuid.uuid4(),  # noqa: PLW0108 - looked up when called
        lambda: uuid.uuid1(),  # noqa: PLW0108 - looked up when called
        lambda: random.random(),  # noqa: PLW0108 - looked up when called
        lambda: random.shuffle([1]),
        lambda: random.SystemRandom().random(),
        lambda: time.time(),  # noqa: PLW0108 - looked up when called
        lambda: time.time_ns(),  # noqa: PLW0108 - looked up when called
        lambda: datetime.now(UTC),
        lambda: date.today(),  # noqa: DTZ011, PLW0108 - looked up when called
        timezone.now,
    ],
)
def test_the_guard_catches_whoever_asks_the_machine(ask: Callable[[], object]) -> None:
    with no_machine_inputs(), pytest.raises(MachineInput):
        ask()


def test_the_guard_catches_threads_that_its_block_starts_and_no_earlier_ones() -> None:
    begun, told = threading.Event(), dict[str, type[BaseException] | None]()

    def ask(name: str) -> None:
        begun.wait(10)
        try:
            time.time()
            told[name] = None
        except MachineInput:
            told[name] = MachineInput

    earlier = threading.Thread(target=ask, args=["earlier"])
    earlier.start()
    with no_machine_inputs():
        begun.set()
        own = threading.Thread(target=ask, args=["own"])
        own.start()
        for thread in (earlier, own):
            thread.join(10)
    assert told == {"earlier": None, "own": MachineInput}


def test_the_guard_catches_statements_that_ask_the_database(writing: SandboxRow) -> None:
    with no_machine_inputs():
        with pytest.raises(MachineInput):
            Job.objects.update(ran_at=Now())
        with pytest.raises(MachineInput), connection.cursor() as cursor:
            cursor.execute("SELECT random()")


def test_the_guard_leaves_no_trace() -> None:
    with no_machine_inputs():
        pass
    assert datetime.now(UTC).year > 2000
    assert date.today() is not None  # noqa: DTZ011 - looked up when called
    assert time.time() > 0
    assert random.random() >= 0
    assert "utcnow" in vars(datetime)
    assert "today" not in vars(datetime)
