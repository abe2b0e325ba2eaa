"""Mail that was held back: kept for a fortnight, deleted, exported."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from clones.core import clock, ids, jobs, post
from clones.core.journal import act
from clones.core.models import Job
from clones.helpdesk.domain import uploads
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.domain.values import Mail, Via
from clones.helpdesk.models import (
    Attachment,
    Brand,
    SupportAddress,
    SuspendedTicket,
    Ticket,
    Upload,
    User,
)
from clones.helpdesk.queries.suspended import may_manage_suspended
from clones.helpdesk.rules.suspension import CAUSES, NUMBERS

EXPIRY = "helpdesk.suspended_expiry"
EXPORT = "helpdesk.suspended_export"
KEPT = timedelta(days=14)
EXPORT_PAUSE = timedelta(minutes=1)
COLUMNS = (
    "id",
    "subject",
    "author_name",
    "author_email",
    "recipient",
    "cause",
    "cause_id",
    "ticket_id",
    "created_at",
    "updated_at",
)


def hold_mail(
    mail: Mail, *, actor: User | None, cause: str, via: Via, ticket: Ticket | None = None
) -> SuspendedTicket:
    """Keep a mail that becomes no ticket or comment, for the cause of that name.

    `actor` is its sender if they are known; `ticket` is the one that it answers.

    Raises:
        KeyError: there is no such cause.
    """
    number = NUMBERS[cause]
    brand = Brand.objects.filter(default=True).order_by("id").first()
    now = clock.now()
    files = [
        uploads.keep_file(
            None,
            file_name=name,
            content_type=item.content_type,
            data=item.data,
            inline=item.inline,
        )
        for item in mail.files
        if item.data and (name := uploads.file_name_of(item.name))
    ]
    held = SuspendedTicket.objects.create(
        id=ids.next_stamp(SuspendedTicket),
        cause_id=number,
        cause=CAUSES[number][1],
        author=actor,
        author_name=_plain(mail.name or mail.sender.partition("@")[0])[:255],
        author_email=_plain(mail.sender).strip().lower()[:254],
        recipient=via.source["to"]["address"],
        subject=_plain(mail.subject),
        content=_plain(mail.text),
        html_content=None if mail.html is None else _plain(mail.html),
        message_id=None if mail.message_id is None else _plain(mail.message_id)[:998],
        ticket=ticket,
        brand=ticket.brand if ticket is not None else brand,
        via=via.as_json(),
        attachment_ids=[file.id for file in files],
        created_at=now,
        updated_at=now,
    )
    jobs.enqueue(EXPIRY, due=now + KEPT, payload={"id": held.id}, key=_key(held.id))
    return held


def delete_suspended(found: SuspendedTicket, *, actor: User) -> None:
    """Delete a mail that was held back, with its files.

    Raises:
        AccessDenied: the actor may not decide over such mail.
    """
    check_manager(actor)
    drop(found)


def drop(found: SuspendedTicket) -> None:
    """Remove a mail that was held back, its files and its timer."""
    jobs.cancel(_key(found.id))
    Attachment.objects.filter(id__in=found.attachment_ids, comment=None, upload=None).delete()
    SuspendedTicket.objects.filter(id=found.id).delete()


def copy_attachments(found: SuspendedTicket, *, actor: User) -> Upload:
    """Return an upload with copies of the files that came with a mail.

    Raises:
        AccessDenied: the actor may not decide over such mail.
    """
    check_manager(actor)
    return uploads.copy_files(found.attachment_ids, actor=actor)


def export_pause() -> int:
    """Return in how many seconds an export may be asked for, 0 if at once."""
    asked = Job.objects.filter(key=EXPORT).order_by("-due", "-id").first()
    if asked is None:
        return 0
    return max(0, math.ceil((asked.due + EXPORT_PAUSE - clock.now()).total_seconds()))


def export_suspended(*, actor: User) -> None:
    """Queue an export of all mail that is held back; who asks for it is told by mail.

    Raises:
        AccessDenied: the actor may not decide over such mail.
    """
    check_manager(actor)
    jobs.enqueue(EXPORT, due=clock.now(), payload={"user": actor.id}, key=EXPORT)


@jobs.handles(EXPORT)
def write_export(payload: dict[str, Any]) -> None:
    """Write the file of an export and send its address."""
    user = User.objects.get(id=payload["user"])
    rows = SuspendedTicket.objects.order_by("updated_at", "id")
    with act(actor=f"helpdesk.user:{user.id}", label="export of suspended tickets"):
        upload = uploads.add_upload(
            actor=user,
            file_name=f"suspended-tickets-{clock.now():%Y-%m-%d-%H%M}.csv",
            content_type="text/csv",
            data=_table(list(rows)).encode(),
        )
        [file] = Attachment.objects.filter(upload=upload)
        if user.email is None:
            return
        address = SupportAddress.objects.order_by("-default", "id").first()
        post.send(
            clone="helpdesk",
            sender=address.email if address is not None else user.email,
            recipients=[user.email],
            subject="Your export of suspended tickets",
            text=f"The file that you asked for is ready: /api/v2/attachments/{file.id}.json",
            about=f"helpdesk.attachment:{file.id}",
        )


@jobs.handles(EXPIRY)
def expire(payload: dict[str, Any]) -> None:
    """Delete a mail that nobody has decided over in time."""
    found = SuspendedTicket.objects.filter(id=payload["id"]).first()
    if found is not None:
        with act(actor="helpdesk.suspension", label=f"suspended ticket {found.id} expired"):
            drop(found)


def check_manager(actor: User) -> None:
    """Refuse who may not decide over mail that was held back.

    Raises:
        AccessDenied: the actor is no agent, or sees some tickets only.
    """
    if not may_manage_suspended(actor):
        raise AccessDenied("only agents who see all tickets decide over suspended ones")


def _table(rows: Sequence[SuspendedTicket]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        values = (getattr(row, name) for name in COLUMNS)
        writer.writerow(
            f"{value:%Y-%m-%dT%H:%M:%SZ}" if hasattr(value, "tzinfo") else value for value in values
        )
    return out.getvalue()


def _plain(text: str) -> str:
    return text.replace("\0", "")


def _key(suspended_id: int) -> str:
    return f"helpdesk.suspended:{suspended_id}"
