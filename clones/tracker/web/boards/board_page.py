"""A board: columns of cards, lanes across them, and what narrows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from clones.core import clock
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.models import Board, IssueSprint, IssueType, Project, Sprint
from clones.tracker.queries.board_issues import on_board, sprints_on_board
from clones.tracker.queries.boards import (
    columns_of,
    has_kanban_backlog,
    has_sprints,
    may_manage,
    projects_of,
    statuses_of,
)
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.access import board_address, page_of_board
from clones.tracker.web.boards.cards import card
from clones.tracker.web.boards.header import controls_of, header_of
from clones.tracker.web.boards.issue_cards import CardExtras, CardIssue, works_of
from clones.tracker.web.boards.lanes import ColumnHead, lanes_of
from clones.tracker.web.boards.query_params import narrowed, quick_filters_of, read_board_query
from clones.tracker.web.parts.times import when
from clones.tracker.web.shell import page

MOST: Final = 1000  # cards on a board
# CardIssue that is done stays so long on a board without sprints, as on the vendor's.
DONE_STAYS: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class SprintShown:
    """A sprint that runs, how many days of it are left, and its dates in words."""

    sprint: Sprint
    days: int
    start: str
    end: str


@page_of_board
def show(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show a board; the issue that is selected is shown over it, in a dialog."""
    return board_page(request, who, board)


def board_page(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    *,
    refused: str = "",
    typed: str = "",
    editing: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page of a board.

    Args:
        request: its address says what the controls ask for.
        who: who looks.
        board: the board.
        refused: why what they did there was not done.
        typed: what they had typed into a form that was not taken.
        editing: the key of the issue whose summary they were editing.
        status: of the answer.
    """
    asked = read_board_query(request, board)
    if editing:
        asked = replace(asked, edit=editing)
    elif typed:
        asked = replace(asked, create=posted_text(request, "into"))
    rights = who.rights
    sprints = running_sprints(board, rights) if has_sprints(board) else []
    heads = heads_of(board)
    works, older = works_on(board, heads, sprints, rights)
    shown = CardExtras(works, board, rights)
    quick = quick_filters_of(board)
    _count(heads, works, shown, board)
    left = narrowed(works, shown, asked, quick, rights) if asked.narrows else works
    address = board_address(board)

    def draw(work: CardIssue) -> SafeString:
        if work.key == asked.edit:
            return _edited(work, address, asked.query, who, typed)
        return card(work, shown, address, asked.query)

    context = {
        **header_of(board, "board"),
        **controls_of(shown, asked, quick),
        "heads": heads,
        "lanes": lanes_of(left, heads, shown, asked.group, draw),
        "sprints": [_sprint(sprint, rights.zone) for sprint in sprints],
        "empty": has_sprints(board) and not sprints,
        "manages": bool(sprints) and may_manage(rights, board),
        "older": older,
        "cut": len(works) >= MOST,
        "types": types_to_create(space_of(board), rights),
        "typed": typed,
        "refused": refused,
    }
    title = f"{board.name} - {board.project.name}" if board.project is not None else board.name
    return page(
        request, who, "tracker/boards/board.html", context,
        title=title, active=f"board-{board.id}", project=board.project, status=status,
    )  # fmt: skip


def running_sprints(board: Board, rights: Rights) -> list[Sprint]:
    """Return the sprints that run on a board: its own, and those of issues on it."""
    rows = Sprint.objects.filter(sprints_on_board(board, rights), state="active")
    return list(rows.order_by("position", "id"))


def heads_of(board: Board) -> list[ColumnHead]:
    """Return the columns that a board shows; one that is the backlog is not among them."""
    columns = columns_of(board)
    if has_kanban_backlog(board):
        columns = columns[1:]
    return [ColumnHead(column, statuses_of(column)) for column in columns]


def works_on(
    board: Board, heads: Sequence[ColumnHead], sprints: Sequence[Sprint], rights: Rights
) -> tuple[list[CardIssue], bool]:
    """Return the issues that are on a board, and whether older ones that are done were left out."""
    within = Q(status__in=[status for head in heads for status in head.statuses])
    if board.type == "simple":
        within &= Q(issue_type__hierarchy_level__lte=0)
    if has_sprints(board):
        if not sprints:
            return [], False
        links = IssueSprint.objects.filter(issue=OuterRef("pk"), sprint__in=sprints)
        within &= Q(Exists(links))
        return works_of(on_board(board, rights, within=within).issues, MOST), False
    search = on_board(board, rights, within=within)
    since = clock.now() - DONE_STAYS
    old = Q(status__category="done", status_category_changed__lt=since)
    recent = replace(search, within=search.within & ~old)
    older = replace(search, within=search.within & old)
    return works_of(recent.issues, MOST), older.found.exists()


def _count(
    heads: Sequence[ColumnHead], works: Sequence[CardIssue], shown: CardExtras, board: Board
) -> None:
    """Count what the limits of columns are about, whatever the controls leave out."""
    by_status = {status: head for head in heads for status in head.statuses}
    whole = board.constraint_type != "issueCountExclSubs"
    for work in works:
        if whole or not shown.types[work.type].subtask:
            by_status[work.status].total += 1


def _edited(work: CardIssue, address: str, query: str, who: Visitor, typed: str) -> SafeString:
    """Return a card whose summary is being edited."""
    context = {
        "work": work, "address": address, "query": query, "token": who.token,
        "text": typed or work.summary,
    }  # fmt: skip
    return render_to_string("tracker/boards/_card_edited.html", context)


def space_of(board: Board) -> Project | None:
    """Return the space in which a board's new issues are made: its own, or the only one named."""
    if board.project is not None:
        return board.project if board.project.is_live else None
    named = projects_of(board) or []
    return named[0] if len(named) == 1 and named[0].is_live else None


def types_to_create(space: Project | None, rights: Rights) -> list[IssueType]:
    """Return the types that can be made on a board, none where nothing can."""
    if space is None or not rights.may("CREATE_ISSUES", space):
        return []
    return [kind for kind in types_of(space) if kind.hierarchy_level == 0]


def _sprint(sprint: Sprint, zone: ZoneInfo) -> SprintShown:
    start, end = when(sprint.start_date, zone), when(sprint.end_date, zone)
    return SprintShown(sprint, _days_left(sprint), start, end)


def _days_left(sprint: Sprint) -> int:
    if sprint.end_date is None:
        return 0
    left: timedelta = sprint.end_date - clock.now()
    return max(0, -(-left // timedelta(days=1)))
