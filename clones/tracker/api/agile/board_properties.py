"""What integrations keep with boards."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.board_configuration import BOARD, board_of
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.domain.boards import require_change
from clones.tracker.models import Board

PATH: Final = f"{BOARD}/properties"


@operation(
    "agile.getBoardPropertyKeys", "GET", PATH, summary="List the keys of a board's properties."
)
def list_board_properties(call: Call) -> dict[str, Any]:
    """List the keys."""
    board = board_of(call)
    address = show(call).at(f"/rest/agile/1.0/board/{board.id}/properties")
    return keys_of("board", str(board.id), address)


@operation(
    "agile.getBoardProperty", "GET", PATH + "/{property}", summary="Show a property of a board."
)
def show_board_property(call: Call) -> dict[str, Any]:
    """Show a property."""
    return value_of("board", str(board_of(call).id), call.path["property"])


@operation(
    "agile.setBoardProperty",
    "PUT",
    PATH + "/{property}",
    summary="Set a property of a board. The body is its value.",
    raw_body=True,
)
def set_board_property(call: Call) -> Reply:
    """Set a property."""
    return keep("board", str(_editable(call).id), call.path["property"], call.body)


@operation(
    "agile.deleteBoardProperty",
    "DELETE",
    PATH + "/{property}",
    summary="Delete a property of a board.",
    status=204,
)
def delete_board_property(call: Call) -> Reply:
    """Delete a property."""
    return drop("board", str(_editable(call).id), call.path["property"])


def _editable(call: Call) -> Board:
    board = board_of(call)
    require_change(board, actor(call))
    return board
