"""Copying and replacing files: by reflink where the filesystem can."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snapshots.errors import NoSpace

FICLONE = 0x40049409
TEMPORARY = ".tmp"


def copy_file(source: Path, target: Path) -> None:
    """Copy bytes: share blocks if the filesystem can, else have the kernel copy them.

    Raises:
        NoSpace: the disk is full.
        FileNotFoundError: the source is gone.
    """
    with out_of_space(target), source.open("rb") as reading, target.open("wb") as writing:
        if _reflink(reading.fileno(), writing.fileno()):
            return
        left = os.fstat(reading.fileno()).st_size
        while left:
            done = os.copy_file_range(reading.fileno(), writing.fileno(), left)
            if done == 0:
                raise OSError(errno.EIO, f"{source} shrank while it was copied")
            left -= done


def can_reflink(folder: Path) -> bool:
    """Tell whether files in `folder` can share blocks."""
    source, target = folder / f"reflink-a{TEMPORARY}", folder / f"reflink-b{TEMPORARY}"
    try:
        source.write_bytes(b"x" * 4096)
        with source.open("rb") as reading, target.open("wb") as writing:
            return _reflink(reading.fileno(), writing.fileno())
    finally:
        source.unlink(missing_ok=True)
        target.unlink(missing_ok=True)


def _reflink(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, FICLONE, source)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS):
            return False
        raise
    return True


@contextmanager
def out_of_space(target: Path) -> Iterator[None]:
    """Turn a full disk into `NoSpace`, removing what was begun at `target`."""
    try:
        yield
    except OSError as error:
        target.unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoSpace(f"no space left to write {target}: free some, then try again") from error
        raise


def temporary(target: Path) -> Path:
    """Return the name under which `target` is made before it is renamed."""
    return target.with_name(target.name + TEMPORARY)


def write_whole(target: Path, text: str) -> None:
    """Write a small file so that it is there wholly or not at all."""
    making = temporary(target)
    with out_of_space(making):
        making.write_text(text)
        making.replace(target)
