"""The data folder of a server: its owner's alone, and served by one server at a time."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sandlot.cli.output import EXIT_USAGE, fail

LOCK = "serve.lock"
PRIVATE = 0o700
# What processes of a server make, and those that they start, is their owner's.
MASK = 0o077


def private_folder(data: Path) -> None:
    """Make a data folder, or take an older one from everybody else; stop where neither can be.

    It holds what is true in worlds, and the keys of all credentials: agents on the same machine
    must not read it.
    """
    os.umask(MASK)
    try:
        data.mkdir(parents=True, exist_ok=True)
        if stat.S_IMODE(data.stat().st_mode) != PRIVATE:
            _take_from_others(data)
        trial = data / f".trial-{os.getpid()}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        fail(
            f"the data folder {data} cannot be used: {error.strerror}; name one of your own with"
            " --data",
            EXIT_USAGE,
        )


def _take_from_others(data: Path) -> None:
    """Take the rights of everybody else; a folder of another user's is as its owner wants it."""
    try:
        data.chmod(PRIVATE)
    except PermissionError:
        click.echo(
            f"sandlot: {data} is not yours: see to it that agents on this machine cannot read it",
            err=True,
        )


@contextmanager
def claimed_folder(data: Path) -> Iterator[None]:
    """Hold a data folder for the length of the block; stop where another server does."""
    private_folder(data)
    with (data / LOCK).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            fail(
                f"process {file.read().strip() or '?'} serves {data} already: stop it, or name"
                " another folder with --data",
                EXIT_USAGE,
            )
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
