"""Texts in several languages, workspaces and what forms offer as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import ContentItem, ContentVariant
from clones.helpdesk.rules.locales import DEFAULT


def present_item(item: ContentItem, show: Show) -> dict[str, Any]:
    """Return an item with its variants as JSON."""
    show.note(item)
    variants = sorted(item.variants.all(), key=lambda variant: variant.id)
    default = next((found.locale_id for found in variants if found.default), DEFAULT.id)
    return {
        "url": show.url(f"dynamic_content/items/{item.id}"),
        "id": item.id,
        "name": item.name,
        "placeholder": item.placeholder,
        "default_locale_id": default,
        "outdated": any(found.outdated for found in variants),
        "created_at": when(item.created_at),
        "updated_at": when(item.updated_at),
        "variants": [present_variant(found, show) for found in variants],
    }


def present_variant(variant: ContentVariant, show: Show) -> dict[str, Any]:
    """Return an item's text in one language as JSON."""
    show.note(variant)
    path = f"dynamic_content/items/{variant.item_id}/variants/{variant.id}"
    return {
        "url": show.url(path),
        "id": variant.id,
        "content": variant.content,
        "locale_id": variant.locale_id,
        "outdated": variant.outdated,
        "active": variant.active,
        "default": variant.default,
        "created_at": when(variant.created_at),
        "updated_at": when(variant.updated_at),
    }
