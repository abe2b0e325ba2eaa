"""What texts say to readers of a language."""

from __future__ import annotations

from collections.abc import Collection

from clones.core.prepared import Prepared
from clones.helpdesk.models import ContentVariant
from clones.helpdesk.rules import dynamic_content as rules

_VARIANTS: Prepared[tuple[int, str, bool, bool]] = Prepared(
    lambda identifier: (
        ContentVariant.objects.filter(item__identifier=identifier)
        .order_by("id")
        .values_list("locale_id", "content", "default", "active")
    ),
    str,
)


def content_of(identifier: str, locale: str) -> str | None:
    """Return what an item says in a language, None if there is no such item."""
    return rules.in_language(locale, (rules.Variant(*row) for row in _VARIANTS.all(identifier)))


def translated(text: str, locale: str) -> str:
    """Return a text with the items that it refers to, in a language."""
    if not rules.has_references(text):
        return text
    return rules.fill(text, lambda identifier: content_of(identifier, locale))


def contents(placeholders: Collection[str], locale: str) -> dict[str, str]:
    """Return what those of some placeholders say that stand for items, by placeholder."""
    found = {}
    for name in placeholders:
        if name.startswith(rules.PREFIX):
            text = content_of(name.removeprefix(rules.PREFIX), locale)
            if text is not None:
                found[name] = text
    return found
