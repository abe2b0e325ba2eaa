"""How the cards of a board look: the further fields that they show, and their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, was_sent
from clones.tracker.domain.board_settings import (
    delete_colour_query,
    set_card_colours,
    set_card_fields,
    set_colour_query,
)
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Board, IssueType, Priority, User
from clones.tracker.queries.boards import projects_of
from clones.tracker.queries.kinds import priorities_of_projects, types_of_projects, visible_types
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.rules.board_settings import (
    COLOURS,
    FIELDS_ON_CARDS,
    PLACES,
    ColourQuery,
    card_colours,
    card_fields,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.header import has_backlog
from clones.tracker.web.boards.settings.frame import (
    config_address,
    config_page,
    config_sheet,
    form_of_config,
    page_of_config,
    saved,
    sentences,
)
from clones.tracker.web.navigator.columns import all_columns
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input, chosen

LAYOUT: Final = "cardLayout"
COLORS: Final = "cardColors"
WAYS: Final = {
    "none": "None",
    "issuetype": "Work types",
    "priority": "Priorities",
    "assignee": "Assignees",
    "custom": "Queries",
}
PEOPLE: Final = 100
# What cards show anyway.
_SHOWN_ANYWAY: Final = frozenset(
    {"summary", "issuekey", "issuetype", "priority", "assignee", "status", "parent"}
)


@dataclass(frozen=True, slots=True)
class FieldSlots:
    """The fields of one place: as many choices as cards can show."""

    place: str
    heading: str
    inputs: Sequence[Input]


@dataclass(frozen=True, slots=True)
class Coloured:
    """Something that cards can be coloured by, and the choice of its colour."""

    name: str
    input: Input


def offered_fields(rights: Rights) -> dict[str, str]:
    """Return the fields that cards can show further, by id, in the order of their names."""
    found = {
        key: column.label for key, column in all_columns(rights).items() if key not in _SHOWN_ANYWAY
    }
    return dict(sorted(found.items(), key=lambda pair: (pair[1].casefold(), pair[0])))


@page_of_config
def show_layout(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the further fields of cards."""
    return _layout_page(request, who, board)


def _layout_page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    names = {"board": "Board", "backlog": "Backlog"}
    fields = offered_fields(who.rights)
    parts = []
    for place in PLACES:
        if place == "backlog" and not has_backlog(board):
            continue
        now = card_fields(board.settings, place)
        inputs = [
            Input(
                f"{place}-{at}",
                f"{names[place]} field {at}",
                "select",
                choices=chosen(fields.items(), now[at - 1 : at]),
                none="None",
            )
            for at in range(1, FIELDS_ON_CARDS + 1)
        ]
        parts.append(FieldSlots(place, names[place], inputs))
    return config_page(request, who, board, LAYOUT, {"parts": parts}, problems=problems)


