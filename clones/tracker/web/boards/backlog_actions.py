"""What forms and menus of a backlog do: rows between sprints, their order, new ones."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain import backlog
from clones.tracker.domain.errors import Invalid, NotFound, TrackerError
from clones.tracker.domain.ranking import RankPosition
from clones.tracker.models import Board, Issue
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards import actions
from clones.tracker.web.boards.access import (
    IssueOnBoard,
    backlog_address,
    board_address,
    form_of_board,
    form_of_card,
    page_of_card,
)
from clones.tracker.web.boards.backlog_page import (
    BOARD,
    LATER,
    ROWS,
    SprintSection,
    backlog_page,
    search_of,
    sections_of,
)
from clones.tracker.web.boards.board_actions import NO_SPACE
from clones.tracker.web.boards.board_page import space_of
from clones.tracker.web.boards.menus import MenuEntry, menu_page
from clones.tracker.web.boards.query_params import read_board_query
from clones.tracker.web.boards.steps import STEPS, place_of_step
from clones.tracker.web.shell import Flag, go


def _done(request: SandboxRequest, board: Board) -> Callable[[Flag], HttpResponse]:
    query = read_board_query(request, board).query
    return lambda said: go(backlog_address(board) + query, said.text, said.address)


def _again(
    request: SandboxRequest, who: Visitor, board: Board, typed: str = ""
) -> Callable[[str], HttpResponse]:
    return lambda said: backlog_page(request, who, board, refused=said, typed=typed, status=400)


def _section(sections: list[SprintSection], key: str) -> SprintSection:
    """Return the section that a form names.

    Raises:
        NotFound: there is none.
    """
    for section in sections:
        if section.key == key:
            return section
    raise NotFound("This backlog has no such part.")


def section_of(board: Board, issue: Issue, rights: Rights) -> SprintSection | None:
    """Return the section in which an issue is, None of one that is in none."""
    for section in sections_of(board, rights):
        if search_of(board, section, rights).found.filter(id=issue.id).exists():
            return section
    return None


@form_of_board
def move_row(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put an issue into a section, or to another place in it."""
    sent, rights = request.POST, who.rights
    issue = find_issue(rights, sent.get("issue", ""))

    def act() -> Flag:
        here = section_of(board, issue, rights)
        to = _section(sections_of(board, rights), sent["to"]) if sent.get("to") else here
        if to is None:
            raise Invalid(f"{issue.key} is not in this backlog.")
        where = sent.get("where", "")
        place = actions.place_in(request, rights)
        if where in STEPS:
            rows = search_of(board, to, rights).found.filter(ROWS).exclude(id=issue.id)
            place = place_of_step(rows, issue, where)
        try:
            if here is not None and here.key == to.key:
                actions.rank(issue, place, rights, beside=False)
                return Flag("")
            _carry(board, issue, to, place, rights)
        except TrackerError as error:
            raise actions.refused(issue.key, error) from error
        return Flag(f"{issue.key} moved to {to.name}")

    return actions.tried(act, _again(request, who, board), _done(request, board))


def _carry(
    board: Board, issue: Issue, to: SprintSection, place: RankPosition | None, rights: Rights
) -> None:
    """Take an issue into another section.

    Raises:
        Invalid: it cannot go there.
        Forbidden: they may not move it.
    """
    if to.sprint is not None:
        backlog.move_to_sprint([issue], to.sprint, place=place, actor=rights)
        return
    carry = backlog.move_to_board if to.key == BOARD else backlog.move_to_backlog_of
    outcome = carry(board, [issue], place=place, actor=rights)[0]
    if outcome.status != 200:
        raise Invalid(*outcome.errors)


@form_of_board
def create_row(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Make an issue in a section."""
    sent, rights = request.POST, who.rights
    summary = sent.get("summary", "")

    def act() -> Flag:
        space = space_of(board)
        if space is None:
            raise Invalid(NO_SPACE)
        to = _section(sections_of(board, rights), sent.get("into", ""))
        kinds = {str(kind.id): kind for kind in types_of(space) if kind.hierarchy_level == 0}
        kind = kinds.get(sent.get("type", ""))
        if kind is None:
            raise Invalid("Choose a type that the space offers.")
        issue = actions.make_issue(space, kind, summary, rights)
        if to.key != LATER:
            _carry(board, issue, to, None, rights)
        return Flag(f"You've created {issue.key}", f"/browse/{issue.key}")

    return actions.tried(act, _again(request, who, board, summary), _done(request, board))


@form_of_card
def estimate_row(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Estimate an issue by the field of its board."""
    board, issue = card
    text = posted_text(request, "estimate", strip=False)

    def act() -> Flag:
        actions.estimate(issue, board, text, who.rights)
        return Flag(f"{issue.key} updated")

    def again(said: str) -> HttpResponse:
        return backlog_page(request, who, board, refused=said, estimated=issue.key, status=400)

    return actions.tried(act, again, _done(request, board))


@page_of_card
def row_menu(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Show what can be done to a row: a menu over the backlog, or a page without scripts."""
    rights, (board, issue) = who.rights, card
    address = board_address(board)
    query = read_board_query(request, board).query
    action = f"{address}/backlog/move{query}"
    entries = [MenuEntry("Open", f"/browse/{issue.key}", link=True)]
    if rights.may_on("SCHEDULE_ISSUES", issue):
        here = section_of(board, issue, rights)
        for section in sections_of(board, rights):
            if here is None or section.key != here.key:
                sent = {"issue": issue.key, "to": section.key}
                entries.append(MenuEntry(f"Move to {section.name}", action, sent))
        entries += [
            MenuEntry(f"Move {words}", action, {"issue": issue.key, "where": where})
            for where, words in STEPS.items()
        ]
    return menu_page(
        request, who, board, name=f"Actions for {issue.key}", entries=entries,
        estimate=_estimate(board, issue, rights, f"{address}/row/{issue.key}/estimate{query}"),
    )  # fmt: skip


def _estimate(board: Board, issue: Issue, rights: Rights, action: str) -> dict[str, str]:
    """Return the form of an issue's estimate, empty where it has none or may not get one."""
    if board.estimation is None or not rights.may_on("EDIT_ISSUES", issue):
        return {}
    return {"action": action, "value": actions.estimate_text(issue, board)}
