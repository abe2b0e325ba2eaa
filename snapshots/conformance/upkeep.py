"""What is left undone is finished."""

from __future__ import annotations

import pytest

from clones.core.journal import journal
from clones.core.server import server
from clones.core.serverfiles import OtherSchema
from clones.core.tenancy import unit_of_work
from snapshots import upkeep
from snapshots.conformance.fixtures import House, digest_of, idle, work
from snapshots.errors import (
    CorruptSnapshot,
    NoSpace,
)
from snapshots.sandboxes import Verdict


class UpkeepSuite:
    """Idle time and the next start put things right."""

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

    def test_a_reset_that_was_cut_off_is_finished_by_the_next_operation(self, house: House) -> None:
        """Idle time may not have come yet."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "later")
            with server().stores.bind(row.store, row.id), unit_of_work("write"):
                server().registry.begin_reset(row.id, house.manifest.position)
            house.sandboxes.rewind(row.id, "later")
            assert not house.sandboxes.get(row.id).resetting

    def test_work_that_fails_does_not_keep_other_work_waiting(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A full pool disk, or a sandbox that cannot be verified."""
        monkeypatch.setattr(upkeep, "VERIFY_EVERY", 1)
        verify = house.sandboxes.verify
        with house.sandbox() as first, house.sandbox() as second:
            house.sandboxes.reset(first.id)
            house.sandboxes.reset(second.id)

            def refuse() -> bool:
                raise NoSpace("the disk is full")

            def verify_all_but_first(sandbox: str) -> Verdict:
                if sandbox == first.id:
                    raise CorruptSnapshot("the image is damaged")
                return verify(sandbox)

            monkeypatch.setattr(house.sandboxes.pool, "refill", refuse)
            monkeypatch.setattr(house.sandboxes, "verify", verify_all_but_first)
            idle(house.sandboxes)
            assert house.sandboxes.verify_due() == [first.id]

    def test_what_is_reset_often_is_verified_in_idle_time(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And not again until it has been reset as often again."""
        monkeypatch.setattr(upkeep, "VERIFY_EVERY", 2)
        with house.sandbox() as row:
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == []
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == [row.id]
            idle(house.sandboxes)
            assert house.sandboxes.verify_due() == []
            house.sandboxes.reset(row.id)
            assert house.sandboxes.verify_due() == []

    def test_sandboxes_of_another_schema_are_refused(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And left as they are."""
        with house.sandbox() as row:
            stray = row.store.with_name(f"99{row.store.suffix}")
            stray.write_bytes(b"x")
            with monkeypatch.context() as patch:
                patch.setattr(upkeep, "schema_version", lambda: "another")
                with pytest.raises(OtherSchema, match=r"sandbox sb-\w+ .* another build"):
                    house.sandboxes.recover()
            assert stray.exists()
            assert stray in house.sandboxes.recover()

    def test_recovery_leaves_what_is_whole(self, house: House) -> None:
        """And removes what is not: see the engine's own tests for what it finds after a crash."""
        with house.sandbox() as row:
            work(row)
            house.sandboxes.mark(row.id, "m")
            house.sandboxes.capture(row.id, "whole")
            before, digest = house.files(), digest_of(row)
            stray = row.store.with_name(f"99{row.store.suffix}")
            stray.write_bytes(b"x")
            (house.library.scratch / f"left{row.store.suffix}").write_bytes(b"x")
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
