"""The requests that somebody sees in the portals, and those that wait for their approval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.tracker.models import Approver, Issue, Organization
from clones.tracker.queries.desks import visible_desks
from clones.tracker.queries.requests import (
    of_organizations,
    owned,
    participated,
    portal_names,
    to_approve,
    visible_requests,
)
from clones.tracker.rules.desk.wording import title_words
from clones.tracker.web.access import Visitor, page_of_anybody
from clones.tracker.web.desk.access import portal_address
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.parts.times import when
from clones.tracker.web.portal.access import APPROVALS, REQUESTS, portal_page

PAGE: Final = 25
STATUSES: Final = {"open": "Open requests", "closed": "Closed requests", "all": "All requests"}
CREATED: Final = "created-by-me"
PARTICIPANT: Final = "participant"
EVERY: Final = "all"
ORGANIZATION: Final = "org-"


@dataclass(frozen=True, slots=True)
class RequestItem:
    """A request in a list."""

    issue: Issue
    address: str
    status: str
    updated: str
    said: str = ""


@page_of_anybody
def requests(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the requests of the visitor, of those with whom they share, narrowed as they ask."""
    given = request.GET
    status = given.get("status", "open")
    status = status if status in STATUSES else "open"
    own = Organization.objects.filter(members__user=who.user).order_by("name", "id")
    reporters = [
        (CREATED, "Created by me"),
        (PARTICIPANT, "Where I am a participant"),
        *((f"{ORGANIZATION}{row.id}", f"Shared with {row.name}") for row in own),
        (EVERY, "Created by anyone"),
    ]
    known = dict(reporters)
    reporter = given.get("reporter", CREATED)
    reporter = reporter if reporter in known else CREATED
    rows = visible_requests(who.rights).filter(_of(reporter, who))
    if status != "all":
        rows = rows.filter(resolution__isnull=status == "open")
    text = given.get("filter", "").strip()
    for word in title_words(text):
        rows = rows.filter(Q(summary__icontains=word) | Q(key__iexact=word))
    desks = list(visible_desks(who.rights))
    desk = given.get("portalId", "")
    if is_digits(desk):
        rows = rows.filter(project__desk=int(desk))
    context = {
        "heading": "Requests",
        "statuses": [Choice(key, label, key == status) for key, label in STATUSES.items()],
        "reporters": [Choice(key, label, key == reporter) for key, label in reporters],
        "desks": [Choice(str(one.id), one.portal_name, str(one.id) == desk) for one in desks],
        "text": text,
        "address": REQUESTS,
        **_listed(request, rows, who),
    }
    return portal_page(request, who, "requests", context, title="Requests")


def _of(reporter: str, who: Visitor) -> Q:
    """Return the condition of the requests of those who are asked for."""
    user = who.user
    if reporter == CREATED:
        return owned(user)
    if reporter == PARTICIPANT:
        return participated(user)
    if reporter == EVERY:
        return owned(user) | participated(user) | of_organizations(user)
    return of_organizations(user, int(reporter.removeprefix(ORGANIZATION)))


def _listed(
    request: SandboxRequest,
    rows: QuerySet[Issue],
    who: Visitor,
    said: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """Return one page of a list, the request that changed last first."""
    listed = page_of(request, rows.order_by("-updated", "-id"), size=PAGE)
    found = listed.rows
    names = portal_names(found)
    zone = who.rights.zone
    lines = []
    for issue in found:
        sightings.note(issue, "list")
        kind = issue.request.request_type_id or 0
        lines.append(
            RequestItem(
                issue,
                portal_address(issue.project.desk, issue.key),
                names.get((kind, issue.status_id), issue.status.name),
                when(issue.updated, zone),
                (said or {}).get(issue.id, ""),
            )
        )
    return {"lines": lines, "page": listed}


@page_of_anybody
def approvals(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the requests that wait for the visitor's approval, or those that they were asked for."""
    status = "completed" if request.GET.get("status") == "completed" else "pending"
    pending = to_approve(who.user, pending=True)
    rows = visible_requests(who.rights)
    if status == "pending":
        rows = rows.filter(pending)
    else:
        rows = rows.filter(to_approve(who.user)).exclude(pending)
    mine = Approver.objects.filter(user=who.user).order_by("id")
    said = {
        issue: (decision or outcome or "pending").capitalize()
        for issue, decision, outcome in mine.values_list(
            "approval__issue", "decision", "approval__decision"
        )
    }
    context = {
        "heading": "Approvals",
        "tabs": [
            ("Pending my approval", f"{APPROVALS}?status=pending", status == "pending"),
            ("Approval history", f"{APPROVALS}?status=completed", status == "completed"),
        ],
        **_listed(request, rows, who, said),
    }
    return portal_page(request, who, "approvals", context, title="Approvals")
