"""Files: send ahead, show."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q

from clones.core.operations import Call, Reply
from clones.core.operations.forms import uploaded_form
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Query, show
from clones.helpdesk.api.presenters.measures import present_upload
from clones.helpdesk.api.presenters.tickets import present_attachment
from clones.helpdesk.domain import uploads
from clones.helpdesk.domain.errors import MissingParameter, RecordNotFound
from clones.helpdesk.models import Attachment, Comment


class UploadQuery(Query):
    """The name of a file to upload, and the token of an upload to add it to."""

    filename: str | None = None
    token: str | None = None
    inline: bool | None = None


@OPERATIONS.operation(
    "UploadFiles",
    "POST",
    "/uploads",
    summary="Send a file ahead of the comment that will carry it. The body is the file itself.",
    query=UploadQuery,
    access="end-user",
    status=201,
    raw_body=True,
)
def upload(call: Call) -> Reply:
    """Keep a file for a comment to come."""
    name, content_type, data = _sent(call)
    if not name:
        raise MissingParameter("filename")
    made = uploads.add_upload(
        actor=call.actor,
        file_name=name,
        content_type=content_type,
        data=data,
        token=call.query.token,
        inline=bool(call.query.inline),
    )
    files = list(Attachment.objects.filter(upload=made).order_by("id"))
    return Reply({"upload": present_upload(made, files, show(call, "detail"))}, 201)


def _sent(call: Call) -> tuple[str | None, str, bytes]:
    """Return the name, type and bytes of the file that was sent.

    A form has it as `uploaded_data`, and may name it. Every other body is the file itself, whatever
    its type says.
    """
    request = call.request
    form = uploaded_form(request)
    file = None if form is None else form.files.get("uploaded_data")
    if form is None or not isinstance(file, UploadedFile):
        return call.query.filename, request.headers.get("Content-Type", ""), call.body
    named = call.query.filename or form.values.get("filename") or file.name
    return named, file.content_type or "", file.read()


@OPERATIONS.operation(
    "DeleteUpload",
    "DELETE",
    "/uploads/{token}",
    summary="Drop an upload that no comment has taken.",
    access="end-user",
    status=204,
)
def delete_upload(call: Call) -> None:
    """Drop an upload."""
    uploads.delete_upload(call.path["token"], actor=call.actor)


@OPERATIONS.operation(
    "ShowAttachment",
    "GET",
    "/attachments/{attachment_id:int}",
    summary="Show what a file is and where its content lies.",
    access="end-user",
)
def show_attachment(call: Call) -> dict[str, Any]:
    """Show a file on a ticket that the caller may see, or one that they sent themselves."""
    said = Comment.objects.filter(ticket__in=queries.visible_tickets(call.actor).values("id"))
    if not call.actor.is_agent:
        said = said.filter(public=True)
    mine = Q(upload__uploader=call.actor)
    rows = Attachment.objects.filter(Q(comment__in=said.values("id")) | mine)
    found = rows.filter(id=call.path["attachment_id"]).first()
    if found is None:
        raise RecordNotFound("attachment", call.path["attachment_id"])
    return {"attachment": present_attachment(found, show(call, "detail"))}
