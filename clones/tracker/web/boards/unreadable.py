"""What stands in a board's place for who does not see all that its filter names."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.tracker.models import Board
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.header import header_of
from clones.tracker.web.shell import page


def unreadable(
    request: SandboxRequest, who: Visitor, board: Board, error: JqlError
) -> HttpResponse:
    """Return the page of a board whose filter cannot be read for somebody, with what is wrong."""
    return page(
        request, who, "tracker/boards/unreadable.html",
        {**header_of(board, "board"), "problems": error.texts},
        title=board.name, active=f"board-{board.id}", project=board.project,
        status=200 if request.method in READS else 400,
    )  # fmt: skip
