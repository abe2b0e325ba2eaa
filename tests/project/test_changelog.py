"""Fragments become a section of the changelog, once, and nothing of them is lost."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.project.paths import ROOT, pyproject
from tools.changelog import NAME, NothingToGather, gather

DAY = date(2026, 11, 29)
FRAGMENTS = {
    "12.added.md": "Tickets can be folded.\n",
    "2.added.word.md": "- Boards have lanes,\nwhich are long.\n",
    "2.fixed.md": "A card stays where it is dropped.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with three fragments."""
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("Rules.\n")
    for name, text in FRAGMENTS.items():
        (tmp_path / "changelog.d" / name).write_text(text)
    name_version(tmp_path, "1.0.0")
    return tmp_path


def name_version(root: Path, version: str) -> None:
    (root / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')


def test_fragments_are_gathered_by_kind_and_issue_and_deleted(root: Path) -> None:
    gather(root, DAY)
    assert (root / "CHANGELOG.md").read_text().partition("\n## ")[2] == (
        "1.0.0 (2026-11-29)\n"
        "\n### Added\n\n"
        "- Boards have lanes,\n  which are long.\n"
        "- Tickets can be folded.\n"
        "\n### Fixed\n\n"
        "- A card stays where it is dropped.\n"
    )
    assert [path.name for path in (root / "changelog.d").iterdir()] == ["README.md"]


def test_a_later_version_stands_first_and_keeps_the_others(root: Path) -> None:
    gather(root, DAY)
    before = (root / "CHANGELOG.md").read_text()
    (root / "changelog.d" / "13.removed.md").write_text("Lanes are gone.\n")
    name_version(root, "1.1.0")
    section = gather(root, DAY)
    head, mark, rest = before.partition("\n## ")
    assert (root / "CHANGELOG.md").read_text() == head + section + mark + rest


def test_a_version_is_gathered_once(root: Path) -> None:
    gather(root, DAY)
    before = (root / "CHANGELOG.md").read_text()
    fragment = root / "changelog.d" / "13.added.md"
    fragment.write_text("More.\n")
    with pytest.raises(NothingToGather, match=r"1\.0\.0"):
        gather(root, DAY)
    assert fragment.exists()
    assert (root / "CHANGELOG.md").read_text() == before


def test_no_fragments_are_no_version(root: Path) -> None:
    gather(root, DAY)
    name_version(root, "1.1.0")
    with pytest.raises(NothingToGather, match="no fragments"):
        gather(root, DAY)


def test_the_changelog_has_no_version_after_the_packages_own() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    versions = [line.split()[1] for line in text.splitlines() if line.startswith("## ")]
    own = pyproject()["project"]["version"]
    ranked = [tuple(int(part) for part in version.split(".")) for version in versions]
    assert ranked == sorted(ranked, reverse=True)
    assert ranked[0] <= tuple(int(part) for part in own.split("."))


def test_every_fragment_would_be_gathered() -> None:
    for path in (ROOT / "changelog.d").iterdir():
        assert path.name == "README.md" or NAME.fullmatch(path.name), path.name
