"""Each guess of docs/fidelity/tracker-search.md has its test, and each test is listed."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "tracker-search.md"
OURS = ("search", "jql_meaning", "jql_operations", "filters", "dashboards", "labels")


def test_the_page_names_every_guess() -> None:
    named = re.findall(r"`tests/tracker/(\w+\.py)::(\w+)`", PAGE.read_text("utf-8"))
    held = [
        (path.name, name)
        for path in (HERE / f"test_{subject}.py" for subject in OURS)
        for name in re.findall(r"^def (test_unverified_\w+)", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(held) > 10
    assert sorted(named) == sorted(held)
