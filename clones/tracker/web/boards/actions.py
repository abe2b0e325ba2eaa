"""What is done to single issues on boards and in backlogs, and the menus that offer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.db import transaction
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TrackerError
from clones.tracker.domain.estimation import TIME, estimate_issue, estimate_of
from clones.tracker.domain.fieldset import Planned, fields_of, read_changes
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import assign_issue, edit_issue
from clones.tracker.domain.ranking import RankPosition, rank_issues
from clones.tracker.domain.transitions import Move, available, find_move, move, plan_move, screen_of
from clones.tracker.models import Board, FieldValue, Issue, IssueType, Project
from clones.tracker.queries.agile_fields import flag_field
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import text_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.shell import Flag

Act = Callable[[], Flag]
NO_WAY: Final = "No transition of its workflow leads there from {}."


def tried(
    act: Act, again: Callable[[str], HttpResponse], done: Callable[[Flag], HttpResponse]
) -> HttpResponse:
    """Do something; where it is refused, undo what it began and show the page again, saying why.

    Args:
        act: does it and returns a flag, one without words for none.
        again: makes the page from the sentence of a refusal.
        done: makes the answer from the flag.

    Raises:
        NotFound: what it is about is not there, or not for whoever asks.
    """
    try:
        said = whole(act)
    except NotFound:
        raise
    except TrackerError as error:
        return again(sentence(error))
    return done(said)


def whole(act: Act) -> Flag:
    """Do something wholly or not at all, and return its flag.

    Raises:
        TrackerError: it was refused, and undone.
    """
    with transaction.atomic():
        return act()


def sentence(error: TrackerError) -> str:
    """Return what a refusal says, in one line."""
    return " ".join([*error.messages, *error.fields.values()]) or "That is not possible."


def refused(key: str, error: TrackerError) -> Invalid:
    """Return a refusal that names the issue that stays where it is."""
    return Invalid(f"{key} was not moved. {sentence(error)}")


def moves_to(issue: Issue, statuses: Sequence[int], rights: Rights) -> list[Move]:
    """Return the moves that take an issue to one of some statuses, in the order of these."""
    found = available([issue], rights, remote=False)[issue.id]
    ways = [one for one in found if one.to.id in statuses and one.to.id != issue.status_id]
    return sorted(ways, key=lambda one: statuses.index(one.to.id))


def way_to(
    issue: Issue, statuses: Sequence[int], rights: Rights, number: int | None = None
) -> Move | None:
    """Return the move that takes an issue to one of some statuses: the first without a screen.

    Args:
        issue: what is moved.
        statuses: those of a column, in their order.
        rights: of who moves it.
        number: the transition that they chose, if they did.

    Returns:
        One with a screen where all have one; None of an issue that is there already.

    Raises:
        Invalid: no transition leads there.
        Forbidden: they may not move issues on.
    """
    if number is None and issue.status_id in statuses:
        return None
    if not rights.may_on("TRANSITION_ISSUES", issue):
        raise Forbidden("You do not have permission to transition this issue.")
    if number is not None:
        return find_move(issue, number, actor=rights, remote=False)
    ways = moves_to(issue, statuses, rights)
    if not ways:
        raise Invalid(NO_WAY.format(issue.status.name))
    return next((way for way in ways if not screen_of(way)), ways[0])


def transit(
    issue: Issue, statuses: Sequence[int], rights: Rights, number: int | None = None
) -> bool:
    """Take an issue to one of some statuses, and tell whether it had to go anywhere.

    Args:
        issue: what is moved.
        statuses: those of a column, in their order.
        rights: of who moves it.
        number: the transition that they chose, if they did.

    Raises:
        Invalid: no transition leads there, its screen asks for something, or a rule refuses it.
        Forbidden: they may not move issues on.
    """
    way = way_to(issue, statuses, rights, number)
    if way is None:
        return False
    pass_through(issue, way, rights)
    return True


def pass_through(issue: Issue, way: Move, rights: Rights) -> None:
    """Take an issue through a transition without setting anything on the way.

    Raises:
        Invalid: its screen asks for something, or a rule refuses it.
    """
    planned = plan_move(way, issue, {}, actor=rights)
    move(issue, way.number, actor=rights, found=way, planned=planned, remote=False)


def rank(issue: Issue, place: RankPosition | None, rights: Rights, *, beside: bool) -> None:
    """Put an issue somewhere in the order.

    Args:
        issue: what is moved.
        place: where, None to leave it.
        rights: of who moves it.
        beside: whether it was moved otherwise too; then a place that is refused is let go.

    Raises:
        Forbidden: they may not rank it.
    """
    if place is None or place.other.id == issue.id:
        return
    outcome = rank_issues([issue], place, actor=rights)[0]
    if outcome.status != 200 and not beside:
        raise Forbidden(*outcome.errors)


def place_in(request: SandboxRequest, rights: Rights) -> RankPosition | None:
    """Return the place that a form names: `before` or `after` the issue with a key.

    Raises:
        NotFound: there is no such issue, or none that they see.
    """
    for name in ("before", "after"):
        key = posted_text(request, name, strip=False)
        if key:
            return RankPosition(find_issue(rights, key), after=name == "after")
    return None


def make_issue(
    space: Project, kind: IssueType, summary: str, rights: Rights, parent: Issue | None = None
) -> Issue:
    """Make an issue with a summary and nothing else.

    Raises:
        Invalid: a field that the space requires is missing, or they may not make any.
    """
    fieldset = fields_of(space, kind)
    sent = {"fields": {"summary": " ".join(summary.split())}}
    screen = fieldset.screen("create")
    planned = read_changes(fieldset, sent, None, actor=rights, version="2", screen=screen)
    if parent is not None:
        planned.values["parent"] = parent
    return create_issue(space, kind, planned, actor=rights)


def rename_issue(issue: Issue, summary: str, rights: Rights) -> None:
    """Give an issue another summary.

    Raises:
        Invalid: it is empty or too long, or not on the screen.
        Forbidden: they may not edit the issue.
    """
    fieldset = fields_of(issue.project, issue.issue_type)
    sent = {"fields": {"summary": " ".join(summary.split())}}
    screen = fieldset.screen("edit")
    planned = read_changes(fieldset, sent, issue, actor=rights, version="2", screen=screen)
    edit_issue(issue, planned, actor=rights)


def is_flagged(issue: Issue) -> bool:
    """Tell whether something is said to stand in an issue's way."""
    field = flag_field()
    return field is not None and FieldValue.objects.filter(issue=issue, field=field).exists()


