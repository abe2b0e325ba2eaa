"""The journal records every change and undoes it exactly, whoever made it."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import JSONField, Value

from clones.core import clock
from clones.core.journal import (
    act,
    canonical_changes,
    content_digest,
    fingerprint,
    journal,
    layout,
    store_digest,
)
from clones.core.journal.acts import OutsideTransaction
from clones.core.journal.canonical import canonical_row
from clones.core.models import (
    Account,
    Blob,
    Credential,
    Job,
    Message,
    RandomStream,
    SandboxState,
)
from clones.core.server import server
from clones.core.tenancy import NoSandbox, SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.core.dialects import DIALECT
from tests.core.ground import NOON, account, digest_of
from tests.core.journal_writes import model_of, populate
from tests.determinism import no_machine_inputs


def test_every_table_has_its_triggers(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox):
        assert journal().missing_triggers() == []


def test_a_query_outside_a_sandbox_is_refused() -> None:
    with pytest.raises(NoSandbox):
        Blob.objects.count()


def test_bare_writes_are_journaled_and_undone(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    before = digest_of(empty_sandbox)
    with DIALECT.stranger(empty_sandbox.store) as bare:
        bare.run("INSERT INTO core_blob VALUES ('aa', ?)", b"\x00\xff")
        bare.run("INSERT INTO core_blob VALUES ('bb', ?)", b"\x01")
        bare.run("UPDATE core_blob SET data = ? WHERE sha256 = 'bb'", b"\x02")
        bare.run("UPDATE core_blob SET sha256 = 'cc' WHERE sha256 = 'bb'")
        bare.run("DELETE FROM core_blob WHERE sha256 = 'aa'")
    assert [change["key"] for change in sandboxes.diff(empty_sandbox.id)] == ["cc"]
    sandboxes.reset(empty_sandbox.id)
    assert digest_of(empty_sandbox) == before
    assert sandboxes.diff(empty_sandbox.id) == []


def test_acts_say_who_wrote(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        with act(actor="helpdesk.account:7", label="PUT /x", request="r-1") as outer:
            Blob.objects.create(sha256="a", data=b"1")
            with act(actor="trigger", label="rule 3"):
                Blob.objects.create(sha256="b", data=b"2")
            Blob.objects.create(sha256="c", data=b"3")
        rows = [row for row in journal().rows(0) if row.table.name == "core_blob"]
        acts = journal().acts()
        assert [acts[row.act or 0].label for row in rows] == ["PUT /x", "rule 3", "PUT /x"]
        assert acts[rows[1].act or 0].cause == outer.id
        assert acts[rows[1].act or 0].request == "r-1"


def test_rewind_restores_clock_counters_and_rows(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    before = digest_of(empty_sandbox)
    with bind(empty_sandbox), unit_of_work("write"), act(actor="system", label="x"):
        Message.objects.create(
            id=1,
            direction="out",
            clone="helpdesk",
            sent_at=NOON,
            sender="a@b.example",
            recipients=["c@d.example"],
        )
        Job.objects.create(id=9, kind="k", due=NOON)
    assert digest_of(empty_sandbox) != before
    report = sandboxes.reset(empty_sandbox.id)
    assert report.mismatches == ()
    assert report.changes > 0
    assert digest_of(empty_sandbox) == before
    assert server().registry.get(empty_sandbox.id).generation == 2
    assert sandboxes.verify(empty_sandbox.id).intact


def test_layout_numbers_are_dense() -> None:
    assert [table.number for table in layout().tables] == list(range(1, len(layout().tables) + 1))


def test_layouts_are_found_by_name() -> None:
    assert layout().by_name("core_blob").key == "sha256"
    with pytest.raises(KeyError):
        layout().by_name("core_journal")


# What is recorded


def changed() -> list[tuple[str, object, str]]:
    """Return the net changes of record tables since the beginning."""
    return [
        (change.table.name, change.key, change.operation)
        for change in journal().changes(0)
        if change.table.kind == "record"
    ]


def test_a_row_that_is_as_it_was_has_not_changed(writing: SandboxRow) -> None:
    """Times and truths too, which Django's connections read as Python values."""
    row = account(last_seen_at=NOON, listed=True)
    start = journal().position()
    row.listed, row.last_seen_at = False, None
    row.save()
    assert [change.operation for change in journal().changes(start)] == ["update"]
    row.listed, row.last_seen_at = True, NOON
    row.save()
    assert journal().changes(start) == []
    assert journal().live([("core_account", 1), ("core_account", 2)]) == {
        ("core_account", 1): journal().changes(0)[0].after,
        ("core_account", 2): None,
    }


