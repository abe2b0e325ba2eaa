"""Moving issues on: which transitions one can take now, and taking one."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import (
    Body,
    Query,
    actor,
    flag,
    operation,
    show,
    version,
)
from clones.tracker.api.presenters.createmeta import FieldMetas
from clones.tracker.api.presenters.transitions import present_moves
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.fieldset import fields_of
from clones.tracker.domain.properties import checked_properties, set_properties
from clones.tracker.domain.transitions import (
    Move,
    available,
    find_move,
    move,
    plan_move,
    screen_of,
)
from clones.tracker.models import Issue
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.rights import find_issue, require

PATH: Final = "/rest/api/3/issue/{issueIdOrKey}/transitions"
NOT_ALLOWED: Final = "You do not have permission to transition this issue."
CATEGORY_ORDER: Final = {"undefined": 0, "new": 0, "indeterminate": 1, "done": 2}


class MovesQuery(Query):
    """Filters and expansions of the transitions of an issue."""

    expand: CommaList[str] = []
    id: str | None = Field(None, alias="transitionId")
    remote: str | None = Field(None, alias="skipRemoteOnlyCondition")
    hidden: str | None = Field(None, alias="includeUnavailableTransitions")
    sorted: str | None = Field(None, alias="sortByOpsBarAndStatus")


class MoveWrite(Body):
    """A transition of an issue to take, and the fields to set with it."""

    transition: dict[str, Any] | None = None
    fields: dict[str, Any] | None = None
    update: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = Field(None, alias="historyMetadata")
    properties: list[Any] | None = None


@operation(
    "getTransitions",
    "GET",
    PATH,
    summary="List the transitions that an issue can take now.",
    query=MovesQuery,
    access="anyone",
)
def list_transitions(call: Call) -> dict[str, Any]:
    """List the transitions that an issue can take."""
    asked: MovesQuery = call.query
    rights = actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    # What is kept from people shows itself to admins who ask for it.
    remote = flag(asked.remote) and rights.is_admin
    moves = available([issue], rights, remote=remote, hidden=flag(asked.hidden))[issue.id]
    if asked.id is not None:
        moves = [one for one in moves if str(one.number) == asked.id]
    if flag(asked.sorted):
        moves = sorted(moves, key=_place)
    fields = None
    if "transitions.fields" in asked.expand:
        fields = {one.number: _fields(one, issue, call) for one in moves}
    found = present_moves(moves, show(call), fields)
    return {"expand": "transitions", "transitions": found}


def _fields(move: Move, issue: Issue, call: Call) -> dict[str, Any]:
    """Return what can be set on a transition's screen; where resolutions are shown, one must be."""
    fieldset = fields_of(issue.project, issue.issue_type)
    found = FieldMetas(show(call), AllowedValues(actor(call), [issue.project])).of(
        fieldset, screen_of(move), issue
    )
    if "resolution" in found:
        found["resolution"]["required"] = True
    return found


def _place(move: Move) -> tuple[int, int]:
    text = str(move.transition.properties.get("opsbar-sequence", ""))
    return (int(text) if is_digits(text) else 10**9, CATEGORY_ORDER[move.to.category])


@operation(
    "doTransition",
    "POST",
    PATH,
    summary="Take an issue through a transition.",
    body=MoveWrite,
    access="anyone",
    status=204,
)
def do_transition(call: Call) -> None:
    """Take an issue through a transition, with fields of its screen and comments."""
    body: MoveWrite = call.body
    rights = actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    number = transition_number(body.transition)
    require(rights, "TRANSITION_ISSUES", issue, NOT_ALLOWED)
    pairs = checked_properties(body.properties or ())
    found = find_move(issue, number, actor=rights)
    sent = {"fields": body.fields, "update": body.update}
    planned = plan_move(found, issue, sent, actor=rights, version=version(call))
    move(issue, number, actor=rights, found=found, planned=planned, metadata=body.metadata)
    set_properties("issue", str(issue.id), pairs)


def transition_number(sent: dict[str, Any] | None) -> int:
    """Return the number of the transition that a body names.

    Raises:
        Invalid: it names none, or with something that is no number.
    """
    text = str((sent or {}).get("id") or "").strip()
    if not text:
        raise Invalid("Missing 'transition' identifier")
    if whole_number(text, digits=9) is None:
        raise Invalid("'transition' identifier must be an integer")
    return int(text)
