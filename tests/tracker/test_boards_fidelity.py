"""Each guess of docs/fidelity/tracker-boards.md has its test, and each test is listed."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "tracker-boards.md"
FILES = ("rank", "sprints", "boards", "boards_issues", "backlog", "epics", "estimation")


def test_the_page_names_every_guess() -> None:
    named = re.findall(r"`tests/tracker/(\w+\.py)::(\w+)`", PAGE.read_text("utf-8"))
    held = []
    for file in FILES:
        text = (HERE / f"test_{file}.py").read_text("utf-8")
        found = re.findall(r"^def (test_unverified_\w+)", text, re.MULTILINE)
        held += [(f"test_{file}.py", name) for name in found]
    assert len(held) > 10
    assert sorted(named) == sorted(held)
