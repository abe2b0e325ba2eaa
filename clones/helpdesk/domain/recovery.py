"""Recovering mail that was held back: it becomes the ticket or the comment it would have been."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from clones.helpdesk.domain import correspondence, inbound, people, suspended, uploads
from clones.helpdesk.domain.audits import Recorder
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Audit, AuditEvent, SuspendedTicket, User
from clones.helpdesk.rules.suspension import CAUSES


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mail: the ticket it went to, or why it could not be recovered."""

    suspended: SuspendedTicket
    ticket_id: int | None
    problem: RecordInvalid | None = None


def recover_suspended(found: SuspendedTicket, *, actor: User) -> Outcome:
    """Make a mail that was held back a ticket of the actor's own, or the comment it would be.

    Raises:
        AccessDenied: the actor may not decide over such mail.
    """
    return _try(found, actor, keeps_requester=False)


def recover_many_suspended(rows: Iterable[SuspendedTicket], *, actor: User) -> list[Outcome]:
    """Make mails that were held back their senders' tickets and comments, each for itself.

    Raises:
        AccessDenied: the actor may not decide over such mail.
    """
    return [_try(found, actor, keeps_requester=True) for found in rows]


def _try(found: SuspendedTicket, actor: User, *, keeps_requester: bool) -> Outcome:
    suspended.check_manager(actor)
    try:
        with transaction.atomic():
            audit = _recover(found, actor, keeps_requester=keeps_requester)
            _note(audit, found, actor)
            correspondence.file_under(audit.ticket_id, suspended_id=found.id)
            suspended.drop(found)
    except RecordInvalid as problem:
        return Outcome(found, found.ticket_id, problem)
    return Outcome(found, audit.ticket_id)


def _recover(found: SuspendedTicket, actor: User, *, keeps_requester: bool) -> Audit:
    if found.author_email in inbound.own_addresses():
        raise RecordInvalid.of("requester", "Requester: is a support address", "InvalidValue")
    tokens: tuple[str, ...] = ()
    if found.attachment_ids:
        tokens = (uploads.copy_files(found.attachment_ids, actor=actor).token,)
    comment = NewComment(found.content, found.html_content, uploads=tokens)
    via = Via(found.via["channel"], found.via["source"])
    ticket = found.ticket
    if ticket is not None and ticket.deleted_at is None:
        return inbound.add_reply(ticket, _sender(found), comment, via)
    author = _sender(found) if keeps_requester else actor
    return inbound.open_ticket(author, found.subject, comment, via)


def _sender(found: SuspendedTicket) -> User:
    """Return the user who sent a mail, making an end user if nobody has the address.

    Raises:
        RecordInvalid: they are suspended, or the address is none.
    """
    author = found.author if found.author is not None and found.author.active else None
    if author is None:
        author = people.find_or_create_user(email=found.author_email, name=found.author_name)
    if author.suspended:
        raise RecordInvalid.of("requester", f"Requester: {author.name} is suspended")
    return author


def _note(audit: Audit, found: SuspendedTicket, actor: User) -> None:
    """Record in the mail's audit that it was held back, why, and who let it in."""
    recorder = Recorder(audit, AuditEvent.objects.filter(audit=audit).count())
    body = {
        "author_id": actor.id,
        "cause_id": found.cause_id,
        "cause_name": CAUSES[found.cause_id][0],
    }
    recorder.add([("SuspendedTicketRecovery", body)])
