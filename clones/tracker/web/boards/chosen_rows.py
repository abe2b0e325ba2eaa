"""What is done to several rows of a backlog at once, and what its panels make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain import backlog
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TrackerError
from clones.tracker.domain.fieldset import fields_of, read_changes
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.ranking import RankPosition, rank_issues
from clones.tracker.domain.versions import create_version
from clones.tracker.models import Board, Issue
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards import actions
from clones.tracker.web.boards.access import backlog_address, form_of_board
from clones.tracker.web.boards.backlog_actions import section_of
from clones.tracker.web.boards.backlog_page import (
    BOARD,
    ROWS,
    SprintSection,
    backlog_page,
    search_of,
    sections_of,
)
from clones.tracker.web.boards.backlog_panels import epic_type
from clones.tracker.web.boards.board_actions import NO_SPACE
from clones.tracker.web.boards.board_page import space_of
from clones.tracker.web.boards.query_params import read_board_query
from clones.tracker.web.shell import Flag, go, words

MOST: Final = 50  # rows at once, as the vendor's
NONE: Final = "none"


def _settled(request: SandboxRequest, who: Visitor, board: Board, act: actions.Act) -> HttpResponse:
    """Do something and show the backlog: with a flag, or with why it was refused."""
    query = read_board_query(request, board).query
    return actions.tried(
        act,
        lambda said: backlog_page(request, who, board, refused=said, status=400),
        lambda said: go(backlog_address(board) + query, said.text, said.address),
    )


@form_of_board
def chosen(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Do to the chosen rows what a form says: `do` is move, rank, epic, version, flag or bulk."""
    keys = list(dict.fromkeys(posted_texts(request, "issue")))
    kind, _, value = posted_text(request, "do").partition(":")
    if kind == "bulk" and keys:
        query = urlencode({"jql": f"key in ({', '.join(keys)})"})
        return go(f"/issues/bulk?{query}")

    def act() -> Flag:
        if not keys:
            raise Invalid(f"Select at least one {words().item}.")
        if len(keys) > MOST:
            raise Invalid(f"No more than {MOST} {words().items} can be changed at once.")
        issues = [find_issue(who.rights, key) for key in keys]
        said = _do(board, issues, kind, value, who.rights)
        number = f"{len(issues)} {words().item if len(issues) == 1 else words().items}"
        return Flag(f"{number} {said}")

    return _settled(request, who, board, act)


def _do(board: Board, issues: Sequence[Issue], kind: str, value: str, rights: Rights) -> str:
    """Do something to issues and return what a flag says of them.

    Raises:
        Invalid: one of them cannot be changed so.
        Forbidden: one of them may not be changed by them.
        NotFound: the form names nothing that is there.
    """
    match kind:
        case "to":
            return _carry(board, issues, value, rights)
        case "rank":
            return _rank(board, issues, value, rights)
        case "epic":
            parent = None if value == NONE else {"key": value}
            _each(issues, lambda issue: {"fields": {"parent": parent}}, rights)
            return "removed from their epic" if value == NONE else f"added to {value}"
        case "version":
            versions = [] if value == NONE else [{"id": value}]
            _each(issues, lambda issue: {"fields": {"fixVersions": versions}}, rights)
            return "updated"
        case "flag":
            on = value == "on"
            for issue in issues:
                if actions.is_flagged(issue) != on:
                    actions.flag_issue(issue, rights)
            return "flagged" if on else "no longer flagged"
    raise NotFound("The form names nothing that is here.")


def _each(issues: Sequence[Issue], sent: Callable[[Issue], dict[str, Any]], rights: Rights) -> None:
    """Change fields of issues as the API would."""
    for issue in issues:
        fieldset = fields_of(issue.project, issue.issue_type)
        screen = fieldset.screen("edit")
        try:
            planned = read_changes(
                fieldset, sent(issue), issue, actor=rights, version="2", screen=screen
            )
            edit_issue(issue, planned, actor=rights)
        except TrackerError as error:
            text = actions.sentence(error)
            raise Invalid(f"{issue.key} was not changed. {text}") from error


def _carry(board: Board, issues: Sequence[Issue], key: str, rights: Rights) -> str:
    """Take issues into a section, in their order."""
    to = next((one for one in sections_of(board, rights) if one.key == key), None)
    if to is None:
        raise NotFound("This backlog has no such part.")
    moved = [issue for issue in issues if _section_key(board, issue, rights) != to.key]
    if moved and to.sprint is not None:
        backlog.move_to_sprint(moved, to.sprint, actor=rights)
    elif moved:
        carry = backlog.move_to_board if to.key == BOARD else backlog.move_to_backlog_of
        refused = [one for one in carry(board, moved, actor=rights) if one.status != 200]
        if refused:
            raise Invalid(*refused[0].errors)
    return f"moved to {to.name}"


def _section_key(board: Board, issue: Issue, rights: Rights) -> str:
    found = section_of(board, issue, rights)
    if found is None:
        raise Invalid(f"{issue.key} is not in this backlog.")
    return found.key


def _rank(board: Board, issues: Sequence[Issue], way: str, rights: Rights) -> str:
    """Rank issues before, or after, all others of the section that the first is in."""
    if way not in ("top", "bottom"):
        raise NotFound("The form names nothing that is here.")
    section: SprintSection | None = section_of(board, issues[0], rights)
    if section is None:
        raise Invalid(f"{issues[0].key} is not in this backlog.")
    rows = search_of(board, section, rights).found.filter(ROWS)
    others = rows.exclude(id__in=[issue.id for issue in issues])
    order = ("rank", "id") if way == "top" else ("-rank", "-id")
    other = others.order_by(*order).first()
    if other is not None:
        place = RankPosition(other, after=way == "bottom")
        refused = [one for one in rank_issues(issues, place, actor=rights) if one.status != 200]
        if refused:
            raise Forbidden(*refused[0].errors)
    return "moved to the top" if way == "top" else "moved to the bottom"


@form_of_board
def create_epic(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Make an epic in the space in which the board's new work is made."""
    name = posted_text(request, "name", strip=False)

    def act() -> Flag:
        space = space_of(board)
        kind = epic_type(space)
        if space is None or kind is None:
            raise Invalid(NO_SPACE)
        epic = actions.make_issue(space, kind, name, who.rights)
        return Flag(f"You've created {epic.key}", f"/browse/{epic.key}")

    return _settled(request, who, board, act)


@form_of_board
def make_version(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Make a version of the space in which the board's new work is made."""
    name = posted_text(request, "name", strip=False)

    def act() -> Flag:
        space = space_of(board)
        if space is None:
            raise Invalid(NO_SPACE)
        made = create_version(space, {"name": name}, actor=who.rights)
        return Flag(f"Version {made.name} created")

    return _settled(request, who, board, act)
