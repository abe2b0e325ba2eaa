"""What an error of the machine or of a database's server means to whoever called."""

from __future__ import annotations

import errno
import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.transaction import TransactionManagementError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def machine_problem(error: Exception) -> tuple[int, str, str] | None:
    """Return status, code and one line for an error that is the machine's, None for any other."""
    if isinstance(error, TransactionManagementError) and isinstance(error.__cause__, Exception):
        # Somebody asked on after a statement had failed: what counts is why that did.
        return machine_problem(error.__cause__)
    first = str(error).strip().partition("\n")[0]
    if is_full(error):
        return 507, "no_space", "the disk of the data directory is full: make room, then try again"
    if isinstance(error, OSError):
        return 500, "machine", f"{error.strerror or first}: {error.filename or 'no file'}"
    if isinstance(error, DatabaseError | InterfaceError | sqlite3.Error):
        if "locked" in first:
            return 409, "busy", "the sandbox is busy with a long write: try again"
        if isinstance(error, OperationalError | InterfaceError | sqlite3.OperationalError):
            return 503, "store_away", f"a store cannot be reached: {first}"
    return None


def is_full(error: Exception) -> bool:
    """Tell whether an error says that there is no room left on a disk."""
    if isinstance(error, OSError):
        return error.errno in FULL
    if isinstance(error, DatabaseError | sqlite3.Error):
        return "disk is full" in str(error) or "No space left" in str(error)
    return False
