"""What docs/fidelity/helpdesk-portal.md says is there is there, and each guess has its test."""

from __future__ import annotations

import re

from clones.helpdesk.web.urls import urlpatterns
from tests.helpdesk.fidelity_pages import guesses_in, listed_guesses, text_of

TEXT = text_of("helpdesk-portal.md")
TESTS = ("web/test_portal_reading", "web/test_portal_writing")


def test_the_page_lists_the_addresses_and_no_others() -> None:
    rows = re.findall(r"^\| (`/.*?) \|", TEXT, re.MULTILINE)
    listed = {address for row in rows for address in re.findall(r"`/([^`]+)`", row)}
    ours = {re.sub("<(int|slug):key>", "{id}", str(found.pattern)) for found in urlpatterns}
    portal = {path for path in ours if path.startswith(("hc", "requests/"))}
    # These only take forms of pages that are listed.
    portal -= {"hc/en-us/previews/requests/new", "hc/en-us/requests/{id}/satisfaction"}
    portal -= {"hc/en-us/articles/{id}/vote"}
    assert listed == portal


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
