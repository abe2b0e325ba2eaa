"""Screens, their tabs and schemes, as the API shows them."""

from __future__ import annotations

from typing import Any

from clones.tracker.api.presenters.kinds import scope_of
from clones.tracker.models import (
    IssueTypeScreenScheme,
    Screen,
    ScreenScheme,
    ScreenTab,
)

Json = dict[str, Any]


def screen_body(screen: Screen, owner: int | None = None) -> Json:
    """Return a screen; `owner` is the team-managed space whose own it is."""
    return {
        "id": screen.id,
        "name": screen.name,
        "description": screen.description,
        **scope_of(owner),
    }


def tab_body(tab: ScreenTab) -> Json:
    """Return a tab of a screen."""
    return {"id": tab.id, "name": tab.name}


def screen_scheme_body(scheme: ScreenScheme) -> Json:
    """Return a scheme of screens: a screen for each operation that has one of its own."""
    screens = {
        "default": scheme.default_id,
        "create": scheme.create_id,
        "edit": scheme.edit_id,
        "view": scheme.view_id,
    }
    return {
        "id": scheme.id,
        "name": scheme.name,
        "description": scheme.description,
        "screens": {name: id for name, id in screens.items() if id is not None},
    }


def type_screens_body(scheme: IssueTypeScreenScheme) -> Json:
    """Return a scheme of screens by type."""
    return {"id": str(scheme.id), "name": scheme.name, "description": scheme.description}
