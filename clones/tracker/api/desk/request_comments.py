"""What is said on requests."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import QuerySet

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.desk.parts import REQUEST, Json, PageQuery, request_in
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.conversation import present_comments, present_file
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.request_comments import add_request_comment
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.models import Attachment, Comment, Issue
from clones.tracker.queries.requests import (
    all_requests,
    comments_of_requests,
    files_of_requests,
    find_request,
)

COMMENT = f"{REQUEST}/comment/{{commentId}}"
GONE = "The comment does not exist or you do not have permission to view it."


class CommentQuery(Query):
    """The expansions of a request's comment."""

    expand: CommaList[str] = []


class CommentsQuery(PageQuery):
    """Filters, paging and expansions of a request's comments."""

    public: str | None = None
    internal: str | None = None
    expand: CommaList[str] = []


class CommentBody(Body):
    """A comment on a request: its body as markup, and whether customers read it."""

    body: str | None = None
    public: bool | None = None


@operation(
    "desk.getRequestComments",
    "GET",
    f"{REQUEST}/comment",
    summary="List the comments on a request, the oldest first.",
    query=CommentsQuery,
)
def list_comments(call: Call) -> Json:
    """List comments; of a request that the caller does not see there are none."""
    query = call.query
    issue = _seen(call)
    if issue is None:
        return desk_page(call, [], list)
    rows = comments_of_requests([issue], actor(call))
    if not flag(query.public, default=True):
        rows = rows.filter(public=False)
    if not flag(query.internal, default=True):
        rows = rows.filter(public=True)
    expand = query.expand
    return desk_page(call, rows, lambda found: _shown(call, issue, found, expand), limit=100)


@operation(
    "desk.createRequestComment",
    "POST",
    f"{REQUEST}/comment",
    summary="Comment on a request.",
    body=CommentBody,
    status=201,
)
def add_comment(call: Call) -> Json:
    """Add a comment."""
    issue, body = request_in(call), call.body
    text = read_rich_text(body.body, "2", "comment")
    made = add_request_comment(issue, text, actor=actor(call), public=body.public is not False)
    return _shown(call, issue, [made], [])[0]


@operation(
    "desk.getRequestCommentById",
    "GET",
    COMMENT,
    summary="Show a comment on a request.",
    query=CommentQuery,
)
def show_comment(call: Call) -> Json:
    """Show a comment."""
    issue = request_in(call)
    return _shown(call, issue, [_found(call, issue)], call.query.expand)[0]


@operation(
    "desk.getCommentAttachments",
    "GET",
    f"{COMMENT}/attachment",
    summary="List the files that came with a comment.",
    query=PageQuery,
)
def list_files(call: Call) -> Json:
    """List a comment's files."""
    issue = request_in(call)
    rows = _files(call, issue).filter(request_file__comment=_found(call, issue))
    return desk_page(call, rows, each(present_file, show(call)))


def _seen(call: Call) -> Issue | None:
    """Return the request of a path, None if there is one that the caller does not see.

    Raises:
        NotFound: there is no such request at all.
    """
    text = call.path["issueIdOrKey"]
    try:
        return find_request(actor(call), text)
    except NotFound:
        rows = all_requests().filter(key=text.upper())
        if whole_number(text) is not None:
            rows = all_requests().filter(id=int(text))
        if rows.exists():
            return None
        raise


def _found(call: Call, issue: Issue) -> Comment:
    text = call.path["commentId"]
    found = None
    if whole_number(text) is not None:
        found = comments_of_requests([issue], actor(call)).filter(id=int(text)).first()
    if found is None:
        raise NotFound(GONE, i18n_key="sd.customerrequest.comment.error.not.found")
    return found


def _files(call: Call, issue: Issue) -> QuerySet[Attachment]:
    return files_of_requests([issue], actor(call))


def _shown(call: Call, issue: Issue, comments: list[Comment], expand: list[str]) -> list[Json]:
    files: dict[int, list[Attachment]] = defaultdict(list)
    if "attachment" in expand:
        rows = _files(call, issue).filter(request_file__comment__in=comments)
        for file in rows:
            files[file.request_file.comment_id or 0].append(file)
    return present_comments(comments, show(call), expand=expand, files=files)
