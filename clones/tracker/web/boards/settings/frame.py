"""What the pages of a board's settings stand in, and the way to them.

A page is at the board's own address with `?config=` and its name, as on the vendor's; what its
forms send goes below `/config/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import lead_to_own
from clones.core.web.form_pages import Write
from clones.tracker.domain.boards import require_change
from clones.tracker.models import Board
from clones.tracker.queries.boards import find_board, has_sprints
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.boards.access import board_address
from clones.tracker.web.boards.header import Tab, header_of
from clones.tracker.web.parts import asking
from clones.tracker.web.parts.attempts import FormErrors
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.shell import from_script, go, page

PAGES: Final = {
    "general": "General",
    "columns": "Columns",
    "quickFilters": "Quick filters",
    "swimlanes": "Swimlanes",
    "cardLayout": "Card layout",
    "cardColors": "Card colours",
    "estimation": "Estimation",
    "workingDays": "Working days",
}


def config_address(board: Board, name: str) -> str:
    """Return the address of a page of a board's settings."""
    return f"{board_address(board)}?config={name}"


def pages_of(board: Board) -> dict[str, str]:
    """Return the pages that a board's settings have: estimates belong to sprints."""
    return {key: label for key, label in PAGES.items() if key != "estimation" or has_sprints(board)}


@page_of_staff.about
def page_of_config(
    request: SandboxRequest, who: Visitor, place: str, board: int
) -> Board | HttpResponse:
    """Open a page of a board's settings to those who administer the board.

    Raises:
        NotFound: there is no such board, or none for the visitor.
        Forbidden: they do not administer it.
    """
    found = find_board(who.rights, board)
    require_change(found, who.rights)
    _, _, rest = request.path.partition(f"/boards/{board}")
    return lead_to_own(request, board_address(found) + rest) or found


# Take what a form of a board's settings sends; there is nothing there to look at.
form_of_config = page_of_config.only(only_posted)


def config_page(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    name: str,
    context: dict[str, Any],
    *,
    template: str = "",
    problems: Sequence[str] = (),
) -> HttpResponse:
    """Return a page of a board's settings; with problems it is a refusal.

    Args:
        request: the request at hand.
        who: who looks.
        board: the board.
        name: the page's: a key of `PAGES`.
        context: what its template needs.
        template: another than the page's own.
        problems: why what was sent was not done.
    """
    tabs = [
        Tab(label, config_address(board, key), key == name)
        for key, label in pages_of(board).items()
    ]
    frame = {
        **header_of(board, ""),
        "settings_tabs": tabs,
        "heading": PAGES[name],
        "act": f"{board_address(board)}/config/{name}",
        "problems": problems,
    }
    place = board.project.name if board.project is not None else board.name
    return page(
        request, who, template or f"tracker/boards/settings/{name}.html", {**frame, **context},
        title=f"{PAGES[name]} - {board.name} - {place}", active=f"board-{board.id}",
        project=board.project, status=400 if problems else 200,
    )  # fmt: skip


def config_sheet(
    request: SandboxRequest, who: Visitor, board: Board, name: str, sheet: FormPage
) -> HttpResponse:
    """Return the page of one form of a board's settings."""
    return config_page(
        request,
        who,
        board,
        name,
        {"sheet": sheet},
        template="tracker/boards/settings/sheet.html",
        problems=sheet.form.sentences,
    )


def ask(
    request: SandboxRequest, who: Visitor, board: Board, sheet: FormPage, write: Write, *, name: str
) -> HttpResponse:
    """Show a form of a board's settings, or take it (`parts.asking.ask`)."""

    def show(shown: FormPage) -> HttpResponse:
        return config_sheet(request, who, board, name, shown)

    return asking.ask(request, who, sheet, write, show=show)


def saved(request: SandboxRequest, board: Board, name: str, flag: str = "") -> HttpResponse:
    """Lead on to a page of the settings, from a script or without."""
    return from_script(request, go(config_address(board, name), flag))


def sentences(refusal: FormErrors | None) -> list[str]:
    """Return what was refused, in sentences."""
    return [] if refusal is None else refusal.sentences
