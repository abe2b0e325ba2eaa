"""The menu of what can be set of a space and of its board, for templates."""

from __future__ import annotations

from typing import Any

from django import template

from clones.tracker.domain.administration import runs_project
from clones.tracker.queries.boards import administers
from clones.tracker.web.boards.access import board_address
from clones.tracker.web.settings.addresses import settings_address

register = template.Library()


@register.inclusion_tag("tracker/settings/_actions.html", takes_context=True)
def space_actions(context: dict[str, Any]) -> dict[str, Any]:
    """Return the links of the menu: for who runs the space, for who administers the board.

    The page's context has `rights`, and `project` and `board` or None.
    """
    rights, project, board = context["rights"], context.get("project"), context.get("board")
    links = []
    if board is not None and administers(rights, board):
        links.append(("Board settings", f"{board_address(board)}?config=general"))
    if project is not None and runs_project(rights, project):
        links.append(
            (
                f"{context['words'].space.capitalize()} settings",
                settings_address(project, "details"),
            )
        )
    return {"links": links}
