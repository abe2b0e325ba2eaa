"""Avatars, as the API lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import avatar_urls
from clones.tracker.models import Avatar
from clones.tracker.rules.pictures import SYSTEM

Json = dict[str, Any]


def system_avatars(kind: str, show: Show, selected: int | None = None) -> list[Json]:
    """Return the site's own avatars of a kind; there are none of a kind that is none."""
    return [
        {
            "id": str(number),
            "isSystemAvatar": True,
            "isSelected": number == selected,
            "isDeletable": False,
            "fileName": f"{name}.svg",
            "urls": avatar_urls(kind, number, show),
        }
        for number, name in SYSTEM.get(kind, {}).items()
    ]


def present_avatar(avatar: Avatar, show: Show, selected: int | None = None) -> Json:
    """Return a loaded avatar."""
    return {
        "id": str(avatar.id),
        "owner": avatar.entity or "",
        "isSystemAvatar": False,
        "isSelected": avatar.id == selected,
        "isDeletable": True,
        "urls": avatar_urls(avatar.kind, avatar.id, show),
    }


def all_avatars(
    kind: str, loaded: Sequence[Avatar], show: Show, selected: int | None = None
) -> Json:
    """Return the avatars that something can have: the site's own, and those loaded for it."""
    return {
        "system": system_avatars(kind, show, selected),
        "custom": [present_avatar(avatar, show, selected) for avatar in loaded],
    }
