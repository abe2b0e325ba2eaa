"""What customers do on the page of a request: say something, move it on, share it, rate it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_lines, posted_text
from clones.tracker.api.file_answers import send_file
from clones.tracker.domain.approvals import answer_approval
from clones.tracker.domain.desk_files import attach_files, keep_temporary_files
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.feedback import delete_feedback, give_feedback
from clones.tracker.domain.organizations import find_organization
from clones.tracker.domain.participants import (
    add_participants,
    remove_participants,
    subscribe_user,
)
from clones.tracker.domain.request_comments import add_request_comment
from clones.tracker.domain.request_details import share_with_organization, stop_sharing
from clones.tracker.domain.requests import transition_request
from clones.tracker.models import Issue, User
from clones.tracker.queries.approvals import find_approval
from clones.tracker.queries.requests import files_of_requests
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.controls import typed_of
from clones.tracker.web.parts.rich import read_text
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.portal.create import uploads_of
from clones.tracker.web.portal.request_page import (
    Tried,
    form_of_request,
    page_of_request,
    request_address,
    show_request,
)
from clones.tracker.web.shell import go


def _settle(  # noqa: PLR0917 - what a form is made of
    request: SandboxRequest,
    who: Visitor,
    issue: Issue,
    write: Callable[[], Any],
    place: str,
    flag: str = "",
) -> HttpResponse:
    """Carry out what a form asks for, and show the request: what was refused where it was."""
    _, refusal = attempt(write)
    if refusal is None:
        return go(request_address(issue), flag)
    typed = {name: str(request.POST[name]) for name in request.POST}
    return show_request(request, who, issue, Tried(place, refusal, typed))


@form_of_request
def comment(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Say something to all who take part, with files or without."""
    uploads = uploads_of(request)

    def write() -> None:
        body = read_text(typed_of(request), "body", None, "comment")
        if uploads:
            kept = keep_temporary_files(issue.project.desk, uploads, actor=who.rights)
            ids = [one.uuid for one in kept]
            attach_files(issue, ids, actor=who.rights, comment=body)
        else:
            add_request_comment(issue, body, actor=who.rights)

    return _settle(request, who, issue, write, "comment")


@form_of_request
def transition(request: SandboxRequest, who: Visitor, issue: Issue, number: str) -> HttpResponse:
    """Take the request through a transition that the portal offers, with a comment or without."""

    def write() -> None:
        body = read_text(typed_of(request), "body", None, "comment")
        transition_request(issue, number, actor=who.rights, comment=body)

    return _settle(request, who, issue, write, "status")


@form_of_request
def participants(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Share the request with somebody, by their address; or take them off it."""
    if posted_text(request, "on") != "1":
        accounts = [one for one in [posted_text(request, "account")] if one]
        return _settle(
            request,
            who,
            issue,
            lambda: remove_participants(issue, accounts, actor=who.rights),
            "share",
        )
    email = posted_lines(request, "email")

    def write() -> None:
        if not email:
            raise Invalid("Enter an email address.")
        user = User.objects.filter(email__iexact=email, active=True).order_by("id").first()
        if user is None:
            raise Invalid(f"There is no customer with the address {email}.")
        add_participants(issue, [user.account_id], actor=who.rights)

    return _settle(request, who, issue, write, "share", "Your request was shared")


@form_of_request
def organizations(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Share the request with an organization, or no longer."""
    way = share_with_organization if posted_text(request, "on") == "1" else stop_sharing

    def write() -> None:
        found = find_organization(who.rights, posted_text(request, "organization"))
        way(issue, found, actor=who.rights)

    return _settle(request, who, issue, write, "share")


@form_of_request
def notification(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Be told of what happens to the request, or no longer."""
    on = posted_text(request, "on") == "1"
    said = "You will get notifications" if on else "You will no longer get notifications"
    return _settle(
        request,
        who,
        issue,
        lambda: subscribe_user(issue, actor=who.rights, subscribed=on),
        "status",
        said,
    )


@form_of_request
def approve(request: SandboxRequest, who: Visitor, issue: Issue, id: str) -> HttpResponse:
    """Approve or decline the request."""
    found = find_approval(issue, id)
    decision = posted_text(request, "decision")
    return _settle(
        request,
        who,
        issue,
        lambda: answer_approval(found, decision, actor=who.rights),
        "approvals",
        "Your answer was sent",
    )


@form_of_request
def rate(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Rate what was done, or take the rating back."""
    if posted_text(request, "way") == "remove":
        return _settle(
            request, who, issue, lambda: delete_feedback(issue, actor=who.rights), "rating"
        )
    text = posted_text(request, "rating", strip=False)

    def write() -> None:
        give_feedback(
            issue,
            actor=who.rights,
            kind="csat",
            rating=int(text) if is_digits(text) and len(text) == 1 else None,
            comment=posted_lines(request, "comment"),
        )

    return _settle(request, who, issue, write, "rating", "Thank you for your feedback")


@page_of_request
def get_file(request: SandboxRequest, who: Visitor, issue: Issue, id: str) -> HttpResponse:
    """Send a file that customers see."""
    public = Q(request_file__comment=None) | Q(request_file__comment__public=True)
    rows = files_of_requests([issue], who.rights).filter(public, request_file__isnull=False)
    found = rows.select_related("blob").filter(id=int(id)).first()
    if found is None:
        return not_found("The attachment does not exist, or you do not have access to it.")
    return send_file(bytes(found.blob.data), name=found.filename, mime_type=found.mime_type)
