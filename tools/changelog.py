"""Gather the fragments of `changelog.d/` into `CHANGELOG.md`, under the package's version.

    python -m tools.changelog [YEAR-MONTH-DAY]

The day is today unless told. The fragments are deleted. A version that `CHANGELOG.md` has already
is refused: raise it in `pyproject.toml` first.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
KINDS: Final = ("added", "changed", "fixed", "removed")
# The issue, the kind, and a word where an issue has several of a kind.
NAME: Final = re.compile(rf"(\d+)\.({'|'.join(KINDS)})(?:\.(\w+))?\.md")
TITLE: Final = "# Changelog\n"
INTRODUCTION: Final = (
    "\nWhat somebody who uses Sandlot notices, the newest version first. What comes next is in"
    "\n[changelog.d/](changelog.d/).\n"
)


class NothingToGather(Exception):
    """There are no fragments, or the version has been gathered already."""


def gather(root: Path, day: date) -> str:
    """Write the section of the present version, delete its fragments, and return the section.

    Raises:
        NothingToGather: see there. Nothing was changed.
    """
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8") if changelog.exists() else TITLE + INTRODUCTION
    if f"\n## {version} " in text:
        raise NothingToGather(f"CHANGELOG.md has {version} already: raise it in pyproject.toml")
    fragments = _fragments(root)
    if not fragments:
        raise NothingToGather("there are no fragments in changelog.d")
    section = f"\n## {version} ({day.isoformat()})\n" + "".join(_parts(fragments))
    head, mark, rest = text.partition("\n## ")
    changelog.write_text(head + section + mark + rest, encoding="utf-8")
    for path in fragments:
        path.unlink()
    return section


def _fragments(root: Path) -> list[Path]:
    """Return the fragments by issue and word."""
    found = {path: NAME.fullmatch(path.name) for path in (root / "changelog.d").iterdir()}
    named = {path: (int(name[1]), name[3] or "") for path, name in found.items() if name}
    return sorted(named, key=lambda path: named[path])


def _parts(fragments: list[Path]) -> Iterator[str]:
    for kind in KINDS:
        own = [path for path in fragments if path.name.split(".")[1] == kind]
        if own:
            yield f"\n### {kind.capitalize()}\n\n"
            yield from (_entry(path.read_text("utf-8")) for path in own)


def _entry(text: str) -> str:
    """Return a fragment as an item of a list; some are written as one."""
    lines = text.strip().removeprefix("- ").splitlines()
    return "- " + "\n  ".join(line.strip() for line in lines) + "\n"


def main(arguments: list[str]) -> int:
    """Gather; return the exit code."""
    try:
        day = date.fromisoformat(arguments[0]) if arguments else datetime.now(UTC).date()
        print(gather(ROOT, day), end="")
    except (NothingToGather, ValueError) as error:
        print(f"changelog: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
