"""Stores in the making: what comes of them when the making fails, or somebody sweeps meanwhile."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from clones.core.server import server
from episodes import worlds
from episodes.worlds import WorldKey, world_image
from snapshots.errors import UnknownSnapshot
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from tests.snapshots.little_world import build_little_world


def test_a_sweep_spares_what_is_being_made(library: Library) -> None:
    # As a server that starts while `sandlot world build` works in the same data directory.
    with library.workshop() as store:
        engine().new_store(store)
        assert store not in Library(server().data).sweep()
        assert store.exists()
        left = store.with_name("left.sqlite")
        left.write_bytes(b"x")
    assert not store.exists()
    assert library.sweep() == [left]
    assert list(library.scratch.iterdir()) == []


def test_a_world_that_cannot_be_built_leaves_nothing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> NoReturn:
        raise ValueError("a generator has a bug")

    before = {path for path in server().data.rglob("*") if path.is_file()}
    key = WorldKey(seed=987_654)
    with monkeypatch.context() as patch:
        patch.setattr("episodes.worlds.build_world", fail)
        with pytest.raises(ValueError, match="has a bug"):
            world_image(library, key)
    assert {path for path in server().data.rglob("*") if path.is_file()} == before
    with pytest.raises(UnknownSnapshot):
        library.get(key.image_name())


def test_a_world_that_two_build_at_once_is_one_image(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = WorldKey(seed=987_655)
    others: list[Manifest] = []

    def build_twice(*wanted: Any) -> Any:
        monkeypatch.setattr("episodes.worlds.build_world", build_little_world)
        others.append(worlds._build(library, key))  # what another process does meanwhile
        return build_little_world(*wanted)

    monkeypatch.setattr("episodes.worlds.build_world", build_twice)
    manifest = world_image(library, key)
    assert others == [manifest]
    assert library.named()[key.image_name()] == manifest.digest
    library.delete(key.image_name(), in_use=set())