@form_of_config
def lay_out(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Say which further fields cards show in one place."""
    place = posted_text(request, "place")
    wanted = [posted_text(request, f"{place}-{at}") for at in range(1, FIELDS_ON_CARDS + 1)]
    fields = [one for one in wanted if one]
    known = offered_fields(who.rights)
    _, refusal = attempt(lambda: set_card_fields(board, place, fields, known, actor=who.rights))
    if refusal is not None:
        return _layout_page(request, who, board, sentences(refusal))
    return saved(request, board, LAYOUT, "Card layout saved")


@page_of_config
def show_colours(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show what cards are coloured by."""
    return _colours_page(request, who, board)


def _colours_page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    kept = card_colours(board.settings)
    things = _things(board, kept.by, who.rights)
    rows = [
        Coloured(
            name,
            Input(
                key,
                f"Colour of {name}",
                "select",
                choices=chosen(COLOURS.items(), [kept.colours.get(key, "")]),
                none="None",
            ),
        )
        for key, name in things
    ]
    context = {
        "by": Input("by", "Colours based on", "select", choices=chosen(WAYS.items(), [kept.by])),
        "rows": rows,
        "queries": [(one, COLOURS[one.colour]) for one in kept.queries],
        "custom": kept.by == "custom",
    }
    return config_page(request, who, board, COLORS, context, problems=problems)


def _things(board: Board, by: str, rights: Rights) -> list[tuple[str, str]]:
    """Return the keys and names of what cards can be coloured by, of one way."""
    spaces = projects_of(board)
    if by == "issuetype":
        kinds: dict[int, IssueType]
        if spaces is None:
            kinds = {one.id: one for one in visible_types(rights)}
        else:
            found = types_of_projects(spaces).values()
            kinds = {one.id: one for some in found for one in some}
        return [(f"issuetype-{key}", one.name) for key, one in kinds.items()]
    if by == "priority":
        if spaces is None:
            all_of_them = Priority.objects.order_by("position", "id")
            return [(f"priority-{one.id}", one.name) for one in all_of_them]
        some_of_them = priorities_of_projects(spaces).values()
        ranked = {one.id: one for some in some_of_them for one in some}
        return [(f"priority-{key}", one.name) for key, one in ranked.items()]
    if by == "assignee":
        issues = visible_issues(rights)
        if spaces is not None:
            issues = issues.filter(project__in=spaces)
        people = User.objects.filter(id__in=issues.values("assignee"))
        rows = people.order_by("display_name", "id")[:PEOPLE]
        return [(f"assignee-{one.id}", one.display_name) for one in rows]
    return []


@form_of_config
def base_colours(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Say what cards are coloured by."""
    by = posted_text(request, "by")
    _, refusal = attempt(lambda: set_card_colours(board, by, {}, actor=who.rights))
    if refusal is not None:
        return _colours_page(request, who, board, sentences(refusal))
    return saved(request, board, COLORS, "Card colours saved")


@form_of_config
def colour(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Give types, priorities or people their colours."""
    kept = card_colours(board.settings)
    keys = [key for key, _ in _things(board, kept.by, who.rights)]
    sent = {key: posted_text(request, key) for key in keys if was_sent(request, key)}
    _, refusal = attempt(lambda: set_card_colours(board, kept.by, sent, actor=who.rights))
    if refusal is not None:
        return _colours_page(request, who, board, sentences(refusal))
    return saved(request, board, COLORS, "Card colours saved")


@page_of_config
def add_query(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of a colour by query, or take it."""
    return _query(request, who, board, ColourQuery(0, next(iter(COLOURS)), ""), "Add colour")


@page_of_config
def edit_query(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Show the form of a colour by query as it is, or take it."""
    return _query(request, who, board, _found(board, row), "Edit colour")


def _query(
    request: SandboxRequest, who: Visitor, board: Board, query: ColourQuery, heading: str
) -> HttpResponse:
    posted = request.method == "POST"
    if posted:
        query = ColourQuery(query.id, posted_text(request, "color"), posted_text(request, "jql"))
    sheet = FormPage(
        heading,
        request.path,
        config_address(board, COLORS),
        [
            Input("color", "Colour", "select", choices=chosen(COLOURS.items(), [query.colour])),
            Input("jql", "JQL", "area", query.jql, required=True),
        ],
    )
    if not posted:
        return config_sheet(request, who, board, COLORS, sheet)
    _, refusal = attempt(lambda: set_colour_query(board, query, actor=who.rights))
    if refusal is not None:
        return config_sheet(request, who, board, COLORS, sheet.refused(refusal))
    return saved(request, board, COLORS, "Colour saved")


@page_of_config
def delete_query(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Ask whether a colour by query is to be deleted, or delete it."""
    query = _found(board, row)
    if request.method == "POST":
        delete_colour_query(board, query.id, actor=who.rights)
        return saved(request, board, COLORS, "Colour deleted")
    back = config_address(board, COLORS)
    heading = f"Delete the colour of {query.jql}?"
    sheet = FormPage(heading, request.path, back, button="Delete", danger=True)
    return config_sheet(request, who, board, COLORS, sheet)


def _found(board: Board, key: int) -> ColourQuery:
    rows = card_colours(board.settings).queries
    found = next((one for one in rows if one.id == key), None)
    if found is None:
        raise NotFound("There is no such colour.")
    return found
