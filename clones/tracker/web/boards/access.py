"""The addresses of boards, and the way through them to a board."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import View, lead_to_own
from clones.tracker.models import Board, Issue, Sprint
from clones.tracker.queries.boards import find_board, find_sprint
from clones.tracker.queries.rights import find_issue
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, only_posted, page_of_staff

BoardView = Callable[[SandboxRequest, Visitor, Board], HttpResponse]


class SprintOnBoard(NamedTuple):
    """A sprint, and the board on which it is looked at."""

    board: Board
    sprint: Sprint


class IssueOnBoard(NamedTuple):
    """An issue, and the board on which it is looked at."""

    board: Board
    issue: Issue


def board_address(board: Board) -> str:
    """Return the address of a board: in its space, or with the person whose it is."""
    if board.project is not None:
        kind = "projects" if board.project.simplified else "c/projects"
        return f"/jira/software/{kind}/{board.project.key}/boards/{board.id}"
    owner = board.owner.account_id if board.owner is not None else "-"
    return f"/jira/people/{owner}/boards/{board.id}"


def backlog_address(board: Board) -> str:
    """Return the address of a board's backlog."""
    return f"{board_address(board)}/backlog"


@page_of_staff.about
def _page_of_board(
    request: SandboxRequest, who: Visitor, place: str, board: int
) -> Board | HttpResponse:
    found = find_board(who.rights, board)
    _, _, rest = request.path.partition(f"/boards/{board}")
    return lead_to_own(request, board_address(found) + rest) or found


def page_of_board(view: BoardView) -> View:
    """Open a page of a board to those who see the board; other places lead to its own.

    Whose filter cannot be read for the visitor is not shown, and says so.

    Raises:
        NotFound: there is no such board, or none for the visitor.
    """

    @wraps(view)
    def readable(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
        try:
            return view(request, who, board)
        except JqlError as error:
            # Its header shows the addresses of this module.
            from clones.tracker.web.boards.unreadable import unreadable  # noqa: PLC0415 - see above

            return unreadable(request, who, board, error)

    return _page_of_board(readable)


# Take what a form of a board's page sends; there is nothing there to look at.
form_of_board = _page_of_board.only(only_posted)


@page_of_staff.about
def page_of_sprint(
    _request: SandboxRequest, who: Visitor, place: str, board: int, sprint: int
) -> SprintOnBoard:
    """Open a page of a sprint, below its board's address, to those who see both.

    Raises:
        NotFound: there is no such board or sprint, or none for the visitor.
    """
    return SprintOnBoard(find_board(who.rights, board), find_sprint(who.rights, sprint))


@page_of_staff.about
def page_of_card(
    _request: SandboxRequest, who: Visitor, place: str, board: int, key: str
) -> IssueOnBoard:
    """Open a page about an issue, below its board's address, to those who see both.

    Raises:
        NotFound: there is no such board or issue, or none for the visitor.
    """
    return IssueOnBoard(find_board(who.rights, board), find_issue(who.rights, key))


# Take what forms about an issue and about a sprint send; there is nothing there to look at.
form_of_card = page_of_card.only(only_posted)
form_of_sprint = page_of_sprint.only(only_posted)
