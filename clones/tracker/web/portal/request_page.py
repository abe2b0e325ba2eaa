"""The page of a request in the portal: how it stands, what was said, who takes part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import lead_to_own
from clones.tracker.domain.attachments import are_enabled
from clones.tracker.domain.desk_settings import asks_for_ratings
from clones.tracker.domain.participants import is_subscribed, may_manage_participants
from clones.tracker.domain.request_comments import may_comment
from clones.tracker.domain.requests import customer_transitions
from clones.tracker.models import Attachment, Comment, Issue, Organization, Status, User
from clones.tracker.queries.desks import PortalRights
from clones.tracker.queries.requests import (
    REQUEST_GONE,
    comments_of_requests,
    files_of_requests,
    find_request,
    participants_of,
    portal_names,
    status_histories,
    works_on,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.web.access import Visitor, page_of_anybody
from clones.tracker.web.desk.access import portal_address
from clones.tracker.web.desk.panels import approvals_shown
from clones.tracker.web.issue.access import IssuePageState
from clones.tracker.web.issue.details import Details
from clones.tracker.web.parts.attempts import FormErrors
from clones.tracker.web.parts.rich import Text, typed_text
from clones.tracker.web.parts.texts import names_in, shown
from clones.tracker.web.parts.times import when
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.portal.access import portal_page

# Shown elsewhere on the page.
APART = frozenset({"summary", "attachment"})


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """Something that happened: a public comment, or another status."""

    at: datetime
    moment: str
    author: User | None = None
    html: SafeString | None = None
    files: Sequence[Attachment] = ()
    status: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class Tried:
    """What a form of the page was refused for: `place` is its part, `typed` what was written."""

    place: str = ""
    refusal: FormErrors = field(default_factory=FormErrors)
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def said(self) -> Text:
        """The comment that was written, if it was refused."""
        sent = {name: [value] for name, value in self.typed.items()}
        return typed_text(sent if self.place == "comment" else {}, "body")


def request_address(issue: Issue, rest: str = "") -> str:
    """Return the address of a request in its portal, or of a form about it."""
    return portal_address(issue.project.desk, issue.key + (f"/{rest}" if rest else ""))


@page_of_anybody.about
def page_of_request(
    request: SandboxRequest, who: Visitor, desk: str, key: str
) -> Issue | HttpResponse:
    """Open a page of a request to those who see it; former keys lead to the one it has.

    Raises:
        NotFound: there is none at this portal, or none for the visitor.
    """
    issue = find_request(who.rights, key)
    if str(issue.project.desk.id) != desk:
        return not_found(REQUEST_GONE)
    return lead_to_own(request, request.path.replace(f"/{key}", f"/{issue.key}", 1)) or issue


@page_of_request.only
def form_of_request(request: SandboxRequest, _who: Visitor, issue: Issue) -> HttpResponse | None:
    """Take what a form of a request's page sends; to look at there is the page itself."""
    return None if request.method == "POST" else HttpResponseRedirect(request_address(issue))


