"""Files of requests: sent ahead to a desk, then attached to a request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from clones.core import clock
from clones.tracker.domain.attachments import (
    FILES_AT_ONCE,
    Upload,
    add_attachments,
    are_enabled,
    file_name_of,
    keep_blob,
    mime_type_of,
    size_limit,
)
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TooLarge
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.domain.request_comments import add_request_comment
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.models import (
    Attachment,
    Comment,
    Issue,
    RequestFile,
    ServiceDesk,
    TemporaryFile,
)
from clones.tracker.queries.desks import PortalRights
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.richtext.wiki.context import Context

NOT_ALLOWED: Final = "You do not have permission to add attachments in this service desk."


def keep_temporary_files(
    desk: ServiceDesk, uploads: Sequence[Upload], *, actor: Rights
) -> list[TemporaryFile]:
    """Keep files until a request takes them.

    Raises:
        Forbidden: the actor may not add files at this desk.
        Invalid: no file was sent.
        NotFound: the site takes no files.
        TooLarge: a file is too large, or they are too many.
    """
    if not are_enabled():
        raise NotFound("Attachments are disabled.", i18n_key="sd.attachment.error.disabled")
    if actor.user is None or not PortalRights(actor.user).may("CREATE_ATTACHMENTS", desk.project):
        raise Forbidden(NOT_ALLOWED, i18n_key="sd.attachment.error.permission")
    if not uploads:
        raise Invalid("No file was sent.", i18n_key="sd.attachment.error.file.missing")
    if len(uploads) > FILES_AT_ONCE:
        raise TooLarge(f"No more than {FILES_AT_ONCE} files can be uploaded at once.")
    most = size_limit()
    for upload in uploads:
        if len(upload.data) > most:
            raise TooLarge(
                f"The file '{file_name_of(upload.name)}' exceeds the maximum size of {most} bytes.",
                i18n_key="sd.attachment.error.too.large",
            )
    return [_keep(desk, upload, actor) for upload in uploads]


def _keep(desk: ServiceDesk, upload: Upload, actor: Rights) -> TemporaryFile:
    name = file_name_of(upload.name)
    kept = TemporaryFile(
        id=next_id(TemporaryFile),
        uuid=new_uuid(TemporaryFile),
        desk=desk,
        user=actor.user,
        filename=name,
        mime_type=mime_type_of(name, upload.content_type),
        size=len(upload.data),
        blob=keep_blob(upload.data),
        created=clock.now(),
    )
    kept.save(force_insert=True)
    return kept


def find_temporary_files(
    desk: ServiceDesk, ids: Collection[str], *, actor: Rights
) -> list[TemporaryFile]:
    """Return the files of the actor's with these ids, in the order in which they are named.

    Raises:
        Invalid: one is not theirs, was taken, or never sent to this desk.
    """
    rows = TemporaryFile.objects.filter(desk=desk, user=actor.user, uuid__in=ids)
    found = {row.uuid: row for row in rows.select_related("blob")}
    for id in ids:
        if id not in found:
            raise Invalid(
                f"The temporary attachment with id '{id}' does not exist.",
                i18n_key="sd.attachment.error.temporary.not.found",
            )
    return [found[id] for id in dict.fromkeys(ids)]


def attach_files(
    issue: Issue,
    ids: Collection[str],
    *,
    actor: Rights,
    public: bool = True,
    comment: str | dict[str, Any] | None = None,
) -> tuple[Comment, list[Attachment]]:
    """Attach files that were sent ahead, with a comment that shows them.

    Args:
        issue: the request.
        ids: of temporary files.
        actor: who sent them.
        public: whether customers see files and comment.
        comment: what else the comment says, as markup or as a document.

    Raises:
        Forbidden: the actor may not add files or comments, or hides them and is no agent.
        Invalid: no file is named, or one that is not there.
    """
    if not ids:
        raise Invalid(
            "You must provide at least one temporary attachment.",
            i18n_key="sd.attachment.error.temporary.missing",
        )
    if not PortalRights(actor.user).may("CREATE_ATTACHMENTS", issue.project):
        raise Forbidden(NOT_ALLOWED, i18n_key="sd.attachment.error.permission")
    files = find_temporary_files(issue.project.desk, ids, actor=actor)
    names = [file.filename for file in files]
    shown = "\n".join(
        f"!{file.filename}|thumbnail!"
        if file.mime_type.startswith("image/")
        else f"[^{file.filename}]"
        for file in files
    )
    before = comment.strip() if isinstance(comment, str) else ""
    text = f"{before}\n\n{shown}" if before else shown
    body = read_rich_text(text, "2", "comment", Context(files={name: name for name in names}))
    if isinstance(comment, dict) and body is not None:
        body = {**body, "content": [*comment["content"], *body["content"]]}
    said = add_request_comment(issue, body, actor=actor, public=public)
    return said, take_files(issue, files, actor=actor, comment=said)


def take_files(
    issue: Issue,
    files: Sequence[TemporaryFile],
    *,
    actor: Rights,
    comment: Comment | None = None,
) -> list[Attachment]:
    """Make attachments of files that were sent ahead; without a comment they came with it."""
    uploads = [Upload(file.filename, file.mime_type, bytes(file.blob.data)) for file in files]
    made = add_attachments(issue, uploads, actor=actor, permitted=True)
    keys = next_ids(RequestFile, len(made))
    RequestFile.objects.bulk_create(
        [
            RequestFile(id=key, attachment=attachment, comment=comment)
            for key, attachment in zip(keys, made, strict=True)
        ]
    )
    TemporaryFile.objects.filter(id__in=[file.id for file in files]).delete()
    return made
