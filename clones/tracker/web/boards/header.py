"""What stands above boards and backlogs: the space, its tabs, the controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.tracker.models import Board, QuickFilter
from clones.tracker.queries.boards import has_kanban_backlog, has_sprints
from clones.tracker.web.boards.access import board_address
from clones.tracker.web.boards.issue_cards import CardExtras
from clones.tracker.web.boards.query_params import (
    GROUPS,
    BoardQuery,
    epics_to_filter_by,
    labels_to_filter_by,
    people_to_filter_by,
    types_to_filter_by,
    versions_to_filter_by,
)
from clones.tracker.web.shell import words
from clones.tracker.web.space.tabs import Tab
from clones.tracker.web.space.tabs import tabs_of as space_tabs

__all__ = ["Tab", "controls_of", "has_backlog", "header_of", "tabs_of"]


def has_backlog(board: Board) -> bool:
    """Tell whether a board has a backlog: with sprints it has, unless a team put it away."""
    if has_sprints(board):
        return board.type == "scrum" or bool(board.settings.get("backlog", True))
    return has_kanban_backlog(board)


def tabs_of(board: Board, current: str) -> list[Tab]:
    """Return the tabs of a board's space; `current` is board, backlog or reports."""
    return space_tabs(board.project, board, current, backlog=has_backlog(board))


def header_of(board: Board, current: str) -> dict[str, Any]:
    """Return what the template of the header needs."""
    return {
        "board": board,
        "tabs": tabs_of(board, current),
        "address": board_address(board),
        "place": board.project.name if board.project is not None else board.name,
    }


def controls_of(
    shown: CardExtras, asked: BoardQuery, quick: Sequence[QuickFilter]
) -> dict[str, Any]:
    """Return what the template of the controls needs."""
    return {
        "asked": asked,
        "quick": [(row, row.id in asked.quick) for row in quick],
        "people": people_to_filter_by(shown, asked),
        "epics": epics_to_filter_by(shown, asked),
        "filters": [
            ("type", words().type.capitalize(), types_to_filter_by(shown, asked)),
            ("label", "Label", labels_to_filter_by(shown, asked)),
            ("version", "Version", versions_to_filter_by(shown, asked)),
        ],
        "groups": [
            (key, name, key == asked.group)
            for key, name in GROUPS.items()
            if key != "query" or shown.looks.lanes
        ],
    }
