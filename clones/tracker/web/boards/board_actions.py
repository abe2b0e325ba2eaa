"""What forms and menus of a board do: cards between columns, new ones, single changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain import backlog
from clones.tracker.domain.errors import Invalid, NotFound, TrackerError
from clones.tracker.domain.ranking import RankPosition
from clones.tracker.domain.transitions import Move, screen_of
from clones.tracker.models import Board, Issue
from clones.tracker.queries.board_issues import on_board
from clones.tracker.queries.boards import has_sprints
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards import actions
from clones.tracker.web.boards.access import (
    IssueOnBoard,
    board_address,
    form_of_board,
    form_of_card,
    page_of_card,
)
from clones.tracker.web.boards.board_page import board_page, heads_of, running_sprints, space_of
from clones.tracker.web.boards.header import has_backlog
from clones.tracker.web.boards.menus import MenuEntry, Zone, menu_page
from clones.tracker.web.boards.query_params import read_board_query
from clones.tracker.web.boards.steps import STEPS, place_of_step
from clones.tracker.web.shell import Flag, go

SHARE: Final = re.compile(r"0(\.[0-9]{1,6})?|1(\.0{1,6})?")
NO_SPACE: Final = "This board does not say in which space new work belongs."


def _done(request: SandboxRequest, board: Board) -> Callable[[Flag], HttpResponse]:
    """Return what leads back to the board as it was asked for, with a flag."""
    query = read_board_query(request, board).query
    return lambda said: go(board_address(board) + query, said.text, said.address)


def _again(
    request: SandboxRequest, who: Visitor, board: Board, typed: str = ""
) -> Callable[[str], HttpResponse]:
    """Return what shows the board again with the sentence of a refusal."""
    return lambda said: board_page(request, who, board, refused=said, typed=typed, status=400)


@form_of_board
def move_card(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Take a card to a column, and to a place in it; a transition with a screen shows it first.

    `passed` says that the screen's own form moved it already. Where several transitions lead to
    the column, a card that was dropped takes the one whose zone is at that `height` of it, and
    keeps its place in the order.
    """
    sent, rights = request.POST, who.rights
    issue = find_issue(rights, sent.get("issue", ""))
    leads: list[str] = []

    def act() -> Flag:
        passed = bool(sent.get("passed"))
        moved = passed and _is_there(board, issue, sent.get("column"))
        try:
            zone = None if passed else _zone(board, issue, request, rights)
            way = zone or (None if passed else _way(board, issue, request, rights))
            if way is not None:
                if screen_of(way):
                    leads.append(_screen_address(issue, way) + ("?zone=1" if zone else ""))
                    return Flag("")
                actions.pass_through(issue, way, rights)
                moved = True
            if zone is None:
                actions.rank(issue, _place(request, board, issue, rights), rights, beside=moved)
        except NotFound:
            raise
        except TrackerError as error:
            raise actions.refused(issue.key, error) from error
        return Flag(f"{issue.key} moved to {issue.status.name}" if moved else "")

    def done(said: Flag) -> HttpResponse:
        if leads:
            return go(leads[0])
        return _done(request, board)(said)

    return actions.tried(act, _again(request, who, board), done)


def _way(board: Board, issue: Issue, request: SandboxRequest, rights: Rights) -> Move | None:
    """Return the transition to the column that a form names; None: it stays where it is.

    Raises:
        NotFound: the board has no such column.
        Invalid: no transition leads there.
        Forbidden: they may not move issues on.
    """
    sent = request.POST
    if not sent.get("column"):
        return None
    statuses = actions.board_statuses(board, _number(sent["column"]))
    number = _number(sent["transition"]) if sent.get("transition") else None
    return actions.way_to(issue, statuses, rights, number)


def _zone(board: Board, issue: Issue, request: SandboxRequest, rights: Rights) -> Move | None:
    """Return the transition whose zone a card was dropped in.

    The zones share a column's height equally. None where it has none: fewer than two transitions
    lead there, or the card was not dropped but moved by its menu.

    Raises:
        NotFound: the board has no such column, or the height is none.
    """
    sent = request.POST
    if not sent.get("height"):
        return None
    statuses = actions.board_statuses(board, _number(sent.get("column", "")))
    height = _share(sent["height"])
    if issue.status_id in statuses:
        return None
    ways = actions.moves_to(issue, statuses, rights)
    return ways[min(len(ways) - 1, int(height * len(ways)))] if len(ways) > 1 else None


def _is_there(board: Board, issue: Issue, column: str | None) -> bool:
    """Tell whether an issue is in a column, if one is named."""
    return not column or issue.status_id in actions.board_statuses(board, _number(column))


def _screen_address(issue: Issue, way: Move) -> str:
    return f"/browse/{issue.key}/transition/{way.number}"


def _number(text: str) -> int:
    """Return the number in a form.

    Raises:
        NotFound: it is none.
    """
    if not is_digits(text):
        raise NotFound("The form names nothing that is here.")
    return int(text)


def _share(text: str) -> float:
    """Return the number from 0 to 1 in a form.

    Raises:
        NotFound: it is none.
    """
    if not SHARE.fullmatch(text):
        raise NotFound("The form names nothing that is here.")
    return float(text)


