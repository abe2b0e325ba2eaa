"""Sprints: making, changing, starting, completing and deleting them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.http import HttpResponse, QueryDict

from clones.core import clock
from clones.core.digits import is_digits, whole_number
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain import sprints
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TrackerError
from clones.tracker.models import Board, Issue, Sprint
from clones.tracker.queries.boards import find_sprint
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards import actions
from clones.tracker.web.boards.access import (
    SprintOnBoard,
    backlog_address,
    board_address,
    form_of_board,
    form_of_sprint,
    page_of_sprint,
)
from clones.tracker.web.boards.backlog_page import backlog_page, open_sprints
from clones.tracker.web.boards.header import header_of
from clones.tracker.web.parts.times import typed_moment
from clones.tracker.web.shell import Flag, from_script, go, page

WEEKS: Final = (1, 2, 3, 4)
USUAL_WEEKS: Final = 2
CUSTOM: Final = "custom"
NOT_FUTURE: Final = "This sprint has been started already."
NOT_ACTIVE: Final = "Only a sprint that is active can be completed."


@dataclass(frozen=True, slots=True)
class Filled:
    """A sprint's form as it is filled in; times are local, without a zone.

    `shown_end` is the end that the form was first shown with.
    """

    name: str
    goal: str
    start: str
    end: str
    duration: str
    shown_end: str = ""


@form_of_board
def create(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Make a sprint after the others, named as the next of them."""

    def act() -> Flag:
        made = sprints.create_sprint(
            name=next_name(board), board=board, start=None, end=None, goal=None, actor=who.rights
        )
        return Flag(f"{made.name} created")

    def again(said: str) -> HttpResponse:
        return backlog_page(request, who, board, refused=said, status=400)

    return actions.tried(act, again, lambda said: go(backlog_address(board), said.text))


def next_name(board: Board) -> str:
    """Return the name of a board's next sprint: that of the last, its number one more."""
    last = Sprint.objects.filter(board=board).order_by("-position", "-id").first()
    if last is not None:
        head, _, number = last.name.rpartition(" ")
        if head and is_digits(number, 5):
            return f"{head} {int(number) + 1}"
    place = board.project.key if board.project is not None else board.name[:12].strip()
    return f"{place} Sprint {Sprint.objects.filter(board=board).count() + 1}"


@page_of_sprint
def start(request: SandboxRequest, who: Visitor, found: SprintOnBoard) -> HttpResponse:
    """Show the form that starts a sprint, or take it."""
    return _form(request, who, *found, starting=True)


@page_of_sprint
def edit(request: SandboxRequest, who: Visitor, found: SprintOnBoard) -> HttpResponse:
    """Show the form that changes a sprint, or take it."""
    return _form(request, who, *found, starting=False)


def _form(
    request: SandboxRequest, who: Visitor, board: Board, sprint: Sprint, *, starting: bool
) -> HttpResponse:
    sprints.require_manager(sprint, who.rights)
    if starting and sprint.state != "future":
        raise Forbidden(NOT_FUTURE)
    zone = who.rights.zone
    if request.method != "POST":
        return _shown(
            request,
            who,
            board,
            sprint,
            _present(sprint, zone, starting=starting),
            starting=starting,
        )
    filled = _filled(request.POST)
    try:
        said = actions.whole(lambda: _save(sprint, filled, who, starting=starting))
    except NotFound:
        raise
    except TrackerError as error:
        return _shown(request, who, board, sprint, filled, starting=starting, error=error)
    address = board_address(board) if starting else backlog_address(board)
    return from_script(request, go(address, said.text))


def _save(sprint: Sprint, filled: Filled, who: Visitor, *, starting: bool) -> Flag:
    given: dict[str, Any] = {"name": filled.name, "goal": filled.goal}
    if sprint.state != "closed":
        given |= _dates(filled, who.rights.zone, starting=starting)
    if not filled.name.strip():
        given["name"] = ""
    if starting:
        given["state"] = "active"
    sprints.update_sprint(sprint, given, actor=who.rights, whole=False)
    return Flag(f"{sprint.name} started" if starting else f"{sprint.name} updated")


