"""What is spoilt is found out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clones.core.server import server
from snapshots import sandboxes as sandboxes_module
from snapshots.conformance.fixtures import House, digest_of, identity_of, idle, work
from snapshots.errors import (
    CorruptSnapshot,
    RewindFailed,
    SchemaMismatch,
)
from snapshots.interface import engine


class Damage:
    """Nothing wrong is taken for right."""

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

    def test_what_two_find_at_once_is_replaced_once(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A fresh store is not taken for the damaged one."""
        with house.sandbox() as row:
            house.sabotage.write_round_journal(row)
            digest_at = sandboxes_module._digest_at  # noqa: SLF001 - to get in between

            def while_another_verifies(store: Path, position: int) -> str:
                monkeypatch.setattr(sandboxes_module, "_digest_at", digest_at)
                assert house.sandboxes.verify(row.id).replaced
                return digest_at(store, position)

            monkeypatch.setattr(sandboxes_module, "_digest_at", while_another_verifies)
            assert not house.sandboxes.verify(row.id).intact
            fresh = house.sandboxes.get(row.id)
            assert fresh.generation == row.generation + 2
            assert digest_of(fresh) == house.manifest.rows_digest

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

    def test_a_lost_store_is_replaced(self, house: House) -> None:
        """When the sandbox is next used."""
        with house.sandbox() as row:
            server().stores.discard(row.store)
            engine().remove(row.store)
            with pytest.raises(RewindFailed, match="fresh store"):
                house.sandboxes.reset(row.id)
            assert digest_of(house.sandboxes.get(row.id)) == house.manifest.rows_digest

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
