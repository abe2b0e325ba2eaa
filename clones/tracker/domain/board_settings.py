"""Changing the rest of what boards are set to: who runs them, over what, and how cards look.

Columns, estimates and quick filters are changed by `clones.tracker.domain.board_configuration`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final
from zoneinfo import available_timezones

from clones.tracker.domain.board_configuration import checked_name, configured
from clones.tracker.domain.boards import checked_query, require_change
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.numbering import next_ids
from clones.tracker.models import Board, BoardAdmin, Filter, Group, Project, QuickFilter, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.board_settings import (
    COLOURED_BY,
    COLOURS,
    DAYS,
    FIELDS_ON_CARDS,
    PLACES,
    ColourQuery,
    QueryLane,
    card_colours,
    lanes_of,
)

NO_FILTER: Final = "The filter does not exist or you do not have permission to view it."
DAYS_OFF: Final = 500


def set_admins(
    board: Board, users: Collection[User], groups: Collection[Group], *, actor: Rights
) -> Board:
    """Say who may change a board beside the site's admins; who stays keeps their row.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: nobody would be left.
    """
    require_change(board, actor)
    if not users and not groups:
        raise Invalid(fields={"admins": "A board needs at least one administrator."})
    wanted: list[tuple[int | None, int | None]] = [
        *((user.id, None) for user in users),
        *((None, group.id) for group in groups),
    ]
    have = {(row.user_id, row.group_id): row for row in BoardAdmin.objects.filter(board=board)}
    for pair, row in have.items():
        if pair not in wanted:
            row.delete()
    lacking = [pair for pair in dict.fromkeys(wanted) if pair not in have]
    BoardAdmin.objects.bulk_create(
        [
            BoardAdmin(id=key, board=board, user_id=user, group_id=group)
            for key, (user, group) in zip(next_ids(BoardAdmin, len(lacking)), lacking, strict=True)
        ]
    )
    return configured(board, actor)


def set_filter(board: Board, found: Filter, *, actor: Rights) -> Board:
    """Let a board show what another filter finds.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: they do not see the filter.
    """
    require_change(board, actor)
    if not visible_filters(actor).filter(id=found.id).exists():
        raise Invalid(fields={"filter": NO_FILTER})
    board.filter = found
    return configured(board, actor, "filter_id")


def set_location(board: Board, project: Project | None, *, actor: Rights) -> Board:
    """Put a board into a space, or with None to its owner.

    Raises:
        Forbidden: the actor may not change it, or it is a team-managed space's.
    """
    require_change(board, actor)
    if board.type == "simple":
        raise Forbidden("Boards of team-managed projects cannot be moved.")
    board.project = project
    return configured(board, actor, "project_id")


def move_quick_filter(quick: QuickFilter, place: int, *, actor: Rights) -> None:
    """Put a quick filter at a place among those of its board, from 0.

    Raises:
        Forbidden: the actor may not change the board.
    """
    require_change(quick.board, actor)
    rows = list(quick.board.quick_filters.order_by("position", "id"))
    moved = next(row for row in rows if row.id == quick.id)
    rows.remove(moved)
    rows.insert(max(0, place), moved)
    for position, row in enumerate(rows):
        if row.position != position:
            row.position = position
            row.save(update_fields=["position"])
    configured(quick.board, actor)


def add_lane(board: Board, name: str, jql: str, description: str, *, actor: Rights) -> QueryLane:
    """Add a swimlane by a query after the others of a board.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: the name is missing or too long, or the query is no JQL.
    """
    require_change(board, actor)
    lanes = lanes_of(board.settings)
    made = _checked_lane(QueryLane(_next(lanes), name, jql, description))
    _set(board, "swimlanes", [one.stored() for one in (*lanes, made)], actor)
    return made


def update_lane(board: Board, lane: QueryLane, *, actor: Rights) -> QueryLane:
    """Change the swimlane that has the id of this one.

    Raises:
        Forbidden: the actor may not change the board.
        NotFound: the board has no such lane.
        Invalid: as for a new one.
    """
    require_change(board, actor)
    lanes = lanes_of(board.settings)
    find_lane(board, lane.id)
    lane = _checked_lane(lane)
    rows = [(lane if one.id == lane.id else one).stored() for one in lanes]
    _set(board, "swimlanes", rows, actor)
    return lane


def delete_lane(board: Board, lane: QueryLane, *, actor: Rights) -> None:
    """Take a swimlane from a board.

    Raises:
        Forbidden: the actor may not change it.
    """
    require_change(board, actor)
    rows = [one.stored() for one in lanes_of(board.settings) if one.id != lane.id]
    _set(board, "swimlanes", rows, actor)


def move_lane(board: Board, lane: QueryLane, place: int, *, actor: Rights) -> None:
    """Put a swimlane at a place among the others, from 0.

    Raises:
        Forbidden: the actor may not change the board.
    """
    require_change(board, actor)
    rows = [one for one in lanes_of(board.settings) if one.id != lane.id]
    rows.insert(max(0, place), lane)
    _set(board, "swimlanes", [one.stored() for one in rows], actor)


def find_lane(board: Board, id: int) -> QueryLane:
    """Return a swimlane of a board.

    Raises:
        NotFound: there is none.
    """
    found = next((one for one in lanes_of(board.settings) if one.id == id), None)
    if found is None:
        raise NotFound("The swimlane does not exist.")
    return found


def _checked_lane(lane: QueryLane) -> QueryLane:
    return replace(
        lane,
        name=checked_name(lane.name),
        jql=checked_query(lane.jql, "jql"),
        description=lane.description.strip(),
    )


def set_card_fields(
    board: Board, place: str, fields: Sequence[str], known: Collection[str], *, actor: Rights
) -> Board:
    """Say which further fields cards show on the board or in the backlog.

    Args:
        board: the board.
        place: board or backlog.
        fields: ids, three at most.
        known: the ids of the fields that can be shown.
        actor: who.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: there are too many, one comes twice or is not known.
    """
    require_change(board, actor)
    if place not in PLACES:
        raise Invalid(f"'{place}' is none of {', '.join(PLACES)}.")
    if len(fields) > FIELDS_ON_CARDS or len(set(fields)) != len(fields):
        text = f"You can show up to {FIELDS_ON_CARDS} different fields on a card."
        raise Invalid(fields={"fields": text})
    if set(fields) - set(known):
        raise Invalid(fields={"fields": "One of the fields cannot be shown on cards."})
    layout = {**board.settings.get("cardLayout", {}), place: list(fields)}
    return _set(board, "cardLayout", layout, actor)


def set_card_colours(board: Board, by: str, colours: Mapping[str, str], *, actor: Rights) -> Board:
    """Say what a board's cards are coloured by, and the colours by type, priority or person.

    `colours` are changes: those that are not named stay, "" takes one away.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: there is no such way or colour.
    """
    require_change(board, actor)
    if by not in COLOURED_BY:
        raise Invalid(fields={"by": f"'{by}' is none of {', '.join(COLOURED_BY)}."})
    if set(colours.values()) - {*COLOURS, ""}:
        raise Invalid(fields={"by": "There is no such colour."})
    kept = card_colours(board.settings)
    found = {key: colour for key, colour in {**kept.colours, **colours}.items() if colour}
    return _set_colours(board, by, found, kept.queries, actor)


def set_colour_query(board: Board, query: ColourQuery, *, actor: Rights) -> ColourQuery:
    """Add a colour by query, or with the id of one change it.

    Raises:
        Forbidden: the actor may not change the board.
        Invalid: the query is no JQL, or there is no such colour.
    """
    require_change(board, actor)
    if query.colour not in COLOURS:
        raise Invalid(fields={"color": "There is no such colour."})
    if not query.jql.strip():
        raise Invalid(fields={"jql": "A query is required."})
    kept = card_colours(board.settings)
    made = replace(query, id=query.id or _next(kept.queries), jql=checked_query(query.jql, "jql"))
    rows = [made if one.id == made.id else one for one in kept.queries]
    if made not in rows:
        rows.append(made)
    _set_colours(board, kept.by, kept.colours, rows, actor)
    return made


def delete_colour_query(board: Board, id: int, *, actor: Rights) -> None:
    """Take a colour by query from a board.

    Raises:
        Forbidden: the actor may not change it.
    """
    require_change(board, actor)
    kept = card_colours(board.settings)
    rows = [one for one in kept.queries if one.id != id]
    _set_colours(board, kept.by, kept.colours, rows, actor)


def _set_colours(
    board: Board,
    by: str,
    colours: Mapping[str, str],
    queries: Sequence[ColourQuery],
    actor: Rights,
) -> Board:
    stored = {
        "by": by,
        "colors": dict(sorted(colours.items())),
        "queries": [one.stored() for one in queries],
    }
    return _set(board, "cardColors", stored, actor)


def set_working_days(
    board: Board, zone: str, days: Collection[str], off: Collection[date], *, actor: Rights
) -> Board:
    """Say on which days of the week a board's team works, and which days it is off.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: there is no such time zone or day, or no day is left.
    """
    require_change(board, actor)
    if zone not in available_timezones():
        raise Invalid(fields={"timeZone": f"'{zone}' is not a time zone."})
    if not days or set(days) - set(DAYS):
        raise Invalid(fields={"days": "Choose at least one working day."})
    if len(off) > DAYS_OFF:
        raise Invalid(fields={"day": f"There can be up to {DAYS_OFF} non-working days."})
    stored = {
        "timeZone": zone,
        "days": [name for name in DAYS if name in days],
        "nonWorkingDays": [day.isoformat() for day in sorted(set(off))],
    }
    return _set(board, "workingDays", stored, actor)


def _next(rows: Sequence[QueryLane] | Sequence[ColourQuery]) -> int:
    return max((one.id for one in rows), default=0) + 1


def _set(board: Board, name: str, value: Any, actor: Rights) -> Board:
    board.settings = {**board.settings, name: value}
    return configured(board, actor, "settings")