def _filled(sent: QueryDict) -> Filled:
    """Return what a form says. Whoever types an end means it, whatever duration is chosen."""
    end, duration = sent.get("endDate", ""), sent.get("duration", CUSTOM)
    if "shownEnd" in sent and end and end not in (sent["shownEnd"], _end_of(sent)):
        duration = CUSTOM
    return Filled(
        name=sent.get("name", ""),
        goal=sent.get("goal", ""),
        start=sent.get("startDate", ""),
        end=end,
        duration=duration,
        shown_end=sent.get("shownEnd", ""),
    )


def _end_of(sent: QueryDict) -> str:
    """Return the end that follows from a form's start and duration, as it would be typed."""
    weeks = whole_number(sent.get("duration", ""), digits=2)
    if weeks is None:
        return ""
    try:
        begin = datetime.fromisoformat(sent.get("startDate", ""))
        return (begin + timedelta(weeks=weeks)).strftime("%Y-%m-%dT%H:%M")
    except (ValueError, OverflowError):  # no date, or one at the end of time
        return ""


def _present(sprint: Sprint, zone: ZoneInfo, *, starting: bool) -> Filled:
    """Return the form as it is first shown: one that starts begins now, for two weeks."""
    begin, end, duration = sprint.start_date, sprint.end_date, CUSTOM
    if starting and begin is None:
        begin = clock.now()
    if starting and end is None and begin is not None:
        end, duration = begin + timedelta(weeks=USUAL_WEEKS), str(USUAL_WEEKS)
    ends = typed_moment(end, zone)
    return Filled(sprint.name, sprint.goal, typed_moment(begin, zone), ends, duration, ends)


def _dates(filled: Filled, zone: ZoneInfo, *, starting: bool) -> dict[str, str | None]:
    """Return the dates of a form as the domain takes them; a duration counts from the start.

    Forms know minutes. What starts in this one starts now: what was put into the sprint a moment
    ago is what it began with.
    """
    begin = _moment(filled.start, zone)
    end = _moment(filled.end, zone)
    now = clock.now()
    if starting and begin is not None and begin <= now < begin + timedelta(minutes=1):
        begin = now.astimezone(zone)
    if begin is not None and filled.duration in {str(weeks) for weeks in WEEKS}:
        # The same hour of the day, whatever summer time does in between.
        with suppress(OverflowError):  # a beginning at the end of time has the end that was typed
            end = begin + timedelta(weeks=int(filled.duration))
    return {
        "startDate": filled.start if begin is None else begin.isoformat(),
        "endDate": filled.end if end is None else end.isoformat(),
    }


def _moment(text: str, zone: ZoneInfo) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.replace(tzinfo=zone) if len(text) > len("2026-01-01") else None


def _shown(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    sprint: Sprint,
    filled: Filled,
    *,
    starting: bool,
    error: TrackerError | None = None,
) -> HttpResponse:
    name = f"{'Start' if starting else 'Edit'} sprint: {sprint.name}"
    context = {
        "filled": filled,
        "starting": starting,
        "weeks": [(str(weeks), f"{weeks} week{'s' * (weeks > 1)}") for weeks in WEEKS],
        "number": _number_of(sprint),
        "wrong": {} if error is None else error.fields,
        "said": "" if error is None else " ".join(error.messages),
    }
    return _dialog(
        request, who, board, sprint, name=name, kind="form", context=context, error=error
    )


def _number_of(sprint: Sprint) -> int:
    rows = Issue.objects.filter(sprint_links__sprint=sprint)
    return rows.filter(issue_type__hierarchy_level=0).count()