def flag_issue(issue: Issue, rights: Rights) -> bool:
    """Flag an issue, or take its flag away; tell whether it is flagged now.

    Raises:
        Invalid: issues of its kind cannot be flagged.
        Forbidden: they may not edit the issue.
    """
    field = flag_field()
    fieldset = fields_of(issue.project, issue.issue_type)
    known = None if field is None else fieldset.fields.get(field.key)
    if known is None:
        raise Invalid(f"{issue.key} cannot be flagged.")
    on = not is_flagged(issue)
    value = tuple(fieldset.options(known)[:1]) if on else ()
    edit_issue(issue, Planned(fieldset, values={known.id: value}), actor=rights)
    return on


def take_issue(issue: Issue, who: Visitor) -> None:
    """Assign an issue to who asks.

    Raises:
        Invalid: they cannot be assigned issues.
        Forbidden: they may not assign this one.
    """
    assign_issue(issue, who.user, actor=who.rights)


def may_take(issue: Issue, who: Visitor) -> bool:
    """Tell whether to offer an issue to who looks."""
    return issue.assignee_id != who.user.id and who.rights.may_on("ASSIGN_ISSUES", issue)


def board_statuses(board: Board, column: int) -> list[int]:
    """Return the statuses of a column of a board.

    Raises:
        NotFound: the board has no such column.
    """
    found = board.columns.filter(id=column).prefetch_related("statuses").first()
    if found is None:
        raise NotFound("This board has no such column.")
    rows = sorted(found.statuses.all(), key=lambda row: (row.position, row.id))
    return [row.status_id for row in rows]


def estimate(issue: Issue, board: Board, text: str, rights: Rights) -> None:
    """Estimate an issue by the field of a board; an empty text takes its estimate away.

    Raises:
        Invalid: it is no estimate, or the issue has no such field.
        Forbidden: they may not edit the issue.
    """
    estimate_issue(issue, board, text.strip() or None, actor=rights)


def estimate_text(issue: Issue, board: Board) -> str:
    """Return an issue's estimate as a form shows it."""
    found = estimate_of(issue, board)
    if found is None:
        return ""
    return text_of(int(found), work_time()) if board.estimation == TIME else f"{found:g}"
