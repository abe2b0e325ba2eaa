"""Requests that could not be logged are counted where a full disk cannot lose the count."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
from pathlib import Path

import pytest

from clones.core.requestlog import LoggedRequest, RequestLog
from clones.core.unlogged import PLACES, WIDTH, UnloggedRequests

ENTRY = LoggedRequest(
    id="a",
    at=1.0,
    sandbox="sb-a",
    generation=1,
    clone="helpdesk",
    account=None,
    operation=None,
    method="GET",
    path="/",
    status=200,
    milliseconds=1.0,
    position=None,
    step=None,
    fault=None,
)


@pytest.fixture
def log(tmp_path: Path) -> RequestLog:
    return RequestLog(tmp_path, "w0")


def full(log: RequestLog) -> sqlite3.Connection:
    """Let the log's file grow no more, as on a full disk; return the connection."""
    log.write(ENTRY)
    connection = log._connect()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    return connection


def test_a_full_disk_is_seen_by_the_process_that_scores(log: RequestLog, tmp_path: Path) -> None:
    scoring = RequestLog(tmp_path, "control")
    before = scoring.lost("sb-a")
    connection = full(log)
    long = dataclasses.replace(ENTRY, path="/" + "a" * 50_000)
    for number in range(3):
        log.write(dataclasses.replace(long, id=f"lost-{number}"))
    assert scoring.lost("sb-a") == before + 3
    assert scoring.lost("sb-another") == 0
    connection.execute("PRAGMA max_page_count = 100000")
    log.write(dataclasses.replace(long, id="kept"))
    assert {entry.id for entry in scoring.read("sb-a")} == {"a", "kept"}


def test_the_count_takes_no_room_once_it_is_there(log: RequestLog, tmp_path: Path) -> None:
    place = tmp_path / "unlogged"
    assert place.stat().st_size == PLACES * WIDTH
    blocks = place.stat().st_blocks
    for number in range(500):
        log.note_lost(f"sb-{number}")
    assert place.stat().st_size == PLACES * WIDTH
    assert place.stat().st_blocks == blocks
    assert blocks * 512 >= PLACES * WIDTH


def test_what_the_file_does_not_take_is_kept_and_written_later(tmp_path: Path) -> None:
    place = tmp_path / "unlogged"
    counts = UnloggedRequests(place)  # nobody has made the file
    counts.add("sb-a")
    assert counts.of("sb-a") == 1
    other = UnloggedRequests(place)
    other.open()
    assert other.of("sb-a") == 0
    counts.settle()
    assert (other.of("sb-a"), counts.of("sb-a")) == (1, 1)


def test_a_start_keeps_what_was_counted_and_makes_no_half_of_a_file(tmp_path: Path) -> None:
    place = tmp_path / "unlogged"
    first = UnloggedRequests(place)
    first.open()
    first.add("sb-a")
    again = UnloggedRequests(place)
    again.open()
    assert again.of("sb-a") == 1
    assert os.listdir(tmp_path) == ["unlogged"]  # noqa: PTH208 - hidden ones too
