"""What pages of docs/fidelity list: guesses by their tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "fidelity"


def text_of(page: str) -> str:
    """Return a page."""
    return (FOLDER / page).read_text(encoding="utf-8")


def named_guesses(texts: Iterable[str], clone: str) -> list[str]:
    """Return the tests of guesses about a clone that pages name, as often as they do."""
    pattern = re.compile(rf"`(tests/{clone}/[\w/]+\.py::test_unverified_\w+)`")
    return sorted(found for text in texts for found in pattern.findall(text))


def held_guesses(clone: str) -> list[str]:
    """Return the tests of guesses about a clone."""
    found = []
    for file in (ROOT / "tests" / clone).rglob("test_*.py"):
        names = re.findall(r"^def (test_unverified_\w+)", file.read_text("utf-8"), re.MULTILINE)
        found += [f"{file.relative_to(ROOT).as_posix()}::{name}" for name in names]
    return sorted(found)
