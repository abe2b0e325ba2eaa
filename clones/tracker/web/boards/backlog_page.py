"""A backlog: the sprints that are to come or run, and what is in none; or a kanban board's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.models import Board, IssueSprint, Sprint
from clones.tracker.queries.board_issues import in_backlog, on_board, sprints_on_board
from clones.tracker.queries.boards import (
    columns_of,
    has_sprints,
    may_manage,
    projects_of,
    statuses_of,
)
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.queries.searching import RunnableQuery
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.access import backlog_address, board_address, page_of_board
from clones.tracker.web.boards.backlog_panels import open_epics, open_versions, panel_context
from clones.tracker.web.boards.board_page import space_of, types_to_create
from clones.tracker.web.boards.cards import Estimating, row, row_of_part
from clones.tracker.web.boards.header import controls_of, has_backlog, header_of
from clones.tracker.web.boards.issue_cards import CardExtras, CardIssue, works_of
from clones.tracker.web.boards.query_params import (
    BoardQuery,
    narrowed,
    quick_filters_of,
    read_board_query,
)
from clones.tracker.web.parts.times import when
from clones.tracker.web.shell import page

SHOWN: Final = 300  # rows of what is in no sprint, until more are asked for
MOST: Final = 3000
LATER, BOARD = "BACKLOG", "BOARD"
# Rows are of whole work: parts of others go with them, and epics are above.
ROWS: Final = Q(issue_type__hierarchy_level=0)
_BADGES: Final = (("new", "To do"), ("indeterminate", "In progress"), ("done", "Done"))


@dataclass(frozen=True, slots=True)
class Badge:
    """How much of a section is in one category of statuses."""

    category: str
    name: str
    text: str


@dataclass(slots=True)
class SprintSection:
    """A sprint, or what is in none: `key` is the sprint's id, BACKLOG or BOARD.

    `shown` is how many of its issues the controls let through; `rows` may have sub-tasks besides.
    """

    key: str
    name: str
    sprint: Sprint | None = None
    works: list[CardIssue] = field(default_factory=list)
    rows: list[SafeString] = field(default_factory=list)
    shown: int = 0
    total: int = 0
    badges: list[Badge] = field(default_factory=list)
    dates: str = ""


@page_of_board
def show(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show a board's backlog; boards without one are shown themselves."""
    if not has_backlog(board):
        return HttpResponseRedirect(board_address(board))
    return backlog_page(request, who, board)


