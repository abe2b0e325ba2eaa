"""What docs/fidelity/helpdesk-suspended.md lists is there, and each guess has its test."""

from __future__ import annotations

import re

from clones.helpdesk.api import activities, bookmarks, content_pins, skips, suspended
from clones.helpdesk.rules.suspension import CAUSES, NUMBERS
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_names,
    operations_in,
    text_of,
)

TEXT = text_of("helpdesk-suspended.md")
ROOMS = (activities, bookmarks, content_pins, skips, suspended)
TESTS = ("test_activities", "test_desks", "test_suspended")


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = listed_names(TEXT)
    assert len(listed) == len(set(listed)) == 21
    assert set(listed) == operations_in(ROOMS)


def test_the_page_numbers_causes_as_the_vendor_does() -> None:
    listed = re.findall(r"(\d+) ([a-z_]+)(?= \||, \d+ )", TEXT)
    assert len(listed) == 14
    assert {name: int(number) for number, name in listed}.items() <= NUMBERS.items()
    assert len(CAUSES) == 30


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
