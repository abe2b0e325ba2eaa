"""What docs/fidelity/helpdesk-configuration.md lists is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api import (
    account_settings,
    brands,
    custom_roles,
    custom_statuses,
    locales,
    memberships,
    ticket_fields,
    ticket_forms,
)
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_names,
    operations_in,
    text_of,
)

TEXT = text_of("helpdesk-configuration.md")
ROOMS = (
    account_settings,
    brands,
    custom_roles,
    custom_statuses,
    locales,
    memberships,
    ticket_fields,
    ticket_forms,
)
TESTS = (
    "test_account",
    "test_brands",
    "test_custom_roles",
    "test_custom_statuses",
    "test_memberships",
    "test_ticket_fields",
    "test_ticket_forms",
)


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = listed_names(TEXT)
    assert len(listed) == len(set(listed)) == 61
    assert set(listed) == operations_in(ROOMS)


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
