"""Mail that becomes cases: what comes to a routing address opens one or joins what it answers.

An answer finds its case by the mark in its subject or text, else by the messages that its headers
name.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction

from clones.core import arrivals, automail, post
from clones.core.addresses import address_of, name_of
from clones.core.arrivals import addressees
from clones.core.mail_headers import answered, answering, folded
from clones.core.models import Message
from clones.core.plaintext import plain_of_html
from clones.crm.domain.saving.pipeline import create_record
from clones.crm.domain.service.intake import open_case
from clones.crm.domain.service.letters import (
    about,
    case_of_token,
    organization_address,
    thread_token,
)
from clones.crm.domain.service.owners import owner_named
from clones.crm.domain.service.settings import automated_user
from clones.crm.errors import RecordError
from clones.crm.models import RoutingAddress, SObjectRow, rows_of
from clones.crm.queries.schema import org_schema

_NEW, _SENT = "0", "3"
_SUBJECT, _TEXT, _HTML, _LINE = 255, 32_000, 131_072, 4_000
_NAME: Final = 80
_LONGEST_THREAD: Final = 20


def register() -> None:
    """Let the organization receive what is written to its routing addresses. Called at start."""
    arrivals.register_receiver("crm", takes=takes, take=take_message)


def takes(address: str) -> bool:
    """Tell whether mail to an address becomes cases."""
    return RoutingAddress.objects.filter(id=address.lower()).exists()


def take_message(message: Message) -> str | None:
    """Take in a message: a new case, or one of the case that it answers."""
    case = find_case(message)
    if case is None:
        case = _opened(message)
    _keep(message, case)
    return about(case)


def find_case(message: Message) -> str | None:
    """Return the id of the case that a message answers, None if it answers none."""
    marked = case_of_token(f"{message.subject}\n{message.text}\n{message.html or ''}")
    found = _living(marked)
    if found is not None:
        return found
    names = answered(folded(message.headers))
    known = arrivals.known_messages(names, about(""))
    for name in names:
        found = _living(known.get(name, "").removeprefix(about("")))
        if found is not None:
            return found
    return None


def send_from_case(
    case: SObjectRow,
    to: list[str],
    subject: str,
    text: str,
    *,
    actor: str,
    cc: list[str] | None = None,
    html: str | None = None,
) -> SObjectRow:
    """Write to somebody from a case, in its thread, and return the message that is kept of it.

    Raises:
        ValueError: there is no recipient.
        RecordError: the message cannot be kept as it is.
    """
    before = list(
        rows_of("EmailMessage")
        .filter(ParentId=case.pk, IsDeleted=False)
        .exclude(MessageIdentifier=None)
        .order_by("MessageDate", "Id")
        .values_list("MessageIdentifier", flat=True)
    )
    headers = answering(before[-1], before, most=_LONGEST_THREAD) if before else {}
    draft = post.Draft(
        organization_address(),
        to,
        subject,
        f"{text.rstrip()}\n\n{thread_token(case.pk)}\n",
        html,
        cc=cc or [],
        headers=headers,
    )
    sent = post.post(draft, clone="crm", about=about(case.pk))
    return _keep(sent, case.pk, actor=actor, is_incoming=False)


def _living(id: str | None) -> str | None:
    """Return the id of a case that is there: of one that was merged, that into which it went."""
    row = rows_of("Case").filter(Id=id).first() if id else None
    if row is not None and row.IsDeleted and row.MasterRecordId is not None:
        row = rows_of("Case").filter(Id=row.MasterRecordId).first()
    return None if row is None or row.IsDeleted else str(row.pk)


def _opened(message: Message) -> str:
    """Open a case for a message, and return its id; what cannot be kept of it is left out."""
    own = [one for one in addressees(message) if takes(one)]
    row = RoutingAddress.objects.filter(id=own[0].lower()).first() if own else None
    values: dict[str, Any] = {} if row is None else row.values
    text = message.text or plain_of_html(message.html or "")
    sender = address_of(message.sender)
    said: dict[str, Any] = {
        "Subject": message.subject[:_SUBJECT],
        "Description": text[:_TEXT],
        "Origin": values.get("caseOrigin") or "Email",
        "SuppliedName": name_of(message.sender)[:_NAME],
        "SuppliedEmail": sender,
    }
    if values.get("casePriority"):
        said["Priority"] = values["casePriority"]
    owner = _owner(values)
    if owner is not None:
        said["OwnerId"] = owner
    is_answered = not automail.is_written_by_nobody(message.subject, folded(message.headers))
    try:
        with transaction.atomic():
            return str(open_case(said, is_answered=is_answered).pk)
    except RecordError:
        bare = {name: said[name] for name in ("Subject", "Description")}
        return str(open_case(bare, is_answered=False).pk)


def _owner(values: dict[str, Any]) -> str | None:
    """Return the id of who gets the cases of an address where no rule assigns them."""
    if not values.get("caseOwner"):
        return None
    kind = str(values.get("caseOwnerType") or "User")
    try:
        return owner_named(org_schema().objects["Case"], str(values["caseOwner"]), kind)
    except RecordError:
        return None  # who was set is gone since


def _keep(
    message: Message, case: str, *, actor: str | None = None, is_incoming: bool = True
) -> SObjectRow:
    """Keep a message with its case."""
    headers = folded(message.headers)
    names = answered(headers)
    rows = rows_of("EmailMessage").filter(MessageIdentifier__in=names[:1], IsDeleted=False)
    said: dict[str, Any] = {
        "ParentId": case,
        "Subject": message.subject,
        "TextBody": message.text[:_TEXT],
        "HtmlBody": None if message.html is None else message.html[:_HTML],
        "Headers": "\n".join(f"{name}: {one}" for name, one in message.headers.items())[:_TEXT],
        "FromName": name_of(message.sender),
        "ToAddress": "; ".join(message.recipients)[:_LINE],
        "CcAddress": "; ".join(message.cc)[:_LINE] or None,
        "Incoming": is_incoming,
        "Status": _NEW if is_incoming else _SENT,
        "MessageDate": message.sent_at.replace(microsecond=0).isoformat(),
        "MessageIdentifier": message.message_id,
        "ThreadIdentifier": message.thread,
        "ReplyToEmailMessageId": rows.order_by("Id").values_list("Id", flat=True).first(),
    }
    of = org_schema().objects["EmailMessage"]
    row = create_record(of, said, actor=actor or automated_user())
    row.FromAddress = address_of(message.sender)
    row.HasAttachment = bool(message.files)
    row.save()
    return row
