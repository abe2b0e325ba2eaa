"""Changing what boards are made of: columns, estimates, quick filters, swimlanes, features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.boards import NAME_LIMIT, checked_query, require_change
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import (
    Board,
    BoardColumn,
    BoardColumnStatus,
    CustomField,
    QuickFilter,
    Sprint,
    Status,
)
from clones.tracker.queries.agile_fields import FLOAT, STORY_POINTS
from clones.tracker.queries.rights import Rights

CONSTRAINTS: Final = ("none", "issueCount", "issueCountExclSubs")
SWIMLANES: Final = ("none", "parent", "assignee", "project", "query")
TIME: Final = "timeoriginalestimate"
# The features of team-managed boards that can be put on and off, and the setting of each.
FEATURES: Final = {"BACKLOG": "backlog", "SPRINTS": "sprints", "ESTIMATION": "estimation"}


@dataclass(frozen=True, slots=True)
class ColumnDraft:
    """A column to be: its name, its statuses by id, the least and most issues it should have.

    With the `id` of one that the board has it is that one, changed.
    """

    name: str
    statuses: Sequence[int] = ()
    minimum: int | None = None
    maximum: int | None = None
    id: int = 0


def rename_board(board: Board, name: str, *, actor: Rights) -> Board:
    """Call a board otherwise.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: the name is missing or too long.
    """
    require_change(board, actor)
    board.name = checked_name(name)
    return configured(board, actor, "name")


def set_columns(board: Board, columns: Sequence[ColumnDraft], *, actor: Rights) -> Board:
    """Give a board other columns.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: there are none, one has no name, a status is none or stands in two, or the least
            number of issues is above the most.
    """
    require_change(board, actor)
    if not columns:
        raise Invalid("A board needs at least one column.")
    wanted = [status for column in columns for status in column.statuses]
    known = set(Status.objects.filter(id__in=wanted).values_list("id", flat=True))
    if len(set(wanted)) != len(wanted) or set(wanted) - known:
        raise Invalid("A status can be mapped to one column only.")
    for column in columns:
        checked_name(column.name)
        if None not in (column.minimum, column.maximum) and column.minimum > column.maximum:  # type: ignore[operator]
            raise Invalid("The minimum of a column cannot be greater than its maximum.")
    _write_columns(board, columns)
    return configured(board, actor)


def _write_columns(board: Board, columns: Sequence[ColumnDraft]) -> None:
    """Write a board's columns; those that stay, and their statuses, keep their rows."""
    before = {row.id: row for row in board.columns.all()}
    stay = {column.id for column in columns if column.id in before}
    for key, row in before.items():
        if key not in stay:
            row.delete()
    fresh = [column for column in columns if column.id not in before]
    keys = iter(next_ids(BoardColumn, len(fresh)))
    rows: list[tuple[BoardColumn, ColumnDraft]] = []
    for position, column in enumerate(columns):
        found = before.get(column.id)
        row = BoardColumn(id=next(keys), board=board) if found is None else found
        was = (row.name, row.position, row.minimum, row.maximum)
        row.name, row.position = column.name.strip(), position
        row.minimum, row.maximum = column.minimum, column.maximum
        if found is None:
            row.save(force_insert=True)
        elif was != (row.name, row.position, row.minimum, row.maximum):
            row.save()
        rows.append((row, column))
    _write_statuses(rows)


def _write_statuses(rows: Sequence[tuple[BoardColumn, ColumnDraft]]) -> None:
    """Write the statuses of columns: first those that leave one, then those that come."""
    have: dict[int, dict[int, BoardColumnStatus]] = {row.id: {} for row, _ in rows}
    for place in BoardColumnStatus.objects.filter(column__in=have).order_by("id"):
        have[place.column_id][place.status_id] = place
    fresh: list[BoardColumnStatus] = []
    for row, column in rows:
        for status, place in have[row.id].items():
            if status not in column.statuses:
                place.delete()
        for position, status in enumerate(column.statuses):
            found = have[row.id].get(status)
            if found is None:
                fresh.append(BoardColumnStatus(column=row, status_id=status, position=position))
            elif found.position != position:
                found.position = position
                found.save()
    for key, place in zip(next_ids(BoardColumnStatus, len(fresh)), fresh, strict=True):
        place.id = key
    BoardColumnStatus.objects.bulk_create(fresh)


def set_constraint(board: Board, constraint: str, *, actor: Rights) -> Board:
    """Say what the limits of columns count: nothing, issues, or issues without sub-tasks.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: it is no such word.
    """
    require_change(board, actor)
    _one_of(constraint, CONSTRAINTS)
    board.constraint_type = constraint
    return configured(board, actor, "constraint_type")


