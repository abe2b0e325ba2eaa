"""What the panels of a request change, on the page of its issue."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.approvals import answer_approval
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.organizations import find_organization
from clones.tracker.domain.participants import add_participants, remove_participants
from clones.tracker.domain.request_details import (
    change_request_type_of,
    share_with_organization,
    stop_sharing,
)
from clones.tracker.models import Issue, RequestType
from clones.tracker.queries.approvals import find_approval
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import form_of_issue
from clones.tracker.web.issue.changes import settle


@form_of_issue
def set_type(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Give an issue of a desk another request type."""

    def write() -> None:
        key = posted_text(request, "type")
        rows = RequestType.objects.filter(desk__project=issue.project_id)
        found = rows.select_related("desk").filter(id=int(key) if is_digits(key) else 0).first()
        if found is None:
            raise Invalid("The request type is not valid for this issue.")
        change_request_type_of(issue, found, actor=who.rights)

    return settle(request, who, issue, write, "requesttype")


@form_of_issue
def participants(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Let somebody take part in a request, or no longer."""
    accounts = [one for one in [posted_text(request, "account")] if one]
    way = add_participants if posted_text(request, "on") == "1" else remove_participants
    return settle(
        request, who, issue, lambda: way(issue, accounts, actor=who.rights), "participants"
    )


@form_of_issue
def organizations(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Share a request with an organization, or no longer."""
    way = share_with_organization if posted_text(request, "on") == "1" else stop_sharing

    def write() -> None:
        found = find_organization(who.rights, posted_text(request, "organization"))
        way(issue, found, actor=who.rights)

    return settle(request, who, issue, write, "organizations")


@form_of_issue
def approve(request: SandboxRequest, who: Visitor, issue: Issue, id: str) -> HttpResponse:
    """Approve or decline a request."""
    found = find_approval(issue, id)
    decision = posted_text(request, "decision")
    return settle(
        request,
        who,
        issue,
        lambda: answer_approval(found, decision, actor=who.rights),
        "approvals",
    )
