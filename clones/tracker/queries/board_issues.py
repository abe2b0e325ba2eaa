"""The issues of boards, backlogs, sprints and epics that somebody sees, in their order.

Each is what a query finds, narrowed: the board's filter (for kanban with its sub-query), and what
the caller asks for beside it. They are ordered as the caller's query says, else by rank.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.models import Board, Issue, IssueSprint, Project, Sprint
from clones.tracker.queries.boards import (
    columns_of,
    done_statuses,
    has_kanban_backlog,
    has_sprints,
    mapped_statuses,
    projects_of,
    statuses_of,
)
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.queries.searching import RunnableQuery, read_search
from clones.tracker.rules.jql import Query, parse, print_query
from clones.tracker.rules.jql.nodes import And, Clause, Field, Sort

_BY_RANK: Final = (Sort(Field("Rank"), "asc"),)
_EPICS: Final = Q(issue_type__hierarchy_level__gt=0)


def joined(queries: Iterable[str], ordered_by: str | None = None) -> str:
    """Return a query that finds what all of these find.

    Args:
        queries: empty ones find everything.
        ordered_by: the query whose order counts; by rank if it has none.

    Raises:
        JqlError: one of them is no query.
    """
    parts: list[Clause] = []
    for text in queries:
        where = parse(text).where if text.strip() else None
        if where is not None:
            parts.extend(where.clauses if isinstance(where, And) else [where])
    order = parse(ordered_by).order_by if ordered_by and ordered_by.strip() else ()
    where = None if not parts else parts[0] if len(parts) == 1 else And(tuple(parts))
    return print_query(Query(where, order or _BY_RANK))


def found_by_board(
    board: Board, rights: Rights, jql: str = "", within: Q | None = None
) -> RunnableQuery:
    """Return the issues that a board's filter and a further query find, whatever their status.

    Args:
        board: with its filter.
        rights: of who looks.
        jql: the further query, empty for none.
        within: a further condition.

    Raises:
        JqlError: the further query is none, or not for this site.
    """
    text = joined([board.filter.jql, board.sub_query, jql], jql)
    return read_search(text, rights, within=within)


def on_board(board: Board, rights: Rights, jql: str = "", within: Q | None = None) -> RunnableQuery:
    """Return the issues of a board: those whose status one of its columns shows.

    Epics are on no scrum board. The arguments are those of `found_by_board`.

    Raises:
        JqlError: the further query is none, or not for this site.
    """
    return found_by_board(board, rights, jql, _shown_by(board) & (within or Q()))


def _shown_by(board: Board) -> Q:
    found = Q(status__in=mapped_statuses(board))
    return found & ~_EPICS if board.type == "scrum" else found


def in_open_sprint() -> Q:
    """Return the condition of being in a sprint that is to come or runs."""
    links = IssueSprint.objects.filter(issue=OuterRef("pk")).exclude(sprint__state="closed")
    return Q(Exists(links))


def in_backlog(board: Board, rights: Rights, jql: str = "") -> RunnableQuery:
    """Return the backlog of a board.

    Of a board with sprints it is what is not done and in no sprint that is to come or runs; of a
    kanban board the first column, if that is set to be its backlog; of others nothing.

    Raises:
        JqlError: the further query is none, or not for this site.
    """
    columns = columns_of(board)
    if has_sprints(board):
        within = ~Q(status__in=done_statuses(columns)) & ~in_open_sprint() & ~_EPICS
    elif has_kanban_backlog(board) and columns:
        within = Q(status__in=statuses_of(columns[0]))
    else:
        within = Q(pk__in=[])
    return on_board(board, rights, jql, within)


def in_sprint(sprint: Sprint) -> Q:
    """Return the condition of being in a sprint."""
    return Q(Exists(IssueSprint.objects.filter(issue=OuterRef("pk"), sprint=sprint)))


def in_board_sprint(board: Board, sprint: Sprint, rights: Rights, jql: str = "") -> RunnableQuery:
    """Return the issues of a sprint that are on a board.

    Raises:
        JqlError: the further query is none, or not for this site.
    """
    return on_board(board, rights, jql, in_sprint(sprint))


def in_epic(epic: int) -> Q:
    """Return the condition of being right below an epic."""
    return Q(parent=epic) & Q(issue_type__hierarchy_level=0)


def without_epic() -> Q:
    """Return the condition of belonging to no epic and being none, sub-tasks by their parents."""
    of_its_own = Q(parent=None, issue_type__hierarchy_level=0)
    return of_its_own | Q(issue_type__hierarchy_level__lt=0, parent__parent=None)


def anywhere(rights: Rights, jql: str, within: Q) -> RunnableQuery:
    """Return all issues that a query finds and that meet a condition.

    Raises:
        JqlError: it is none, or not for this site.
    """
    return read_search(joined([jql], jql), rights, within=within)


def epics_of_board(board: Board, rights: Rights) -> QuerySet[Issue]:
    """Return the epics that a board's filter finds, whatever their status, by rank."""
    return found_by_board(board, rights, within=Q(issue_type__hierarchy_level=1)).issues


def sprints_on_board(board: Board, rights: Rights) -> Q:
    """Return the condition of the sprints that a board shows: its own, and those of its issues."""
    issues = found_by_board(board, rights).found.values("id")
    links = IssueSprint.objects.filter(sprint=OuterRef("pk"), issue__in=issues)
    return Q(board=board) | Q(Exists(links))


def projects_with_issues(board: Board, rights: Rights) -> QuerySet[Project]:
    """Return the spaces of a board that somebody sees, by name.

    Those are spaces to which its filter is restricted, and spaces of issues on it.
    """
    named = projects_of(board) or []
    issues = on_board(board, rights).found.values("project")
    rows = visible_projects(rights).filter(archived_at=None)
    return rows.filter(Q(id__in=[project.id for project in named]) | Q(id__in=issues))
