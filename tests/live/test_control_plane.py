"""The control plane answers at once, waiting for no packets or upkeep, and says what it lacks."""

from __future__ import annotations

import os
import socket
from time import monotonic
from typing import Any

import psutil
import pytest

from episodes.caretaker import OVERDUE, QUIET, Caretaker
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from snapshots.sandboxes import Sandboxes


def test_answers_are_sent_without_waiting_for_acknowledgements(
    control: ControlClient, running: RunningServer
) -> None:
    control.get("/healthz")
    found = [
        connection
        for connection in psutil.Process().net_connections("tcp")
        if connection.laddr.port == running.options.control_port
        and connection.status == psutil.CONN_ESTABLISHED
    ]
    assert found
    for connection in found:
        with socket.socket(fileno=_duplicate(connection.fd)) as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def _duplicate(descriptor: int) -> int:

    return os.dup(descriptor)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"world": "atlantis"}, "there is no world atlantis: choose one of kestrel"),
        ({"size": "huge"}, "world kestrel has no size huge: choose one of tiny"),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is(
    control: ControlClient, body: dict[str, str], told: str
) -> None:
    with pytest.raises(ControlError) as caught:
        control.post("/v1/sandboxes", body)
    assert (caught.value.status, caught.value.code) == (404, "unknown_world")
    assert str(caught.value).startswith(told)


def test_the_tasks_of_a_split_are_listed(control: ControlClient) -> None:
    asked = {"split": "validation", "family": ["H05", "X02"]}
    found = control.get("/v1/tasks/instances", **asked, count=2)["instances"]
    world = "kestrel-tiny/10000"
    assert found == [
        f"{family}@1/{world}/{number}" for number in ("0000", "0001") for family in ("H05", "X02")
    ]
    assert len(control.get("/v1/tasks/instances", **asked)["instances"]) == 40
    everything = control.get("/v1/tasks/instances", split="validation", count=1)["instances"]
    assert set(found[:2]) < set(everything)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"split": "tests"}, "there is no split 'tests': choose one of train"),
        ({"split": "train", "family": "H99"}, "there is no family H99: choose of "),
        ({"split": "train", "count": 21}, "count: "),
    ],
)
def test_a_split_that_is_not_there_is_said_with_what_there_is(
    control: ControlClient, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(ControlError) as caught:
        control.get("/v1/tasks/instances", **asked)
    assert (caught.value.status, caught.value.code) == (422, "invalid")
    assert told in str(caught.value)


def test_upkeep_lets_callers_go_first(
    running: RunningServer, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    caretaker = Caretaker(Sandboxes(running.host.library))
    now = monotonic()
    assert caretaker.is_due(now)
    caretaker.note_call()
    assert not caretaker.is_due(now)
    assert caretaker.is_due(monotonic() + QUIET)
    caretaker.note_call()
    assert caretaker.is_due(now + OVERDUE + 1)
