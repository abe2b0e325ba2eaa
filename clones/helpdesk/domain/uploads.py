"""Files sent ahead of the comments that carry them."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from clones.core import clock, ids
from clones.core.models import Blob
from clones.helpdesk.domain.errors import MissingParameter, RecordInvalid, RecordNotFound
from clones.helpdesk.models import Attachment, Upload, User

LIFETIME = timedelta(days=3)
SIZE_LIMIT = 50 * 1024 * 1024
PLAIN = "application/octet-stream"


def add_upload(
    *, actor: User, file_name: str, content_type: str, data: bytes, token: str | None = None
) -> Upload:
    """Keep a file until a comment takes it; a token adds it to the upload there is.

    Raises:
        MissingParameter: the file has no name.
        RecordInvalid: it is empty or too large.
        RecordNotFound: the token is unknown or has expired.
    """
    name = file_name.replace("\0", "").replace("/", "_").strip()[:255]
    if not name:
        raise MissingParameter("filename")
    if not data:
        raise RecordInvalid.of("base", "Attachment: cannot be empty", "BlankValue")
    if len(data) > SIZE_LIMIT:
        raise RecordInvalid.of("base", "Attachment: is too large", "ValueTooLong")
    now = clock.now()
    if token is None:
        upload = Upload.objects.create(
            id=ids.next_stamp(Upload),
            token=ids.next_code("", Upload, length=25),
            uploader=actor,
            expires_at=now + LIFETIME,
            created_at=now,
        )
    else:
        upload = _live(token)
    blob = keep_blob(data)
    Attachment.objects.create(
        id=ids.next_stamp(Attachment),
        upload=upload,
        blob=blob,
        file_name=name,
        content_type=content_type.partition(";")[0].strip()[:127] or PLAIN,
        size=len(data),
        created_at=now,
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
    found = Upload.objects.filter(token=token, expires_at__gt=clock.now()).first()
    if found is None:
        raise RecordNotFound("upload", token)
    return found
