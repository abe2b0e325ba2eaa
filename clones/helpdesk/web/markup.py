"""Comment HTML as pages show it: only what is harmless, whatever was stored."""

from __future__ import annotations

from django.utils.safestring import SafeString

from clones.core.pages import harmless_html


def comment_html(html: str) -> SafeString:
    """Return the part of a comment's HTML that a page may show."""
    return harmless_html(html)