def test_unique_values_swapped_between_rows_come_back(writing: SandboxRow) -> None:
    account()
    account(id=2, subject="2", login="b")
    start, before = journal().position(), store_digest()
    for key, login in ((1, "spare"), (2, "a"), (1, "b")):
        Account.objects.filter(id=key).update(login=login)
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_positions_only_grow_and_acts_are_numbered_anew(writing: SandboxRow) -> None:
    start = journal().settle()
    with act(actor="a", label="first") as first:
        Blob.objects.create(sha256="a", data=b"")
    furthest = journal().position()
    journal().rewind(start)
    assert journal().position() > furthest
    with act(actor="a", label="second") as second:
        pass
    assert second.id == first.id


def test_an_act_that_wrote_nothing_does_not_shift_numbers(writing: SandboxRow) -> None:
    clock.configure(mode="frozen")
    with act(actor="a", label="idle"):
        pass
    start = journal().settle()
    with act(actor="a", label="first") as first:
        Blob.objects.create(sha256="a", data=b"")
    journal().rewind(start)
    with act(actor="a", label="again") as again:
        assert again.id == first.id


def write_twice(name: str) -> None:
    with act(actor="b", label="inner"):
        Blob.objects.create(sha256=name, data=b"")
        Blob.objects.create(sha256=name, data=b"")


def write_and_fail(name: str) -> None:
    with act(actor="c", label="unprotected"):
        Blob.objects.create(sha256=name, data=b"")
        raise LookupError


def test_an_act_ends_with_its_block_even_if_that_fails(writing: SandboxRow) -> None:
    with act(actor="a", label="outer") as outer:
        with pytest.raises(IntegrityError), transaction.atomic():
            write_twice("a")
        with pytest.raises(LookupError):
            write_and_fail("b")
        Blob.objects.create(sha256="c", data=b"")
    Blob.objects.create(sha256="d", data=b"")
    acts = {row.key: row.act for row in journal().rows(0) if row.table.name == "core_blob"}
    labels = {key: acts[key] and journal().acts()[acts[key] or 0].label for key in acts}
    assert labels == {"b": "unprotected", "c": "outer", "d": None}
    assert acts["c"] == outer.id


def test_an_act_needs_a_transaction(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), pytest.raises(OutsideTransaction), act(actor="a", label="x"):
        pass


def test_writing_asks_nothing_of_the_machine(writing: SandboxRow) -> None:
    with no_machine_inputs():
        with act(actor="a", label="x"):
            Message.objects.bulk_create(
                Message(id=number, direction="in", clone="c", sent_at=NOON, recipients=[])
                for number in range(1, 50)
            )
            Message.objects.filter(id__lt=9).update(subject="other")
            Message.objects.filter(id__gt=40).delete()
        assert len(changed()) == 40
        journal().rewind(0)
        assert changed() == []


def test_forgetting_makes_a_store_start_here(writing: SandboxRow) -> None:
    with act(actor="a", label="past") as past:
        Blob.objects.create(sha256="a", data=b"")
    position = journal().forget()
    assert position == journal().position()
    assert list(journal().rows(0)) == []
    assert journal().act(past.id) == past
    Blob.objects.all().delete()
    journal().rewind(position)
    assert Blob.objects.get().sha256 == "a"
    assert journal().act(past.id) == past


# Foreign keys


def write_orphan() -> None:
    with unit_of_work("write"):
        Blob.objects.create(sha256="a", data=b"")
        Credential.objects.create(id=1, account_id=99, kind="password", created_at=NOON)