def set_estimation(board: Board, field: str | None, *, actor: Rights) -> Board:
    """Let a board estimate by a field, or with None by the count of issues.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: nothing can be estimated with this field.
    """
    require_change(board, actor)
    if field not in (None, TIME) and not _is_number(str(field)):
        raise Invalid(fields={"estimation": f"Field '{field}' cannot be used for estimation."})
    board.estimation = field
    return configured(board, actor, "estimation")


def _is_number(field: str) -> bool:
    number = field.removeprefix("customfield_")
    rows = CustomField.objects.filter(type__in=[FLOAT, STORY_POINTS], trashed_at=None)
    return is_digits(number) and rows.filter(id=int(number)).exists()


def set_swimlanes(board: Board, swimlanes: str, *, actor: Rights) -> Board:
    """Say what a board groups its issues by.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: it is no such word.
    """
    require_change(board, actor)
    _one_of(swimlanes, SWIMLANES)
    board.swimlanes = swimlanes
    return configured(board, actor, "swimlanes")


def set_sub_query(board: Board, jql: str, *, actor: Rights) -> Board:
    """Say which of the issues of its filter a kanban board shows; an empty query: all.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: it is no JQL.
    """
    require_change(board, actor)
    board.sub_query = checked_query(jql, "subQuery")
    return configured(board, actor, "sub_query")


def set_kanban_backlog(board: Board, *, on: bool, actor: Rights) -> Board:
    """Say whether the first column of a kanban board is its backlog.

    Raises:
        Forbidden: the actor may not change it.
    """
    require_change(board, actor)
    board.settings = {**board.settings, "backlog": on}
    return configured(board, actor, "settings")


def toggle_feature(board: Board, feature: str, *, on: bool, actor: Rights) -> Board:
    """Put a feature of a team-managed board on or off.

    Raises:
        Forbidden: the actor may not change it.
        Invalid: the board has no such feature to put on or off, or a sprint runs.
    """
    require_change(board, actor)
    if board.type != "simple" or feature not in FEATURES:
        raise Invalid(fields={"feature": f"Feature '{feature}' cannot be toggled on this board."})
    running = Sprint.objects.filter(board=board, state="active")
    if feature == "SPRINTS" and not on and running.exists():
        raise Invalid(fields={"feature": "Sprints cannot be disabled while one is active."})
    if feature == "ESTIMATION":
        points = CustomField.objects.filter(type=STORY_POINTS, trashed_at=None).order_by("id")
        field = points.first() if on else None
        board.estimation = None if field is None else field.key
    else:
        board.settings = {**board.settings, FEATURES[feature]: on}
    return configured(board, actor, "settings", "estimation")


def add_quick_filter(
    board: Board, name: str, jql: str, *, description: str = "", actor: Rights
) -> QuickFilter:
    """Add a quick filter after the others of a board.

    Raises:
        Forbidden: the actor may not change the board.
        Invalid: the name is missing or too long, or the query is no JQL.
    """
    require_change(board, actor)
    last = board.quick_filters.order_by("-position").values_list("position", flat=True).first()
    return QuickFilter.objects.create(
        id=next_id(QuickFilter),
        board=board,
        name=checked_name(name),
        jql=checked_query(jql, "jql"),
        description=description,
        position=0 if last is None else last + 1,
    )


def update_quick_filter(
    quick: QuickFilter, name: str, jql: str, *, description: str = "", actor: Rights
) -> QuickFilter:
    """Change a quick filter.

    Raises:
        Forbidden: the actor may not change the board.
        Invalid: the name is missing or too long, or the query is no JQL.
    """
    require_change(quick.board, actor)
    quick.name = checked_name(name)
    quick.jql = checked_query(jql, "jql")
    quick.description = description
    quick.save(update_fields=["name", "jql", "description"])
    return quick


def delete_quick_filter(quick: QuickFilter, *, actor: Rights) -> None:
    """Delete a quick filter.

    Raises:
        Forbidden: the actor may not change the board.
    """
    require_change(quick.board, actor)
    quick.delete()


def checked_name(name: str) -> str:
    """Return a name that boards and their parts can have.

    Raises:
        Invalid: it is missing or too long.
    """
    name = name.strip()
    if not name or len(name) > NAME_LIMIT:
        raise Invalid(fields={"name": f"A name of 1 to {NAME_LIMIT} characters is required."})
    return name


def _one_of(value: str, words: Sequence[str]) -> None:
    if value not in words:
        raise Invalid(f"'{value}' is none of {', '.join(words)}.")


def configured(board: Board, actor: Rights, *columns: str) -> Board:
    """Write columns of a board's own row, and tell that it was configured."""
    if columns:
        board.save(update_fields=columns)
    details: dict[str, Any] = {"columns": list(columns)}
    publish(Event("board_configuration_changed", actor, board=board, details=details))
    return board
