"""The columns of a board: their order, limits and statuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Count
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.board_configuration import (
    ColumnDraft,
    set_columns,
    set_constraint,
    set_kanban_backlog,
)
from clones.tracker.domain.boards import statuses_of_projects
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Board, Status
from clones.tracker.queries.board_issues import found_by_board
from clones.tracker.queries.boards import columns_of, projects_of, statuses_of
from clones.tracker.queries.kinds import visible_statuses
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.settings.frame import (
    ask,
    config_address,
    config_page,
    form_of_config,
    page_of_config,
    saved,
    sentences,
)
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of

NAME: Final = "columns"
CONSTRAINTS: Final = {
    "none": "None",
    "issueCount": "Work item count",
    "issueCountExclSubs": "Work item count, excluding sub-tasks",
}


@dataclass(frozen=True, slots=True)
class Mapped:
    """A status in its place: how many issues of the board are in it."""

    status: Status
    count: int


@dataclass(frozen=True, slots=True)
class ColumnItem:
    """A column as its page shows it; without an id the statuses that are in none."""

    key: str
    name: str
    statuses: Sequence[Mapped]
    minimum: int | None = None
    maximum: int | None = None
    place: int = 0


@page_of_config
def show(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the columns."""
    return _page(request, who, board)


def _page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    rows = wanted_of(board)
    mapped = {status for row in rows for status in row.statuses}
    statuses = {one.id: one for one in _known(board, who.rights)}
    missing = Status.objects.filter(id__in=mapped - set(statuses)).order_by("id")
    statuses |= {one.id: one for one in missing}
    counts = _counts(board, who.rights)

    def listed(keys: Sequence[int]) -> list[Mapped]:
        return [Mapped(statuses[key], counts.get(key, 0)) for key in keys]

    shown = [
        ColumnItem(str(row.id), row.name, listed(row.statuses), row.minimum, row.maximum, at)
        for at, row in enumerate(rows)
    ]
    loose = [key for key in statuses if key not in mapped]
    context = {
        "columns": shown,
        "loose": ColumnItem("", "Unmapped statuses", listed(loose)),
        "constraint": Input(
            "constraint",
            "Column constraint",
            "select",
            choices=chosen(CONSTRAINTS.items(), [board.constraint_type]),
        ),
        "limits": board.constraint_type != "none",
        "kanban": board.type == "kanban",
        "backlog": bool(board.settings.get("backlog")),
    }
    return config_page(request, who, board, NAME, context, problems=problems)


def _known(board: Board, rights: Rights) -> list[Status]:
    """Return the statuses that issues of a board can have, in the order of their workflows."""
    spaces = projects_of(board)
    if spaces is None:
        return list(visible_statuses(rights).filter(project=None))
    return statuses_of_projects([space.id for space in spaces])


def _counts(board: Board, rights: Rights) -> dict[int, int]:
    try:
        found = found_by_board(board, rights).found
    except JqlError:
        return {}
    rows = found.order_by().values("status_id").annotate(number=Count("id"))
    return dict(rows.values_list("status_id", "number"))


def wanted_of(board: Board) -> list[ColumnDraft]:
    """Return a board's columns as they would be written anew."""
    return [
        ColumnDraft(row.name, statuses_of(row), row.minimum, row.maximum, row.id)
        for row in columns_of(board)
    ]


def _at(rows: Sequence[ColumnDraft], text: str) -> int:
    """Return the place of the column with an id.

    Raises:
        NotFound: there is none.
    """
    for at, row in enumerate(rows):
        if str(row.id) == text:
            return at
    raise NotFound("There is no such column on this board.")


