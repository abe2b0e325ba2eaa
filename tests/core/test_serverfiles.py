"""The server's own files are those of this build, or are refused and left alone."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from clones.core import requestlog
from clones.core.requestlog import LoggedRequest, RequestLog
from clones.core.serverfiles import OtherSchema
from clones.core.tenancy import registry
from clones.core.tenancy.registry import Registry


def made(path: Path, schema: str) -> bytes:
    """Make a file with the tables of some build and return its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.executescript(schema)
    return path.read_bytes()


def open_registry(folder: Path) -> None:
    Registry(folder / "requests" / "w0.sqlite").close()


def open_log(folder: Path) -> None:
    RequestLog(folder / "requests", "control")


OTHERS = {
    "an older registry": (open_registry, registry.SCHEMA.replace("  step_limit INTEGER,\n", "")),
    "a newer registry": (open_registry, registry.SCHEMA + "CREATE TABLE lease (id TEXT) STRICT;"),
    "an older log": (open_log, requestlog.SCHEMA.replace("  step INTEGER,\n", "")),
    "a log of other types": (open_log, requestlog.SCHEMA.replace("at REAL", "at INTEGER")),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_file_of_another_build_is_refused_and_left_alone(tmp_path: Path, other: str) -> None:
    look, schema = OTHERS[other]
    path = tmp_path / "requests" / "w0.sqlite"
    before = made(path, schema)
    with pytest.raises(OtherSchema, match="another build") as refusal:
        look(tmp_path)
    assert str(refusal.value).startswith(str(path))
    assert "--data" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("look", "schema"),
    [(open_registry, registry.SCHEMA), (open_log, requestlog.SCHEMA), (open_log, "")],
)
def test_a_file_of_this_build_is_taken_as_it_is(
    tmp_path: Path, look: Callable[[Path], None], schema: str
) -> None:
    made(tmp_path / "requests" / "w0.sqlite", schema)
    look(tmp_path)


def test_what_was_registered_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "registry.sqlite"
    first = Registry(path)
    added = first.add(
        id="sb-a", store=tmp_path / "a.sqlite", engine="sqlite", world="w", size="tiny", seed=1,
        template="0", worker=0, marks={"base": 3},
    )  # fmt: skip
    first.close()
    again = Registry(path)
    assert again.get("sb-a") == added
    assert again.marks("sb-a") == {"base": 3}
    again.close()


def test_what_was_logged_is_there_at_the_next_start(tmp_path: Path) -> None:
    entry = LoggedRequest(
        "r1", 1.0, "sb-a", 1, "helpdesk", None, None, "GET", "/", 200, 1.5, 7, 0, None
    )
    RequestLog(tmp_path, "w0").write(entry)
    assert RequestLog(tmp_path, "control").read("sb-a") == [entry]


def test_processes_that_start_at_once_make_one_file(tmp_path: Path) -> None:
    failures: list[Exception] = []
    ready = threading.Barrier(8)

    def start() -> None:
        ready.wait()
        try:
            Registry(tmp_path / "registry.sqlite").close()
        except (OtherSchema, sqlite3.Error) as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
