"""Approvals of requests: listing, showing, answering."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import REQUEST, Json, PageQuery, request_in
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.paging import desk_page
from clones.tracker.api.presenters.desk.conversation import present_approvals
from clones.tracker.domain.approvals import answer_approval
from clones.tracker.models import Approval
from clones.tracker.queries.approvals import find_approval

APPROVAL = f"{REQUEST}/approval/{{approvalId}}"


class DecisionBody(Body):
    """The decision on an approval: approve or decline."""

    decision: str | None = None


@operation(
    "desk.getApprovals",
    "GET",
    f"{REQUEST}/approval",
    summary="List the approvals of a request.",
    query=PageQuery,
)
def list_approvals(call: Call) -> Json:
    """List approvals, the first asked for first."""
    rows = Approval.objects.filter(issue=request_in(call)).order_by("id")
    return desk_page(call, rows, lambda found: present_approvals(found, show(call)))


@operation("desk.getApprovalById", "GET", APPROVAL, summary="Show an approval.")
def show_approval(call: Call) -> Json:
    """Show an approval."""
    return present_approvals([_found(call)], show(call))[0]


@operation(
    "desk.answerApproval",
    "POST",
    APPROVAL,
    summary="Approve or decline a request.",
    body=DecisionBody,
)
def answer(call: Call) -> Json:
    """Answer an approval."""
    found = answer_approval(_found(call), call.body.decision, actor=actor(call))
    return present_approvals([found], show(call))[0]


def _found(call: Call) -> Approval:
    return find_approval(request_in(call), call.path["approvalId"])
