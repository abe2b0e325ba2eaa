"""What the pages of routing, tokens and custom objects list is there; each guess has its test."""

from __future__ import annotations

import re

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_names,
    text_of,
)

# A page, the addresses that it is about, how many operations they have, and the tests.
PAGES = [
    (
        "helpdesk-routing.md",
        r"/api/v2/(incremental/)?(routing|queues|agent_availabilities)\b",
        32,
        ("test_queues", "test_skills"),
    ),
    ("helpdesk-oauth.md", r"/api/v2/oauth/", 10, ("test_oauth",)),
    (
        "helpdesk-custom-objects.md",
        r"/api/v2/(custom_objects\b|.*/relationship_fields/)",
        27,
        ("test_custom_objects", "test_custom_records", "test_custom_record_search"),
    ),
]


@pytest.mark.parametrize(("page", "addresses", "number"), [item[:3] for item in PAGES])
def test_the_page_lists_the_operations_and_no_others(
    page: str, addresses: str, number: int
) -> None:
    listed = listed_names(text_of(page))
    ours = {name for name, found in operations().all.items() if re.match(addresses, found.path)}
    assert len(listed) == len(set(listed)) == number
    assert set(listed) == ours


@pytest.mark.parametrize(("page", "tests"), [(item[0], item[3]) for item in PAGES])
def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed(
    page: str, tests: tuple[str, ...]
) -> None:
    assert listed_guesses(text_of(page)) == guesses_in(tests)
