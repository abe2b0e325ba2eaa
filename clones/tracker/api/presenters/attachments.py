"""Files of issues as the platform shows them."""

from __future__ import annotations

from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.models import Attachment

Json = dict[str, Any]


def attachment_ref(attachment: Attachment, show: Show) -> Json:
    """Return a file, with its author, as issues show it: its id is text."""
    show.note(attachment)
    return _present(attachment, show) | {"id": str(attachment.id)}


def present_attachment(attachment: Attachment, show: Show) -> Json:
    """Return a file as its own address shows it: its id is a number."""
    show.note(attachment, "detail")
    return _present(attachment, show) | {"id": attachment.id}


def has_thumbnail(attachment: Attachment) -> bool:
    """Tell whether a file is a picture that browsers show."""
    return attachment.mime_type in ("image/png", "image/jpeg", "image/gif", "image/webp")


def _present(attachment: Attachment, show: Show) -> Json:
    found: Json = {
        "self": show.url(f"attachment/{attachment.id}"),
        "id": None,
        "filename": attachment.filename,
    }
    if attachment.author is not None:
        found["author"] = user_ref(attachment.author, show)
    found |= {
        "created": show.when(attachment.created),
        "size": attachment.size,
        "mimeType": attachment.mime_type,
        "content": show.url(f"attachment/content/{attachment.id}"),
    }
    if has_thumbnail(attachment):
        found["thumbnail"] = show.url(f"attachment/thumbnail/{attachment.id}")
    return found
