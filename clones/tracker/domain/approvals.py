"""Approvals: decisions for which requests wait in a status.

A status of a workflow asks for one by its properties, which are the vendor's: `approval.active`,
`approval.field.id` (whose people are asked), `approval.condition.type` (`number` or `percent`) and
`approval.condition.value`, `approval.transition.approved` and `approval.transition.rejected`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock
from clones.core.digits import is_digits
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, listen, publish
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.transitions import move
from clones.tracker.models import Approval, Approver, FieldValue, Issue, User, WorkflowStatus
from clones.tracker.queries.desks import DeskRights
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import Paths
from clones.tracker.rules.field_catalogue import custom_number

DECISIONS: Final = {"approve": "approved", "decline": "declined"}
NAME: Final = "Waiting for approval"


@listen("issue_created", "issue_transitioned")
def ask_for_approval(event: Event) -> None:
    """Ask for the approval of the status in which a request is now; drop one that it left."""
    issue = event.issue
    if issue is None or issue.project.type != "service_desk":
        return
    Approval.objects.filter(issue=issue, decision=None).exclude(status=issue.status_id).delete()
    asked = _approval_properties(issue)
    if asked is None:
        return
    if Approval.objects.filter(issue=issue, decision=None, status=issue.status_id).exists():
        return
    _open(issue, asked)


@listen("issue_updated")
def follow_approvers(event: Event) -> None:
    """Ask those who stand in the field of approvers now, while the approval waits."""
    issue = event.issue
    if issue is None or event.changes is None or issue.project.type != "service_desk":
        return
    pending = Approval.objects.filter(issue=issue, decision=None).order_by("-id").first()
    if pending is None:
        return
    asked = _approval_properties(issue) or {}
    field = str(asked.get("approval.field.id", ""))
    if not event.changes.items.filter(field_id=field).exists():
        return
    users = _people(issue, field)
    pending.approvers.filter(decision=None).exclude(user__in=users).delete()
    already = set(pending.approvers.values_list("user_id", flat=True))
    _ask(pending, [user for user in users if user.id not in already])
    pending.needed = _needed(asked, pending.approvers.count())
    pending.save(update_fields=["needed"])


def answer_approval(approval: Approval, decision: str | None, *, actor: Rights) -> Approval:
    """Approve or decline, and move the request on if that decides it.

    Args:
        approval: with its request.
        decision: `approve` or `decline`.
        actor: one of its approvers.

    Raises:
        Forbidden: the actor is not asked.
        Invalid: another decision, or it is decided already, or they answered before.
    """
    said = DECISIONS.get((decision or "").lower())
    if said is None:
        raise Invalid(
            "The decision must be either 'approve' or 'decline'.",
            i18n_key="sd.approval.error.invalid.decision",
        )
    mine = approval.approvers.filter(user=actor.user).first()
    if mine is None or actor.user is None:
        raise Forbidden(
            "You are not an approver of this request.", i18n_key="sd.approval.error.not.approver"
        )
    if approval.decision is not None or mine.decision is not None:
        raise Invalid(
            "This approval has already been answered.",
            i18n_key="sd.approval.error.already.answered",
        )
    mine.decision, mine.decided = said, clock.now()
    mine.save(update_fields=["decision", "decided"])
    approved = approval.approvers.filter(decision="approved").count()
    # One who declines decides; those who approve only when they are enough.
    if said == "declined" or approved >= approval.needed:
        _decide(approval, said, actor.user)
    return approval


def may_answer(approval: Approval, rights: Rights, approvers: Sequence[Approver]) -> bool:
    """Tell whether an approval waits for somebody; `approvers` are all of it."""
    return approval.decision is None and any(
        one.user_id == rights.user.id and one.decision is None
        for one in approvers
        if rights.user is not None
    )


def _decide(approval: Approval, decision: str, user: User) -> None:
    approval.decision, approval.completed = decision, clock.now()
    approval.save(update_fields=["decision", "completed"])
    issue = approval.issue
    rights = DeskRights(user)
    details = {"approval": approval.id, "decision": decision}
    publish(Event("approval_decided", rights, issue=issue, details=details))
    approved = decision == "approved"
    number = approval.approve_transition if approved else approval.decline_transition
    if number is not None and issue.status_id == approval.status_id:
        move(issue, number, actor=rights)


def _approval_properties(issue: Issue) -> Mapping[str, Any] | None:
    """Return the properties of the status in which a request is, if it asks for an approval."""
    scheme = issue.project.workflow_scheme_id
    flow = Paths([scheme]).workflow_id(scheme, issue.issue_type_id)
    rows = WorkflowStatus.objects.filter(workflow=flow, status=issue.status_id)
    found = rows.values_list("properties", flat=True).first() or {}
    return found if str(found.get("approval.active", "")).lower() == "true" else None


def _open(issue: Issue, asked: Mapping[str, Any]) -> None:
    users = _people(issue, str(asked.get("approval.field.id", "")))
    made = Approval.objects.create(
        id=next_id(Approval),
        issue=issue,
        name=NAME,
        status=issue.status,
        needed=_needed(asked, len(users)),
        approve_transition=_number(asked.get("approval.transition.approved")),
        decline_transition=_number(asked.get("approval.transition.rejected")),
        created=clock.now(),
    )
    _ask(made, users)
    details = {"approval": made.id}
    publish(Event("approval_asked", Rights(None), issue=issue, details=details))


def _ask(approval: Approval, users: Sequence[User]) -> None:
    keys = next_ids(Approver, len(users))
    Approver.objects.bulk_create(
        [
            Approver(id=key, approval=approval, user=user)
            for key, user in zip(keys, users, strict=True)
        ]
    )


def _people(issue: Issue, field: str) -> list[User]:
    number = custom_number(field)
    if number is None:
        return []
    rows = FieldValue.objects.filter(issue=issue, field=number, user__isnull=False)
    found = [row.user for row in rows.select_related("user").order_by("position", "id")]
    return [user for user in found if user is not None]


def _needed(asked: Mapping[str, Any], count: int) -> int:
    value = _number(asked.get("approval.condition.value")) or 1
    if str(asked.get("approval.condition.type", "number")).lower() == "percent":
        return max(1, math.ceil(count * value / 100))
    return max(1, min(value, count) if count else value)


def _number(value: Any) -> int | None:
    text = str(value or "")
    return int(text) if is_digits(text, 9) else None
