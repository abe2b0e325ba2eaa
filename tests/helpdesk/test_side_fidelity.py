"""What docs/fidelity/helpdesk-side-conversations.md lists is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api import audit_logs, side_conversations
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_names,
    operations_in,
    text_of,
)

TEXT = text_of("helpdesk-side-conversations.md")


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = listed_names(TEXT)
    assert len(listed) == len(set(listed)) == 14
    assert set(listed) == operations_in((audit_logs, side_conversations))


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(("test_audit_logs", "test_side_conversations"))
