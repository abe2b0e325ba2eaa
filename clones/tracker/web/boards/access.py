"""The addresses of boards, and the way through them to a board."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.tracker.models import Board, Issue, Sprint
from clones.tracker.queries.boards import find_board, find_sprint
from clones.tracker.queries.rights import find_issue
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.plain_pages import not_found

BoardView = Callable[[SandboxRequest, Visitor, Board], HttpResponse]
SprintView = Callable[[SandboxRequest, Visitor, Board, Sprint], HttpResponse]
CardView = Callable[[SandboxRequest, Visitor, Board, Issue], HttpResponse]
Door = Callable[..., HttpResponse]


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


def page_of_board(view: BoardView) -> Door:
    """Open a page of a board to those who see the board; other places lead to its own.

    Whose filter cannot be read for the visitor is not shown, and says so.

    Raises:
        NotFound: there is no such board, or none for the visitor.
    """

    @wraps(view)
    def guarded(
        request: SandboxRequest, who: Visitor, /, *, place: str, board: int
    ) -> HttpResponse:
        found = find_board(who.rights, board)
        own = board_address(found)
        if request.method in READS and not request.path.startswith(own):
            _, _, rest = request.path.partition(f"/boards/{board}")
            query = request.META.get("QUERY_STRING", "")
            return HttpResponseRedirect(f"{own}{rest}" + (f"?{query}" if query else ""))
        try:
            return view(request, who, found)
        except JqlError as error:
            # Its header shows the addresses of this module.
            from clones.tracker.web.boards.unreadable import unreadable  # noqa: PLC0415 - see above

            return unreadable(request, who, found, error)

    return page_of_staff(guarded)


def page_of_sprint(view: SprintView) -> Door:
    """Open a page of a sprint, below its board's address, to those who see both.

    Raises:
        NotFound: there is no such board or sprint, or none for the visitor.
    """

    def guarded(
        request: SandboxRequest, who: Visitor, /, *, place: str, board: int, sprint: int
    ) -> HttpResponse:
        found = find_board(who.rights, board)
        return view(request, who, found, find_sprint(who.rights, sprint))

    return page_of_staff(guarded)


def form_of_board(view: BoardView) -> Door:
    """Take what a form of a board's page sends; there is nothing there to look at."""

    def posted(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
        if request.method != "POST":
            return not_found()
        return view(request, who, board)

    return page_of_board(posted)


def page_of_card(view: CardView) -> Door:
    """Open a page about an issue, below its board's address, to those who see both.

    Raises:
        NotFound: there is no such board or issue, or none for the visitor.
    """

    def guarded(
        request: SandboxRequest, who: Visitor, /, *, place: str, board: int, key: str
    ) -> HttpResponse:
        found = find_board(who.rights, board)
        return view(request, who, found, find_issue(who.rights, key))

    return page_of_staff(guarded)


def form_of_card(view: CardView) -> Door:
    """Take what a form about an issue sends; there is nothing there to look at."""

    def posted(request: SandboxRequest, who: Visitor, board: Board, issue: Issue) -> HttpResponse:
        return view(request, who, board, issue) if request.method == "POST" else not_found()

    return page_of_card(posted)


def form_of_sprint(view: SprintView) -> Door:
    """Take what a form about a sprint sends; there is nothing there to look at."""

    def posted(request: SandboxRequest, who: Visitor, board: Board, sprint: Sprint) -> HttpResponse:
        return view(request, who, board, sprint) if request.method == "POST" else not_found()

    return page_of_sprint(posted)
