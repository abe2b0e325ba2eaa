"""Files of issues: adding and deleting them, with an entry in the issue's history."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.core import clock
from clones.core.models import Blob
from clones.tracker.domain.errors import Forbidden, NotFound, TooLarge
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.settings import setting
from clones.tracker.models import Attachment, Issue
from clones.tracker.queries.rights import Rights

FILES_AT_ONCE: Final = 60
LIMIT: Final = 2000  # files of one issue
SIZE_LIMIT: Final = 10 * 1024 * 1024  # bytes of one file, unless an admin says otherwise
PLAIN: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent."""

    name: str
    content_type: str
    data: bytes


def are_enabled() -> bool:
    """Tell whether the site takes files."""
    return bool(setting("attachments_enabled", True))


def size_limit() -> int:
    """Return how many bytes a file may have."""
    return int(setting("attachment_size_limit", SIZE_LIMIT))


def add_attachments(
    issue: Issue, uploads: Sequence[Upload], *, actor: Rights, permitted: bool = False
) -> list[Attachment]:
    """Add files to an issue. One request is one entry of its history.

    Args:
        issue: with its space.
        uploads: the files.
        actor: who adds them.
        permitted: whether the caller has seen to the permission (customers add files to requests).

    Raises:
        Forbidden: the actor may not.
        NotFound: the site takes no files (the vendor answers 404).
        TooLarge: too many files, or one that is too large.
    """
    if not are_enabled():
        raise NotFound("Attachments are disabled.")
    if not permitted and not actor.may_on("CREATE_ATTACHMENTS", issue):
        raise Forbidden("You do not have permission to create attachments for this issue.")
    if len(uploads) > FILES_AT_ONCE:
        raise TooLarge(f"No more than {FILES_AT_ONCE} files can be uploaded at once.")
    most = size_limit()
    for upload in uploads:
        if len(upload.data) > most:
            size = len(upload.data)
            raise TooLarge(
                f"The field file exceeds its maximum permitted size of {most} bytes. "
                f"The size of '{file_name_of(upload.name)}' is {size} bytes."
            )
    if Attachment.objects.filter(issue=issue).count() + len(uploads) > LIMIT:
        raise TooLarge(f"The limit of {LIMIT} attachments for this issue has been reached.")
    changes = Changes(issue, actor)
    found = [_keep(issue, upload, actor) for upload in uploads]
    for attachment in found:
        changes.note(
            "Attachment", "attachment", None, None, str(attachment.id), attachment.filename
        )
    group = changes.save()
    issue.save(update_fields=["updated"])
    for attachment in found:
        told = Event("attachment_created", actor, issue=issue, attachment=attachment)
        # One request is one change of the issue, however many files it brings.
        told.changes, group = group, None
        publish(told)
    return found


def delete_attachment(attachment: Attachment, *, actor: Rights) -> None:
    """Delete a file.

    Raises:
        Forbidden: the actor may not.
    """
    issue = attachment.issue
    mine = actor.user is not None and attachment.author_id == actor.user.id
    own = mine and actor.may_on("DELETE_OWN_ATTACHMENTS", issue)
    if not own and not actor.may_on("DELETE_ALL_ATTACHMENTS", issue):
        raise Forbidden("You do not have permission to delete attachment for this issue.")
    changes = Changes(issue, actor)
    changes.note("Attachment", "attachment", str(attachment.id), attachment.filename, None, None)
    group = changes.save()
    issue.save(update_fields=["updated"])
    publish(Event("attachment_deleted", actor, issue=issue, attachment=attachment, changes=group))
    attachment.delete()


def file_name_of(text: str) -> str:
    """Return a file's name as it is kept: without directories and NUL."""
    plain = text.replace("\0", "").replace("\\", "/").rpartition("/")[2].strip()
    return plain[:255] or "file"


def keep_blob(data: bytes) -> Blob:
    """Write bytes once, under their hash, and return them."""
    name = hashlib.sha256(data).hexdigest()
    found = Blob.objects.filter(sha256=name).first()
    return found if found is not None else Blob.objects.create(sha256=name, data=data)


def mime_type_of(name: str, said: str) -> str:
    """Return the type of a file: what was said, else what its name tells."""
    kind = said.partition(";")[0].strip().lower()[:127]
    if kind and kind != PLAIN and "/" in kind:
        return kind
    return mimetypes.guess_type(name)[0] or PLAIN


def _keep(issue: Issue, upload: Upload, actor: Rights) -> Attachment:
    name = file_name_of(upload.name)
    return Attachment.objects.create(
        id=next_id(Attachment),
        issue=issue,
        author=actor.user,
        filename=name,
        mime_type=mime_type_of(name, upload.content_type),
        size=len(upload.data),
        blob=keep_blob(upload.data),
        created=clock.now(),
    )
