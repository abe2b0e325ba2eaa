"""The identity of a store is one of its rows alone, however many processes make it."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest
from django.db.models import F

from clones.core.journal import (
    content_digest,
    digests,
    identity,
    journal,
    schema_version,
    store_digest,
)
from clones.core.models import RandomStream
from clones.core.tenancy import SandboxRow
from tests.core.ground import identity_by_rows
from tests.core.journal_writes import populate

RUN = 3


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Have runs be short, and as many processes hash them, from the second run on, as one says."""
    monkeypatch.setattr(identity, "RUN", RUN)
    monkeypatch.setattr(identity, "SHARED_FROM", 1)

    def share(processes: int) -> None:
        monkeypatch.setattr(identity, "cores", lambda: processes)

    return share


def streams(count: int) -> None:
    RandomStream.objects.all().delete()
    RandomStream.objects.bulk_create(
        RandomStream(name=f"s{number:02}", drawn=number) for number in range(count)
    )


@pytest.mark.parametrize("rows", [1, 4])
def test_the_identity_is_that_of_each_row_in_its_canonical_form(
    writing: SandboxRow, shared: Callable[[int], None], rows: int
) -> None:
    shared(1)
    populate(Random(rows), rows=rows)
    assert content_digest() == identity_by_rows(RUN)


@pytest.mark.parametrize("rows", [1, RUN - 1, RUN, RUN + 1, 40 * RUN, 40 * RUN + 1])
def test_digests_are_the_same_however_many_processes_make_them(
    writing: SandboxRow,
    shared: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    rows: int,
) -> None:
    """Processes see what the transaction has written, too: the rows are read by this one."""
    begun, fork = list[int](), os.fork

    def counted() -> int:
        begun.append(0)
        return fork()

    monkeypatch.setattr(os, "fork", counted)
    streams(rows)
    found, counts = set(), []
    for processes in (1, 2, 3, 9):
        shared(processes)
        begun.clear()
        found.add(digests())
        counts.append(len(begun))
    assert found == {(content_digest(), store_digest())}
    assert counts == [0, 1, 2, 3]
    assert "lost" not in caplog.text


def test_few_rows_are_hashed_by_one_process(
    writing: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "cores", lambda: 4)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process began"))
    streams(200)
    assert digests() == (content_digest(), store_digest())


def test_a_lost_process_changes_no_digest(
    writing: SandboxRow,
    shared: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    streams(40 * RUN)
    shared(1)
    expected, here, stored = digests(), os.getpid(), identity._stored
    worked: list[identity.Run] = []

    def spoilt(run: identity.Run) -> bytes:
        if os.getpid() != here:
            worked.append(run)
            if len(worked) == 2:
                os._exit(7)
        return stored(run)

    monkeypatch.setattr(identity, "_stored", spoilt)
    shared(2)
    assert digests() == expected
    assert caplog.text.count("is lost (it ended early)") == 1


def test_digests_tell_apart_what_differs_at_the_borders_of_runs(
    writing: SandboxRow, shared: Callable[[int], None]
) -> None:
    shared(1)
    count = 3 * RUN
    streams(count)
    seen = {digests()}
    for number in range(count):  # the first and last row of each run, and those between
        row = RandomStream.objects.filter(name=f"s{number:02}")
        row.update(drawn=F("drawn") + 100)
        seen.add(digests())
        row.update(drawn=F("drawn") - 100)
        row.delete()
        seen.add(digests())
        RandomStream.objects.create(name=f"s{number:02}", drawn=number)
    for number in range(-1, count):  # one more row, which moves all that follow to other places
        RandomStream.objects.create(name=f"s{number:02}x", drawn=0)
        seen.add(digests())
        RandomStream.objects.filter(name=f"s{number:02}x").delete()
    for number in range(1, count):  # a row trades places with the one before it
        for first, second in ((number, number - 1), (number - 1, number)):
            RandomStream.objects.filter(name=f"s{first:02}").update(drawn=second)
        seen.add(digests())
        for same in (number, number - 1):
            RandomStream.objects.filter(name=f"s{same:02}").update(drawn=same)
    changes = 1 + count + count + (count + 1) + (count - 1)
    assert len({content for content, _ in seen}) == changes
    assert len({stored for _, stored in seen}) == changes
    seen.add(digests())
    assert len(seen) == changes, "all of it has been undone"


def test_rows_of_one_table_do_not_pass_for_those_of_another(
    writing: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams(2)
    before, dump = store_digest(), type(journal()).dump
    monkeypatch.setattr(
        type(journal()),
        "dump",
        lambda self: ((name.replace("randomstream", "blob"), row) for name, row in dump(self)),
    )
    assert store_digest() != before


def test_another_way_to_identify_stores_is_another_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else sandboxes of a build before would be taken for damaged ones."""
    make = schema_version.__wrapped__
    assert make() == schema_version()
    monkeypatch.setitem(make.__globals__, "IDENTITY", 1)
    assert make() != schema_version()
