"""Changing many issues at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from pydantic import Field

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.core.operations.registry import View
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import state_of, token_of
from clones.tracker.api.presenters.bulk import (
    present_bulk_field,
    present_progress,
    present_workflow_moves,
)
from clones.tracker.domain.bulk import editing, moving, simple
from clones.tracker.domain.bulk.moving import MoveInput
from clones.tracker.domain.bulk.running import PREFIX, chosen, require_bulk
from clones.tracker.domain.errors import Invalid, NotFound, TrackerError
from clones.tracker.models import Task
from clones.tracker.queries.bulk_fields import editable_together
from clones.tracker.queries.bulk_moves import moves_together

Json = dict[str, Any]
PATH: Final = "/rest/api/3/bulk/issues"
PAGE: Final = 50


class ChoiceQuery(Query):
    """The issues whose transitions in bulk are listed, and where the list goes on."""

    issueIdsOrKeys: CommaList[str] = []
    startingAfter: str | None = None
    endingBefore: str | None = None


class FieldsQuery(ChoiceQuery):
    """The issues whose fields for editing in bulk are listed, with text and paging."""

    searchText: str | None = Field(None, description="part of a name")


class ChosenIssues(Body):
    """The issues of a bulk operation, by id or key, and whether mail is sent."""

    selectedIssueIdsOrKeys: list[str]
    sendBulkNotification: bool | None = True


class EditWrite(ChosenIssues):
    """A bulk edit: issues, actions, and the fields' values by kind."""

    editedFieldsInput: dict[str, Any]
    selectedActions: list[str]


class TransitionInput(Body):
    """Issues, and the transition that they take, of a bulk transition."""

    selectedIssueIdsOrKeys: list[str]
    transitionId: str


class TransitionWrite(Body):
    """A bulk transition: issues with the transitions that they take."""

    bulkTransitionInputs: list[TransitionInput]
    sendBulkNotification: bool | None = True


class TargetWrite(Body):
    """Issues of a bulk move to one space and type, and what fields and statuses they get."""

    issueIdsOrKeys: list[str] = Field(default_factory=list)
    inferFieldDefaults: bool = True
    inferStatusDefaults: bool = True
    inferSubtaskTypeDefault: bool = True
    targetMandatoryFields: list[dict[str, Any]] | None = None
    targetStatus: list[dict[str, Any]] | None = None


class MoveWrite(Body):
    """A bulk move: issues by their target, "space,type" or "space,type,parent"."""

    targetToSourcesMapping: dict[str, TargetWrite] | None = None
    sendBulkNotification: bool | None = True


def _in_bulk_words(view: View) -> View:
    """Let a view refuse in the words of bulk operations: {"errors": [{"message"}]}."""

    @wraps(view)
    def answer(call: Call) -> Any:
        try:
            return view(call)
        except TrackerError as error:
            texts = [*error.messages, *error.fields.values()]
            return Reply({"errors": [{"message": text} for text in texts]}, error.status)

    return answer


def _submitting(id: str, path: str, summary: str, body: type[Body]) -> Callable[[View], View]:
    """Register the beginning of a bulk operation."""

    def register(view: View) -> View:
        registered = operation(id, "POST", path, summary=summary, body=body, status=201)
        return registered(_in_bulk_words(view))

    return register


@_submitting("submitBulkDelete", PATH + "/delete", "Begin to delete issues.", ChosenIssues)
def submit_delete(call: Call) -> Json:
    """Begin to delete issues."""
    body = call.body
    return _begun(
        simple.start_deletion(
            body.selectedIssueIdsOrKeys,
            notify=body.sendBulkNotification is not False,
            actor=actor(call),
        )
    )


@operation(
    "getBulkEditableFields",
    "GET",
    PATH + "/fields",
    summary="List the fields that can be edited on all of some issues.",
    query=FieldsQuery,
)
@_in_bulk_words
def list_fields(call: Call) -> Json:
    """List fields, fifty at a time."""
    rights = actor(call)
    require_bulk(rights)
    found = editable_together(chosen(call.query.issueIdsOrKeys, rights))
    text = (call.query.searchText or "").casefold()
    found = [one for one in found if text in one.field.name.casefold()]
    if not found:
        raise NotFound("No editable fields were found for the provided issues.")
    view = show(call)
    page, cursors = _part(call, len(found))
    return {"fields": [present_bulk_field(one, view) for one in found[page]]} | cursors


@_submitting("submitBulkEdit", PATH + "/fields", "Begin to edit fields of issues.", EditWrite)
def submit_edit(call: Call) -> Json:
    """Begin to edit issues."""
    body = call.body
    return _begun(
        editing.start_edit(
            body.selectedIssueIdsOrKeys,
            body.editedFieldsInput,
            body.selectedActions,
            notify=body.sendBulkNotification is not False,
            actor=actor(call),
        )
    )


