"""Worlds that the servers of one machine share: built by one of them, copied by the others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.test import override_settings

from clones.core import jobs
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes import sources, worlds
from episodes.sources import ChangedSources, made_by
from episodes.worlds import WorldKey, world_image, world_papers
from seeds.worlds import BuildReport
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.shelf import LOCKS, Shelf, lock_of
from tests.snapshots.little_world import build_little_world
from tests.tiers import in_turn_on_postgres

KEY = WorldKey(seed=987_656)
OTHER = WorldKey(seed=987_657)


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody who asks for worlds whose library has none, and the seeds that were built so far."""

    library: Library
    folder: Path
    built: list[int] = field(default_factory=list)

    def ask(self, key: WorldKey = KEY) -> Manifest:
        """Ask for a world as a server with an empty data directory does."""
        found = world_image(self.library, key)
        self.library.delete(key.image_name(), in_use=set())
        return found

    def entries(self) -> list[Path]:
        """Return the folders of the shared worlds."""
        return [self.folder / engine().name / name for name in Shelf(self.folder).names()]


@pytest.fixture
def asking(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    found = Asking(library, tmp_path / "shared")

    def build(name: str, size: str, seed: int) -> BuildReport:
        found.built.append(seed)
        return build_little_world(name, size, seed)

    monkeypatch.setattr(worlds, "build_world", build)
    with override_settings(WORLDS_DIR=str(found.folder)):
        yield found
    for entry in found.entries():
        engine().remove(entry / f"store{engine().suffix}")


def test_what_one_server_has_built_another_copies(asking: Asking) -> None:
    built = asking.ask()
    papers = world_papers(asking.library, built)
    shutil.rmtree(server().data / "worlds" / built.digest)
    copied = asking.ask()
    assert asking.built == [KEY.seed]
    assert (copied.digest, copied.rows_digest) == (built.digest, built.rows_digest)
    assert world_papers(asking.library, copied) == papers
    assert papers["facts"]["facts"] == {"seed": KEY.seed}
    asking.ask(OTHER)
    assert asking.built == [KEY.seed, OTHER.seed]


def test_a_copy_is_an_image_like_any_other(asking: Asking) -> None:
    asking.ask()
    found = world_image(asking.library, KEY)
    assert asking.library.get(KEY.image_name()) == found
    with asking.library.workshop() as store:
        engine().copy_sealed(asking.library.store(found), store)
        with server().stores.bind(store), unit_of_work("write"):
            jobs.observe()
    asking.library.delete(KEY.image_name(), in_use=set())
    assert asking.built == [KEY.seed]


def test_a_shared_world_survives_its_builders_sweep(asking: Asking) -> None:
    asking.ask()
    engine().sweep(server().data / "sandboxes")  # as a start does: images stay closed
    asking.library.sweep()
    asking.ask()
    assert asking.built == [KEY.seed]


def _torn(entry: Path) -> None:
    store = entry / f"store{engine().suffix}"
    store.write_bytes(store.read_bytes()[:-9])


def _changed(entry: Path) -> None:
    paper = entry / "facts.json"
    paper.write_text(paper.read_text().replace(str(KEY.seed), "3"))


def _foreign(entry: Path) -> None:
    label = json.loads((entry / "label.json").read_text())
    (entry / "label.json").write_text(json.dumps({**label, "name": f"{entry.name}0"}))


def _other_store(entry: Path) -> None:
    engine().remove(entry / f"store{engine().suffix}")
    engine().new_store(entry / f"store{engine().suffix}")


def _gone(entry: Path) -> None:
    engine().remove(entry / f"store{engine().suffix}")


def _no_label(entry: Path) -> None:
    (entry / "label.json").write_text("[]")


@in_turn_on_postgres
def test_what_is_not_what_it_says_is_built_anew(
    asking: Asking, caplog: pytest.LogCaptureFixture
) -> None:
    first = asking.ask()
    [entry] = asking.entries()
    harms = [_torn, _changed, _foreign, _other_store, _gone, _no_label]
    for count, harm in enumerate(harms, start=2):
        harm(entry)
        assert asking.ask().digest == first.digest
        assert len(asking.built) == count, harm
        assert f"the shared image {entry.name} is removed" in caplog.text
        caplog.clear()
    assert asking.ask().digest == first.digest
    assert len(asking.built) == len(harms) + 1


def test_what_a_crash_left_half_made_is_no_world(asking: Asking) -> None:
    asking.ask()
    [entry] = asking.entries()
    entry.rename(entry.with_name(f"{entry.name}.tmp"))
    assert asking.entries() == []
    asking.ask()
    asking.ask()
    assert asking.built == [KEY.seed] * 2
    assert asking.entries() == [entry]
    assert not entry.with_name(f"{entry.name}.tmp").exists()


@in_turn_on_postgres
def test_another_version_is_another_world(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    asking.ask()
    for count, what in enumerate(("made_by", "schema_version", "world_version"), start=2):
        with monkeypatch.context() as patch:
            patch.setattr(worlds, what, lambda: "another")
            asking.ask()
        assert len(asking.built) == len(asking.entries()) == count
    asking.ask()
    assert asking.built == [KEY.seed] * 4


@in_turn_on_postgres
def test_the_longest_unused_go_first(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snapshots.shelf.KEPT", 2)
    third = WorldKey(seed=987_658)
    for key in (KEY, OTHER, KEY, third):
        asking.ask(key)
    assert asking.built == [KEY.seed, OTHER.seed, third.seed]
    kept = [entry.name.rpartition(".")[0] for entry in asking.entries()]
    assert kept == [KEY.image_name(), third.image_name()]


def test_one_that_somebody_holds_is_not_removed(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking.ask()
    monkeypatch.setattr("snapshots.shelf.KEPT", 1)
    [entry] = asking.entries()
    version = entry.name.rpartition(".")[2]
    # Entries share some locks: whoever holds one cannot have another that has the same.
    keys = (WorldKey(seed=OTHER.seed + number) for number in range(LOCKS))
    other = next(
        key for key in keys if lock_of(f"{key.image_name()}.{version}") != lock_of(entry.name)
    )
    with Shelf(asking.folder).holding(entry.name):
        asking.ask(other)
        assert len(asking.entries()) == 2
    assert len(asking.entries()) == 1


def test_nothing_is_shared_unless_it_is_known_what_built_it(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sources, "_read", lambda: ("name", float("inf")))
    asking.ask()
    assert asking.built == [KEY.seed]
    assert asking.entries() == []
    assert "is built for this server alone" in caplog.text
    with override_settings(WORLDS_DIR=None):
        asking.ask()
    assert asking.entries() == []


def test_what_builds_a_world_is_named_by_all_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    monkeypatch.setattr(sources, "FILES", ())
    rules = tmp_path / "clones" / "helpdesk" / "rules.py"
    for path in (rules, tmp_path / "seeds" / "words.txt", tmp_path / "clones/core/static/a.css"):
        path.parent.mkdir(parents=True)
        path.write_text("a")
        os.utime(path, (1, 1))

    def name() -> str:
        sources._read.cache_clear()
        return made_by()

    try:
        first = name()
        (tmp_path / "clones/core/static/a.css").write_text("b")
        assert name() == first
        rules.write_text("b")
        with pytest.raises(ChangedSources):
            name()
        os.utime(rules, (1, 1))
        second = name()
        rules.rename(rules.with_name("roles.py"))
        assert len({first, second, name()}) == 3
    finally:
        sources._read.cache_clear()


@in_turn_on_postgres
def test_two_processes_that_ask_at_once_get_one_build(tmp_path: Path) -> None:
    environment = {**os.environ, "SANDLOT_WORLDS": str(tmp_path / "shared")}
    del environment["DJANGO_SETTINGS_MODULE"]  # as servers, which are told their engine
    asked = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.snapshots.little_world", str(tmp_path / mine),
             str(tmp_path), mine, other], env=environment, stdout=subprocess.PIPE, text=True,
        )
        for mine, other in (("one", "two"), ("two", "one"))
    ]  # fmt: skip
    said = [process.communicate(timeout=120)[0].split() for process in asked]
    assert sorted(count for count, _ in said) == ["0", "1"]
    assert len({digest for _, digest in said}) == 1
