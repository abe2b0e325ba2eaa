"""Searches that engines which go back and try again would never end."""

from __future__ import annotations

import time
from urllib.parse import quote

import pytest

from tests.tracker.site import Site

JOKERS = "a*" * 12


@pytest.mark.parametrize("field", ["summary", "description", "text"])
def test_a_search_with_many_jokers_is_answered_in_time(site: Site, field: str) -> None:
    """Nothing could end one within an engine's own search."""
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": "a" * 2_000}]}
    document = {"type": "doc", "version": 1, "content": [paragraph]}
    key = site.issue("a" * 250, description=document)
    started = time.process_time()
    for jokers, wanted in ((f"{JOKERS}b", []), (JOKERS, [key]), (f"{JOKERS}a", [key])):
        query = quote(f'{field} ~ "{jokers}"')
        found = site.get(f"search/jql?fields=summary&jql={query}")
        assert [one["key"] for one in found["issues"]] == wanted
    assert time.process_time() - started < 20
