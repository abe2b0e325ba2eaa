"""Forks, captures and differences."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from clones.core.journal import journal
from clones.core.models import Account, Job, Message
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots.conformance.fixtures import (
    PRESENT,
    House,
    digest_of,
    identity_of,
    work,
    write_message,
)
from snapshots.errors import (
    NameTaken,
    UnknownSnapshot,
)


class Images:
    """What is kept of a sandbox, and what became of it."""

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
            with server().stores.bind(twin.store, twin.id), unit_of_work("read"):
                assert list(journal().rows(0)) == []
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
