"""Making, deleting, going back."""

from __future__ import annotations

import pytest

from clones.core.journal import journal
from clones.core.server import server
from clones.core.tenancy import UnknownSandbox
from snapshots.conformance.fixtures import House, digest_of, identity_of, work
from snapshots.errors import (
    UnknownMark,
)
from snapshots.interface import engine


class Past:
    """Clones are their image, and go back to it and to marks."""

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
        after = house.files()
        assert not after - before
        # What it was made of may have lain ready in the pool.
        assert all("pool" in path.parts for path in before - after)
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
