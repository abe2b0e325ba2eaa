"""Files of requests: sent ahead, attached, listed, sent back."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.tracker.api.attachments import NO_CHECK, PLAIN_ICON
from clones.tracker.api.desk.parts import (
    DESK,
    REQUEST,
    Json,
    PageQuery,
    desk_in,
    request_in,
)
from clones.tracker.api.desk.requests import CommentText
from clones.tracker.api.file_answers import send_file
from clones.tracker.api.operations import ANYTHING, Body, actor, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.attachments import has_thumbnail
from clones.tracker.api.presenters.desk.basics import inner_page
from clones.tracker.api.presenters.desk.conversation import present_comments, present_file
from clones.tracker.domain import desk_files
from clones.tracker.domain.attachments import Upload
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.models import Attachment
from clones.tracker.queries.requests import files_of_requests

FILE = f"{REQUEST}/attachment/{{attachmentId}}"
GONE = "The attachment does not exist or you do not have permission to view it."


class AttachBody(Body):
    """Temporary files to attach to a request, and a comment on them."""

    temporaryAttachmentIds: list[str] | None = None
    public: bool = True
    additionalComment: CommentText | None = None


@operation(
    "desk.attachTemporaryFile",
    "POST",
    f"{DESK}/attachTemporaryFile",
    summary="Send files ahead: a multipart form whose parts are named file.",
    raw_body=True,
    consumes=ANYTHING,
    status=201,
)
def keep_files(call: Call) -> Reply | HttpResponse:
    """Keep files until a request takes them."""
    request = call.request
    if request.headers.get("X-Atlassian-Token", "").lower() not in NO_CHECK:
        raise Forbidden("XSRF check failed", i18n_key="sd.attachment.error.xsrf")
    if request.content_type != "multipart/form-data":
        return HttpResponse(status=415)
    desk = desk_in(call)
    try:
        files = request.FILES.getlist("file")
    except MultiPartParserError as error:
        raise Invalid("The multipart form of the request is malformed.") from error
    uploads = [
        Upload(str(file.name or ""), str(file.content_type or ""), file.read()) for file in files
    ]
    kept = desk_files.keep_temporary_files(desk, uploads, actor=actor(call))
    shown = [{"temporaryAttachmentId": row.uuid, "fileName": row.filename} for row in kept]
    return Reply({"temporaryAttachments": shown}, 201)


@operation(
    "desk.getAttachmentsForRequest",
    "GET",
    f"{REQUEST}/attachment",
    summary="List the files of a request.",
    query=PageQuery,
)
def list_files(call: Call) -> Json:
    """List a request's files: customers see those that were shown to them."""
    rows = files_of_requests([request_in(call)], actor(call))
    return desk_page(call, rows, each(present_file, show(call)))


@operation(
    "desk.createCommentWithAttachment",
    "POST",
    f"{REQUEST}/attachment",
    summary="Attach files that were sent ahead, with a comment that shows them.",
    body=AttachBody,
    status=201,
)
def attach_files(call: Call) -> Json:
    """Attach files."""
    issue, body = request_in(call), call.body
    said, files = desk_files.attach_files(
        issue,
        body.temporaryAttachmentIds or [],
        actor=actor(call),
        public=body.public,
        comment=(body.additionalComment.body or "") if body.additionalComment else "",
    )
    view = show(call)
    shown = [present_file(file, view) for file in files]
    return {
        "comment": present_comments([said], view)[0],
        "attachments": inner_page(shown, f"request/{issue.id}/attachment", view),
    }


@operation("desk.getAttachmentContent", "GET", FILE, summary="Send a file of a request.")
def send_content(call: Call) -> HttpResponse:
    """Send a file's bytes."""
    file = _file(call)
    return send_file(
        bytes(file.blob.data),
        name=file.filename,
        mime_type=file.mime_type,
        wanted=call.request.headers.get("Range"),
    )


@operation(
    "desk.getAttachmentThumbnail",
    "GET",
    f"{FILE}/thumbnail",
    summary="Send a picture of a file of a request.",
)
def send_thumbnail(call: Call) -> HttpResponse:
    """Send a picture in its own size, an icon for files that are none."""
    file = _file(call)
    if has_thumbnail(file):
        return send_file(bytes(file.blob.data), name=file.filename, mime_type=file.mime_type)
    return send_file(PLAIN_ICON, name="file.svg", mime_type="image/svg+xml")


def _file(call: Call) -> Attachment:
    issue, text = request_in(call), call.path["attachmentId"]
    found = None
    if whole_number(text) is not None:
        rows = files_of_requests([issue], actor(call)).select_related("blob")
        found = rows.filter(id=int(text)).first()
    if found is None:
        raise NotFound(GONE, i18n_key="sd.attachment.error.not.found")
    return found