@page_of_config
def add(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of a new column, or take it: it stands before the last one."""
    sheet = FormPage(
        "Add column",
        request.path,
        config_address(board, NAME),
        [Input("name", "Name", required=True)],
        button="Add",
    )

    def write(sent: PageForm) -> str:
        rows, name = wanted_of(board), sent.text("name")
        rows.insert(max(0, len(rows) - 1), ColumnDraft(name))
        set_columns(board, rows, actor=who.rights)
        return f"Column {name} added"

    return ask(request, who, board, sheet, write, name=NAME)


@page_of_config
def edit(request: SandboxRequest, who: Visitor, board: Board, column: int) -> HttpResponse:
    """Show the form of a column, or take it."""
    rows = wanted_of(board)
    at = _at(rows, str(column))
    row = rows[at]
    sheet = FormPage(
        f"Edit column {row.name}",
        request.path,
        config_address(board, NAME),
        [
            Input("name", "Name", value=row.name, required=True),
            Input("minimum", "Minimum work items", "number", _text(row.minimum)),
            Input("maximum", "Maximum work items", "number", _text(row.maximum)),
        ],
    )

    def write(sent: PageForm) -> str:
        name, *limits = (sent.text(one.name) for one in sheet.inputs)
        wrong = [text for text in limits if text and number_of(text) is None]
        if wrong:
            raise Invalid(*(f"{text} is not a whole number." for text in wrong))
        minimum, maximum = map(number_of, limits)
        rows[at] = replace(row, name=name, minimum=minimum, maximum=maximum)
        set_columns(board, rows, actor=who.rights)
        return f"Column {name} saved"

    return ask(request, who, board, sheet, write, name=NAME)


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


@page_of_config
def delete(request: SandboxRequest, who: Visitor, board: Board, column: int) -> HttpResponse:
    """Ask whether a column is to be deleted, or delete it: its statuses are then in none."""
    rows = wanted_of(board)
    at = _at(rows, str(column))
    name = rows[at].name
    sheet = FormPage(
        f"Delete column {name}?",
        request.path,
        config_address(board, NAME),
        button="Delete",
        said="Its statuses become unmapped: their work items are no longer on the board.",
        danger=True,
    )

    def write(_sent: PageForm) -> str:
        del rows[at]
        set_columns(board, rows, actor=who.rights)
        return f"Column {name} deleted"

    return ask(request, who, board, sheet, write, name=NAME)


@form_of_config
def order(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the column `item` at the place `place`, counted from 0."""
    rows = wanted_of(board)
    moved = rows.pop(_at(rows, posted_text(request, "item")))
    rows.insert(number_of(posted_text(request, "place")) or 0, moved)
    return _written(request, who, board, rows, f"Column {moved.name} moved")


@form_of_config
def map_status(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the status `item` into the column `into`, "" for none, at `place` or at its end.

    Chosen for the column it is in already, without a place, it stays where it stands.
    """
    rows = wanted_of(board)
    into = posted_text(request, "into")
    target = _at(rows, into) if into else None
    key = number_of(posted_text(request, "item"))
    known = {one.id: one for one in _known(board, who.rights)}
    mapped = {status for row in rows for status in row.statuses}
    if key is None or (key not in known and key not in mapped):
        raise NotFound("There is no such status on this board.")
    place = number_of(posted_text(request, "place"))
    if target is not None and place is None and key in rows[target].statuses:
        place = list(rows[target].statuses).index(key)
    rows = [replace(row, statuses=[one for one in row.statuses if one != key]) for row in rows]
    if target is not None:
        statuses = list(rows[target].statuses)
        statuses.insert(len(statuses) if place is None else place, key)
        rows[target] = replace(rows[target], statuses=statuses)
    name = Status.objects.get(id=key).name
    said = f"{name} unmapped" if target is None else f"{name} mapped to {rows[target].name}"
    return _written(request, who, board, rows, said)


def _written(
    request: SandboxRequest, who: Visitor, board: Board, rows: Sequence[ColumnDraft], flag: str
) -> HttpResponse:
    _, refusal = attempt(lambda: set_columns(board, rows, actor=who.rights))
    if refusal is not None:
        return _page(request, who, board, sentences(refusal))
    return saved(request, board, NAME, flag)


@form_of_config
def constrain(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Say what the limits of columns count."""
    wanted = posted_text(request, "constraint")
    _, refusal = attempt(lambda: set_constraint(board, wanted, actor=who.rights))
    if refusal is not None:
        return _page(request, who, board, sentences(refusal))
    return saved(request, board, NAME, "Column constraint saved")


@form_of_config
def backlog(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Let the first column of a kanban board be its backlog, or not."""
    if board.type != "kanban":
        raise NotFound("This board has no kanban backlog.")
    on = bool(posted_text(request, "on"))
    set_kanban_backlog(board, on=on, actor=who.rights)
    return saved(request, board, NAME, "Kanban backlog " + ("on" if on else "off"))
