"""What an issue shows of the request that it is: SLAs, people, approvals, rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.domain.approvals import may_answer
from clones.tracker.domain.participants import may_manage_participants
from clones.tracker.models import (
    Approval,
    Approver,
    Issue,
    Organization,
    Request,
    RequestType,
    ServiceDesk,
    User,
)
from clones.tracker.queries.approvals import approvals_of
from clones.tracker.queries.desks import customers_of
from clones.tracker.queries.requests import participants_of, works_on
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.slas import metrics_of
from clones.tracker.web.desk.access import portal_address
from clones.tracker.web.desk.sla_status import SlaStatus, standings_by_issue
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.parts.times import when

PEOPLE: Final = 500


@dataclass(frozen=True, slots=True)
class ApprovalShown:
    """An approval as people read it; `answerable` is whether it waits for the one who looks."""

    row: Approval
    approvers: Sequence[Approver]
    answerable: bool
    asked: str
    decided: str

    @property
    def approved(self) -> int:
        """How many said yes."""
        return sum(one.decision == "approved" for one in self.approvers)


def approvals_shown(issue: Issue, rights: Rights) -> list[ApprovalShown]:
    """Return the approvals of a request."""
    return [
        ApprovalShown(
            row,
            people,
            may_answer(row, rights, people),
            when(row.created, rights.zone),
            when(row.completed, rights.zone),
        )
        for row, people in approvals_of(issue)
    ]


def desk_panels(issue: Issue, rights: Rights) -> dict[str, Any] | None:
    """Return what the template of the panels needs, None for an issue of no desk."""
    if issue.project.type != "service_desk":
        return None
    desk = ServiceDesk.objects.filter(project=issue.project_id).first()
    if desk is None:
        return None
    desk.project = issue.project
    request = Request.objects.filter(issue=issue).select_related("request_type").first()
    kind = None if request is None else request.request_type
    is_request = kind is not None and kind.desk_id == desk.id
    works = works_on(rights, issue)
    may_edit = rights.may_on("EDIT_ISSUES", issue)
    return {
        "request": request if is_request else None,
        "kind": kind,
        "kinds": _kinds(issue, desk, kind) if may_edit else (),
        "portal": portal_address(desk, issue.key) if is_request else "",
        "slas": _slas(issue, rights),
        "approvals": approvals_shown(issue, rights),
        **_people(issue, desk, rights, works=works),
        "works": works,
        "rated_at": "" if request is None else when(request.rated_at, rights.zone),
        "stars": "" if request is None or request.rating is None else "★" * request.rating,
        "no_stars": "" if request is None or request.rating is None else "☆" * (5 - request.rating),
    }


def _kinds(issue: Issue, desk: ServiceDesk, kind: RequestType | None) -> list[Choice]:
    """Return the request types that an issue can be of: those for its own type of issues."""
    rows = RequestType.objects.filter(desk=desk, issue_type=issue.issue_type_id)
    now = None if kind is None else kind.id
    return [Choice(str(row.id), row.name, row.id == now) for row in rows.order_by("position", "id")]


def _slas(issue: Issue, rights: Rights) -> list[SlaStatus]:
    metrics = list(metrics_of([issue.project_id]))
    found = standings_by_issue([issue.id], metrics, rights).get(issue.id, {})
    return [found[metric.id] for metric in metrics if metric.id in found]


def _people(issue: Issue, desk: ServiceDesk, rights: Rights, *, works: bool) -> dict[str, Any]:
    """Return who takes part in a request, and who could."""
    participants = participants_of([issue]).get(issue.id, [])
    shared = list(Organization.objects.filter(requests__issue=issue).order_by("requests__id"))
    manages = may_manage_participants(issue, rights)
    inside = {*(user.id for user in participants), issue.reporter_id}
    return {
        "participants": participants,
        "may_manage_participants": manages,
        "others": [
            Choice(user.account_id, user.display_name)
            for user in _candidates(desk)
            if user.id not in inside
        ]
        if manages
        else (),
        "organizations": shared,
        "other_organizations": [
            Choice(str(row.id), row.name)
            for row in Organization.objects.filter(desks__desk=desk).order_by("name", "id")
            if row not in shared
        ]
        if works
        else (),
    }


def _candidates(desk: ServiceDesk) -> list[User]:
    """Return who could take part: the desk's customers, and those who work on the site."""
    staff = User.objects.filter(active=True, account_type="atlassian")
    found = [
        *customers_of(desk)[:PEOPLE],
        *staff.order_by("display_name", "id")[:PEOPLE],
    ]
    named = {user.id: user for user in found}
    return sorted(named.values(), key=lambda user: (user.display_name.casefold(), user.id))
