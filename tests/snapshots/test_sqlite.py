"""What only the SQLite engine can get wrong: logs, locks, leftovers."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from clones.core.journal import journal, store_digest
from clones.core.models import Blob
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots import files, sqlite
from snapshots.errors import CorruptSnapshot
from snapshots.interface import engine
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind


def write(row: SandboxRow, name: str) -> None:
    with bind(row), unit_of_work("write"):
        Blob.objects.create(sha256=name, data=os.urandom(20_000))


def log_of(store: Path) -> Path:
    return store.with_name(store.name + "-wal")


def blobs_in(store: Path) -> list[str]:
    raw = sqlite3.connect(store)
    try:
        return [name for (name,) in raw.execute("SELECT sha256 FROM core_blob ORDER BY 1")]
    finally:
        raw.close()


def visit_from_another_process(store: Path) -> None:
    """Open, read and close: the last to close folds the log and removes it."""
    script = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
        "c.execute('SELECT count(*) FROM core_blob').fetchone(); c.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(store)], check=True)


def test_a_copy_has_what_only_the_log_has(empty_sandbox: SandboxRow, tmp_path: Path) -> None:
    store, copy = empty_sandbox.store, tmp_path / "copy.sqlite"
    write(empty_sandbox, "new")
    assert log_of(store).stat().st_size > 0
    engine().copy_live(store, copy)
    assert blobs_in(copy) == ["new"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite"]


def test_nobody_writes_while_a_live_store_is_copied(
    empty_sandbox: SandboxRow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither between the file and its log, nor while either is copied."""
    write(empty_sandbox, "before")
    other = sqlite3.connect(empty_sandbox.store, isolation_level=None, timeout=0)
    tried = []

    def try_to_write() -> None:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO core_blob VALUES ('meanwhile', x'')")
        tried.append(True)

    def copying(copy: Callable[[Any, Path], None]) -> Callable[[Any, Path], None]:
        def copy_and_try(source: Any, target: Path) -> None:
            try_to_write()
            copy(source, target)
            try_to_write()

        return copy_and_try

    monkeypatch.setattr(sqlite, "copy_descriptor", copying(files.copy_descriptor))
    monkeypatch.setattr(sqlite, "copy_file", copying(files.copy_file))
    engine().copy_live(empty_sandbox.store, tmp_path / "copy.sqlite")
    assert len(tried) == 4
    other.execute("INSERT INTO core_blob VALUES ('after', x'')")
    other.close()
    assert blobs_in(tmp_path / "copy.sqlite") == ["before"]


def test_copying_a_live_store_keeps_its_connections_locks(
    empty_sandbox: SandboxRow, tmp_path: Path
) -> None:
    """Else the next process to leave takes away the log that this one goes on writing to."""
    store = empty_sandbox.store
    write(empty_sandbox, "before")
    with bind(empty_sandbox):
        assert Blob.objects.count() == 1
        engine().copy_live(store, tmp_path / "copy.sqlite")
        visit_from_another_process(store)
        assert log_of(store).exists()
        Blob.objects.create(sha256="after", data=b"")
    server().stores.discard(store)
    assert blobs_in(store) == ["after", "before"]


def test_opening_a_live_store_as_a_file_would_lose_the_locks(empty_sandbox: SandboxRow) -> None:
    """The danger that the test above guards against is real here."""
    store = empty_sandbox.store
    write(empty_sandbox, "before")
    with bind(empty_sandbox):
        assert Blob.objects.count() == 1
        store.open("rb").close()
        visit_from_another_process(store)
        assert not log_of(store).exists()
    server().stores.discard(store)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    path = tmp_path / "content"
    path.write_bytes(os.urandom(3_000_000))
    return path


