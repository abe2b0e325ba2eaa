"""Which ports are one clone of one sandbox: a part of the registry."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from clones.core.tenancy.due import RegistryFile
from clones.core.tenancy.errors import UnknownSandbox

# Beside the registry: which ports the front has seen to, and what hinders it where.
STATUS = "front.json"

ORIGIN_SCHEMA = """
CREATE TABLE IF NOT EXISTS origin (
  port INTEGER PRIMARY KEY,
  sandbox TEXT NOT NULL REFERENCES sandbox (id) ON DELETE CASCADE,
  clone TEXT NOT NULL
) STRICT;
"""


class PortTaken(Exception):
    """Raised when a port is published already. `port` is which."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is published already")
        self.port = port


@dataclass(frozen=True, slots=True)
class Origin:
    """A published port: one clone of a sandbox, which a worker owns."""

    port: int
    sandbox: str
    clone: str
    worker: int


class Origins(RegistryFile):
    """Published ports. They go with their sandbox, and with nothing else but `drop_origins`."""

    def set_origin(self, port: int, sandbox: str, clone: str) -> None:
        """Publish a clone of a sandbox on a port, whatever was there before."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO origin VALUES (?, ?, ?)"
                " ON CONFLICT (port) DO UPDATE"
                " SET sandbox = excluded.sandbox, clone = excluded.clone",
                (port, sandbox, clone),
            )

    def add_origins(self, sandbox: str, ports: Mapping[str, int]) -> None:
        """Publish clones of a sandbox on ports that nothing is published on: all or none.

        Raises:
            PortTaken: something is.
            UnknownSandbox: there is none of that id.
        """
        with self._writing() as connection:
            for clone, port in ports.items():
                try:
                    done = connection.execute(
                        "INSERT INTO origin VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        (port, sandbox, clone),
                    )
                except sqlite3.IntegrityError as error:
                    raise UnknownSandbox(f"there is no sandbox {sandbox}") from error
                if done.rowcount == 0:
                    raise PortTaken(port)

    def drop_origins(self, sandbox: str) -> None:
        """Take a sandbox off its ports."""
        with self._writing() as connection:
            connection.execute("DELETE FROM origin WHERE sandbox = ?", (sandbox,))

    def origins(self, sandbox: str) -> dict[str, int]:
        """Return the ports that a sandbox is published on, by clone."""
        rows = self._connect().execute(
            "SELECT clone, port FROM origin WHERE sandbox = ? ORDER BY clone, port DESC", (sandbox,)
        )
        return dict(rows)

    def origin(self, port: int) -> tuple[str, str] | None:
        """Return (sandbox, clone) published on a port, or None."""
        row: tuple[str, str] | None = (
            self._connect()
            .execute("SELECT sandbox, clone FROM origin WHERE port = ?", (port,))
            .fetchone()
        )
        return row

    def all_origins(self) -> list[Origin]:
        """Return every published port, in order."""
        rows = self._connect().execute(
            "SELECT port, sandbox, clone, worker FROM origin"
            " JOIN sandbox ON sandbox.id = origin.sandbox ORDER BY port"
        )
        return [Origin(*row) for row in rows]

    def change_count(self) -> int:
        """Return a number that is another one after other connections have written."""
        (found,) = self._connect().execute("PRAGMA data_version").fetchone()
        return int(found)