def test_a_write_that_breaks_a_foreign_key_leaves_nothing(empty_sandbox: SandboxRow) -> None:
    before = digest_of(empty_sandbox)
    with bind(empty_sandbox):
        position = journal().position()
        with pytest.raises(IntegrityError):
            write_orphan()
        assert journal().position() == position
    assert digest_of(empty_sandbox) == before


# The canonical form


def test_the_canonical_form_is_plain(writing: SandboxRow) -> None:
    account(last_seen_at=NOON + timedelta(microseconds=5), listed=True)
    Blob.objects.create(sha256="a", data=b"\x00")
    rows = {change.table.name: change for change in journal().changes(0)}
    found = canonical_row(rows["core_account"].table, rows["core_account"].after) or {}
    assert found["last_seen_at"] == "2026-06-16T12:00:00.000005Z"
    assert (found["listed"], found["active"], found["password"]) == (True, True, None)
    (blob,) = canonical_changes(journal().changes(0))
    assert blob == {
        "table": "core_blob",
        "key": "a",
        "operation": "insert",
        "before": None,
        "after": {"sha256": "a", "data": {"sha256": sha256(b"\x00").hexdigest()}},
    }


def test_equal_changes_have_equal_fingerprints(writing: SandboxRow) -> None:
    start = journal().position()
    Blob.objects.create(sha256="a", data=b"1")
    Blob.objects.create(sha256="b", data=b"2")
    first = fingerprint(start)
    journal().rewind(start)
    Blob.objects.create(sha256="b", data=b"3")
    Blob.objects.create(sha256="a", data=b"1")
    assert fingerprint(start) != first
    Blob.objects.filter(sha256="b").update(data=b"2")
    account()  # ambient
    assert fingerprint(start) == first


def test_the_identity_tells_all_values_apart(writing: SandboxRow) -> None:
    row = Job.objects.create(id=1, kind="k", due=NOON, payload=Value(None, JSONField()))
    seen = {content_digest()}
    steps: tuple[dict[str, Any], ...] = (
        {"payload": {}},
        {"payload": 0},
        {"payload": False},
        {"key": ""},
        {"key": "0"},
        {"due": NOON + timedelta(microseconds=1)},
    )
    for changes in steps:
        Job.objects.filter(id=row.id).update(**changes)
        seen.add(content_digest())
    SandboxState.objects.update(speed=0.1 + 0.2)
    seen.add(content_digest())
    SandboxState.objects.update(speed=0.3)
    seen.add(content_digest())
    assert len(seen) == 9
    before = content_digest()
    SandboxState.objects.update(observed=77)
    assert content_digest() == before


def test_digests_tell_rows_of_like_text_apart(writing: SandboxRow) -> None:
    RandomStream.objects.create(name="a", drawn=1)
    seen = set()
    for name, drawn in (("a", 12), ("a1", 2), ("a', 1", 2)):
        RandomStream.objects.all().delete()
        RandomStream.objects.create(name=name, drawn=drawn)
        seen |= {store_digest(), content_digest()}
    SandboxState.objects.update(tick_ms=12, step=3)
    seen |= {store_digest(), content_digest()}
    SandboxState.objects.update(tick_ms=1, step=23)
    seen |= {store_digest(), content_digest()}
    assert len(seen) == 10


def test_half_a_surrogate_pair_in_json_is_kept_and_hashed(writing: SandboxRow) -> None:
    """JSON allows it, and some client will send it."""
    start = journal().position()
    Message.objects.create(
        id=1, direction="in", clone="c", sent_at=NOON, recipients=["\ud83d"], sender="a"
    )
    assert len(fingerprint(start)) == len(content_digest()) == 64
    assert journal().rewind(start).mismatches == ()


def test_json_null_and_no_value_have_one_canonical_form_and_two_identities(
    writing: SandboxRow,
) -> None:
    table, field = next(
        (table, field)
        for table in layout().tables
        for field in table.fields
        if isinstance(field, JSONField) and field.null
    )
    populate(Random(3), rows=1)
    rows = model_of(table)._base_manager.all()
    rows.update(**{field.name: None})
    nothing, start = content_digest(), journal().position()
    rows.update(**{field.name: Value(None, JSONField())})
    assert content_digest() != nothing
    (change,) = canonical_changes(journal().changes(start))
    assert change["before"] == change["after"]