def _place(
    request: SandboxRequest, board: Board, issue: Issue, rights: Rights
) -> RankPosition | None:
    """Return where a card is to go: beside a named one, or by steps within its column."""
    where = posted_text(request, "where")
    if where not in STEPS:
        return actions.place_in(request, rights)
    statuses = next(
        (head.statuses for head in heads_of(board) if issue.status_id in head.statuses), []
    )
    rows = on_board(board, rights, within=_beside(board, statuses, rights)).found
    return place_of_step(rows.exclude(id=issue.id), issue, where)


def _beside(board: Board, statuses: list[int], rights: Rights) -> Q:
    found = Q(status__in=statuses)
    if has_sprints(board):
        found &= Q(sprint_links__sprint__in=running_sprints(board, rights))
    return found


@form_of_board
def create_card(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Make an issue in a column; on a board with sprints in the one that runs."""
    sent, rights = request.POST, who.rights
    summary = sent.get("summary", "")

    def act() -> Flag:
        space = space_of(board)
        if space is None:
            raise Invalid(NO_SPACE)
        statuses = actions.board_statuses(board, _number(sent.get("into", "")))
        kinds = {str(kind.id): kind for kind in types_of(space) if kind.hierarchy_level == 0}
        kind = kinds.get(sent.get("type", ""))
        if kind is None:
            raise Invalid("Choose a type that the space offers.")
        issue = actions.make_issue(space, kind, summary, rights)
        if has_sprints(board):
            running = running_sprints(board, rights)
            if running:
                backlog.move_to_sprint([issue], running[0], actor=rights)
        actions.transit(issue, statuses, rights)
        return Flag(f"You've created {issue.key}", f"/browse/{issue.key}")

    return actions.tried(act, _again(request, who, board, summary), _done(request, board))


@form_of_card
def rename_card(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Give a card's issue another summary."""
    board, issue = card
    text = posted_text(request, "summary", strip=False)

    def act() -> Flag:
        actions.rename_issue(issue, text, who.rights)
        return Flag(f"{issue.key} updated")

    def again(said: str) -> HttpResponse:
        return board_page(
            request, who, board, refused=said, typed=text, editing=issue.key, status=400
        )

    return actions.tried(act, again, _done(request, board))


@form_of_card
def flag_card(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Flag a card's issue, or take its flag away."""
    board, issue = card

    def act() -> Flag:
        on = actions.flag_issue(issue, who.rights)
        return Flag(f"{issue.key} flagged" if on else f"Flag removed from {issue.key}")

    return actions.tried(act, _again(request, who, board), _done(request, board))


@form_of_card
def take_card(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Assign a card's issue to who asks."""
    board, issue = card

    def act() -> Flag:
        actions.take_issue(issue, who)
        return Flag(f"{issue.key} assigned to you")

    return actions.tried(act, _again(request, who, board), _done(request, board))


@form_of_card
def put_back(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Take a card off the board, into the backlog."""
    board, issue = card

    def act() -> Flag:
        outcome = backlog.move_to_backlog_of(board, [issue], actor=who.rights)[0]
        if outcome.status != 200:
            raise Invalid(*outcome.errors)
        return Flag(f"{issue.key} moved to the backlog")

    return actions.tried(act, _again(request, who, board), _done(request, board))


@page_of_card
def card_menu(request: SandboxRequest, who: Visitor, card: IssueOnBoard) -> HttpResponse:
    """Show what can be done to a card: a menu over the board, or a page without scripts."""
    rights, (board, issue) = who.rights, card
    address = board_address(board)
    query = read_board_query(request, board).query
    own = f"{address}/card/{issue.key}"
    entries = [MenuEntry("Open", f"/browse/{issue.key}", link=True)]
    entries += _ways(board, issue, rights, f"{address}/move{query}")
    if rights.may_on("SCHEDULE_ISSUES", issue):
        entries += [
            MenuEntry(
                f"Move {words}", f"{address}/move{query}", {"issue": issue.key, "where": where}
            )
            for where, words in STEPS.items()
        ]
        if has_backlog(board) and not issue.issue_type.subtask:
            entries.append(MenuEntry("Move to backlog", f"{own}/backlog{query}"))
    if rights.may_on("EDIT_ISSUES", issue):
        edit = f"{address}{query}{'&' if query else '?'}edit={issue.key}"
        entries.append(MenuEntry("Edit summary", edit, link=True))
        flagged = "Remove flag" if actions.is_flagged(issue) else "Add flag"
        entries.append(MenuEntry(flagged, f"{own}/flag{query}"))
    if actions.may_take(issue, who):
        entries.append(MenuEntry("Assign to me", f"{own}/assign{query}"))
    return menu_page(request, who, board, name=f"Card actions for {issue.key}", entries=entries)


def _ways(board: Board, issue: Issue, rights: Rights, action: str) -> list[MenuEntry]:
    """Return the entries that take a card to other columns; a word more where two lead there."""
    found = []
    for head in heads_of(board):
        ways = actions.moves_to(issue, head.statuses, rights)
        for way in ways:
            name = f"Move to {head.column.name}"
            if len(head.statuses) > 1 or len(ways) > 1:
                name = f"{name}: {way.name}"
            zone = Zone(head.column.id, way.number, way.to.name)
            if screen_of(way):
                screen = _screen_address(issue, way)
                found.append(MenuEntry(name, screen, link=True, asks=True, zone=zone))
                continue
            sent = {
                "issue": issue.key,
                "column": str(head.column.id),
                "transition": str(way.number),
            }
            found.append(MenuEntry(name, action, sent, zone=zone))
    return found
