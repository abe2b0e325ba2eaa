"""What is said on requests: to customers, or among agents."""

from __future__ import annotations

from typing import Any, Final

from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.models import Comment, Issue
from clones.tracker.queries.desks import PortalRights
from clones.tracker.queries.requests import works_on
from clones.tracker.queries.rights import Rights

INTERNAL: Final = "Only agents can add internal comments."
NOT_ALLOWED: Final = "You do not have permission to comment on this request."
EMPTY: Final = "The comment body cannot be empty."


def add_request_comment(
    issue: Issue, body: dict[str, Any] | None, *, actor: Rights, public: bool = True
) -> Comment:
    """Add a comment to a request that the actor sees.

    Args:
        issue: the request.
        body: a document.
        actor: who says it.
        public: whether customers read it; only agents can keep a comment among themselves.

    Raises:
        Forbidden: a customer asks for an internal comment, or may not comment at all.
        Invalid: the body is empty.
    """
    if not public and not works_on(actor, issue):
        raise Forbidden(INTERNAL, i18n_key="sd.customerrequest.comment.error.internal.permission")
    if not may_comment(issue, actor):
        raise Forbidden(NOT_ALLOWED, i18n_key="sd.customerrequest.comment.error.permission")
    if body is None or not body.get("content"):
        raise Invalid(EMPTY, i18n_key="sd.customerrequest.comment.error.body.empty")
    return add_comment(issue, body, actor=actor, public=public, permitted=True)


def may_comment(issue: Issue, actor: Rights) -> bool:
    """Tell whether somebody who sees a request may comment on it."""
    if actor.user is None or not issue.project.is_live:
        return False
    return actor.may_on("ADD_COMMENTS", issue) or PortalRights(actor.user).may(
        "ADD_COMMENTS", issue.project
    )
