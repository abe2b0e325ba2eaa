"""All boards that somebody sees, new ones, and the way from a space to its first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.tracker.domain import boards
from clones.tracker.domain.errors import NotFound, TrackerError
from clones.tracker.queries.boards import visible_boards
from clones.tracker.queries.rights import find_project, visible_projects
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.boards.access import board_address
from clones.tracker.web.boards.actions import sentence
from clones.tracker.web.shell import go, page

LISTED: Final = 25
OFFERED: Final = 200  # filters and spaces that the form of a new board offers
KINDS: Final = {"scrum": "Scrum", "kanban": "Kanban", "simple": "Team-managed"}


@page_of_staff
def show(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show a page of the boards that somebody sees, by name."""
    contains = request.GET.get("contains", "").strip()
    found = visible_boards(who.rights).order_by("name", "id")
    if contains:
        found = found.filter(name__icontains=contains)
    listed = page_from(request, found, size=LISTED)
    rows = [(board, board_address(board), KINDS[board.type]) for board in listed.rows]
    context = {
        "rows": rows,
        "contains": contains,
        "page": listed,
    }
    return page(
        request, who, "tracker/boards/listing.html", context, title="Boards", active="boards"
    )


@page_of_staff
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the form of a new board, or take it."""
    if request.method != "POST":
        return _form(request, who, {"space": request.GET.get("space", "")})
    sent = {
        name: posted_text(request, name, strip=False)
        for name in ("name", "type", "filter", "space")
    }
    try:
        space = find_project(who.rights, sent["space"]) if sent["space"] else None
        made = boards.create_board(
            name=sent["name"],
            type=sent["type"],
            filter_id=_number(sent["filter"]),
            project=space,
            actor=who.rights,
        )
    except NotFound:
        raise
    except TrackerError as error:
        return _form(request, who, sent, error)
    return go(board_address(made), f"{made.name} created")


def _number(text: str) -> int | None:
    return int(text) if is_digits(text) else None


def _form(
    request: SandboxRequest,
    who: Visitor,
    filled: Mapping[str, str],
    error: TrackerError | None = None,
) -> HttpResponse:
    known = ("name", "type", "filterId")
    wrong = {} if error is None else {key: error.fields.get(key, "") for key in known}
    context = {
        "filled": {**filled, "filter_id": _number(filled.get("filter", ""))},
        "kinds": [(key, KINDS[key]) for key in ("scrum", "kanban")],
        "filters": visible_filters(who.rights).order_by("name", "id")[:OFFERED],
        "spaces": visible_projects(who.rights).filter(archived_at=None)[:OFFERED],
        "wrong": wrong,
        "said": sentence(error) if error is not None and not any(wrong.values()) else "",
    }
    return page(
        request, who, "tracker/boards/new.html", context,
        title="Create board", active="boards", status=200 if error is None else 400,
    )  # fmt: skip


@page_of_staff
def first_board(request: SandboxRequest, who: Visitor, *, place: str) -> HttpResponse:
    """Lead from a space to its first board, or to its work where it has none."""
    space = find_project(who.rights, place)
    board = visible_boards(who.rights).filter(project=space).first()
    if board is not None:
        return HttpResponseRedirect(board_address(board))
    query = urlencode({"jql": f"project = {space.key} ORDER BY created DESC"})
    return HttpResponseRedirect(f"/issues/?{query}")
