"""The rows in which an approval is kept: its instance, nodes, requests, and what was decided."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.crm.domain.approvals.processes import Step
from clones.crm.domain.rows import add_row
from clones.crm.models import ApprovalProcess, SObjectRow, rows_of


def begin(process: ApprovalProcess, target: str, *, submitter: str, now: datetime) -> SObjectRow:
    """Begin an approval of a record (by its id)."""
    values = {
        "ProcessDefinitionId": process.id,
        "TargetObjectId": target,
        "Status": "Pending",
        "SubmittedById": submitter,
    }
    return add_row("ProcessInstance", values, by=submitter, now=now)


def note_step(
    instance: SObjectRow,
    status: str,
    *,
    actor: str,
    now: datetime,
    original: str | None = None,
    comments: str | None = None,
    node: str | None = None,
    since: datetime | None = None,
) -> None:
    """Keep something that somebody did with an approval, in its history, too."""
    values = {
        "ProcessInstanceId": instance.pk,
        "StepStatus": status,
        "OriginalActorId": original or actor,
        "ActorId": actor,
        "Comments": comments,
        **_elapsed(since or now, now),
    }
    row = add_row("ProcessInstanceStep", {**values, "StepNodeId": node}, by=actor, now=now)
    _note(instance, row.pk, {**values, "ProcessNodeId": node}, by=actor, now=now)


def request(instance: SObjectRow, actor: str, node: str, *, by: str, now: datetime) -> str:
    """Ask a user or a queue to decide, and return the id of the request."""
    values = {"ProcessInstanceId": instance.pk, "OriginalActorId": actor, "ActorId": actor}
    row = add_row("ProcessInstanceWorkitem", values, by=by, now=now)
    shown = {**values, "StepStatus": "Pending", "ProcessNodeId": node, "IsPending": True}
    _note(instance, row.pk, shown, by=by, now=now)
    return str(row.pk)


def withdraw(workitem: SObjectRow) -> None:
    """Ask nobody any more."""
    rows_of("ProcessInstanceHistory").filter(Id=workitem.pk).delete()
    workitem.delete()


def open_node(instance: SObjectRow, step: Step, *, by: str, now: datetime) -> None:
    """Keep that an approval came to a step."""
    values = {
        "ProcessInstanceId": instance.pk,
        "ProcessNodeId": step.node,
        "ProcessNodeName": step.label,
        "NodeStatus": "Pending",
    }
    add_row("ProcessInstanceNode", values, by=by, now=now)


def pending_node(instance: SObjectRow) -> SObjectRow | None:
    """Return the step at which an approval waits, None where it does not."""
    rows = rows_of("ProcessInstanceNode").filter(
        ProcessInstanceId=instance.pk, NodeStatus="Pending"
    )
    found: SObjectRow | None = rows.order_by("-CreatedDate", "-Id").first()
    return found


def close(row: SObjectRow, field: str, status: str, *, actor: str, now: datetime) -> None:
    """Keep that a node or an instance came to its end: `field` is where its status stands."""
    setattr(row, field, status)
    row.CompletedDate, row.LastActorId = now, actor
    for name, value in _elapsed(row.CreatedDate, now).items():
        setattr(row, name, value)
    row.LastModifiedDate = row.SystemModstamp = now
    row.LastModifiedById = actor
    row.save()


def _note(instance: SObjectRow, id: str, values: dict[str, Any], *, by: str, now: datetime) -> None:
    shown = {"RemindersSent": 0, "TargetObjectId": instance.TargetObjectId, "Id": id, **values}
    add_row("ProcessInstanceHistory", shown, by=by, now=now)


def _elapsed(since: datetime, now: datetime) -> dict[str, float]:
    minutes = (now - since).total_seconds() / 60
    return {
        "ElapsedTimeInDays": round(minutes / 1440, 4),
        "ElapsedTimeInHours": round(minutes / 60, 4),
        "ElapsedTimeInMinutes": round(minutes, 4),
    }
