"""Files sent ahead of the comments that carry them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta

from clones.core import clock, ids
from clones.core.models import Blob
from clones.helpdesk.domain.errors import MissingParameter, RecordInvalid, RecordNotFound
from clones.helpdesk.models import Attachment, Upload, User
from clones.helpdesk.queries import can_be

LIFETIME = timedelta(days=3)
SIZE_LIMIT = 50 * 1024 * 1024
PLAIN = "application/octet-stream"


def add_upload(
    *,
    actor: User,
    file_name: str,
    content_type: str,
    data: bytes,
    token: str | None = None,
    inline: bool = False,
) -> Upload:
    """Keep a file until a comment takes it; a token adds it to the upload there is.

    `inline` ones are pictures that the comment's text shows.

    Raises:
        MissingParameter: the file has no name.
        RecordInvalid: it is empty or too large.
        RecordNotFound: the token is unknown or has expired.
    """
    name = file_name_of(file_name)
    if not name:
        raise MissingParameter("filename")
    if not data:
        raise RecordInvalid.of("base", "Attachment: cannot be empty", "BlankValue")
    if len(data) > SIZE_LIMIT:
        raise RecordInvalid.of("base", "Attachment: is too large", "ValueTooLong")
    upload = open_upload(actor=actor) if token is None else _live(token)
    keep_file(upload, file_name=name, content_type=content_type, data=data, inline=inline)
    return upload


def file_name_of(text: str) -> str:
    """Return a file's name in the form it is kept in, empty if nothing is left of it."""
    return text.replace("\0", "").replace("/", "_").strip()[:255]


def open_upload(*, actor: User) -> Upload:
    """Write an upload that has no files yet."""
    now = clock.now()
    return Upload.objects.create(
        id=ids.next_stamp(Upload),
        token=ids.next_code("", Upload, length=25),
        uploader=actor,
        expires_at=now + LIFETIME,
        created_at=now,
    )


def keep_file(
    upload: Upload | None,
    *,
    file_name: str,
    content_type: str,
    data: bytes,
    inline: bool = False,
) -> Attachment:
    """Write a file that no comment carries yet."""
    blob = keep_blob(data)
    return Attachment.objects.create(
        id=ids.next_stamp(Attachment),
        upload=upload,
        blob=blob,
        file_name=file_name,
        content_type=content_type.partition(";")[0].strip()[:127] or PLAIN,
        size=len(data),
        inline=inline,
        created_at=clock.now(),
    )


def copy_files(attachment_ids: Sequence[int], *, actor: User) -> Upload:
    """Write an upload with copies of files, for a comment to come."""
    upload = open_upload(actor=actor)
    for file in Attachment.objects.filter(id__in=attachment_ids).order_by("id"):
        Attachment.objects.create(
            id=ids.next_stamp(Attachment),
            upload=upload,
            blob_id=file.blob_id,
            file_name=file.file_name,
            content_type=file.content_type,
            size=file.size,
            inline=file.inline,
            created_at=clock.now(),
        )
    return upload


def keep_blob(data: bytes) -> Blob:
    """Write bytes once, under their hash, and return them."""
    name = hashlib.sha256(data).hexdigest()
    found = Blob.objects.filter(sha256=name).first()
    return found if found is not None else Blob.objects.create(sha256=name, data=data)


def delete_upload(token: str, *, actor: User) -> None:
    """Drop an upload and the files that no comment has taken.

    Raises:
        RecordNotFound: the token is unknown or has expired.
    """
    upload = _live(token)
    Attachment.objects.filter(upload=upload, comment=None).delete()
    upload.delete()


def _live(token: str) -> Upload:
    rows = Upload.objects.filter(token=token, expires_at__gt=clock.now())
    found = rows.first() if can_be(token) else None
    if found is None:
        raise RecordNotFound("upload", token)
    return found
