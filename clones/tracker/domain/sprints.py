"""Writing sprints.

A sprint is to come (`future`), runs (`active`) or is over (`closed`), and goes only that way. It is
started with its two dates, one at a time on a board unless the site's setting `parallel_sprints`
says otherwise; of one that is over only name and goal can be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from clones.core import clock
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.settings import setting
from clones.tracker.domain.sprint_contents import note_sprints
from clones.tracker.models import Board, BoardColumnStatus, Issue, Sprint
from clones.tracker.queries.boards import columns_of, done_statuses, has_sprints, may_manage
from clones.tracker.queries.rights import Rights

NAME_LIMIT: Final = 30  # characters that a name must be shorter than
NO_SPRINTS: Final = "The board does not support sprints"
NOT_MANAGER: Final = (
    'You need the "Manage Sprints" permission for all projects in the origin board to manage this'
    " sprint."
)
NO_START: Final = "You must specify a start date for the sprint"
NO_END: Final = "You must specify an end date for the sprint"
BACKWARDS: Final = "The start date of a sprint must be before the end date"
COMPLETED: Final = "You must specify a sprint which has not been completed."


@dataclass(frozen=True, slots=True)
class Destination:
    """Where open issues go when a sprint is completed: a sprint, or with None the backlog."""

    sprint: Sprint | None = None


def create_sprint(
    *,
    name: str | None,
    board: Board,
    start: str | None,
    end: str | None,
    goal: str | None,
    actor: Rights,
) -> Sprint:
    """Create a sprint that is to come, after the others of its board.

    Args:
        name: spaces around it are dropped.
        board: one that has sprints.
        start: when it is to begin, in ISO 8601; None for not known yet.
        end: when it is to end, likewise.
        goal: what it is for.
        actor: who makes it.

    Raises:
        Invalid: the board has no sprints, the name is missing or too long, or the dates are wrong.
        Forbidden: the actor may not manage the board's sprints.
    """
    require_sprints(board)
    if not may_manage(actor, board):
        raise Forbidden(NOT_MANAGER)
    sprint = Sprint(
        board=board,
        name=checked_name(name),
        state="future",
        goal=goal or "",
        start_date=moment_of(start, "startDate"),
        end_date=moment_of(end, "endDate"),
        created=clock.now(),
    )
    _check_dates(sprint)
    sprint.id = next_id(Sprint)
    sprint.position = sprint.id
    sprint.save(force_insert=True)
    publish(Event("sprint_created", actor, sprint=sprint, board=board))
    return sprint


def update_sprint(
    sprint: Sprint,
    given: Mapping[str, Any],
    *,
    actor: Rights,
    whole: bool,
    destination: Destination | None = None,
) -> Sprint:
    """Change a sprint, start it or complete it.

    Args:
        sprint: with its board.
        given: of name, goal, state, startDate, endDate those that were sent.
        actor: who changes it.
        whole: whether what was not sent is emptied; the state stays.
        destination: where open issues go if it is completed; the backlog unless it says.

    Raises:
        Invalid: a value is wrong, or the sprint cannot go that way.
        Forbidden: the actor may not manage the sprint.
    """
    require_manager(sprint, actor)
    state = checked_state(given.get("state"), sprint)
    before = (sprint.name, sprint.goal, sprint.start_date, sprint.end_date)
    if whole or given.get("name") is not None:
        sprint.name = checked_name(given.get("name"))
    if whole or "goal" in given:
        sprint.goal = given.get("goal") or ""
    if sprint.state != "closed":
        if whole or "startDate" in given:
            sprint.start_date = moment_of(given.get("startDate"), "startDate")
        if whole or "endDate" in given:
            sprint.end_date = moment_of(given.get("endDate"), "endDate")
        _check_dates(sprint, needed=state != "future")
        _go(sprint, state, actor, destination or Destination())
    sprint.save()
    if before != (sprint.name, sprint.goal, sprint.start_date, sprint.end_date):
        publish(Event("sprint_updated", actor, sprint=sprint, board=sprint.board))
    return sprint


def delete_sprint(sprint: Sprint, *, actor: Rights) -> None:
    """Delete a sprint; its issues stay, those that are not in another one in the backlog.

    Raises:
        Forbidden: the actor may not manage the sprint.
    """
    require_manager(sprint, actor)
    publish(Event("sprint_deleted", actor, sprint=sprint, board=sprint.board))
    if sprint.state != "closed":
        rows = Issue.objects.filter(sprint_links__sprint=sprint)
        rows = rows.exclude(issue_type__hierarchy_level__lt=0)
        move_all(
            list(rows.select_related("project", "issue_type", "status").order_by("id")), None, actor
        )
    forget_properties("sprint", [str(sprint.id)])
    sprint.delete()


def swap_sprints(sprint: Sprint, other: Sprint, *, actor: Rights) -> None:
    """Let two sprints change places.

    Raises:
        Forbidden: the actor may not manage one of them.
    """
    require_manager(sprint, actor)
    require_manager(other, actor)
    sprint.position, other.position = other.position, sprint.position
    sprint.save(update_fields=["position"])
    other.save(update_fields=["position"])


def open_issues(sprint: Sprint) -> list[Issue]:
    """Return the issues of a sprint that are not done by its board; sub-tasks left out."""
    rows = Issue.objects.filter(sprint_links__sprint=sprint)
    rows = rows.exclude(issue_type__hierarchy_level__lt=0)
    done = done_statuses(columns_of(sprint.board)) if sprint.board is not None else []
    rows = rows.exclude(status__in=done) if done else rows.exclude(status__category="done")
    return list(rows.select_related("project", "issue_type", "status").order_by("rank", "id"))


def move_all(issues: list[Issue], sprint: Sprint | None, actor: Rights) -> None:
    """Put issues into a sprint, with None into the backlog, and write their histories."""
    changes = {issue.id: Changes(issue, actor) for issue in issues}
    note_sprints(issues, sprint, changes)
    save_changes(issues, changes, actor)


def save_changes(
    issues: list[Issue], changes: Mapping[int, Changes], actor: Rights, *columns: str
) -> None:
    """Write the histories of issues, with these columns of theirs, and tell of it."""
    for issue in issues:
        group = changes[issue.id].save()
        if group is not None:
            issue.save(update_fields=[*columns, "updated"])
            publish(Event("issue_updated", actor, issue=issue, changes=group))


def require_sprints(board: Board) -> None:
    """Hold a board to having sprints.

    Raises:
        Invalid: it has none.
    """
    if not has_sprints(board):
        raise Invalid(NO_SPRINTS)


def require_manager(sprint: Sprint, actor: Rights) -> None:
    """Hold somebody to managing a sprint.

    Raises:
        Forbidden: they may not.
    """
    if not may_manage(actor, sprint.board, sprint):
        raise Forbidden(NOT_MANAGER)


def checked_name(name: str | None) -> str:
    """Return the name of a sprint without the spaces around it.

    Raises:
        Invalid: it is missing or too long.
    """
    name = (name or "").strip()
    if not name:
        raise Invalid(fields={"name": "You must specify a name for the sprint"})
    if len(name) >= NAME_LIMIT:
        text = f"Sprint name must be shorter than {NAME_LIMIT} characters"
        raise Invalid(fields={"name": text})
    return name


def checked_state(state: Any, sprint: Sprint) -> str:
    """Return the state that a sprint is to have.

    Raises:
        Invalid: there is no such state.
    """
    if state is None:
        return sprint.state
    found = str(state).lower()
    if found not in Sprint.STATES:
        raise Invalid(fields={"state": f"'{state}' is not a valid sprint state."})
    return found


def moment_of(text: Any, field: str) -> datetime | None:
    """Return the moment that a date of a sprint means, to the millisecond.

    What is no date with a time counts as missing, as the vendor has it.

    Raises:
        Invalid: it is no such text; `field` is startDate or endDate.
    """
    if text is None or text == "":
        return None
    missing = Invalid(fields={field: NO_START if field == "startDate" else NO_END})
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise missing from error
    if len(str(text)) <= len("2026-01-01"):
        raise missing
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return found.astimezone(UTC).replace(microsecond=found.microsecond // 1000 * 1000)


def _check_dates(sprint: Sprint, *, needed: bool = False) -> None:
    wrong: dict[str, str] = {}
    if needed and sprint.start_date is None:
        wrong["startDate"] = NO_START
    if needed and sprint.end_date is None:
        wrong["endDate"] = NO_END
    start, end = sprint.start_date, sprint.end_date
    if start is not None and end is not None and start >= end:
        wrong["startDate"] = BACKWARDS
    if wrong:
        raise Invalid(fields=wrong)


def _go(sprint: Sprint, state: str, actor: Rights, destination: Destination) -> None:
    if state == sprint.state:
        return
    if (sprint.state, state) == ("future", "active"):
        _start(sprint, actor)
    elif (sprint.state, state) == ("active", "closed"):
        _complete(sprint, actor, destination)
    else:
        text = f"A sprint cannot be changed from state {sprint.state} to state {state}."
        raise Invalid(fields={"state": text})


def _start(sprint: Sprint, actor: Rights) -> None:
    if (
        sprint.board is not None
        and not BoardColumnStatus.objects.filter(column__board=sprint.board).exists()
    ):
        raise Invalid("This board has no columns with a mapped status")
    running = Sprint.objects.filter(board=sprint.board, state="active")
    if sprint.board is not None and running.exists() and not setting("parallel_sprints", False):
        raise Invalid("A sprint of this board is already active. Complete it first.")
    sprint.state = "active"
    publish(Event("sprint_started", actor, sprint=sprint, board=sprint.board))


def _complete(sprint: Sprint, actor: Rights, destination: Destination) -> None:
    target = destination.sprint
    if target is not None and (target.state == "closed" or target.id == sprint.id):
        raise Invalid(COMPLETED)
    unfinished = open_issues(sprint)
    sprint.state = "closed"
    sprint.complete_date = clock.now()
    sprint.save()
    if target is not None:
        move_all(unfinished, target, actor)
    publish(Event("sprint_closed", actor, sprint=sprint, board=sprint.board))
