"""Comments, files and approvals of requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import quote

from clones.tracker.api.presenters.attachments import has_thumbnail
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.desk.basics import (
    ROOT,
    Json,
    inner_page,
    present_date,
    present_person,
    self_link,
)
from clones.tracker.domain.approvals import may_answer
from clones.tracker.models import Approval, Approver, Attachment, Comment
from clones.tracker.queries.approvals import approvers_of

COMMENT_EXPANDS = ["attachment", "renderedBody"]


def present_comments(
    comments: Sequence[Comment],
    show: Show,
    *,
    expand: Collection[str] = (),
    files: Mapping[int, Sequence[Attachment]] | None = None,
) -> list[Json]:
    """Return comments of requests.

    Args:
        comments: with their authors.
        show: how.
        expand: `attachment` and `renderedBody`.
        files: the files that came with comments, by comment, where `attachment` is expanded.
    """
    return [_comment(comment, show, expand, files or {}) for comment in comments]


def _comment(
    comment: Comment,
    show: Show,
    expand: Collection[str],
    files: Mapping[int, Sequence[Attachment]],
) -> Json:
    show.note(comment)
    path = f"request/{comment.issue_id}/comment/{comment.id}"
    found: Json = {
        "_expands": COMMENT_EXPANDS,
        "id": str(comment.id),
        "body": show.rich(comment.body),
        "public": comment.public,
        "author": present_person(comment.author, show),
        "created": present_date(comment.created, show),
        "_links": self_link(path, show),
    }
    if "renderedBody" in expand:
        found["renderedBody"] = {"html": show.html(comment.body)}
    if "attachment" in expand:
        mine = files.get(comment.id, ())
        shown = [present_file(one, show) for one in mine]
        found["attachments"] = inner_page(shown, f"{path}/attachment", show)
    return found


def present_file(file: Attachment, show: Show) -> Json:
    """Return a file of a request."""
    show.note(file)
    path = f"{ROOT}/request/{file.issue_id}/attachment/{file.id}"
    links: Json = {
        "jiraRest": show.url(f"attachment/{file.id}"),
        "self": show.at(path),
        "content": show.at(f"{path}?filename={quote(file.filename, safe='')}"),
    }
    if has_thumbnail(file):
        links["thumbnail"] = show.at(f"{path}/thumbnail")
    return {
        "id": str(file.id),
        "filename": file.filename,
        "author": present_person(file.author, show),
        "created": present_date(file.created, show),
        "size": file.size,
        "mimeType": file.mime_type,
        "_links": links,
    }


def present_approvals(approvals: Sequence[Approval], show: Show) -> list[Json]:
    """Return approvals of requests, with who is asked: one statement."""
    people = approvers_of(approvals)
    return [_approval(approval, people[approval.id], show) for approval in approvals]


def _approval(approval: Approval, people: Sequence[Approver], show: Show) -> Json:
    show.note(approval)
    found: Json = {
        "id": str(approval.id),
        "name": approval.name,
        "finalDecision": approval.decision or "pending",
        "canAnswerApproval": may_answer(approval, show.reader, people),
        "approvers": [
            {
                "approver": present_person(one.user, show),
                "approverDecision": one.decision or "pending",
            }
            for one in people
        ],
        "createdDate": present_date(approval.created, show),
    }
    if approval.completed is not None:
        found["completedDate"] = present_date(approval.completed, show)
    path = f"request/{approval.issue_id}/approval/{approval.id}"
    return found | {"_links": self_link(path, show)}
