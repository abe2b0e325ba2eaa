"""Copying and replacing files: by reflink where the filesystem can."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import DatabaseError

from snapshots.errors import NoSpace

FICLONE = 0x40049409
TEMPORARY = ".tmp"
CHUNK = 1 << 20
NOT_HERE = (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS)
# SQLite cannot always tell a full disk from a broken one: below this much free space it was full.
FULL_BELOW = 64 * 1024
SQLSTATE_FULL = "53100"  # what PostgreSQL says when its disk is full


def copy_file(source: Path, target: Path) -> None:
    """Copy a file that no database connection of this process has open (see `open_descriptor`).

    Raises:
        NoSpace: the disk is full.
        FileNotFoundError: the source is gone.
    """
    with source.open("rb") as reading:
        copy_descriptor(reading.fileno(), target)


def copy_descriptor(source: int, target: Path) -> None:
    """Copy an open file: share blocks if the filesystem can, else have the kernel copy them.

    Raises:
        NoSpace: the disk is full.
    """
    try:
        with out_of_space(target), target.open("wb") as writing:
            if not _reflink(source, writing.fileno()):
                _copy_bytes(source, writing.fileno(), os.fstat(source).st_size)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def open_descriptor(path: Path) -> int:
    """Return a descriptor that this process has open on `path`, to read from and not to close.

    POSIX drops all of a process's locks on a file when it closes any descriptor of that file:
    opening a live database to copy it would take the locks from under its connections, and the
    next process to close its own would remove the write-ahead log they are using.

    Raises:
        FileNotFoundError: there is none.
    """
    wanted = path.stat()
    for entry in Path("/dev/fd").iterdir():
        try:
            found = os.fstat(int(entry.name))
        except OSError:  # the descriptor that lists the folder
            continue
        if os.path.samestat(found, wanted):
            return int(entry.name)
    raise FileNotFoundError(errno.ENOENT, "not open in this process", str(path))


def can_reflink(folder: Path) -> bool:
    """Tell whether files in `folder` can share blocks."""
    with (
        tempfile.NamedTemporaryFile(dir=folder, suffix=TEMPORARY) as source,
        tempfile.NamedTemporaryFile(dir=folder, suffix=TEMPORARY) as target,
    ):
        source.write(b"x" * 4096)
        source.flush()
        return _reflink(source.fileno(), target.fileno())


def _reflink(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, FICLONE, source)
    except OSError as error:
        if error.errno in NOT_HERE:
            return False
        raise
    return True


def _copy_bytes(source: int, target: int, size: int) -> None:
    done, in_kernel = 0, hasattr(os, "copy_file_range")
    while done < size:
        if in_kernel:
            try:
                copied = os.copy_file_range(source, target, size - done, offset_src=done)
            except OSError as error:
                if error.errno not in NOT_HERE:
                    raise
                in_kernel = False
                continue
        else:
            copied = os.write(target, os.pread(source, min(CHUNK, size - done), done))
        if copied == 0:
            raise OSError(errno.EIO, "the file shrank while it was copied")
        done += copied


def is_full(error: BaseException, place: Path) -> bool:
    """Tell whether an error of the system or a database means that the disk of `place` is full."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if not isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlstate", None) == SQLSTATE_FULL
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return True
    if code not in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        return False
    return shutil.disk_usage(_existing(place)).free < FULL_BELOW


def _existing(place: Path) -> Path:
    return next(folder for folder in (place, *place.parents) if folder.exists())


@contextmanager
def out_of_space(target: Path) -> Iterator[None]:
    """Turn a full disk into `NoSpace`."""
    try:
        yield
    except Exception as error:  # whichever way the engine at hand says it
        if is_full(error, target):
            raise NoSpace(f"no space left to write {target}: free some, then try again") from error
        raise


def temporary(target: Path) -> Path:
    """Return the name under which `target` is made before it is renamed."""
    return target.with_name(target.name + TEMPORARY)


def write_whole(target: Path, text: str) -> None:
    """Write a small file so that it is there wholly or not at all.

    Raises:
        NoSpace: the disk is full.
    """
    making = temporary(target)
    try:
        with out_of_space(target):
            making.write_text(text)
            making.replace(target)
    except BaseException:
        making.unlink(missing_ok=True)
        raise


def write_new(target: Path, text: str) -> None:
    """Write a small file wholly, unless there is one of that name.

    Raises:
        FileExistsError: there is one.
        NoSpace: the disk is full.
    """
    making = temporary(target)
    try:
        with out_of_space(target):
            making.write_text(text)
            os.link(making, target)
    finally:
        making.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path, *, shared: bool) -> Iterator[None]:
    """Hold a folder's lock; the end of the process, however it comes, lets it go.

    Shared holders wait for an exclusive one, which does not wait for them.

    Raises:
        BlockingIOError: the exclusive lock cannot be had, since somebody holds the folder's.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def folder_going(folder: Path) -> Iterator[Path]:
    """Rename a folder, give it to the block under its new name, and remove it with what is left.

    So it is there wholly or not at all, and a reader that comes late finds no folder to make new
    files in. A folder that is gone already is an empty one.
    """
    gone = temporary(folder)
    shutil.rmtree(gone, ignore_errors=True)
    with suppress(FileNotFoundError):
        folder.replace(gone)
    yield gone
    shutil.rmtree(gone, ignore_errors=True)
