"""Environments of public clients: made by one process at a time, whoever died making one."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients import UNREACHABLE, _alone

HOLDING = """\
import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def is_free(lock: Path) -> bool:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_one_process_makes_an_environment_at_a_time(tmp_path: Path) -> None:
    lock = tmp_path / "stripe.lock"
    with _alone(lock):
        assert not is_free(lock)
    assert is_free(lock)


def test_who_was_killed_while_it_made_one_holds_nobody_up(tmp_path: Path) -> None:
    lock = tmp_path / "stripe.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(lock)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert not is_free(lock)
        os.kill(holder.pid, signal.SIGKILL)
    with _alone(lock):
        assert not is_free(lock)


@pytest.mark.parametrize(
    ("said", "is_unreachable"),
    [
        ("client error (Connect)\ndns error\nerror resolving DNS", True),
        ("tcp connect error: Network is unreachable (os error 101)", True),
        ("npm error code ENOTFOUND", True),
        ("Because there is no version of zenpy==2.0.59 and you require it, ...", False),
    ],
)
def test_a_registry_that_is_not_there_is_told_from_a_package_that_is_not(
    said: str, is_unreachable: bool
) -> None:
    assert bool(UNREACHABLE.search(said)) is is_unreachable
