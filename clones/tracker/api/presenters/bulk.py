"""Bulk operations as the platform shows them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from clones.tracker.api.presenters.context import Show
from clones.tracker.models import Task
from clones.tracker.queries.bulk_fields import SEVERAL, Editable
from clones.tracker.queries.bulk_moves import TogetherMoves
from clones.tracker.queries.rights import Rights, visible_issues

Json = dict[str, Any]
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
CHOICES: Final = ["ADD", "REMOVE", "REPLACE", "REMOVE_ALL"]


def present_bulk_field(editable: Editable, show: Show) -> Json:
    """Return a field that can be edited in bulk."""
    known = editable.field
    found: Json = {
        "id": known.id,
        "name": known.name,
        "type": known.type_key or known.id,
        "isRequired": editable.is_required,
    }
    if known.description:
        found["description"] = known.description
    if known.kind.name in SEVERAL:
        found["multiSelectFieldOptions"] = CHOICES
    if known.kind.name in ("user", "users"):
        found["searchUrl"] = show.url("user/search?query=")
    elif known.kind.name == "labels":
        found["searchUrl"] = show.url(
            f"jql/autocompletedata/suggestions?fieldName={quote(known.id)}"
        )
    if editable.reason is not None:
        found["unavailableMessage"] = editable.reason
    return found


def present_workflow_moves(together: TogetherMoves) -> Json:
    """Return the moves of one workflow's issues: ids are numbers here."""
    return {
        "issues": list(together.keys),
        "isTransitionsFiltered": together.is_filtered,
        "transitions": [
            {
                "transitionId": move.number,
                "transitionName": move.name,
                "to": {"statusId": move.to.id, "statusName": move.to.name},
            }
            for move in together.moves
        ],
    }


def present_progress(task: Task, rights: Rights) -> Json:
    """Return how far a bulk operation is: times are milliseconds since 1970.

    What nothing is told of is left out, as the vendor does. Issues that the reader does not see
    (any more) are counted; deleted ones are told of by their ids.
    """
    found: Json = {
        "taskId": str(task.id),
        "status": task.status,
        "progressPercent": task.progress,
        "submittedBy": {"accountId": task.submitted_by.account_id},
        "created": _milliseconds(task.submitted),
        "updated": _milliseconds(task.last_update),
    }
    if task.started is not None:
        found["started"] = _milliseconds(task.started)
    result = task.result
    if not isinstance(result, dict):
        return found
    seen = _seen([*result["processed"], *map(int, result["failed"])], rights)
    deleted = task.kind.endswith("_delete")
    processed = [id for id in result["processed"] if deleted or id in seen]
    failed = {id: texts for id, texts in result["failed"].items() if int(id) in seen}
    hidden = len(result["processed"]) + len(result["failed"]) - len(processed) - len(failed)
    found["processedAccessibleIssues"] = processed
    if failed:
        found["failedAccessibleIssues"] = failed
    if result["missing"] + hidden:
        found["invalidOrInaccessibleIssueCount"] = result["missing"] + hidden
    return found | {"totalIssueCount": result["total"]}


def _seen(ids: list[int], rights: Rights) -> set[int]:
    return set(visible_issues(rights).filter(id__in=ids).values_list("id", flat=True))


def _milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)
