"""Moving issues between backlogs, sprints and boards, a few at a time, and ranking them there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from django.db.models import Q

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.history import Changes
from clones.tracker.domain.ranking import RankOutcome, RankPosition, check_number, note_rank
from clones.tracker.domain.sprint_contents import SUBTASKS, note_sprints
from clones.tracker.domain.sprints import COMPLETED, save_changes
from clones.tracker.domain.transitions import available, move
from clones.tracker.models import Board, Issue, Sprint
from clones.tracker.queries.board_issues import found_by_board
from clones.tracker.queries.boards import (
    columns_of,
    has_kanban_backlog,
    has_sprints,
    statuses_of,
)
from clones.tracker.queries.rights import Rights

NO_BACKLOG: Final = "The board does not have a backlog."


class Mover(Protocol):
    """Moves issues on a board, and tells what became of each."""

    def __call__(
        self,
        board: Board,
        issues: Sequence[Issue],
        *,
        place: RankPosition | None = None,
        actor: Rights,
    ) -> list[RankOutcome]:
        """Move them."""


def move_to_sprint(
    issues: Sequence[Issue], sprint: Sprint, *, place: RankPosition | None = None, actor: Rights
) -> None:
    """Put issues into a sprint that is not over; their sub-tasks go with them.

    Args:
        issues: at most `MOST`.
        sprint: to come or running.
        place: where they are ranked, None to leave their ranks.
        actor: who moves them.

    Raises:
        Invalid: the sprint is over, one of them is a sub-task, or they are too many.
        Forbidden: the actor may not edit or schedule one of them.
    """
    _check(issues, actor)
    if sprint.state == "closed":
        raise Invalid(COMPLETED)
    _move(issues, sprint, place, actor)


def move_to_backlog(issues: Sequence[Issue], *, actor: Rights) -> None:
    """Take issues out of sprints that are to come or run.

    Raises:
        Invalid: one of them is a sub-task, or they are too many.
        Forbidden: the actor may not edit or schedule one of them.
    """
    _check(issues, actor)
    _move(issues, None, None, actor)


def move_to_backlog_of(
    board: Board, issues: Sequence[Issue], *, place: RankPosition | None = None, actor: Rights
) -> list[RankOutcome]:
    """Put issues that are on a board into its backlog: out of sprints, or into its first column.

    Raises:
        Invalid: the board has no backlog, or one of the issues is not on it, or is a sub-task.
        Forbidden: the actor may not edit or schedule one of them.
    """
    _check(issues, actor)
    _check_on(board, issues, actor)
    if has_sprints(board):
        _move(issues, None, place, actor)
        return [RankOutcome(issue) for issue in issues]
    return _to_column(board, 0, issues, place, actor)


def move_to_board(
    board: Board, issues: Sequence[Issue], *, place: RankPosition | None = None, actor: Rights
) -> list[RankOutcome]:
    """Take issues of a board's backlog onto the board.

    They go into the sprint that runs, or out of the column that is the backlog into the next.

    Raises:
        Invalid: the board has no backlog or no sprint runs, or one of the issues is not on it.
        Forbidden: the actor may not edit or schedule one of them.
    """
    _check(issues, actor)
    _check_on(board, issues, actor)
    if has_sprints(board):
        running = Sprint.objects.filter(board=board, state="active").order_by("position", "id")
        sprint = running.first()
        if sprint is None:
            raise Invalid("The board has no active sprint.")
        _move(issues, sprint, place, actor)
        return [RankOutcome(issue) for issue in issues]
    return _to_column(board, 1, issues, place, actor)


def _check(issues: Sequence[Issue], actor: Rights) -> None:
    check_number(issues)
    for issue in issues:
        if issue.issue_type.subtask:
            raise Invalid(SUBTASKS)
        if not (actor.may_on("SCHEDULE_ISSUES", issue) and actor.may_on("EDIT_ISSUES", issue)):
            raise Forbidden(f"You do not have permission to schedule issue {issue.key}.")


def _check_on(board: Board, issues: Sequence[Issue], actor: Rights) -> None:
    if not has_sprints(board) and not has_kanban_backlog(board):
        raise Invalid(NO_BACKLOG)
    wanted = {issue.id for issue in issues}
    rows = found_by_board(board, actor, within=Q(id__in=wanted)).found
    there = set(rows.values_list("id", flat=True))
    for issue in issues:
        if issue.id not in there:
            raise Invalid(f"Issue {issue.key} does not belong to the board.")


def _move(
    issues: Sequence[Issue], sprint: Sprint | None, place: RankPosition | None, actor: Rights
) -> None:
    unique = list({issue.id: issue for issue in issues}.values())
    changes = {issue.id: Changes(issue, actor) for issue in unique}
    note_sprints(unique, sprint, changes)
    if place is not None:
        note_rank(unique, place, changes)
    save_changes(unique, changes, actor, "rank")


def _to_column(
    board: Board, number: int, issues: Sequence[Issue], place: RankPosition | None, actor: Rights
) -> list[RankOutcome]:
    """Take issues through transitions into a column; those that cannot go stay, and say so."""
    columns = columns_of(board)
    if number >= len(columns):
        raise Invalid(NO_BACKLOG)
    targets = statuses_of(columns[number])
    moves = available(issues, actor)
    outcomes = []
    for issue in issues:
        ways = [one for one in moves[issue.id] if one.available and one.to.id in targets]
        if issue.status_id in targets:
            outcomes.append(RankOutcome(issue))
        elif not ways:
            text = f"No transition leads issue {issue.key} to column {columns[number].name}."
            outcomes.append(RankOutcome(issue, 400, (text,)))
        else:
            move(issue, ways[0].number, actor=actor)
            outcomes.append(RankOutcome(issue))
    if place is not None:
        moved = [outcome.issue for outcome in outcomes if outcome.status == 200]
        changes = {issue.id: Changes(issue, actor) for issue in moved}
        note_rank(moved, place, changes)
        save_changes(moved, changes, actor, "rank")
    return outcomes
