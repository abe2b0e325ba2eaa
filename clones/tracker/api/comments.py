"""Comments on issues."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import (
    Body,
    Query,
    actor,
    document,
    operation,
    show,
)
from clones.tracker.api.paging import named_list, page_bean
from clones.tracker.api.presenters.comments import present_comment, present_comments
from clones.tracker.domain import comments
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Comment
from clones.tracker.queries.comments import comments_among, comments_of, find_comment
from clones.tracker.queries.recipients import are_told
from clones.tracker.queries.rights import find_issue

Json = dict[str, Any]
ORDERS: Final = {
    "created": ("created", "id"),
    "+created": ("created", "id"),
    "-created": ("-created", "-id"),
}
IDS: Final = 1000


class ExpandQuery(Query):
    """The expansions of a comment."""

    expand: CommaList[str] = Field([], description="renderedBody; of a list by ids, properties too")


class CommentList(ExpandQuery):
    """Order, paging and expansions of an issue's comments."""

    startAt: str | None = None
    maxResults: str | None = Field(None, description="100 unless said")
    orderBy: str | None = Field(None, description="created, +created or -created")


class CommentUpdate(ExpandQuery):
    """Whether a changed comment is notified of, or overrides a lock, and its expansions."""

    notifyUsers: str | None = None
    overrideEditableFlag: str | None = None


class CommentWrite(Body):
    """A comment: its body, its visibility, and its properties."""

    body: Any = None
    visibility: Any = None
    properties: list[Any] | None = None


class CommentIds(Body):
    """The ids of the comments to show."""

    ids: list[int]


@operation(
    "getCommentsByIds",
    "POST",
    "/rest/api/3/comment/list",
    summary="List comments by their ids, up to a thousand.",
    query=ExpandQuery,
    body=CommentIds,
    access="anyone",
    writes=False,
)
def list_comments_by_ids(call: Call) -> Json:
    """List those of the comments that the caller sees."""
    ids = sorted(set(call.body.ids))
    if not ids or len(ids) > IDS:
        raise Invalid(f"The number of comment IDs must be between 1 and {IDS}.")
    expand = call.query.expand
    view = show(call)
    return page_bean(
        call,
        comments_among([id for id in ids if 0 < id < 2**63], actor(call)),
        lambda rows: present_comments(
            rows, view, rendered="renderedBody" in expand, properties="properties" in expand
        ),
        max_results=1_048_576,
        limit=1_048_576,
        with_self=False,
    )


@operation(
    "getComments",
    "GET",
    "/rest/api/3/issue/{key}/comment",
    summary="List the comments of an issue.",
    query=CommentList,
    access="anyone",
)
def list_comments(call: Call) -> Json:
    """List the comments that the caller sees."""
    order = call.query.orderBy or "created"
    named = "".join(order.split()).lower()  # the site that was seen takes it so
    if named not in ORDERS:
        raise Invalid(f"The value '{order}' is invalid for the parameter 'orderBy'.")
    rights = actor(call)
    issue = find_issue(rights, call.path["key"])
    expand = call.query.expand
    view = show(call)
    return named_list(
        call,
        comments_of(issue, rights).order_by(*ORDERS[named]),
        lambda rows: present_comments(
            rows, view, rendered="renderedBody" in expand, properties="properties" in expand
        ),
        "comments",
        max_results=100,
        floored=True,  # as a site was seen to do it (brekkylab/backlot, issue 163)
    )


@operation(
    "addComment",
    "POST",
    "/rest/api/3/issue/{key}/comment",
    summary="Comment on an issue.",
    query=ExpandQuery,
    body=CommentWrite,
    access="anyone",
    status=201,
)
def add_comment(call: Call) -> Json:
    """Add a comment."""
    rights = actor(call)
    comment = comments.add_comment(
        find_issue(rights, call.path["key"]),
        document(call, call.body.body, "comment"),
        actor=rights,
        visibility=call.body.visibility,
        properties=call.body.properties or (),
    )
    return _shown(call, comment)


@operation(
    "getComment",
    "GET",
    "/rest/api/3/issue/{key}/comment/{id}",
    summary="Show a comment.",
    query=ExpandQuery,
    access="anyone",
)
def show_comment(call: Call) -> Json:
    """Show a comment that the caller sees."""
    return _shown(call, _found(call))


@operation(
    "updateComment",
    "PUT",
    "/rest/api/3/issue/{key}/comment/{id}",
    summary="Change what a comment says and who sees it.",
    query=CommentUpdate,
    body=CommentWrite,
    access="anyone",
)
def update_comment(call: Call) -> Json:
    """Replace a comment's text and restriction."""
    found = _found(call)
    comment = comments.edit_comment(
        found,
        document(call, call.body.body, "comment"),
        actor=actor(call),
        visibility=call.body.visibility,
        properties=call.body.properties or (),
        notify=are_told(call.query.notifyUsers, found.issue, actor(call)),
    )
    return _shown(call, comment)


@operation(
    "deleteComment",
    "DELETE",
    "/rest/api/3/issue/{key}/comment/{id}",
    summary="Delete a comment.",
    status=204,
)
def delete_comment(call: Call) -> None:
    """Delete a comment."""
    comments.delete_comment(_found(call), actor=actor(call))


def _found(call: Call) -> Comment:
    rights = actor(call)
    return find_comment(rights, call.path["id"], find_issue(rights, call.path["key"]))


def _shown(call: Call, comment: Comment) -> Json:
    expand = call.query.expand
    return present_comment(comment, show(call), rendered="renderedBody" in expand)
