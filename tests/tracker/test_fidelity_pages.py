"""Each guess about the tracker has its test, and one page of docs/fidelity names each of them."""

from __future__ import annotations

import re

from tests.fidelity_pages import FOLDER, held_guesses, named_guesses

PAGES = sorted(FOLDER.glob("tracker*.md"))


def test_the_pages_name_every_guess_once() -> None:
    held = held_guesses("tracker")
    assert len(held) > 90
    assert named_guesses([page.read_text("utf-8") for page in PAGES], "tracker") == held


def test_no_page_names_a_guess_otherwise() -> None:
    """A bare name would be counted by nobody."""
    for page in PAGES:
        text = re.sub(
            r"`tests/tracker/[\w/]+\.py::test_unverified_\w+`", "", page.read_text("utf-8")
        )
        assert "test_unverified_" not in text, page.name
