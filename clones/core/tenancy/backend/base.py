"""The SQLite backend of one sandbox's store.

Django knows one alias, `default`. Unbound, it is this wrapper with no file and refuses
every query; `clones.core.tenancy.stores` puts a sandbox's own wrapper in its place.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base as sqlite3_backend

from clones.core.tenancy.errors import NoSandbox, UnsafeConnection

UNBOUND = "no-sandbox"

PRAGMAS = (
    # INSERT OR REPLACE fires delete triggers only with this: without it rows slip past the journal.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -512",
    "PRAGMA journal_size_limit = 4194304",
)


class DatabaseWrapper(sqlite3_backend.DatabaseWrapper):
    """A connection to one sandbox's store, or to none."""

    transaction_mode: str | None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file with the pragmas that the journal needs.

        Raises:
            NoSandbox: no sandbox is bound.
            UnsafeConnection: the connection would write round the journal.
        """
        if self.settings_dict["NAME"] == UNBOUND:
            raise NoSandbox("no sandbox is bound here: wrap the call in tenancy.bound(...)")
        connection = super().get_new_connection(conn_params)
        for pragma in PRAGMAS:
            connection.execute(pragma).close()
        if connection.execute("PRAGMA recursive_triggers").fetchone() != (1,):
            connection.close()
            raise UnsafeConnection("recursive_triggers is off: writes would not be journaled")
        return connection
