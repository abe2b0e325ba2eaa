"""What stands above boards and backlogs: the space, its tabs, the controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from clones.tracker.models import Board, QuickFilter
from clones.tracker.queries.boards import has_kanban_backlog, has_sprints
from clones.tracker.web.boards.asked import (
    GROUPS,
    Asked,
    epics_to_filter_by,
    people_to_filter_by,
)
from clones.tracker.web.boards.doors import backlog_address, board_address
from clones.tracker.web.boards.works import Shown


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a space: where it leads, and whether one is there."""

    name: str
    address: str
    current: bool


def has_backlog(board: Board) -> bool:
    """Tell whether a board has a backlog: with sprints it has, unless a team put it away."""
    if has_sprints(board):
        return board.type == "scrum" or bool(board.settings.get("backlog", True))
    return has_kanban_backlog(board)


def tabs_of(board: Board, current: str) -> list[Tab]:
    """Return the tabs of a board's space; `current` is board or backlog."""
    found = []
    if has_backlog(board):
        found.append(Tab("Backlog", backlog_address(board), current == "backlog"))
    name = "Active sprints" if board.type == "scrum" else "Board"
    found.append(Tab(name, board_address(board), current == "board"))
    if board.project is not None:
        query = urlencode({"jql": f"project = {board.project.key} ORDER BY created DESC"})
        found.append(Tab("All work", f"/issues/?{query}", current=False))
    return found


def header_of(board: Board, current: str) -> dict[str, Any]:
    """Return what the template of the header needs."""
    return {
        "board": board,
        "tabs": tabs_of(board, current),
        "address": board_address(board),
        "place": board.project.name if board.project is not None else board.name,
    }


def controls_of(shown: Shown, asked: Asked, quick: Sequence[QuickFilter]) -> dict[str, Any]:
    """Return what the template of the controls needs."""
    return {
        "asked": asked,
        "quick": [(row, row.id in asked.quick) for row in quick],
        "people": people_to_filter_by(shown, asked),
        "epics": epics_to_filter_by(shown, asked),
        "groups": [(key, name, key == asked.group) for key, name in GROUPS.items()],
    }
