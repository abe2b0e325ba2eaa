"""Each guess of docs/fidelity/tracker-workflows.md has its test, and each test is listed."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "tracker-workflows.md"
FILES = ("transitions", "workflows", "workflow_schemes", "workflow_templates")


def test_the_page_names_every_guess() -> None:
    named = re.findall(r"`(test_unverified_\w+)`", PAGE.read_text("utf-8"))
    held = [
        name
        for file in FILES
        for name in re.findall(
            r"^def (test_unverified_\w+)",
            (HERE / f"test_{file}.py").read_text("utf-8"),
            re.MULTILINE,
        )
    ]
    assert len(held) > 5
    assert sorted(named) == sorted(held)