@_submitting("submitBulkMove", PATH + "/move", "Begin to move issues elsewhere.", MoveWrite)
def submit_move(call: Call) -> Json:
    """Begin to move issues."""
    body = call.body
    inputs = {
        place: MoveInput(
            said.issueIdsOrKeys,
            _statuses(said.targetStatus or ()),
            said.inferStatusDefaults,
            _fields(said.targetMandatoryFields or ()),
        )
        for place, said in (body.targetToSourcesMapping or {}).items()
    }
    notify = body.sendBulkNotification is not False
    return _begun(moving.start_move(inputs, notify=notify, actor=actor(call)))


@operation(
    "getAvailableTransitions",
    "GET",
    PATH + "/transition",
    summary="List the transitions that all of some issues can take, by their workflow.",
    query=ChoiceQuery,
)
@_in_bulk_words
def list_transitions(call: Call) -> Json:
    """List transitions without screens, fifty workflows at a time."""
    rights = actor(call)
    require_bulk(rights)
    found = moves_together(chosen(call.query.issueIdsOrKeys, rights), rights)
    page, cursors = _part(call, len(found))
    shown = [present_workflow_moves(one) for one in found[page]]
    return {"availableTransitions": shown} | cursors


@_submitting(
    "submitBulkTransition",
    PATH + "/transition",
    "Begin to take issues through transitions.",
    TransitionWrite,
)
def submit_transition(call: Call) -> Json:
    """Begin to take issues through transitions."""
    inputs = [
        (said.selectedIssueIdsOrKeys, said.transitionId) for said in call.body.bulkTransitionInputs
    ]
    notify = call.body.sendBulkNotification is not False
    return _begun(simple.start_transition(inputs, notify=notify, actor=actor(call)))


@_submitting("submitBulkWatch", PATH + "/watch", "Begin to watch issues.", ChosenIssues)
def submit_watch(call: Call) -> Json:
    """Begin to watch issues."""
    names = call.body.selectedIssueIdsOrKeys
    return _begun(simple.start_watching(names, watch=True, actor=actor(call)))


@_submitting("submitBulkUnwatch", PATH + "/unwatch", "Begin to watch issues no more.", ChosenIssues)
def submit_unwatch(call: Call) -> Json:
    """Begin to watch issues no more."""
    names = call.body.selectedIssueIdsOrKeys
    return _begun(simple.start_watching(names, watch=False, actor=actor(call)))


@operation(
    "getBulkOperationProgress",
    "GET",
    "/rest/api/3/bulk/queue/{id}",
    summary="Show how far a bulk operation is.",
)
@_in_bulk_words
def show_progress(call: Call) -> Json:
    """Show a bulk operation to who began it, and to admins."""
    rights = actor(call)
    require_bulk(rights)
    id = call.path["id"]
    is_id = whole_number(id) is not None
    rows = Task.objects.select_related("submitted_by")
    task = rows.filter(id=int(id)).first() if is_id else None
    if task is None or not task.kind.startswith(PREFIX):
        raise Invalid("The task associated with this taskId is not a bulk operation task")
    if not rights.is_admin and (rights.user is None or rights.user.id != task.submitted_by_id):
        raise Invalid("The task was submitted by another user")
    return present_progress(task, rights)


def _begun(task: Task) -> Json:
    return {"taskId": str(task.id)}


def _part(call: Call, total: int) -> tuple[slice, Json]:
    """Return the part of a list that a call asks for, and the cursors around it."""
    start = 0
    if call.query.startingAfter is not None:
        start = _place(call.query.startingAfter)
    elif call.query.endingBefore is not None:
        start = max(0, _place(call.query.endingBefore) - PAGE)
    cursors: Json = {}
    if start + PAGE < total:
        cursors["startingAfter"] = token_of({"at": start + PAGE})
    if start > 0:
        cursors["endingBefore"] = token_of({"at": start})
    return slice(start, start + PAGE), cursors


def _place(cursor: str) -> int:
    at = state_of(cursor).get("at")
    if not isinstance(at, int) or at < 0:
        raise Invalid("The provided cursor is invalid.")
    return at


def _statuses(said: Any) -> dict[int, int]:
    """Return the new status of each old one, from the API's list of old ones by their new one."""
    found: dict[int, int] = {}
    for part in said:
        mapping = part.get("statuses") if isinstance(part, Mapping) else None
        for new, olds in (mapping or {}).items():
            for old in olds if isinstance(olds, list) else ():
                if not (is_digits(str(old)) and is_digits(str(new))):
                    raise Invalid("The targetStatus must map IDs of statuses.")
                found[int(old)] = int(new)
    return found


def _fields(said: Any) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for part in said:
        fields = part.get("fields") if isinstance(part, Mapping) else None
        for id, value in (fields or {}).items():
            if not isinstance(value, dict):
                raise Invalid(f"The value of the mandatory field '{id}' is not valid.")
            found[id] = value
    return found
