"""A certification that was stopped goes on, if the sources are the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from episodes.certify import keeping
from episodes.certify.report import Report
from episodes.certify.run import certify
from episodes.certify.runs import Run, Trial
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.tasks.acting import ActingSpace
from tests.certify.conftest import PLAIN

CHECKS = (3, 4, 5)
RUNS = {"no-op", "no-op for 72 h", "oracle", *(f"random walk {number}" for number in range(5))}


def note_played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the names of the runs that are played are added."""
    names: list[str] = []
    play: Callable[..., Run] = Trial._play

    def noted(trial: Trial, name: str, *args: Any, **kwargs: Any) -> Run:
        names.append(name)
        return play(trial, name, *args, **kwargs)

    monkeypatch.setattr(Trial, "_play", noted)
    return names


@pytest.fixture
def played(kept: FirstRun, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the runs that are played by the test itself."""
    return note_played(monkeypatch)


def look(host: ControlPlane, folder: Path, **kwargs: Any) -> Report:
    family = kwargs.pop("family", FAMILY)
    return certify(family, host=host, numbers=(PLAIN,), checks=CHECKS, keep=folder, **kwargs)


@dataclass(frozen=True, slots=True)
class FirstRun:
    """What a certification found, what it played, and where it kept that."""

    report: Report
    played: frozenset[str]
    folder: Path

    def copied(self, folder: Path) -> Path:
        """Copy what was kept, for a test that adds to it."""
        return Path(shutil.copytree(self.folder, folder))


@pytest.fixture(scope="module")
def kept(host: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    """The first certification, from its beginning to its end."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        names = note_played(patch)
        return FirstRun(look(host, folder), frozenset(names), folder)


@pytest.mark.in_turn
def test_what_was_found_is_not_played_again(
    host: ControlPlane, tmp_path: Path, kept: FirstRun, played: list[str]
) -> None:
    assert kept.report.passed
    assert kept.played == RUNS
    assert look(host, kept.copied(tmp_path / "kept")) == kept.report
    assert played == []


@pytest.mark.in_turn
def test_one_that_was_stopped_goes_on_with_the_run_it_was_at(
    host: ControlPlane,
    tmp_path: Path,
    kept: FirstRun,
    played: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: Callable[..., Run] = Trial._play

    def stopped(trial: Trial, name: str, *args: Any, **kwargs: Any) -> Run:
        if name == "random walk 3":
            raise KeyboardInterrupt
        return noted(trial, name, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(Trial, "_play", stopped)
        with pytest.raises(KeyboardInterrupt):
            look(host, tmp_path)
    before = set(played)
    played.clear()
    report = look(host, tmp_path)
    assert report.passed
    assert set(played) == RUNS - before
    assert report == kept.report


@pytest.mark.in_turn
def test_other_sources_play_anew(
    host: ControlPlane,
    tmp_path: Path,
    kept: FirstRun,
    played: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeping, "sources_version", lambda: "others")
    look(host, kept.copied(tmp_path / "kept"))
    assert set(played) == RUNS


@pytest.mark.in_turn
def test_what_does_not_hold_is_looked_at_again(
    host: ControlPlane, tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lazy(space: ActingSpace) -> None:
        space.act("finish")

    found = look(host, tmp_path, family=replace(FAMILY, solve={"api": lazy}))
    assert not found.passed
    played.clear()
    asked: list[str] = []
    get: Callable[[keeping.Kept, str], Any] = keeping.Kept.get

    def noted(kept: keeping.Kept, name: str) -> Any:
        asked.append(name)
        return get(kept, name)

    monkeypatch.setattr(keeping.Kept, "get", noted)
    assert not look(host, tmp_path, family=replace(FAMILY, solve={"api": lazy})).passed
    assert "run oracle" in asked


def test_every_source_counts_and_nothing_that_is_made(tmp_path: Path) -> None:
    names = {
        "clones/a.py": True,
        "episodes/page.html": True,
        "pyproject.toml": True,
        "episodes/reports/H01@1.json": False,
        "seeds/__pycache__/a.pyc": False,
        "docs/a.md": False,
    }
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one")
    for package in keeping.PACKAGES:
        (tmp_path / package).mkdir(exist_ok=True)
    for name, counts in names.items():
        before = keeping.version_of(tmp_path)
        (tmp_path / name).write_text("other")
        assert (keeping.version_of(tmp_path) != before) == counts, name
