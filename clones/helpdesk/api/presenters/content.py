"""Texts in several languages, and workspaces, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.rules import present_macro
from clones.helpdesk.models import ContentItem, ContentVariant, ContextualWorkspace, Macro
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


def present_workspaces(
    workspaces: Sequence[ContextualWorkspace], show: Show
) -> list[dict[str, Any]]:
    """Return workspaces with their macros as JSON; macros that were deleted are left out."""
    wanted = {key for workspace in workspaces for key in workspace.macro_ids}
    macros = Macro.objects.in_bulk(wanted)
    aside = show.as_list()
    found = []
    for workspace in workspaces:
        show.note(workspace)
        keys = [key for key in workspace.macro_ids if key in macros]
        body = {
            # The service leaves the id out.
            "url": show.url("workspaces"),
            "id": workspace.id,
            "title": workspace.title,
            "description": workspace.description,
            "position": workspace.position,
            "activated": workspace.activated,
            "prefer_workspace_app_order": workspace.prefer_workspace_app_order,
            "conditions": workspace.conditions,
            "ticket_form_id": workspace.ticket_form_id,
            "apps": workspace.apps,
            "macro_ids": keys,
            "selected_macros": [present_macro(macros[key], aside) for key in keys],
            "created_at": when(workspace.created_at),
            "updated_at": when(workspace.updated_at),
        }
        found.append(body)
    return found