@page_of_request
def request_page(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Show a request."""
    return show_request(request, who, issue)


def show_request(
    request: SandboxRequest, who: Visitor, issue: Issue, tried: Tried | None = None
) -> HttpResponse:
    """Return the page of a request; after a refusal with what was refused, and 422."""
    if tried is not None:
        issue = find_request(who.rights, str(issue.id))  # as it is, not as it nearly became
    sightings.note(issue, "detail")
    rights, desk, tried = who.rights, issue.project.desk, tried or Tried()
    names = portal_names([issue])
    kind = issue.request.request_type
    passed = status_histories([issue])[issue.id]
    files = _files(issue, rights)
    refused = bool(tried.refusal.sentences)
    context = {
        "issue": issue,
        "at": request_address(issue),
        "portal": portal_address(desk),
        "kind": kind,
        "status": _named(issue, issue.status, names),
        "details": _details(issue, rights),
        "files": [file for file in files if file.request_file.comment_id is None],
        "feed": _feed(issue, rights, passed, names, files),
        "created": when(issue.created, rights.zone),
        "moves": customer_transitions([issue], rights)[issue.id],
        "may_comment": may_comment(issue, rights),
        "may_attach": are_enabled()
        and PortalRights(who.user).may("CREATE_ATTACHMENTS", issue.project),
        "subscribed": is_subscribed(issue, who.user),
        "approvals": approvals_shown(issue, rights),
        "asked": IssuePageState(),
        "works": works_on(rights, issue),
        "typed": tried.typed,
        "said": tried.said,
        "problems": {tried.place: tried.refusal.sentences} if refused else {},
        **_people(issue, who),
        **_rating(issue, who),
    }
    return portal_page(
        request, who, "request", context,
        title=f"{issue.key} {issue.summary}", desk=desk, status=422 if refused else 200,
    )  # fmt: skip


def _named(issue: Issue, status: Status, names: Mapping[tuple[int, int], str]) -> str:
    return names.get((issue.request.request_type_id or 0, status.id), status.name)


def _details(issue: Issue, rights: Rights) -> list[tuple[str, Any]]:
    """Return what the form of the request asked for, and what it holds."""
    kind = issue.request.request_type
    if kind is None:
        return []
    details = Details(issue, rights, IssuePageState())
    rows = kind.fields.filter(visible=True).exclude(field__in=APART).order_by("position", "id")
    found = []
    for row in rows:
        if row.field in details.fieldset.fields:
            detail = details.detail(row.field)
            if not detail.is_empty:
                found.append((row.display_name or detail.field.name, detail))
    return found


def _files(issue: Issue, rights: Rights) -> list[Attachment]:
    """Return the files that customers see, whoever looks."""
    public = Q(request_file__comment=None) | Q(request_file__comment__public=True)
    rows = files_of_requests([issue], rights).filter(public, request_file__isnull=False)
    return list(rows.defer("blob"))


def _feed(
    issue: Issue,
    rights: Rights,
    passed: Sequence[tuple[Status, datetime]],
    names: Mapping[tuple[int, int], str],
    files: Sequence[Attachment],
) -> list[RequestEvent]:
    """Return public comments and the statuses that customers read of, the latest first."""
    rows = comments_of_requests([issue], rights).filter(public=True, visibility__isnull=True)
    comments = list(rows)
    mentioned = names_in(row.body for row in comments)
    by_comment: dict[int, list[Attachment]] = defaultdict(list)
    for file in files:
        by_comment[file.request_file.comment_id or 0].append(file)
    found = [_comment(row, rights, mentioned, by_comment[row.id]) for row in comments]
    before = ""
    for status, moment in reversed(passed):
        name = _named(issue, status, names)
        if before and name != before:
            found.append(RequestEvent(moment, when(moment, rights.zone), status=name))
        before = name
    return sorted(found, key=lambda one: (one.at, one.id), reverse=True)


def _comment(
    row: Comment, rights: Rights, names: dict[str, str], files: Sequence[Attachment]
) -> RequestEvent:
    sightings.note(row, "detail")
    moment = when(row.created, rights.zone)
    return RequestEvent(row.created, moment, row.author, shown(row.body, names), files, id=row.id)


def _people(issue: Issue, who: Visitor) -> dict[str, Any]:
    """Return who takes part in a request, and with whom its visitor can share it."""
    participants = participants_of([issue]).get(issue.id, [])
    shared = list(Organization.objects.filter(requests__issue=issue).order_by("requests__id"))
    desk, manages = issue.project.desk, may_manage_participants(issue, who.rights)
    own = Organization.objects.filter(desks__desk=desk, members__user=who.user)
    mates = User.objects.filter(organizations__organization__in=own, active=True)
    inside = {*(user.id for user in participants), issue.reporter_id}
    return {
        "participants": participants,
        "may_share": manages,
        "mates": [
            user
            for user in mates.exclude(email=None).distinct().order_by("display_name", "id")[:200]
            if user.id not in inside
        ]
        if manages
        else (),
        "organizations": shared,
        "own_organizations": [row for row in own.order_by("name", "id") if row not in shared]
        if manages
        else (),
        "is_mine": issue.reporter_id == who.user.id,
    }


def _rating(issue: Issue, who: Visitor) -> dict[str, Any]:
    request = issue.request
    mine = issue.reporter_id == who.user.id
    open_to_it = issue.resolution_id is not None and asks_for_ratings(issue.project.desk)
    return {
        "rating": request.rating,
        "rating_comment": request.rating_comment,
        "may_rate": mine and open_to_it,
        "scores": (
            (5, "Very satisfied"),
            (4, "Satisfied"),
            (3, "Neither satisfied nor dissatisfied"),
            (2, "Dissatisfied"),
            (1, "Very dissatisfied"),
        ),
    }
