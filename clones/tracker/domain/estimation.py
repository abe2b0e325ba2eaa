"""Estimates of issues by the field that a board estimates with."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.fieldset import Estimates, Planned, fields_of
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.models import Board, FieldValue, Issue
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import NotADuration, parse

TIME: Final = "timeoriginalestimate"
NO_FIELD: Final = "The board does not use a field for estimation."
NOT_THERE: Final = "The estimation field does not exist on this issue."


def estimate_of(issue: Issue, board: Board) -> float | int | None:
    """Return an issue's estimate: a number, or seconds for a time; None where there is none.

    Raises:
        Invalid: the board estimates with no field.
    """
    field = estimation_field(board)
    if field == TIME:
        return issue.original_estimate
    number = int(field.removeprefix("customfield_"))
    rows = FieldValue.objects.filter(issue=issue, field=number).order_by("position")
    return rows.values_list("number", flat=True).first()


def estimate_issue(issue: Issue, board: Board, value: Any, *, actor: Rights) -> None:
    """Set an issue's estimate, whether its field is on a screen or not.

    Args:
        issue: what is estimated.
        board: it says by which field.
        value: a number; for a time its text (`3h 20m`) or minutes; nothing takes it back.
        actor: who estimates.

    Raises:
        Invalid: the board estimates with no field, the issue has no such one, or the value is none.
        Forbidden: the actor may not edit the issue.
    """
    field = estimation_field(board)
    if not actor.may_on("EDIT_ISSUES", issue):
        raise Forbidden("You do not have permission to edit this issue.")
    fieldset = fields_of(issue.project, issue.issue_type)
    planned = Planned(fieldset)
    text = "" if value is None else str(value).strip()
    if field == TIME:
        seconds = _seconds(text)
        planned.values["timetracking"] = Estimates(seconds, _remaining(issue, seconds))
    elif field not in fieldset.fields:
        raise Invalid(NOT_THERE)
    else:
        planned.values[field] = _number(text)
    edit_issue(issue, planned, actor=actor)


def estimation_field(board: Board) -> str:
    """Return the id of the field that a board estimates with.

    Raises:
        Invalid: it estimates with none.
    """
    if board.estimation is None:
        raise Invalid(NO_FIELD)
    return board.estimation


def _remaining(issue: Issue, seconds: int | None) -> int | None:
    """Return what is left to do: as much as was estimated, until somebody said otherwise."""
    if issue.remaining_estimate in (None, issue.original_estimate):
        return seconds
    return issue.remaining_estimate


def _seconds(text: str) -> int | None:
    if not text:
        return None
    try:
        return parse(text, replace(work_time(), unit="m"))
    except NotADuration as error:
        raise Invalid(fields={"value": f"'{text}' is not a valid time estimate."}) from error


def _number(text: str) -> float | None:
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise Invalid(fields={"value": f"'{text}' is not a valid number."})
    return found
