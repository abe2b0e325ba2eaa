"""What docs/fidelity/helpdesk-people-fields.md lists is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api import (
    organization_fields,
    satisfaction_reasons,
    subscriptions,
    user_fields,
)
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_names,
    operations_in,
    text_of,
)

TEXT = text_of("helpdesk-people-fields.md")
ROOMS = (organization_fields, satisfaction_reasons, subscriptions, user_fields)
TESTS = (
    "test_organization_fields",
    "test_profile_values",
    "test_satisfaction_reasons",
    "test_subscriptions",
    "test_user_fields",
)


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = listed_names(TEXT)
    assert len(listed) == len(set(listed)) == 24
    assert set(listed) == operations_in(ROOMS)


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
