"""What docs/fidelity/helpdesk-content.md says is there is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api import dynamic_content, group_slas, workspaces
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_routes,
    operations_in,
    routes_of,
    text_of,
)

TEXT = text_of("helpdesk-content.md")
ROOMS = (dynamic_content, group_slas, workspaces)
TESTS = ("test_dynamic_content", "test_group_slas", "test_workspaces")


def test_the_page_lists_the_operations_and_no_others() -> None:
    ours = operations_in(ROOMS)
    assert set(listed_routes(TEXT)) == routes_of(ours)
    assert len(ours) == 27


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
