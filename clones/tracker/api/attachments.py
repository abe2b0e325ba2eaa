"""Files of issues: adding, showing, sending and deleting them."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError
from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.tracker.api.file_answers import redirect_to, send_file, signed_address, signed_id
from clones.tracker.api.operations import ANYTHING, Query, actor, flag, operation, show
from clones.tracker.api.presenters.attachments import (
    attachment_ref,
    has_thumbnail,
    present_attachment,
)
from clones.tracker.domain import attachments
from clones.tracker.domain.attachments import Upload
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.models import Attachment
from clones.tracker.queries.attachments import find_attachment
from clones.tracker.queries.rights import find_issue
from clones.tracker.rules.archives import ArchiveEntry, entries_of, is_other_archive

Json = dict[str, Any]
NO_CHECK: Final = ("no-check", "nocheck")
# What stands for a file that is no picture.
PLAIN_ICON: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48">'
    b'<path fill="#dfe1e6" d="M10 4h18l10 10v30H10z"/><path fill="#c1c7d0" d="M28 4l10 10H28z"/>'
    b"</svg>"
)


class ContentQuery(Query):
    """Whether an attachment's content is redirected to, or sent at once."""

    redirect: str | None = Field(None, description="false: the file itself, not where it lies")
    token: str | None = Field(None, description="what the address that a redirect names carries")


class ThumbnailQuery(ContentQuery):
    """Size and manner of an attachment's thumbnail."""

    fallbackToDefault: str | None = Field(
        None, description="false: no icon in place of a file that is no picture"
    )
    width: str | None = None
    height: str | None = None


@operation(
    "addAttachment",
    "POST",
    "/rest/api/3/issue/{key}/attachments",
    summary="Add files to an issue: a multipart form whose parts are named file.",
    raw_body=True,
    consumes=ANYTHING,
    access="anyone",
)
def add_attachments(call: Call) -> list[Json] | HttpResponse:
    """Add files."""
    rights = actor(call)
    request = call.request
    if request.headers.get("X-Atlassian-Token", "").lower() not in NO_CHECK:
        return HttpResponse("XSRF check failed", status=403, content_type="text/plain")
    if request.content_type != "multipart/form-data":
        return HttpResponse(status=415)
    issue = find_issue(rights, call.path["key"])
    try:
        files = request.FILES.getlist("file")
    except MultiPartParserError as error:
        raise Invalid("The multipart form of the request is malformed.") from error
    uploads = [
        Upload(str(file.name or ""), str(file.content_type or ""), file.read()) for file in files
    ]
    added = attachments.add_attachments(issue, uploads, actor=rights)
    view = show(call)
    return [attachment_ref(attachment, view) for attachment in added]


@operation(
    "getAttachmentMeta",
    "GET",
    "/rest/api/3/attachment/meta",
    summary="Tell whether files can be added, and how large they may be.",
    access="anyone",
)
def show_settings(call: Call) -> Json:
    """Show the settings of files."""
    return {"enabled": attachments.are_enabled(), "uploadLimit": attachments.size_limit()}


@operation(
    "getAttachment",
    "GET",
    "/rest/api/3/attachment/{id}",
    summary="Show what a file is.",
    access="anyone",
)
def show_attachment(call: Call) -> Json:
    """Show a file that the caller sees."""
    return present_attachment(_found(call), show(call))


@operation(
    "removeAttachment",
    "DELETE",
    "/rest/api/3/attachment/{id}",
    summary="Delete a file.",
    access="anyone",
    status=204,
)
def delete_attachment(call: Call) -> None:
    """Delete a file."""
    attachments.delete_attachment(_found(call), actor=actor(call))


