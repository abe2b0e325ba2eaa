"""Sprints."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.pages import (
    AGILE,
    RankedIssuesBody,
    named_issues,
    place_of,
)
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.presenters.agile import present_sprint
from clones.tracker.domain import sprints
from clones.tracker.domain.backlog import move_to_sprint
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Sprint
from clones.tracker.queries.boards import find_board, find_sprint

Json = dict[str, Any]
SPRINT: Final = f"{AGILE}/sprint/{{sprint:int}}"
# What is sent of a sprint, and what a change of it may set.
SETTABLE: Final = ("name", "goal", "state", "startDate", "endDate")


class NewSprintBody(Body):
    """A sprint to create: its name, board, dates and goal."""

    name: str | None = None
    start: str | None = Field(None, alias="startDate")
    end: str | None = Field(None, alias="endDate")
    board: int | None = Field(None, alias="originBoardId")
    goal: str | None = None


class SprintBody(Body):
    """The attributes of a sprint that can change; clients cannot set its others."""

    name: str | None = None
    goal: str | None = None
    state: str | None = None
    start: str | None = Field(None, alias="startDate")
    end: str | None = Field(None, alias="endDate")


class SwapBody(Body):
    """The sprint that another swaps its place in the backlog with."""

    other: int = Field(alias="sprintToSwapWith")


def sprint_of(call: Call) -> Sprint:
    """Return the sprint that a path names.

    Raises:
        NotFound: there is none, or the caller does not see it.
    """
    return find_sprint(actor(call), call.path["sprint"])


@operation(
    "agile.createSprint",
    "POST",
    f"{AGILE}/sprint",
    summary="Create a sprint that is to come on a board.",
    body=NewSprintBody,
    status=201,
)
def create_sprint(call: Call) -> Json:
    """Create a sprint."""
    asked: NewSprintBody = call.body
    if asked.board is None:
        raise Invalid(fields={"originBoardId": "You must specify a board for the sprint"})
    made = sprints.create_sprint(
        name=asked.name,
        board=find_board(actor(call), asked.board),
        start=asked.start,
        end=asked.end,
        goal=asked.goal,
        actor=actor(call),
    )
    return present_sprint(made, show(call))


@operation("agile.getSprint", "GET", SPRINT, summary="Show a sprint.")
def show_sprint(call: Call) -> Json:
    """Show a sprint."""
    view, sprint = show(call), sprint_of(call)
    view.note(sprint, "detail")
    return present_sprint(sprint, view)


@operation(
    "agile.partiallyUpdateSprint",
    "POST",
    SPRINT,
    summary="Change what is sent of a sprint; start or complete it.",
    body=SprintBody,
)
def change_sprint(call: Call) -> Json:
    """Change a sprint's name, goal, dates or state."""
    return _update(call, whole=False)


@operation(
    "agile.updateSprint",
    "PUT",
    SPRINT,
    summary="Replace a sprint: what is not sent is emptied. Start or complete it.",
    body=SprintBody,
)
def replace_sprint(call: Call) -> Json:
    """Replace a sprint's name, goal and dates, and change its state if that is sent."""
    return _update(call, whole=True)


def _update(call: Call, *, whole: bool) -> Json:
    asked: SprintBody = call.body
    sent = asked.model_dump(by_alias=True, exclude_unset=True)
    given = {name: value for name, value in sent.items() if name in SETTABLE}
    found = sprints.update_sprint(sprint_of(call), given, actor=actor(call), whole=whole)
    return present_sprint(found, show(call))


@operation(
    "agile.deleteSprint",
    "DELETE",
    SPRINT,
    summary="Delete a sprint. Its open issues go to the backlog.",
    status=204,
)
def delete_sprint(call: Call) -> Reply:
    """Delete a sprint."""
    sprints.delete_sprint(sprint_of(call), actor=actor(call))
    return Reply(None, 204)


@operation(
    "agile.moveIssuesToSprintAndRank",
    "POST",
    f"{SPRINT}/issue",
    summary="Put up to 50 issues into a sprint that is not over, and rank them there.",
    body=RankedIssuesBody,
    status=204,
)
def move_issues(call: Call) -> Reply:
    """Put issues into a sprint."""
    asked: RankedIssuesBody = call.body
    sprint = sprint_of(call)
    issues = named_issues(call, asked)
    place = place_of(call, asked.before, asked.after, asked.field)
    move_to_sprint(issues, sprint, place=place, actor=actor(call))
    return Reply(None, 204)


@operation(
    "agile.swapSprint",
    "POST",
    f"{SPRINT}/swap",
    summary="Let two sprints change places.",
    body=SwapBody,
    status=204,
)
def swap(call: Call) -> Reply:
    """Let two sprints change places."""
    rights = actor(call)
    sprint = sprint_of(call)
    sprints.swap_sprints(sprint, find_sprint(rights, call.body.other), actor=rights)
    return Reply(None, 204)
