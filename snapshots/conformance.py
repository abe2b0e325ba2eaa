"""What every snapshot engine must do, as tests that ship with the package.

A test module subclasses `SnapshotConformance` once per engine and gives it a fixture `house`. It
needs pytest, and a Django set up with the engine's settings.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest

from clones.core import clock, ids, jobs, randomness
from clones.core.journal import act, content_digest, journal, store_digest
from clones.core.models import Account, Blob, Job, Message, SandboxState
from clones.core.server import server
from clones.core.tenancy import SandboxRow, UnknownSandbox, unit_of_work
from snapshots import sandboxes as sandboxes_module
from snapshots.errors import (
    CorruptSnapshot,
    NameTaken,
    RewindFailed,
    SchemaMismatch,
    UnknownMark,
    UnknownSnapshot,
)
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


class Sabotage(Protocol):
    """How to do an engine's stores harm that its own interface does not allow."""

    def write_round_journal(self, row: SandboxRow) -> None:
        """Change a row of a sandbox so that the journal has no trace of it."""

    def damage(self, store: Path) -> None:
        """Spoil a store's bytes."""


@dataclass(frozen=True, slots=True)
class House:
    """What a test works in: a server's images and sandboxes, and an image with some rows."""

    library: Library
    sandboxes: Sandboxes
    manifest: Manifest
    sabotage: Sabotage

    @contextmanager
    def sandbox(self) -> Iterator[SandboxRow]:
        """Make a sandbox for the length of the block."""
        row = self.sandboxes.create(self.manifest)
        try:
            yield row
        finally:
            self.sandboxes.delete(row.id)

    def files(self) -> set[Path]:
        """Return every file of the server but the registry's own and the open stores' logs."""
        return {
            path
            for path in server().data.rglob("*")
            if path.is_file()
            and not path.name.endswith(("-wal", "-shm"))
            and path.parent != server().data
        }


def build_image(library: Library, *, messages: int = 40) -> Manifest:
    """Make an image with some rows of the tables that every build has."""
    with library.workshop() as store:
        engine().new_store(store)
        with server().stores.bind(store), unit_of_work("write"):
            SandboxState.objects.create(id=1, now=PRESENT, seed="conformance")
            with act(actor="system", label="build"):
                for number in range(1, messages + 1):
                    write_message(number)
                Account.objects.create(
                    id=1, clone="mail", subject="1", login="a@b.example", role="agent"
                )
                jobs.enqueue("conformance.echo", due=PRESENT + timedelta(days=1))
            jobs.observe()
        server().stores.discard(store)
        engine().seal(store)
        return library.add(
            store, world="conformance", size="tiny", seed=1, parent=None, name="conformance"
        )


@jobs.handles("conformance.echo")
def echo(payload: dict[str, Any]) -> None:
    """Leave a trace, as a job."""
    Blob.objects.create(sha256=f"echo {clock.now()}", data=b"echo")


def write_message(number: int, subject: str = "") -> Message:
    """Write one row."""
    return Message.objects.create(
        id=number,
        direction="out",
        clone="helpdesk",
        sent_at=PRESENT,
        sender="a@b.example",
        recipients=["c@d.example"],
        subject=subject,
        text="x" * 200,
    )


def work(row: SandboxRow, start: int = 1000, count: int = 10) -> None:
    """Change rows of every kind: records, clock, counters, chance and timers."""
    with server().stores.bind(row.store, row.id), unit_of_work("write"):
        with act(actor="agent", label="work"):
            for number in range(start, start + count):
                write_message(number)
                Message.objects.filter(id=number - start + 1).update(subject=f"changed {number}")
            Message.objects.filter(id=start).delete()
            ids.next_stamp(Message)
            randomness.stream("people").random()
            jobs.enqueue("conformance.echo", due=clock.now() + timedelta(minutes=start))
        jobs.begin_step(30)


def digest_of(row: SandboxRow) -> str:
    """Return the digest of a sandbox's stored rows."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return store_digest()


def identity_of(row: SandboxRow) -> str:
    """Return the digest of a sandbox's content."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return content_digest()


