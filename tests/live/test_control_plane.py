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
