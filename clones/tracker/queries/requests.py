"""Which requests somebody sees, and which of them they asked for.

Customers see what they asked, what they take part in, what is shared with an organization of
theirs, and what waits for their approval. Whoever may browse a request's space sees it too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import F, Q, QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import (
    Approver,
    Attachment,
    ChangeItem,
    Comment,
    Issue,
    RequestOrganization,
    RequestParticipant,
    RequestTypeStatus,
    Status,
    User,
)
from clones.tracker.queries.comments import seen_condition
from clones.tracker.queries.desks import AGENT
from clones.tracker.queries.rights import BROWSE, Rights

REQUEST_GONE: Final = "The request does not exist or you do not have permission to view it."
_WITH: Final = (
    "project",
    "project__desk",
    "status",
    "issue_type",
    "reporter",
    "request__request_type",
)


def all_requests() -> QuerySet[Issue]:
    """Return the issues that are requests of live desks, in no order."""
    return Issue.objects.filter(
        # What was moved to another space is none of this desk's any more.
        request__request_type__desk__project=F("project"),
        archived_at=None,
        project__deleted_at=None,
        project__archived_at=None,
    ).select_related(*_WITH)


def owned(user: User) -> Q:
    """Return the condition of the requests that somebody made or that were made for them."""
    return Q(reporter=user)


def participated(user: User) -> Q:
    """Return the condition of the requests that somebody takes part in."""
    return Q(pk__in=RequestParticipant.objects.filter(user=user).values("issue"))


def of_organizations(user: User, organization: int | None = None) -> Q:
    """Return the condition of the requests that are shared with organizations of somebody."""
    rows = RequestOrganization.objects.filter(organization__members__user=user)
    if organization is not None:
        rows = rows.filter(organization=organization)
    return Q(pk__in=rows.values("issue"))


def to_approve(user: User, *, pending: bool | None = None) -> Q:
    """Return the condition of the requests that somebody is asked to approve.

    `pending` True: whose approval waits for them still; False: all that they were ever asked for.
    """
    rows = Approver.objects.filter(user=user)
    if pending:
        rows = rows.filter(decision=None, approval__decision=None)
    return Q(pk__in=rows.values("approval__issue"))


def visible_requests(rights: Rights) -> QuerySet[Issue]:
    """Return the requests that somebody sees, in no order."""
    if rights.user is None:
        return Issue.objects.none()
    user = rights.user
    mine = owned(user) | participated(user) | of_organizations(user) | to_approve(user)
    return all_requests().filter(mine | rights.issues_with(BROWSE))


def find_request(rights: Rights, id_or_key: str) -> Issue:
    """Return the request with an issue's id or key, also a former one.

    Raises:
        NotFound: there is none, or they cannot see it.
    """
    rows = visible_requests(rights)
    text = id_or_key.strip()
    found: Issue | None = None
    if is_digits(text):
        found = rows.filter(id=int(text)).first() if len(text) <= 18 else None
    else:
        found = rows.filter(key=text.upper()).first()
        if found is None:
            found = rows.filter(former_keys__key=text.upper()).first()
    if found is None:
        raise NotFound(REQUEST_GONE, i18n_key="sd.request.error.not.found")
    return found


def works_on(rights: Rights, issue: Issue) -> bool:
    """Tell whether somebody is an agent on a request: they see what customers do not."""
    return rights.may_on(AGENT, issue)


def sees_internals(rights: Rights, issue: Issue) -> bool:
    """Tell whether somebody sees internal comments: all who may browse the issue itself."""
    return rights.may_on(BROWSE, issue)


def comments_of_requests(issues: Iterable[Issue], rights: Rights) -> QuerySet[Comment]:
    """Return the comments of requests that somebody reads, by request, the oldest first.

    Customers read public ones without restriction; whoever browses a request, the others too.
    """
    rows = list(issues)
    inside = [issue.id for issue in rows if sees_internals(rights, issue)]
    public = Q(issue__in=[issue.id for issue in rows], public=True, visibility__isnull=True)
    found = Comment.objects.filter(public | (Q(issue__in=inside) & seen_condition(rights)))
    return found.select_related("author").order_by("issue_id", "created", "id")


def files_of_requests(issues: Iterable[Issue], rights: Rights) -> QuerySet[Attachment]:
    """Return the files of requests that somebody sees, by request, the oldest first."""
    rows = list(issues)
    inside = [issue.id for issue in rows if sees_internals(rights, issue)]
    public = Q(request_file__comment=None) | Q(request_file__comment__public=True)
    shown = Q(issue__in=[issue.id for issue in rows], request_file__isnull=False) & public
    found = Attachment.objects.filter(shown | Q(issue__in=inside))
    return found.select_related("author", "request_file").order_by("issue_id", "id")


def portal_names(issues: Iterable[Issue]) -> dict[tuple[int, int], str]:
    """Return what customers read for statuses, by request type and status."""
    types = {issue.request.request_type_id for issue in issues}
    rows = RequestTypeStatus.objects.filter(request_type__in=sorted(filter(None, types)))
    return {
        (kind, status): name
        for kind, status, name in rows.values_list("request_type_id", "status_id", "name")
    }


def status_histories(issues: Iterable[Issue]) -> dict[int, list[tuple[Status, datetime]]]:
    """Return the statuses that requests were in and since when, the present one first.

    Two statements.
    """
    rows = list(issues)
    changes = ChangeItem.objects.filter(field_id="status", issue__in=[row.id for row in rows])
    moves: dict[int, list[tuple[str | None, str | None, datetime]]] = defaultdict(list)
    ordered = changes.order_by("created", "id")
    for issue, old, new, moment in ordered.values_list("issue_id", "old", "new", "created"):
        moves[issue].append((old, new, moment))
    ids = {int(text) for moved in moves.values() for one in moved for text in one[:2] if text}
    statuses = Status.objects.in_bulk(ids) if ids else {}
    found: dict[int, list[tuple[Status, datetime]]] = {}
    for row in rows:
        moved = moves.get(row.id, [])
        first = statuses.get(int(moved[0][0] or 0)) if moved else None
        passed = [(first or row.status, row.created)]
        for _, new, moment in moved:
            status = statuses.get(int(new or 0))
            if status is not None:
                passed.append((status, moment))
        found[row.id] = passed[::-1]
    return found


def participants_of(issues: Iterable[Issue]) -> dict[int, list[User]]:
    """Return who takes part in requests, by request, in the order in which they came."""
    found: dict[int, list[User]] = defaultdict(list)
    rows = RequestParticipant.objects.filter(issue__in=[issue.id for issue in issues])
    for row in rows.select_related("user").order_by("issue_id", "id"):
        found[row.issue_id].append(row.user)
    return found