class SnapshotConformance:
    """The promises of `snapshots`, each a test. Subclasses give the fixture `house`."""

    # Clones

    def test_a_clone_is_its_image(self, house: House) -> None:
        """Rows, marks and facts are the image's."""
        with house.sandbox() as row:
            assert digest_of(row) == house.manifest.rows_digest
            assert identity_of(row) == house.manifest.digest
            assert (row.state, row.generation, row.resetting) == ("live", 1, False)
            assert (row.world, row.size, row.seed) == ("conformance", "tiny", 1)
            assert row.engine == engine().name
            assert server().registry.marks(row.id) == {"base": house.manifest.position}
            assert house.sandboxes.diff(row.id) == []
            assert house.sandboxes.get(row.id) == row
            assert row in house.sandboxes.all()

    def test_clones_do_not_see_each_other(self, house: House) -> None:
        """What happens in one stays there."""
        with house.sandbox() as one, house.sandbox() as other:
            assert one.id != other.id
            work(one)
            assert digest_of(other) == house.manifest.rows_digest
            house.sandboxes.reset(other.id)
            assert len(house.sandboxes.diff(one.id)) > 0

    def test_a_deleted_sandbox_is_gone_wholly(self, house: House) -> None:
        """Its files go, and every operation says that there is none."""
        before = house.files()
        with house.sandbox() as row:
            work(row)
        assert house.files() == before
        for operation in (
            house.sandboxes.get,
            house.sandboxes.reset,
            house.sandboxes.fork,
            house.sandboxes.verify,
            house.sandboxes.diff,
            house.sandboxes.delete,
        ):
            with pytest.raises(UnknownSandbox):
                operation(row.id)
        for with_name in (
            house.sandboxes.mark,
            house.sandboxes.rewind,
            house.sandboxes.capture,
        ):
            with pytest.raises(UnknownSandbox):
                with_name(row.id, "x")

    # Going back

    def test_a_reset_brings_everything_back(self, house: House) -> None:
        """Rows, clock, counters, chance, timers and steps; and the work can be done again."""
        with house.sandbox() as row:
            work(row)
            first = identity_of(row)
            report = house.sandboxes.reset(row.id)
            assert report.mismatches == ()
            assert report.changes > 20
            assert digest_of(row) == house.manifest.rows_digest
            work(row)
            assert identity_of(row) == first
            again = house.sandboxes.get(row.id)
            assert (again.generation, again.resets, again.resetting) == (2, 1, False)

    def test_a_mark_can_be_gone_back_to(self, house: House) -> None:
        """Marks after it vanish, marks before it and itself stay."""
        with house.sandbox() as row:
            digests = {}
            for step, name in enumerate(("first", "second", "third"), start=1):
                work(row, start=1000 * step)
                house.sandboxes.mark(row.id, name)
                digests[name] = digest_of(row)
            work(row, start=9000)
            house.sandboxes.rewind(row.id, "second")
            assert digest_of(row) == digests["second"]
            assert list(server().registry.marks(row.id)) == ["base", "first", "second"]
            with pytest.raises(UnknownMark):
                house.sandboxes.rewind(row.id, "third")
            work(row, start=9000)
            house.sandboxes.rewind(row.id, "second")
            house.sandboxes.rewind(row.id, "first")
            assert digest_of(row) == digests["first"]
            house.sandboxes.reset(row.id)
            assert digest_of(row) == house.manifest.rows_digest
            assert list(server().registry.marks(row.id)) == ["base"]

    def test_marks_have_their_rules(self, house: House) -> None:
        """`base` is taken, a name moves when it is given again, unknown ones are refused."""
        with house.sandbox() as row:
            with pytest.raises(ValueError, match="base"):
                house.sandboxes.mark(row.id, "base")
            early = house.sandboxes.mark(row.id, "here")
            work(row)
            assert house.sandboxes.mark(row.id, "here") > early
            expected = digest_of(row)
            work(row, start=5000)
            house.sandboxes.rewind(row.id, "here")
            assert digest_of(row) == expected
            for operation in (house.sandboxes.rewind, house.sandboxes.diff):
                with pytest.raises(UnknownMark):
                    operation(row.id, "nowhere")

    def test_the_generation_only_rises(self, house: House) -> None:
        """Whatever is done to a sandbox, and whether or not it succeeds."""
        with house.sandbox() as row:
            seen = [row.generation]

            def note() -> None:
                seen.append(house.sandboxes.get(row.id).generation)

            house.sandboxes.mark(row.id, "m")
            for _ in range(3):
                work(row)
                house.sandboxes.rewind(row.id, "m")
                note()
                house.sandboxes.reset(row.id)
                note()
                house.sandboxes.mark(row.id, "m")
            house.sabotage.write_round_journal(house.sandboxes.get(row.id))
            house.sandboxes.verify(row.id)
            note()
            assert seen == sorted(set(seen))

    def test_rotation_ends_credentials(self, house: House) -> None:
        """A plain reset keeps them."""
        with house.sandbox() as row:
            house.sandboxes.reset(row.id)
            assert house.sandboxes.get(row.id).credential_epoch == row.credential_epoch
            house.sandboxes.reset(row.id, rotate=True)
            assert house.sandboxes.get(row.id).credential_epoch > row.credential_epoch

    def test_a_reset_that_fails_leaves_the_sandbox_open_and_as_it_was(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It does not count, its marks stay, and the generation has moved."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "later")
            before = digest_of(row)
            undo = journal().rewind

            def undo_and_fail(position: int) -> None:
                undo(position)
                raise KeyboardInterrupt

            with monkeypatch.context() as patch:
                patch.setattr(type(journal()), "rewind", lambda _, to: undo_and_fail(to))
                with pytest.raises(KeyboardInterrupt):
                    house.sandboxes.reset(row.id)
            after = house.sandboxes.get(row.id)
            assert digest_of(row) == before
            assert (after.resetting, after.resets, after.state) == (False, 0, "live")
            assert after.generation == row.generation + 1
            assert "later" in server().registry.marks(row.id)

    # Forks and captures

    def test_a_fork_has_the_same_present_past_and_marks(self, house: House) -> None:
        """And goes its own way from there."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "arranged")
            arranged = digest_of(row)
            work(row, start=3000)
            present = digest_of(row)
            fork = house.sandboxes.fork(row.id, worker=3)
            assert (digest_of(fork), fork.worker, fork.generation) == (present, 3, 1)
            assert server().registry.marks(fork.id) == server().registry.marks(row.id)
            work(row, start=5000)
            assert digest_of(fork) == present
            house.sandboxes.rewind(fork.id, "arranged")
            assert digest_of(fork) == arranged
            house.sandboxes.reset(fork.id)
            assert digest_of(fork) == house.manifest.rows_digest
            assert house.sandboxes.verify(fork.id).intact
            house.sandboxes.delete(fork.id)

    def test_a_capture_is_the_present_under_a_name(self, house: House) -> None:
        """Sandboxes of it begin there, without the past."""
        with house.sandbox() as row:
            work(row)
            manifest = house.sandboxes.capture(row.id, "kept")
            assert house.library.get("kept") == house.library.get(manifest.digest) == manifest
            assert manifest.digest == identity_of(row)
            assert (manifest.parent, manifest.world) == (house.manifest.digest, "conformance")
            assert datetime.fromisoformat(manifest.clock) > PRESENT
            work(row, start=7000)
            twin = house.sandboxes.create(house.library.get("kept"))
            assert identity_of(twin) == manifest.digest
            assert house.sandboxes.diff(twin.id) == []
            work(twin, start=7000)
            assert identity_of(twin) == identity_of(row)
            house.sandboxes.reset(twin.id)
            assert identity_of(twin) == manifest.digest
            assert house.sandboxes.verify(twin.id).intact
            house.sandboxes.delete(twin.id)
        house.sandboxes.delete_snapshot("kept")

    def test_equal_content_is_kept_once(self, house: House) -> None:
        """Two names of it are two names; the image goes with the last."""
        with house.sandbox() as row:
            work(row)
            first = house.sandboxes.capture(row.id, "one")
            assert house.sandboxes.capture(row.id, "two") == first
        assert house.library.named()["one"] == house.library.named()["two"] == first.digest
        house.sandboxes.delete_snapshot("one")
        assert house.library.get("two") == first
        house.sandboxes.delete_snapshot("two")
        assert not house.library.holds(first.digest)

    def test_names_that_are_taken_or_none_are_refused(self, house: House) -> None:
        """Before anything is copied: nothing is left behind."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.capture(row.id, "taken")
            work(row, start=4000)
            before = house.files()
            with pytest.raises(NameTaken):
                house.sandboxes.capture(row.id, "taken")
            for name in ("", "Upper", "../up", "a/b", "x" * 81, ".hidden", "a.tmp"):
                with pytest.raises(ValueError, match="name"):
                    house.sandboxes.capture(row.id, name)
            assert house.files() == before
        with pytest.raises(NameTaken):
            house.library.name("taken", house.manifest.digest)
        house.sandboxes.delete_snapshot("taken")

    def test_a_name_lost_to_another_leaves_no_image(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Somebody may take it while the copy is made."""
        with house.sandbox() as row:
            work(row, start=8000)
            house.library.name("raced", house.manifest.digest)
            before = house.files()
            monkeypatch.setattr(house.library, "require_free", lambda name: None)
            with pytest.raises(NameTaken):
                house.sandboxes.capture(row.id, "raced")
            assert house.files() == before
        assert house.library.get("raced") == house.manifest
        house.sandboxes.delete_snapshot("raced")

    def test_a_snapshot_in_use_loses_its_name_only(self, house: House) -> None:
        """Its sandboxes can still be reset, verified and replaced."""
        with house.sandbox() as row:
            work(row)
            manifest = house.sandboxes.capture(row.id, "used")
        twin = house.sandboxes.create(manifest)
        house.sandboxes.delete_snapshot("used")
        with pytest.raises(UnknownSnapshot):
            house.library.get("used")
        assert house.library.holds(manifest.digest)
        house.sabotage.write_round_journal(twin)
        assert house.sandboxes.verify(twin.id).replaced
        house.sandboxes.delete(twin.id)

    def test_unknown_snapshots_are_said_so(self, house: House) -> None:
        """Whatever is asked of them."""
        for key in ("nobody", "0" * 64, "", "../names"):
            with pytest.raises(UnknownSnapshot):
                house.library.get(key)
        with pytest.raises(UnknownSnapshot):
            house.sandboxes.delete_snapshot("nobody")
        with pytest.raises(UnknownSnapshot):
            house.sandboxes.create(replace(house.manifest, digest="0" * 64))
        with pytest.raises(UnknownSnapshot):
            house.library.name("nothing", "0" * 64)

    # Differences

    def test_a_diff_is_the_net_change(self, house: House) -> None:
        """Canonical, without ambient tables, in (table, key) order, since any mark."""
        with house.sandbox() as row:
            with server().stores.bind(row.store, row.id), unit_of_work("write"):
                Message.objects.filter(id=3).update(subject="new")
                Message.objects.filter(id=2).delete()
                Message.objects.filter(id=5).update(subject="gone again")
                Message.objects.filter(id=5).update(subject="")
                write_message(900)
                write_message(901).delete()
                Account.objects.update(listed=True)
                Job.objects.all().delete()
            changes = house.sandboxes.diff(row.id)
            assert [(found["key"], found["operation"]) for found in changes] == [
                (2, "delete"),
                (3, "update"),
                (900, "insert"),
            ]
            assert changes[0]["after"] is None
            assert (changes[1]["before"]["subject"], changes[1]["after"]["subject"]) == ("", "new")
            assert changes[1]["before"]["sent_at"] == "2026-06-16T14:00:00.000000Z"
            house.sandboxes.mark(row.id, "m")
            assert house.sandboxes.diff(row.id, "m") == []
            fork = house.sandboxes.fork(row.id)
            assert house.sandboxes.fingerprint(fork.id) == house.sandboxes.fingerprint(row.id)
            assert house.sandboxes.fingerprint(row.id) != house.sandboxes.fingerprint(row.id, "m")
            house.sandboxes.delete(fork.id)

    # Damage

    def test_what_went_round_the_journal_is_found(self, house: House) -> None:
        """The sandbox gets a fresh store; its marks but `base` are gone."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "m")
            assert house.sandboxes.verify(row.id).intact
            assert list(server().registry.marks(row.id)) == ["base", "m"]
            house.sabotage.write_round_journal(row)
            verdict = house.sandboxes.verify(row.id)
            assert (verdict.intact, verdict.replaced) == (False, True)
            assert verdict.expected == house.manifest.rows_digest != verdict.found
            fresh = house.sandboxes.get(row.id)
            assert (fresh.state, fresh.resetting) == ("live", False)
            assert fresh.store != row.store
            assert digest_of(fresh) == house.manifest.rows_digest
            assert list(server().registry.marks(row.id)) == ["base"]
            work(fresh)
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify(row.id).intact

    def test_a_spoilt_store_is_replaced(self, house: House) -> None:
        """By a verification as by a reset; the reset says so."""
        for operation in (house.sandboxes.verify, house.sandboxes.reset):
            with house.sandbox() as row:
                work(row)
                house.sabotage.damage(row.store)
                if operation == house.sandboxes.reset:
                    with pytest.raises(RewindFailed):
                        operation(row.id)
                else:
                    operation(row.id)
                fresh = house.sandboxes.get(row.id)
                assert digest_of(fresh) == house.manifest.rows_digest
                assert fresh.state == "live"

    def test_a_quarantined_sandbox_is_replaced_when_it_is_used_or_in_idle_time(
        self, house: House
    ) -> None:
        """It may have been left so by a full disk."""
        with house.sandbox() as row:
            work(row)
            server().registry.quarantine(row.id)
            with pytest.raises(RewindFailed, match="fresh store"):
                house.sandboxes.mark(row.id, "m")
            assert digest_of(house.sandboxes.get(row.id)) == house.manifest.rows_digest
            server().registry.quarantine(row.id)
            idle(house.sandboxes)
            assert house.sandboxes.get(row.id).state == "live"

    def test_a_spoilt_image_is_refused(self, house: House) -> None:
        """By name, by digest and to those who have its manifest; a new capture mends it."""
        with house.sandbox() as row:
            work(row, start=6000)
            manifest = house.sandboxes.capture(row.id, "spoilt")
            house.sabotage.damage(house.library.store(manifest))
            before = house.files()
            for refused in (
                lambda: house.library.get("spoilt"),
                lambda: house.library.get(manifest.digest),
                lambda: house.sandboxes.create(manifest),
            ):
                with pytest.raises(CorruptSnapshot):
                    refused()
            assert house.files() == before
            house.sandboxes.capture(row.id, "mended")
            twin = house.sandboxes.create(house.library.get("spoilt"))
            assert identity_of(twin) == manifest.digest
            house.sandboxes.delete(twin.id)
        house.sandboxes.delete_snapshot("spoilt")
        house.sandboxes.delete_snapshot("mended")

    def test_an_image_of_another_schema_is_refused(self, house: House) -> None:
        """With a line that says what to do."""
        with house.sandbox() as row:
            work(row, start=6100)
            manifest = house.sandboxes.capture(row.id, "old")
        path = house.library.store(manifest).with_name("manifest.json")
        path.write_text(replace(manifest, schema="0123456789abcdef").to_json())
        for refused in (
            lambda: house.library.get("old"),
            lambda: house.sandboxes.create(manifest),
        ):
            with pytest.raises(SchemaMismatch, match=r"0123456789abcdef.*build the world again"):
                refused()
        house.sandboxes.delete_snapshot("old")

    def test_a_spoilt_manifest_is_refused(self, house: House) -> None:
        """Whatever is wrong with it."""
        with house.sandbox() as row:
            work(row, start=6200)
            manifest = house.sandboxes.capture(row.id, "odd")
        path = house.library.store(manifest).with_name("manifest.json")
        good = path.read_text()
        for text in (
            "",
            "{}",
            "[1]",
            good[:-20],
            good.replace('"format": 1', '"format": 2'),
            good.replace('"seed": 1', '"seed": "1"'),
            good.replace('"seed": 1', '"seed": 1, "more": 2'),
        ):
            path.write_text(text)
            with pytest.raises(CorruptSnapshot):
                house.library.get("odd")
        path.write_text(good)
        assert house.library.get("odd") == manifest
        house.sandboxes.delete_snapshot("odd")

    # Keeping house

    @pytest.mark.parametrize("undone", [True, False])
    def test_a_reset_that_was_cut_off_is_finished(self, house: House, *, undone: bool) -> None:
        """Its marks go if the store had been rewound, and stay if it had not."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "later")
            position = house.manifest.position
            with server().stores.bind(row.store, row.id), unit_of_work("write"):
                server().registry.begin_reset(row.id, position)
                if undone:
                    journal().rewind(position)
            assert house.sandboxes.get(row.id).resetting
            idle(house.sandboxes)
            assert not house.sandboxes.get(row.id).resetting
            assert ("later" in server().registry.marks(row.id)) is not undone

    def test_what_is_reset_often_is_verified_in_idle_time(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And not again until it has been reset as often again."""
        monkeypatch.setattr(sandboxes_module, "VERIFY_EVERY", 2)
        with house.sandbox() as row:
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == []
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == [row.id]
            idle(house.sandboxes)
            assert house.sandboxes.verify_due() == []
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == []

    def test_recovery_leaves_what_is_whole(self, house: House) -> None:
        """And removes what is not: see the engine's own tests for what it finds after a crash."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "m")
            house.sandboxes.capture(row.id, "whole")
            before, digest = house.files(), digest_of(row)
            stray = row.store.with_name("99.sqlite")
            stray.write_bytes(b"x")
            (house.library.scratch / "left.sqlite").write_bytes(b"x")
            (house.library.names / "of-nothing").write_text("0" * 64)
            (house.library.images / ("1" * 64 + ".tmp")).mkdir()
            removed = house.sandboxes.recover()
            assert stray in removed
            assert house.files() == before
            assert not (house.library.images / ("1" * 64 + ".tmp")).exists()
            assert digest_of(row) == digest
            assert "m" in server().registry.marks(row.id)
            assert "of-nothing" not in house.library.named()
        house.sandboxes.delete_snapshot("whole")

    def test_copies_of_a_busy_sandbox_are_of_one_moment(self, house: House) -> None:
        """Forks, captures and verifications beside writers: all or nothing of each transaction."""
        with house.sandbox() as row, writers(row):
            for number in range(6):
                fork = house.sandboxes.fork(row.id)
                assert_of_one_moment(fork)
                assert house.sandboxes.verify(fork.id).intact
                house.sandboxes.delete(fork.id)
                house.sandboxes.capture(row.id, f"busy{number}")
                kept = house.sandboxes.create(house.library.get(f"busy{number}"))
                assert_of_one_moment(kept)
                house.sandboxes.delete(kept.id)
                house.sandboxes.delete_snapshot(f"busy{number}")
                assert house.sandboxes.verify(row.id).intact
                house.sandboxes.rewind(row.id, "base")

    def test_a_request_is_wholly_before_or_after_a_reset(self, house: House) -> None:
        """As the data plane does it: the generation on arrival, inside, and before answering."""
        with house.sandbox() as row, readers(row) as seen, writers(row):
            for _ in range(100):
                house.sandboxes.reset(row.id)
                time.sleep(0.002)  # for others to get the lock, and something to be undone
        assert seen.torn == []
        assert seen.answered > 50


def idle(sandboxes: Sandboxes) -> None:
    """Do all work that waits."""
    for _ in range(100):
        if not sandboxes.idle():
            return
    raise AssertionError("idle work has no end")


PAIR = (1, 2)


def assert_of_one_moment(row: SandboxRow) -> None:
    """Check that both rows of the writers' pair say the same."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        first, second = (Message.objects.get(id=number).subject for number in PAIR)
    assert first == second


@contextmanager
def _running(*loops: Callable[[], None]) -> Iterator[None]:
    """Run loops in threads until the block ends; their errors are the block's."""
    stop, failures = threading.Event(), []

    def run(loop: Callable[[], None]) -> None:
        try:
            while not stop.is_set():
                loop()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failures.append(error)
        finally:
            server().registry.close()

    threads = [threading.Thread(target=run, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def _steady(row: SandboxRow) -> SandboxRow | None:
    found = server().registry.get(row.id)
    return None if found.resetting else found


def _is_still(row: SandboxRow) -> bool:
    return server().registry.generation(row.id) == (row.generation, False)


@contextmanager
def writers(row: SandboxRow) -> Iterator[None]:
    """Write the pair again and again, with rows that others do not have."""

    def write() -> None:
        found = _steady(row)
        if found is None:
            return
        with server().stores.bind(found.store, found.id), unit_of_work("write"):
            if not _is_still(found):
                return
            subject = f"generation {found.generation} at {journal().position()}"
            for number in PAIR:
                Message.objects.filter(id=number).update(subject=subject)
            Blob.objects.create(sha256=subject, data=b"x" * 3000)

    with _running(write):
        yield


@dataclass(slots=True)
class Seen:
    """What readers saw: answers given, and those that were wrong."""

    answered: int
    torn: list[str]


@contextmanager
def readers(row: SandboxRow) -> Iterator[Seen]:
    """Read the pair again and again, answering only when the generation held."""
    seen = Seen(0, [])

    def read() -> None:
        found = _steady(row)
        if found is None:
            return
        with server().stores.bind(found.store, found.id), unit_of_work("read"):
            first, second = (Message.objects.get(id=number).subject for number in PAIR)
            if not _is_still(found):
                return
        if not _is_still(found):
            return
        seen.answered += 1
        own = f"generation {found.generation} "
        if first != second or not (first + " ").startswith(("generation", " ")):
            seen.torn.append(f"{first!r} and {second!r}")
        if first and not first.startswith(own):
            seen.torn.append(f"{first!r} in generation {found.generation}")

    with _running(read, read):
        yield seen
