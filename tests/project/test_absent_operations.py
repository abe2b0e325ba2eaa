"""What a page of docs/fidelity calls absent is not there, by the pages of operations."""

from __future__ import annotations

import re

import pytest

from tests.fidelity_pages import FOLDER

ROW = re.compile(r"^\| `[^`]+` \| (\w+) \| (\w+)", re.MULTILINE)
# A sentence of prose, of which the first word says what it is about.
SENTENCE = re.compile(r"^Absent\b[^.]*\.", re.MULTILINE)
PAGES = sorted(path.name for path in FOLDER.glob("*.md"))


def implemented() -> set[str]:
    """Return the ids of operations that are there, wholly or in part."""
    texts = [path.read_text("utf-8") for path in FOLDER.glob("*-operations.md")]
    return {name for text in texts for name, state in ROW.findall(text) if state != "absent"}


def contradicted(text: str, there: set[str]) -> list[str]:
    """Return the operations that a text calls absent and that are there."""
    words = re.findall(r"\w+", " ".join(SENTENCE.findall(text)))
    return sorted(set(words) & there)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_called_absent_is_not_there(page: str) -> None:
    assert contradicted((FOLDER / page).read_text("utf-8"), implemented()) == []


def test_a_contradiction_is_found() -> None:
    assert len(implemented()) > 1000
    text = "Other.\n\nAbsent, for a reason: ShowTicket, NoSuchThing\nand ListUsers. ListGroups.\n"
    assert contradicted(text, implemented()) == ["ListUsers", "ShowTicket"]
