"""What of the HTML that comes in is kept, and where its words are read."""

from __future__ import annotations

from clones.core.pages import harmless_html
from clones.core.plaintext import plain_of_html
from clones.helpdesk.rules.text import html_of_html


def test_unverified_words_that_a_senders_styles_hide_are_kept_in_the_open() -> None:
    """The vendor keeps formats, tables and pictures; of what styles hide nobody tells."""
    kept = html_of_html('<div style="display:none">A preview.</div><p>Hello.</p>')
    assert "style" not in kept
    assert plain_of_html(kept).splitlines() == ["A preview.", "", "Hello."]
    assert "A preview." in harmless_html(kept)


def test_pictures_keep_their_alternative_text_in_the_api_and_are_not_on_pages() -> None:
    kept = html_of_html('<p>See <img src="https://example.com/a.png" alt="the plate">.</p>')
    assert 'alt="the plate"' in kept
    assert "the plate" not in harmless_html(kept)
    assert "the plate" not in plain_of_html(kept)