@page_of_sprint
def complete(request: SandboxRequest, who: Visitor, found: SprintOnBoard) -> HttpResponse:
    """Ask where the open issues of a sprint are to go, or complete it."""
    board, sprint = found
    sprints.require_manager(sprint, who.rights)
    if sprint.state != "active":
        raise Forbidden(NOT_ACTIVE)
    if request.method == "POST":
        chosen = posted_text(request, "destination", "backlog")
        try:
            said = actions.whole(lambda: _complete(sprint, board, chosen, who))
        except NotFound:
            raise
        except TrackerError as error:
            return _ask(request, who, board, sprint, error)
        return from_script(request, go(board_address(board), said.text))
    return _ask(request, who, board, sprint)


def _complete(sprint: Sprint, board: Board, chosen: str, who: Visitor) -> Flag:
    target: Sprint | None = None
    if chosen == "new":
        target = sprints.create_sprint(
            name=next_name(board), board=board, start=None, end=None, goal=None, actor=who.rights
        )
    elif is_digits(chosen):
        target = find_sprint(who.rights, int(chosen))
    elif chosen != "backlog":
        raise Invalid("Choose where the open work is to go.")
    destination = sprints.Destination(target)
    sprints.update_sprint(
        sprint, {"state": "closed"}, actor=who.rights, whole=False, destination=destination
    )
    return Flag(f"{sprint.name} completed")


def _ask(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    sprint: Sprint,
    error: TrackerError | None = None,
) -> HttpResponse:
    unfinished = len(sprints.open_issues(sprint))
    context = {
        "unfinished": unfinished,
        "finished": max(0, _number_of(sprint) - unfinished),
        "others": [one for one in open_sprints(board, who.rights) if one.id != sprint.id],
        "said": "" if error is None else actions.sentence(error),
    }
    name = f"Complete {sprint.name}"
    return _dialog(
        request, who, board, sprint, name=name, kind="complete", context=context, error=error
    )


@page_of_sprint
def delete(request: SandboxRequest, who: Visitor, found: SprintOnBoard) -> HttpResponse:
    """Ask whether to delete a sprint, or delete it."""
    board, sprint = found
    sprints.require_manager(sprint, who.rights)
    if request.method == "POST":
        name = sprint.name
        sprints.delete_sprint(sprint, actor=who.rights)
        return from_script(request, go(backlog_address(board), f"{name} deleted"))
    return _dialog(
        request,
        who,
        board,
        sprint,
        name=f"Delete sprint: {sprint.name}",
        kind="delete",
        context={},
    )


@form_of_sprint
def swap(request: SandboxRequest, who: Visitor, found: SprintOnBoard) -> HttpResponse:
    """Let a sprint that is to come change places with the one before or after it."""
    board, sprint = found
    future = [one for one in open_sprints(board, who.rights) if one.state == "future"]
    keys = [one.id for one in future]
    there = keys.index(sprint.id) if sprint.id in keys else -1
    other = there + (-1 if posted_text(request, "way") == "up" else 1)

    def act() -> Flag:
        if there < 0 or not 0 <= other < len(future):
            raise Invalid("There is no sprint to change places with.")
        sprints.swap_sprints(future[there], future[other], actor=who.rights)
        return Flag("")

    def again(said: str) -> HttpResponse:
        return backlog_page(request, who, board, refused=said, status=400)

    return actions.tried(act, again, lambda said: go(backlog_address(board), said.text))


def _dialog(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    sprint: Sprint,
    *,
    name: str,
    kind: str,
    context: Mapping[str, Any],
    error: TrackerError | None = None,
) -> HttpResponse:
    """Return a dialog about a sprint: a page, which a script shows over another."""
    whole = {
        **header_of(board, ""), **context,
        "sprint": sprint, "name": name, "kind": kind, "back": backlog_address(board),
    }  # fmt: skip
    return page(
        request, who, f"tracker/boards/sprint_{kind}.html", whole,
        title=name, active=f"backlog-{board.id}", project=board.project,
        status=400 if error is not None else 200,
    )  # fmt: skip