def backlog_page(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    *,
    refused: str = "",
    typed: str = "",
    estimated: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page of a backlog.

    Args:
        request: its address says what the controls ask for.
        who: who looks.
        board: one that has a backlog.
        refused: why what they did there was not done.
        typed: the summary that they had typed for an issue that was not made.
        estimated: the key of the issue whose estimate they were changing.
        status: of the answer.
    """
    asked = _wanted_query(request, board, typed=typed, estimated=estimated)
    rights, limit = who.rights, _limit(request.GET.get("shown", ""))
    sections = sections_of(board, rights)
    works, later = _works(board, sections, rights, limit)
    parts = _parts(works, rights) if asked.parts else {}
    every = [*works, *(part for rows in parts.values() for part in rows)]
    shown = CardExtras(every, board, rights, "backlog")
    quick = quick_filters_of(board)
    _sort(sections, works, shown, later)
    left = {work.id for work in narrowed(works, shown, asked, quick, rights)}
    estimating = _estimating(request, who, board, asked)

    def rows_of(work: CardIssue) -> list[SafeString]:
        below = [row_of_part(part, shown) for part in parts.get(work.id, ())]
        return [row(work, shown, board_address(board), asked.query, estimating), *below]

    _fill(sections, left, shown, board, zone=rights.zone, rows_of=rows_of)
    context: dict[str, Any] = {
        **header_of(board, "backlog"),
        **controls_of(shown, asked, quick),
        "sections": sections,
        "sprinting": has_sprints(board),
        "manages": has_sprints(board) and may_manage(rights, board),
        "running": any(one.sprint and one.sprint.state == "active" for one in sections),
        "types": types_to_create(space_of(board), rights),
        "more": limit + SHOWN if sections[-1].total > limit else 0,
        "at": backlog_address(board),
        "typed": typed,
        "refused": refused,
        "ways": (("up", "Move sprint up"), ("down", "Move sprint down")),
        **panel_context(board, shown, asked, rights),
        **choices_of(board, sections, rights),
    }
    place = board.project.name if board.project is not None else board.name
    return page(
        request, who, "tracker/boards/backlog.html", context,
        title=f"Backlog - {place}", active=f"backlog-{board.id}",
        project=board.project, status=status,
    )  # fmt: skip


def _wanted_query(
    request: SandboxRequest, board: Board, *, typed: str, estimated: str
) -> BoardQuery:
    """Return what the address asks for, and what was begun by a form that was refused."""
    asked = read_board_query(request, board)
    if typed:
        return replace(asked, create=posted_text(request, "into"))
    return replace(asked, estimate=estimated) if estimated else asked


def _fill(
    sections: Sequence[SprintSection],
    left: Collection[int],
    shown: CardExtras,
    board: Board,
    *,
    zone: ZoneInfo,
    rows_of: Callable[[CardIssue], list[SafeString]],
) -> None:
    """Put into the sections the rows of what is left of them, and what is told of each."""
    for section in sections:
        section.rows = [html for work in section.works if work.id in left for html in rows_of(work)]
        section.shown = sum(work.id in left for work in section.works)
        section.badges = _badges(section.works, shown, board)
        section.total = section.total or len(section.works)
        section.dates = _dates(section.sprint, zone)


def _dates(sprint: Sprint | None, zone: ZoneInfo) -> str:
    if sprint is None or sprint.start_date is None:
        return ""
    ends = [when(sprint.start_date, zone), when(sprint.end_date, zone)]
    return " \N{EN DASH} ".join(filter(None, ends))


def _limit(text: str) -> int:
    return min(max(int(text), SHOWN), MOST) if is_digits(text, 5) else SHOWN


def open_sprints(board: Board, rights: Rights) -> list[Sprint]:
    """Return the sprints of a board that run, and then those that are to come, in their order."""
    rows = Sprint.objects.filter(sprints_on_board(board, rights)).exclude(state="closed")
    return list(rows.order_by("state", "position", "id"))


def sections_of(board: Board, rights: Rights) -> list[SprintSection]:
    """Return the sections of a backlog, empty ones: the last is what is to come later."""
    if has_sprints(board):
        found = [SprintSection(str(one.id), one.name, one) for one in open_sprints(board, rights)]
    else:
        columns = columns_of(board)
        found = [SprintSection(BOARD, columns[1].name if len(columns) > 1 else board.name)]
    return [*found, SprintSection(LATER, "Backlog")]


def search_of(board: Board, section: SprintSection, rights: Rights) -> RunnableQuery:
    """Return the search for what is in a section; `ROWS` says which of it are rows."""
    if section.key == LATER:
        return in_backlog(board, rights)
    if section.sprint is not None:
        links = IssueSprint.objects.filter(issue=OuterRef("pk"), sprint=section.sprint)
        return on_board(board, rights, within=Q(Exists(links)))
    columns = columns_of(board)
    return on_board(board, rights, within=Q(status__in=statuses_of(columns[1])))


def _works(
    board: Board, sections: list[SprintSection], rights: Rights, limit: int
) -> tuple[list[CardIssue], set[int]]:
    """Return the issues of all sections, and which of them are of the last."""
    later = search_of(board, sections[-1], rights).issues.filter(ROWS)
    sections[-1].total = later.count()
    last = works_of(later, limit)
    sprints = [section.sprint for section in sections if section.sprint is not None]
    if sprints:
        links = IssueSprint.objects.filter(issue=OuterRef("pk"), sprint__in=sprints)
        search = on_board(board, rights, within=Q(Exists(links)) & ROWS)
        first = works_of(search.issues, MOST)
    elif not has_sprints(board):
        first = works_of(search_of(board, sections[0], rights).issues.filter(ROWS), MOST)
    else:
        first = []
    return [*first, *last], {work.id for work in last}


def _parts(works: list[CardIssue], rights: Rights) -> dict[int, list[CardIssue]]:
    """Return the sub-tasks of issues, by the issue, in their order: one statement."""
    rows = visible_issues(rights).filter(
        parent__in=[work.id for work in works], issue_type__hierarchy_level__lt=0
    )
    found: dict[int, list[CardIssue]] = defaultdict(list)
    for part in works_of(rows.order_by("rank", "id"), MOST):
        found[part.parent or 0].append(part)
    return found


def _estimating(
    request: SandboxRequest, who: Visitor, board: Board, asked: BoardQuery
) -> Estimating | None:
    """Return how rows let estimates be changed, None on boards that do not estimate."""
    if board.estimation is None:
        return None
    address = backlog_address(board)
    return Estimating(
        spaces=frozenset(who.rights.spaces_with("EDIT_ISSUES")),
        key=asked.estimate,
        typed=request.POST.get("estimate"),
        link=lambda key: f"{address}{asked.with_query(estimate=key)}#card-{key}",
        token=who.token,
    )


def choices_of(board: Board, sections: Sequence[SprintSection], rights: Rights) -> dict[str, Any]:
    """Return what can be done with the rows that are chosen."""
    spaces = projects_of(board) or ([board.project] if board.project is not None else [])
    epics = [
        (f"epic:{epic.key}", (look.name if look is not None else "") or epic.summary)
        for epic, look in open_epics(spaces, rights)
    ]
    versions = [(f"version:{one.id}", one.name) for one in open_versions(spaces)]
    return {
        "doings": [
            ("Move to", [(f"to:{one.key}", one.name) for one in sections]),
            ("Order", [("rank:top", "To top"), ("rank:bottom", "To bottom")]),
            ("Epic", [*epics, ("epic:none", "No epic")]),
            ("Fix version", [*versions, ("version:none", "No version")]),
            ("Flag", [("flag:on", "Add flag"), ("flag:off", "Remove flag")]),
            ("More", [("bulk:change", "Bulk change…")]),
        ]
    }


def _sort(
    sections: list[SprintSection], works: list[CardIssue], shown: CardExtras, later: set[int]
) -> None:
    """Put each issue into its section."""
    by_key = {section.key: section for section in sections}
    for work in works:
        if work.id in later:
            sections[-1].works.append(work)
        elif BOARD in by_key:
            by_key[BOARD].works.append(work)
        else:
            section = by_key.get(str(shown.sprints.get(work.id)))
            if section is not None:
                section.works.append(work)


def _badges(works: list[CardIssue], shown: CardExtras, board: Board) -> list[Badge]:
    """Return the sums of the estimates by category, of boards without them counts."""
    sums = dict.fromkeys((key for key, _ in _BADGES), 0.0)
    for work in works:
        category = shown.statuses[work.status].category
        key = "new" if category == "undefined" else category
        sums[key] += shown.numbers.get(work.id, 0) if board.estimation is not None else 1
    return [Badge(key, name, shown.written(sums[key])) for key, name in _BADGES]
