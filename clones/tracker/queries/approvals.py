"""Reading approvals of requests."""

from __future__ import annotations

from collections.abc import Iterable

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Approval, Approver, Issue

APPROVAL_GONE = "The approval does not exist or you do not have permission to view it."


def approvals_of(issue: Issue) -> list[tuple[Approval, list[Approver]]]:
    """Return the approvals of a request with those who are asked, the first one first."""
    rows = list(Approval.objects.filter(issue=issue).order_by("id"))
    people = approvers_of(rows)
    return [(row, people[row.id]) for row in rows]


def approvers_of(approvals: Iterable[Approval]) -> dict[int, list[Approver]]:
    """Return who is asked, by approval: one statement."""
    found: dict[int, list[Approver]] = {approval.id: [] for approval in approvals}
    rows = Approver.objects.filter(approval__in=found).select_related("user")
    for row in rows.order_by("approval_id", "id"):
        found[row.approval_id].append(row)
    return found


def find_approval(issue: Issue, text: str) -> Approval:
    """Return the approval of a request with an id.

    Raises:
        NotFound: there is none.
    """
    found = None
    if is_digits(text):
        found = Approval.objects.filter(issue=issue, id=int(text)).first()
    if found is None:
        raise NotFound(APPROVAL_GONE, i18n_key="sd.approval.error.not.found")
    found.issue = issue
    return found
