"""An instance that is asked for again begins from a copy of what was arranged before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from clones.core.journal import store_digest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.helpdesk.models import Ticket
from episodes import arranged_instances
from episodes.arranged_instances import ArrangedInstances
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.start import begin_episode, prepare
from episodes.tasks.spec import Arranged
from sandlot.service import StartEpisode
from snapshots.errors import UnknownSnapshot
from snapshots.interface import engine
from tests.certify.conftest import instance
from tests.conftest import bind

NUMBERS = (3, 4, 5)


def first() -> int:
    return 0


def second() -> int:
    return 1


@pytest.fixture
def kept(host: ControlPlane, tmp_path: Path) -> Iterator[ArrangedInstances]:
    """None kept yet, in a folder of their own."""
    found = ArrangedInstances(host.sandboxes, tmp_path / "arranged")
    yield found
    found.clear()
    assert list(found.folder.rglob(f"*{engine().suffix}")) == []


@contextmanager
def arranged_anew(host: ControlPlane, number: int) -> Iterator[tuple[SandboxRow, Arranged]]:
    """Give a sandbox in which an instance was just arranged, and what that gave."""
    prepared = prepare(host, FAMILY, instance(number))
    try:
        yield host.sandboxes.get(prepared.sandbox), prepared.arranged
    finally:
        host.sandboxes.delete(prepared.sandbox)


def ask_twice(host: ControlPlane, kept: ArrangedInstances, number: int) -> None:
    """Arrange an instance, and again: now it is kept."""
    for _ in range(2):
        assert kept.make(FAMILY, instance(number), worker=first) is None
        with arranged_anew(host, number) as (row, arranged):
            kept.note(FAMILY, instance(number), row.id, arranged)


def digest_of(row: SandboxRow) -> str:
    with bind(row), unit_of_work("read"):
        return store_digest()


def test_the_copy_is_what_is_arranged_anew(host: ControlPlane, kept: ArrangedInstances) -> None:
    ask_twice(host, kept, 3)
    made = kept.make(FAMILY, instance(3), worker=second)
    assert made is not None
    row, arranged = made
    with arranged_anew(host, 3) as (other, anew):
        assert digest_of(row) == digest_of(other)
        assert server().registry.marks(row.id) == server().registry.marks(other.id)
        assert host.sandboxes.diff(row.id) == host.sandboxes.diff(other.id) != []
        assert arranged == anew
    assert row.worker == 1
    host.sandboxes.reset(row.id)
    assert host.sandboxes.diff(row.id) == []
    assert host.sandboxes.verify(row.id).intact
    host.sandboxes.delete(row.id)


def test_what_an_episode_does_is_in_no_other(host: ControlPlane, kept: ArrangedInstances) -> None:
    ask_twice(host, kept, 3)
    seen = []
    for title in ("first", "second"):
        made = kept.make(FAMILY, instance(3), worker=first)
        assert made is not None
        seen.append(digest_of(made[0]))
        with bind(made[0]), unit_of_work("write"):
            assert not Ticket.objects.filter(subject="first").exists()
            Ticket.objects.filter(id=1).update(subject=title)
        host.sandboxes.delete(made[0].id)
    assert len(set(seen)) == 1


def test_episodes_of_a_group_begin_with_credentials_of_their_own(host: ControlPlane) -> None:
    asked = StartEpisode(task="H05", seed=23)
    views = [host.episodes.start(asked) for _ in range(4)]
    made = list(host.episodes.arranged.folder.glob(f"*{engine().suffix}"))
    assert len(made) >= 1
    assert len({view.sandbox for view in views}) == 4
    assert len({view.goal for view in views}) == len({view.now for view in views}) == 1
    tokens = {
        account["api_token"] for view in views for account in view.apps["helpdesk"]["accounts"]
    }
    assert len(tokens) == sum(len(view.apps["helpdesk"]["accounts"]) for view in views)
    for view in views:
        host.episodes.abandon(view.id)


def test_workers_are_taken_in_turn_whether_instances_are_kept_or_not(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = replace(host.addresses, ports=(8800, 8802))
    monkeypatch.setattr(host, "addresses", two)
    seeds = (25, 26, 27, 25, 25, 26, 26, 25)
    views = [host.episodes.start(StartEpisode(task="H05", seed=seed)) for seed in seeds]
    workers = [host.sandboxes.get(view.sandbox).worker for view in views]
    assert workers in ([0, 1] * 4, [1, 0] * 4)
    for view in views:
        host.episodes.abandon(view.id)


def test_what_is_arranged_in_a_sandbox_of_somebodys_is_not_kept(host: ControlPlane) -> None:
    """It may be one of another world, or of a snapshot."""
    row = host.create_sandbox("kestrel", "tiny", 1)
    with bind(row), unit_of_work("write"):
        Ticket.objects.filter(id=1).update(subject="Of a snapshot")
    host.sandboxes.capture(row.id, "theirs")
    theirs = host.sandboxes.create(host.library.get("theirs"))
    for _ in range(3):
        view = host.episodes.start(StartEpisode(task="H05", seed=28, sandbox=theirs.id))
        host.episodes.abandon(view.id)
    views = [host.episodes.start(StartEpisode(task="H05", seed=28)) for _ in range(3)]
    for view in views:
        with bind(host.sandboxes.get(view.sandbox)), unit_of_work("read"):
            assert Ticket.objects.get(id=1).subject != "Of a snapshot"
        host.episodes.abandon(view.id)
    for one in (row, theirs):
        host.sandboxes.delete(one.id)
    host.sandboxes.delete_snapshot("theirs")


def test_an_episode_that_is_replayed_is_arranged_anew(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = host.episodes.start(StartEpisode(task="H05", seed=24))
    host.episodes.finish(view.id, {})
    monkeypatch.setattr(ArrangedInstances, "make", lambda *_, **__: pytest.fail("a copy is taken"))
    assert host.episodes.replay(view.id)["equal"]


def test_only_what_was_asked_for_again_is_kept_and_not_too_much(
    host: ControlPlane, kept: ArrangedInstances, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arranged_instances, "AT_MOST", 2)
    with arranged_anew(host, 1) as (row, arranged):
        kept.note(FAMILY, instance(1), row.id, arranged)
    assert not kept.folder.exists()
    for number in NUMBERS:
        ask_twice(host, kept, number)
    assert len(list(kept.folder.glob(f"*{engine().suffix}"))) == 2
    assert kept.make(FAMILY, instance(NUMBERS[0]), worker=first) is None
    monkeypatch.setattr(arranged_instances, "BYTES", 0)
    ask_twice(host, kept, 6)
    assert list(kept.folder.glob(f"*{engine().suffix}")) == []


def deleted(digest: str) -> None:
    raise UnknownSnapshot(digest)


def test_a_copy_whose_image_or_store_is_gone_is_none(
    host: ControlPlane, kept: ArrangedInstances, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_twice(host, kept, 3)
    for store in kept.folder.glob(f"*{engine().suffix}"):
        engine().remove(store)
    assert kept.make(FAMILY, instance(3), worker=first) is None
    with arranged_anew(host, 3) as (row, arranged):
        kept.note(FAMILY, instance(3), row.id, arranged)

        with monkeypatch.context() as patch:
            patch.setattr(host.sandboxes.library, "get", deleted)
            assert kept.make(FAMILY, instance(3), worker=first) is None
    before = {row.id for row in server().registry.all()}
    episode = begin_episode(
        host,
        "ep-anew",
        family=FAMILY,
        instance=instance(3),
        request=StartEpisode(task="H05"),
        kept=kept,
    )
    assert {row.id for row in server().registry.all()} - before == {episode.ground.sandbox.id}
    episode.abandon()
