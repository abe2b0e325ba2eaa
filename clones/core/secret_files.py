"""Files that hold a secret: whole or not there, whatever the machine did while one was written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path


class BadSecret(Exception):
    """Raised when a file does not hold the secret that it is there for."""


def secret_of(path: Path, make: Callable[[], bytes], *, least: int) -> bytes:
    """Return the secret that a file holds; make it if there is none.

    It is written under another name, synced, and linked under its own: nobody reads half of it, a
    full disk or a crash leaves none, and of two who make one at once both get the same. Its owner
    alone can read it.

    Args:
        path: the file.
        make: makes a secret.
        least: how many bytes it has to have.

    Raises:
        BadSecret: the file holds fewer.
        OSError: it cannot be read or written.
    """
    if not path.exists():
        _write(path, make())
    return read_secret(path, least=least, remedy="remove it, and one is made")


def read_secret(path: Path, *, least: int, remedy: str) -> bytes:
    """Return the secret that a file holds; blanks alone are none.

    Args:
        path: the file.
        least: how many bytes it has to have.
        remedy: what to do where it has fewer.

    Raises:
        BadSecret: it has.
        OSError: it cannot be read.
    """
    found = path.read_bytes()
    if len(found) < least or not found.strip():
        raise BadSecret(f"{path} holds no secret of {least} bytes: {remedy}")
    return found


def _write(path: Path, secret: bytes) -> None:
    making = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.making")
    making.unlink(missing_ok=True)
    try:
        descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(making, path)
        except FileExistsError:
            return  # another made one meanwhile
    finally:
        making.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
