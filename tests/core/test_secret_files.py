"""Files of secrets: whole or not there, and never taken for one when they hold none."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from threading import Barrier, Thread

import pytest

from clones.core.secret_files import BadSecret, secret_of


def made() -> bytes:
    return os.urandom(32)


def test_a_secret_is_made_once_and_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "key"
    found = secret_of(path, made, least=32)
    assert len(found) == 32
    assert secret_of(path, made, least=32) == found
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("held", [b"", b"short", b"x" * 31])
def test_a_file_that_holds_none_is_refused_and_left(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(held)
    with pytest.raises(BadSecret, match=r"key holds no secret of 32 bytes: remove it"):
        secret_of(path, made, least=32)
    assert path.read_bytes() == held


def test_a_full_disk_leaves_nothing_that_could_be_taken_for_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    path = tmp_path / "key"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="no space left"):
            secret_of(path, made, least=32)
    assert list(tmp_path.iterdir()) == []
    assert len(secret_of(path, made, least=32)) == 32


def test_all_who_make_one_at_once_get_the_same(tmp_path: Path) -> None:
    start, found = Barrier(8), list[bytes]()

    def ask() -> None:
        start.wait()
        found.append(secret_of(tmp_path / "key", made, least=32))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
