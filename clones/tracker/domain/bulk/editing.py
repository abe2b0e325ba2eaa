"""Editing fields of many issues, each in its own space and of its own type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.bulk.running import chosen, each, ids_of, require_bulk, start
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.fieldset import Fieldset, fields_of, read_changes
from clones.tracker.domain.issues.editing import edit_issue, plan_type
from clones.tracker.domain.tasks import carries_out
from clones.tracker.domain.transitions import available, move
from clones.tracker.models import Issue, IssueType, Task
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.bulk_edits import BadEdit, Edits, read_edits

Json = dict[str, Any]
FIELDS: Final = 200


def start_edit(
    names: Sequence[str],
    edited: Mapping[str, Any],
    actions: Sequence[str],
    *,
    notify: bool,
    actor: Rights,
) -> Task:
    """Begin to edit issues.

    Args:
        names: ids or keys.
        edited: the API's `editedFieldsInput`.
        actions: the ids of the fields that it names.
        notify: whether people are told.
        actor: who edits.

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: too many issues or fields, an issue that is none, or values and names of fields
            that do not go together.
    """
    require_bulk(actor)
    edits = _read(edited)
    apart = sorted(set(edits.ids) - set(actions))
    if apart:
        raise Invalid(
            "The following editedFieldInput values are not listed as selectedActions : "
            + ", ".join(apart)
        )
    missing = sorted(set(actions) - set(edits.ids))
    if missing or not actions:
        raise Invalid(
            "The following selectedActions do not have editedFieldInput values : "
            + ", ".join(missing)
        )
    if len(actions) > FIELDS:
        raise Invalid(f"The number of fields exceeds the limit of {FIELDS}.")
    issues = ids_of(chosen(names, actor))
    payload = {"issues": issues, "edited": dict(edited), "notify": notify}
    return start("edit", payload, actor=actor)


@carries_out("bulk_issues_edit")
def _edit(task: Task, rights: Rights) -> Json:
    edits = _read(task.payload["edited"])
    notify = task.payload["notify"]
    known: dict[tuple[int, int], Fieldset] = {}

    def change(issue: Issue) -> None:
        key = (issue.project_id, issue.issue_type_id)
        if key not in known:
            known[key] = fields_of(issue.project, issue.issue_type)
        edit_as_asked(issue, edits, known[key], actor=rights, notify=notify)

    return each(task.payload["issues"], rights, change)


def edit_as_asked(
    issue: Issue, edits: Edits, fieldset: Fieldset, *, actor: Rights, notify: bool
) -> None:
    """Change one issue as a bulk edit asks.

    Raises:
        Forbidden: the actor may not edit it.
        Invalid: a field cannot be set there, or cannot have the value.
    """
    sent = {"fields": edits.fields, "update": edits.update}
    screen = fieldset.screen("edit")
    planned = read_changes(fieldset, sent, issue, actor=actor, version="3", screen=screen)
    if edits.issue_type is not None:
        kind = IssueType.objects.filter(id=_number(edits.issue_type)).first()
        if kind is None:
            raise Invalid(fields={"issuetype": "The issue type selected is invalid."})
        plan_type(issue, kind, planned)
    if planned:
        edit_issue(issue, planned, actor=actor, notify=notify)
    if edits.status is not None and edits.status != str(issue.status_id):
        _reach(issue, edits.status, actor=actor, notify=notify)


def _reach(issue: Issue, status: str, *, actor: Rights, notify: bool) -> None:
    for found in available([issue], actor)[issue.id]:
        if str(found.to.id) == status:
            move(issue, found.number, actor=actor, notify=notify)
            return
    raise Invalid(fields={"status": "The issue cannot be moved to the status selected."})


def _read(edited: Mapping[str, Any]) -> Edits:
    try:
        return read_edits(edited)
    except BadEdit as error:
        raise Invalid(str(error)) from error


def _number(text: str) -> int:
    return int(text) if is_digits(text) else -1
