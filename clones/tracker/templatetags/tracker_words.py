"""The words of the site, for templates: `{% load tracker_words %}{{ label|said:words }}`."""

from __future__ import annotations

from django import template

from clones.tracker.web import vocabulary

register = template.Library()


@register.filter
def said(text: str, words: vocabulary.Words) -> str:
    """Return a text of a page in the words of the site, which pages have as `words`."""
    return vocabulary.said(text, words)
