"""Which requests somebody sees, and which of them he asked for.

Customers see what they asked, what they take part in, what is shared with an organization of
theirs, and what waits for their approval. Whoever may browse a request's space sees it too.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.domain.errors import NotFound
from clones.tracker.models import (
    Approver,
    Issue,
    RequestOrganization,
    RequestParticipant,
    User,
)
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
        request__request_type__isnull=False,
        archived_at=None,
        project__deleted_at=None,
        project__archived_at=None,
    ).select_related(*_WITH)


def owned(user: User) -> Q:
    """Return the condition of the requests that somebody made or that were made for him."""
    return Q(reporter=user)


def participated(user: User) -> Q:
    """Return the condition of the requests that somebody takes part in."""
    rows = RequestParticipant.objects.filter(issue=OuterRef("pk"), user=user)
    return Q(Exists(rows))


def of_organizations(user: User, organization: int | None = None) -> Q:
    """Return the condition of the requests that are shared with organizations of somebody."""
    rows = RequestOrganization.objects.filter(
        issue=OuterRef("pk"), organization__members__user=user
    )
    if organization is not None:
        rows = rows.filter(organization=organization)
    return Q(Exists(rows))


def to_approve(user: User, *, pending: bool | None = None) -> Q:
    """Return the condition of the requests that somebody is asked to approve.

    `pending` True: whose approval waits for him still; False: all that he was ever asked for.
    """
    rows = Approver.objects.filter(approval__issue=OuterRef("pk"), user=user)
    if pending:
        rows = rows.filter(decision=None, approval__decision=None)
    return Q(Exists(rows))


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
        NotFound: there is none, or he cannot see it.
    """
    rows = visible_requests(rights)
    text = id_or_key.strip()
    found: Issue | None = None
    if text.isascii() and text.isdigit():
        found = rows.filter(id=int(text)).first() if len(text) <= 18 else None
    else:
        found = rows.filter(key=text.upper()).first()
        if found is None:
            found = rows.filter(former_keys__key=text.upper()).first()
    if found is None:
        raise NotFound(REQUEST_GONE, i18n_key="sd.request.error.not.found")
    return found


def works_on(rights: Rights, issue: Issue) -> bool:
    """Tell whether somebody is an agent on a request: he sees what customers do not."""
    return rights.may_on(AGENT, issue)


def sees_internals(rights: Rights, issue: Issue) -> bool:
    """Tell whether somebody sees internal comments: all who may browse the issue itself."""
    return rights.may_on(BROWSE, issue)
