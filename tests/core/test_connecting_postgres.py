"""Connections to a store's database whose set-up the server, or a copy, breaks off."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError

from clones.core.tenancy import SandboxRow
from clones.core.tenancy.stores import open_store

READY = b"Z\x00\x00\x00\x05I"  # the server's word that it takes statements


@contextmanager
def door(port: int, cuts: int) -> Iterator[tuple[int, list[int]]]:
    """Pass connections on to `port`; the first `cuts` end at the first statement of the client."""
    taken: list[int] = []
    front = socket.create_server(("127.0.0.1", 0))

    def pass_on(client: socket.socket, number: int) -> None:
        with client, socket.create_connection(("127.0.0.1", port)) as server:
            client.settimeout(10)
            server.settimeout(10)
            ready = False
            while asked := client.recv(65536):
                if ready and number <= cuts:
                    return
                server.sendall(asked)
                told = server.recv(65536)
                ready = ready or READY in told
                client.sendall(told)

    def listen() -> None:
        while True:
            try:
                client, _ = front.accept()
            except OSError:
                return
            taken.append(len(taken) + 1)
            threading.Thread(target=pass_on, args=(client, taken[-1]), daemon=True).start()

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield front.getsockname()[1], taken
    finally:
        front.shutdown(socket.SHUT_RDWR)
        front.close()


def through(row: SandboxRow, port: int) -> Any:
    store = open_store(row.store)
    store.settings_dict = {**store.settings_dict, "HOST": "127.0.0.1", "PORT": str(port)}
    return store


def test_a_connection_that_ends_without_a_word_is_made_again(empty_sandbox: SandboxRow) -> None:
    """A copy ends connections that are being set up, and the reason may be lost on the way."""
    port = int(open_store(empty_sandbox.store).settings_dict["PORT"])
    with door(port, cuts=2) as (front, taken):
        store = through(empty_sandbox, front)
        with store.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM core_blob")
            assert cursor.fetchone() == (0,)
        store.close()
    assert taken == [1, 2, 3]


def test_a_server_that_is_gone_is_an_error_at_once(empty_sandbox: SandboxRow) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(OperationalError, match="refused"):
        through(empty_sandbox, port).ensure_connection()
