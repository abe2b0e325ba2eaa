"""Each guess about the CRM has its test, and one page of docs/fidelity names each of them."""

from __future__ import annotations

from tests.fidelity_pages import FOLDER, held_guesses, named_guesses


def test_the_pages_name_every_guess_once() -> None:
    held = held_guesses("crm")
    pages = [page.read_text("utf-8") for page in sorted(FOLDER.glob("crm*.md"))]
    assert len(held) > 60
    assert named_guesses(pages, "crm") == held