@operation(
    "getAttachmentContent",
    "GET",
    "/rest/api/3/attachment/content/{id}",
    summary="Send a file, or where it lies.",
    query=ContentQuery,
    access="anyone",
)
def send_content(call: Call) -> HttpResponse:
    """Send a file's bytes, or a part of them; by default the address that does."""
    attachment = _claimed(call)
    if call.query.token is None and flag(call.query.redirect, default=True):
        return redirect_to(signed_address(call, attachment.id))
    return send_file(
        bytes(attachment.blob.data),
        name=attachment.filename,
        mime_type=attachment.mime_type,
        wanted=call.request.headers.get("Range"),
    )


@operation(
    "getAttachmentThumbnail",
    "GET",
    "/rest/api/3/attachment/thumbnail/{id}",
    summary="Send a picture of a file, or where it lies.",
    query=ThumbnailQuery,
    access="anyone",
)
def send_thumbnail(call: Call) -> HttpResponse:
    """Send the picture of a file in its own size, an icon for files that are none."""
    for name in ("width", "height"):
        text = getattr(call.query, name)
        if text is not None and whole_number(text, digits=9) is None:
            raise Invalid(f"The value '{text}' is invalid for the parameter '{name}'.")
    attachment = _claimed(call)
    if not has_thumbnail(attachment) and not flag(call.query.fallbackToDefault, default=True):
        raise NotFound(f"The thumbnail of the attachment with id '{attachment.id}' does not exist")
    if call.query.token is None and flag(call.query.redirect, default=True):
        return redirect_to(signed_address(call, attachment.id))
    if has_thumbnail(attachment):
        data, name, kind = bytes(attachment.blob.data), attachment.filename, attachment.mime_type
    else:
        data, name, kind = PLAIN_ICON, "file.svg", "image/svg+xml"
    return send_file(data, name=name, mime_type=kind)


@operation(
    "expandAttachmentForHumans",
    "GET",
    "/rest/api/3/attachment/{id}/expand/human",
    summary="List what lies in a ZIP archive, for people.",
    access="anyone",
)
def expand_for_people(call: Call) -> Json:
    """List an archive's files with their labels."""
    attachment, entries, total = _expanded(call)
    return {
        "id": attachment.id,
        "name": attachment.filename,
        "entries": [
            {
                "path": entry.path,
                "index": entry.index,
                "size": entry.size_text,
                "mediaType": entry.media_type,
                "label": entry.label,
            }
            for entry in entries
        ],
        "totalEntryCount": total,
        "mediaType": attachment.mime_type,
    }


@operation(
    "expandAttachmentForMachines",
    "GET",
    "/rest/api/3/attachment/{id}/expand/raw",
    summary="List what lies in a ZIP archive, for programs.",
    access="anyone",
)
def expand_for_programs(call: Call) -> Json:
    """List an archive's files with their sizes in bytes."""
    _, entries, total = _expanded(call)
    return {
        "entries": [
            {
                "entryIndex": entry.index,
                "name": entry.path,
                "abbreviatedName": entry.label,
                "size": entry.size,
                "mediaType": entry.media_type,
            }
            for entry in entries
        ],
        "totalEntryCount": total,
    }


def _found(call: Call) -> Attachment:
    if not attachments.are_enabled():
        raise NotFound("Attachments are disabled.")
    return find_attachment(actor(call), call.path["id"])


def _claimed(call: Call) -> Attachment:
    """Return the file that a call names, with its bytes: seen by the caller, or by its token."""
    id = call.path["id"]
    if call.query.token is not None and signed_id(call, call.query.token) == id:
        rows = Attachment.objects.select_related("blob").filter(id=int(id))
        found = rows.first()
        if found is not None:
            return found
    return find_attachment(actor(call), id, with_data=True)


def _expanded(call: Call) -> tuple[Attachment, list[ArchiveEntry], int]:
    attachment = find_attachment(actor(call), call.path["id"], with_data=True)
    if is_other_archive(attachment.filename):
        raise Conflict("The archive format is not supported.")
    entries, total = entries_of(bytes(attachment.blob.data))
    return attachment, entries, total
