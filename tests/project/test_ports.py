"""Ports that servers of tests and commands listen on."""

from __future__ import annotations

import itertools
import socket
from pathlib import Path

import pytest

from sandlot.cli import ports
from sandlot.cli.ports import free_port

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
HOST = "127.0.0.1"


def test_a_port_is_given_once_and_can_be_had() -> None:
    found = [free_port(HOST) for _ in range(50)]
    assert len(set(found)) == 50
    with socket.create_server((HOST, found[0])) as server:
        assert server.getsockname()[1] == found[0]


def test_processes_that_begin_together_are_given_blocks_that_do_not_meet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: dict[int, int] = {}
    for pid in range(29_835, 29_840):
        monkeypatch.setattr("os.getpid", lambda pid=pid: pid)
        monkeypatch.setattr(ports, "_turns", itertools.count())
        for _ in range(90):
            assert found.setdefault(free_port(HOST) // ports.SIZE, pid) == pid
    assert all(port % ports.SIZE == 0 for port in [free_port(HOST) for _ in range(9)])


def test_connections_that_go_out_do_not_take_it() -> None:
    first = int(RANGE.read_text().split()[0]) if RANGE.exists() else 49_152
    assert all(1024 < free_port(HOST) < first for _ in range(20))


def test_a_port_that_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_turns", itertools.count())
    first = free_port(HOST)
    monkeypatch.setattr(ports, "_turns", itertools.count())
    with socket.create_server((HOST, first)):
        assert free_port(HOST) != first