def test_files_are_copied_whole_whatever_the_kernel_offers(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target"
    files.copy_file(content, target)
    assert target.read_bytes() == content.read_bytes()
    monkeypatch.setattr(files, "_reflink", lambda source, target: False)
    files.copy_file(content, target)
    assert target.read_bytes() == content.read_bytes()

    def across_filesystems(*args: object, **options: object) -> int:
        raise OSError(errno.EXDEV, "across filesystems")

    monkeypatch.setattr(os, "copy_file_range", across_filesystems)
    files.copy_file(content, target)
    assert target.read_bytes() == content.read_bytes()
    monkeypatch.delattr(os, "copy_file_range")
    files.copy_file(content, target)
    assert target.read_bytes() == content.read_bytes()


def test_a_copy_that_fails_leaves_nothing(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_reflink", lambda source, target: False)

    def broken(*args: object, **options: object) -> int:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "copy_file_range", broken)
    with pytest.raises(OSError, match="broken"):
        files.copy_file(content, tmp_path / "target")
    with pytest.raises(OSError, match="broken"):
        engine().copy_sealed(content, tmp_path / "target")
    assert [path.name for path in tmp_path.iterdir()] == ["content"]


def test_an_open_file_is_found_without_opening_it(content: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files.open_descriptor(content)
    with content.open("rb") as file:
        assert files.open_descriptor(content) == file.fileno()


def test_a_small_file_is_written_wholly_and_once(tmp_path: Path) -> None:
    target = tmp_path / "name"
    files.write_new(target, "one")
    with pytest.raises(FileExistsError):
        files.write_new(target, "two")
    assert target.read_text() == "one"
    files.write_whole(target, "three")
    assert target.read_text() == "three"
    assert [path.name for path in tmp_path.iterdir()] == ["name"]


def test_a_store_in_use_is_not_sealed(empty_sandbox: SandboxRow) -> None:
    write(empty_sandbox, "a")
    with bind(empty_sandbox), unit_of_work("read"):
        assert Blob.objects.count() == 1
        with pytest.raises(CorruptSnapshot, match="in use"):
            engine().seal(empty_sandbox.store)


def test_a_compacted_store_has_the_same_rows_in_fewer_bytes(
    empty_sandbox: SandboxRow, tmp_path: Path
) -> None:
    for name in ("kept", "dropped", "also kept"):
        write(empty_sandbox, name)
    with bind(empty_sandbox), unit_of_work("write"):
        Blob.objects.filter(sha256="dropped").delete()
        before, position = store_digest(), journal().forget()
    store = tmp_path / "copy.sqlite"
    engine().copy_live(empty_sandbox.store, store)
    size = store.stat().st_size
    with engine().compacting(store):
        pass
    assert store.stat().st_size < size - 20_000
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite"]
    with server().stores.bind(store), unit_of_work("write"):
        assert (store_digest(), journal().position()) == (before, position)
        assert journal().missing_triggers() == []
        Blob.objects.all().delete()
        assert journal().rewind(position).mismatches == ()
        assert store_digest() == before
        assert raw_pragma("journal_mode") == "wal"
    server().stores.discard(store)


def raw_pragma(name: str) -> str:
    with connection.cursor() as cursor:
        (found,) = cursor.execute(f"PRAGMA {name}").fetchone()
    return str(found)


def test_a_store_that_is_gone_or_none_is_said_so(tmp_path: Path) -> None:
    gone, odd = tmp_path / "gone.sqlite", tmp_path / "odd.sqlite"
    odd.write_bytes(b"this is no database" * 1000)
    for store in (gone, odd):
        for refused in (
            partial(engine().copy_live, store, tmp_path / "copy.sqlite"),
            partial(engine().seal, store),
            partial(engine().check, store),
        ):
            with pytest.raises(CorruptSnapshot):
                refused()
    with pytest.raises(CorruptSnapshot, match="gone"):
        engine().copy_sealed(gone, tmp_path / "copy.sqlite")
    assert not engine().hand_over(gone, tmp_path / "copy.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["odd.sqlite"]


def test_sweeping_spares_the_log_of_a_store(empty_sandbox: SandboxRow, tmp_path: Path) -> None:
    kept = ("live.sqlite", "live.sqlite-wal", "live.sqlite-shm")
    left = ("gone.sqlite-wal", "gone.sqlite-shm", "half.sqlite.tmp", "half.sqlite.tmp-wal")
    for name in kept + left:
        (tmp_path / name).write_bytes(b"x")
    removed = engine().sweep(tmp_path)
    assert sorted(path.name for path in removed) == sorted(left)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_a_new_store_has_every_table_and_trigger(tmp_path: Path) -> None:
    store = tmp_path / "new.sqlite"
    engine().new_store(store)
    assert [path.name for path in tmp_path.iterdir()] == ["new.sqlite"]
    with server().stores.bind(store):
        assert journal().missing_triggers() == []
        assert journal().position() == 0
    server().stores.discard(store)


def test_the_order_of_columns_is_no_structure_but_in_an_index_it_is(
    empty_sandbox: SandboxRow,
) -> None:
    def structure(*statements: str) -> list[str]:
        with bind(empty_sandbox), connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS t")
            for statement in statements:
                cursor.execute(statement)
            return engine().structure()

    one = structure("CREATE TABLE t (a text NOT NULL, b int, UNIQUE (a, b))")
    assert one == structure("CREATE TABLE t (b int, a text NOT NULL, UNIQUE (a, b))")
    for other in ("a text, b int, UNIQUE (a, b)", "a text NOT NULL, b int, UNIQUE (b, a)"):
        assert one != structure(f"CREATE TABLE t ({other})")
    table = "CREATE TABLE t (a text, b int)"
    assert structure(table, "CREATE INDEX i ON t (a, b)") != structure(
        table, "CREATE INDEX i ON t (b, a)"
    )


def test_a_store_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(journal()), "install", fail)
    with pytest.raises(KeyboardInterrupt):
        engine().new_store(tmp_path / "new.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_grown_log_is_folded_in_idle_time_unless_somebody_reads(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOG_LIMIT", 100_000)
    store = empty_sandbox.store
    reader = sqlite3.connect(store, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM core_blob").fetchone()
    with bind(empty_sandbox):
        with unit_of_work("write"):
            for number in range(30):
                Blob.objects.create(sha256=str(number), data=os.urandom(20_000))
        before = store_digest()
        assert log_of(store).stat().st_size > sqlite.LOG_LIMIT
        assert not engine().tidy()
    reader.close()
    while sandboxes.idle():
        pass
    assert log_of(store).stat().st_size == 0
    with bind(empty_sandbox):
        assert not engine().tidy()
        assert store_digest() == before


def test_a_rewind_leaves_the_log_to_idle_time_and_the_connection_as_it_was(
    empty_sandbox: SandboxRow,
) -> None:
    with bind(empty_sandbox) as binding:
        Blob.objects.count()
        raw = binding.wrapper.connection

        def pragmas() -> list[tuple[int]]:
            names = ("cache_size", "wal_autocheckpoint", "recursive_triggers", "foreign_keys")
            return [raw.execute(f"PRAGMA {name}").fetchone() for name in names]

        before = pragmas()
        with engine().undoing():
            assert pragmas()[1] == (0,)
        assert pragmas() == before
        assert before[2:] == [(1,), (1,)]
