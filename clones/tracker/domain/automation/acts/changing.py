"""Editing, moving and deleting issues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.digits import is_digits
from clones.core.patterns import is_found
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.operations import operation_of, plan
from clones.tracker.domain.fieldset import fields_of
from clones.tracker.domain.issues.deleting import delete_issue
from clones.tracker.domain.issues.editing import edit_issue, plan_type
from clones.tracker.domain.transitions import Move, available, move
from clones.tracker.domain.worklogs import Work, add_worklog, read_seconds
from clones.tracker.models import Issue, IssueType, Status
from clones.tracker.queries.kinds import types_of
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.smart.dates import as_moment
from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.wiki.blocks import read_markup
from clones.tracker.rules.richtext.wiki.context import NOTHING

NO_STATUS: Final = (
    "Destination status could not be resolved. If using a smart value ensure this resolves to a "
    "numeric status ID or untranslated name for work items: {}"
)
NO_PATH: Final = "No transition leads to the status {} for work items: {}"
SEVERAL: Final = "Found multiple transitions to the status {}; the first one was taken."


def is_told(value: Mapping[str, Any]) -> bool:
    """Tell whether people are mailed of what an action does."""
    return value.get("sendNotifications", True) is not False


@performs("jira.issue.edit")
def edit(run: Run, component: Component) -> str:
    """Edit fields of the issue at hand."""
    value = component["value"]
    issue = run.row()
    planned, missing = plan(run, fields_of(issue.project, issue.issue_type), value, issue)
    chosen = operation_of(value, "issuetype")
    if chosen is not None:
        plan_type(issue, type_named(run, issue, chosen), planned)
    if not planned:
        raise ActFailed("No fields or field values to edit for work items.", *missing)
    group = edit_issue(issue, planned, actor=run.actor, notify=is_told(value))
    if group is None and not planned.acts:
        return " ".join([f"No changes were needed for work items: {issue.key}", *missing])
    return " ".join([f"Work items edited successfully: {issue.key}", *missing])


def type_named(run: Run, issue: Issue, chosen: Any) -> IssueType:
    """Return the type that a form names, of those that the issue's space offers.

    Raises:
        ActFailed: it offers none such.
    """
    said = chosen.get("value") if isinstance(chosen, Mapping) else chosen
    if isinstance(chosen, Mapping) and chosen.get("type") == "COPY":
        return issue.issue_type
    text = run.render(said).strip()
    for one in types_of(issue.project):
        if text in (str(one.id), one.name) or one.name.casefold() == text.casefold():
            return one
    raise ActFailed(f"The work type could not be found: {text[:80]}")


@performs("jira.issue.transition")
def transition(run: Run, component: Component) -> str:
    """Move the issue at hand to a status, by whichever transition leads there."""
    value = component["value"]
    issue = run.row()
    status = _destination(run, value.get("destinationStatus"))
    if status is None:
        raise ActFailed(NO_STATUS.format(issue.key))
    pattern = run.render(value.get("transitionMatch"))
    moves = [
        one
        for one in available([issue], run.actor)[issue.id]
        if one.to.id == status.id
        and (not pattern or is_found(pattern, one.name, "java", otherwise=False))
    ]
    if not moves and issue.status_id == status.id:
        return f"Work items are in the status {status.name} already: {issue.key}"
    if not moves:
        raise ActFailed(NO_PATH.format(status.name, issue.key))
    chosen: Move = moves[0]
    planned, missing = plan(run, fields_of(issue.project, issue.issue_type), value, issue)
    move(
        issue,
        chosen.number,
        actor=run.actor,
        found=chosen,
        planned=planned or None,
        notify=is_told(value),
    )
    notes = [*missing, *([SEVERAL.format(status.name)] if len(moves) > 1 else [])]
    return " ".join([f"Work items transitioned to {status.name}: {issue.key}", *notes])


def _destination(run: Run, chosen: Any) -> Status | None:
    """Return the status that a form names: by id, by name, or that of another issue."""
    if isinstance(chosen, Mapping) and chosen.get("type") == "COPY":
        names = {"trigger": run.trigger_issue, "current": run.issue}
        issue = names.get(str(chosen.get("value")))
        if chosen.get("value") == "parent" and run.issue is not None:
            issue = run.row().parent
        return None if issue is None else Status.objects.get(id=issue.status_id)
    said = chosen.get("value") if isinstance(chosen, Mapping) else chosen
    text = run.render(said).strip()
    rows = Status.objects.order_by("id")
    if is_digits(text, 17):
        return rows.filter(id=int(text)).first()
    if not text or run.issue is None:
        return None
    # Team-managed spaces have statuses of their own with names that others have too.
    near = rows.filter(name__iexact=text, workflows__isnull=False).distinct()
    here = {one.to.id for one in available([run.row()], run.actor)[run.issue.id]}
    found = list(near) or list(rows.filter(name__iexact=text))
    return next((one for one in found if one.id in here), found[0] if found else None)


@performs("jira.issue.delete")
def delete(run: Run, component: Component) -> str:
    """Delete the issue at hand, with its sub-tasks."""
    del component
    issue = run.row()
    delete_issue(issue, actor=run.actor, delete_subtasks=True)
    return f"Work items deleted successfully: {issue.key}"


@performs("jira.issue.log.work")
def log_work(run: Run, component: Component) -> str:
    """Log time on the issue at hand."""
    value = component["value"]
    issue = run.row()
    seconds = read_seconds(run.render(value.get("timeSpent")).strip() or None, None)
    begun = run.value(value.get("startedDate"))
    started = as_moment(begun)
    if begun and started is None:
        raise ActFailed(f"The date could not be read: {run.render(value.get('startedDate'))[:60]}")
    text = run.render(value.get("comment"))
    comment = to_json(read_markup(text, NOTHING)) if text.strip() else None
    work = Work(seconds=seconds, started=started, comment=comment)
    add_worklog(issue, work, actor=run.actor)
    return f"Work was logged on: {issue.key}"
