"""Each guess of docs/fidelity/tracker-spaces-and-people.md has its test, and each is listed."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "tracker-spaces-and-people.md"
FILES = """
    avatars components groups notification_schemes permission_schemes permissions project_details
    project_roles projects security_schemes server_info site_settings user_search users versions
"""


def test_the_page_names_every_guess() -> None:
    """Guesses are named by the tests that hold them."""
    named = re.findall(r"`tests/tracker/(\w+\.py)::(\w+)`", PAGE.read_text("utf-8"))
    held = []
    for file in FILES.split():
        text = (HERE / f"test_{file}.py").read_text("utf-8")
        found = re.findall(r"^def (test_unverified_\w+)", text, re.MULTILINE)
        held += [(f"test_{file}.py", name) for name in found]
    assert len(held) > 10
    assert sorted(named) == sorted(held)
