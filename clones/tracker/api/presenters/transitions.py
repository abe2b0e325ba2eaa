"""The moves of issues as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import status_ref
from clones.tracker.queries.transitions import Move

Json = dict[str, Any]


def present_moves(
    moves: Sequence[Move], show: Show, fields: Mapping[int, Json] | None = None
) -> list[Json]:
    """Return moves; `fields` are the descriptions of their screens' fields, by their number."""
    return [
        present_move(move, show, None if fields is None else fields[move.number]) for move in moves
    ]


def present_move(move: Move, show: Show, fields: Json | None = None) -> Json:
    """Return a move, with the fields of its screen where they are wanted."""
    found: Json = {
        "id": str(move.number),
        "name": move.name,
        "to": status_ref(move.to, show),
        "hasScreen": move.transition.screen_id is not None,
        "isGlobal": move.transition.type == "GLOBAL",
        "isInitial": move.transition.type == "INITIAL",
        "isAvailable": move.available,
        "isConditional": move.conditional,
        "isLooped": move.looped,
    }
    if fields is not None:
        found["fields"] = fields
    return found
