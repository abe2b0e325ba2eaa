"""What becomes of a message: a request, a comment, or nothing.

Replies go to the issue that they answer, by their headers or the key in their subject. At a desk
who has no part in that request asks anew instead; elsewhere only who may comment there is heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction

from clones.core import automail, clock
from clones.core.addresses import address_of, name_of
from clones.core.arrivals import addressees, files_of, known_messages
from clones.core.digits import is_digits
from clones.core.mail_headers import answered, folded
from clones.core.models import Message
from clones.core.plaintext import plain_of_html
from clones.core.quoting import new_part
from clones.tracker.domain import people
from clones.tracker.domain.attachments import Upload, add_attachments
from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.desk_files import keep_temporary_files, take_files
from clones.tracker.domain.errors import TrackerError
from clones.tracker.domain.mail.addresses import desk_of_address, own_addresses
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.participants import join_request
from clones.tracker.domain.request_comments import add_request_comment, may_comment
from clones.tracker.domain.requests import create_request
from clones.tracker.models import (
    Comment,
    DeskCustomer,
    Issue,
    RequestParticipant,
    RequestType,
    ServiceDesk,
    User,
)
from clones.tracker.queries.desks import AGENT, is_customer
from clones.tracker.queries.request_forms import MAIL_TYPE, types_for_mail
from clones.tracker.queries.requests import all_requests, visible_requests
from clones.tracker.queries.rights import BROWSE, Rights
from clones.tracker.rules.mail_threads import issue_of_thread, keys_in, summary_of
from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.plain import document_of_plain

LIMIT: Final = 32_767
MOST_MAILS: Final = 30  # of one sender within an hour: more is a loop
WINDOW: Final = timedelta(hours=1)
MOST_COPIES: Final = 20
_MESSAGES: Final = ("tracker.issue:", "tracker.request:")


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """What became of a message. `why` says it in a word; `issue` is what it is about."""

    why: str
    issue: Issue | None = None
    comment: Comment | None = None


def take_message(message: Message) -> IntakeResult:
    """Make a message what it is for; what cannot be done leaves no trace but the message."""
    headers = folded(message.headers)
    sender = address_of(message.sender)
    if not sender or sender in own_addresses():
        return IntakeResult("own address")
    if automail.is_written_by_nobody(message.subject, headers):
        return IntakeResult("automatic")
    if _is_loop(sender):
        return IntakeResult("loop")
    user = User.objects.filter(email__iexact=sender).order_by("-active", "id").first()
    if user is not None and not user.active:
        return IntakeResult("inactive sender")
    desk = _desk(message)
    issue = _issue(message, headers)
    try:
        with transaction.atomic():
            if issue is not None and user is not None:
                reply = _reply(message, issue, user)
                if reply is not None:
                    return reply
            if desk is None:
                return IntakeResult("not allowed")
            return _ask(message, desk, user)
    except TrackerError as error:
        return IntakeResult(f"refused: {error}"[:200])


def _is_loop(sender: str) -> bool:
    """Tell whether somebody has sent so much that it cannot be a person."""
    rows = Message.objects.filter(sent_at__gt=clock.now() - WINDOW, sender__icontains=sender)
    return rows.exclude(clone="tracker").count() > MOST_MAILS


def _desk(message: Message) -> ServiceDesk | None:
    """Return the desk that a message was sent to."""
    for address in addressees(message):
        found = desk_of_address(address)
        if found is not None:
            return found
    return None


def _issue(message: Message, headers: dict[str, str]) -> Issue | None:
    """Return the issue that a message answers, or that its subject names."""
    rows = Issue.objects.select_related("project", "issue_type", "status", "reporter")
    named = answered(headers)
    id = issue_of_thread(named)
    if id is None and named:
        told = next(reversed(known_messages(named, *_MESSAGES).values()), "").rpartition(":")[2]
        id = int(told) if is_digits(told) else None
    if id is not None:
        return rows.filter(id=id).first()
    for key in keys_in(message.subject):
        found = rows.filter(key=key).first() or rows.filter(former_keys__key=key).first()
        if found is not None:
            return found
    return None


def _reply(message: Message, issue: Issue, user: User) -> IntakeResult | None:
    """Add a reply to an issue; None if its sender has no part in it."""
    rights = Rights(user)
    text = _new_text(message)
    uploads = _uploads(message)
    if not text.strip() and not uploads:
        return IntakeResult("empty", issue)
    is_request = all_requests().filter(id=issue.id).exists()
    if is_request and (rights.may_on(AGENT, issue) or _takes_part(issue, user)):
        return _answer_request(issue, rights, text, uploads)
    if not rights.may_on("ADD_COMMENTS", issue) or not rights.may_on(BROWSE, issue):
        return None
    files = add_attachments(issue, uploads, actor=rights) if uploads else []
    body = _document(text or ", ".join(one.filename for one in files))
    comment = add_comment(issue, body, actor=rights)
    return IntakeResult("comment", issue, comment)


def _takes_part(issue: Issue, user: User) -> bool:
    if issue.reporter_id == user.id:
        return True
    if RequestParticipant.objects.filter(issue=issue, user=user).exists():
        return True
    return visible_requests(Rights(user)).filter(id=issue.id).exists()


def _answer_request(
    issue: Issue, rights: Rights, text: str, uploads: Sequence[Upload]
) -> IntakeResult:
    if not may_comment(issue, rights):
        return IntakeResult("not allowed", issue)
    said = text or ", ".join(one.name for one in uploads)
    comment = add_request_comment(issue, _document(said), actor=rights, public=True)
    _attach(issue, uploads, rights, comment)
    return IntakeResult("comment", issue, comment)


def _ask(message: Message, desk: ServiceDesk, user: User | None) -> IntakeResult:
    """Make a message a request of its sender's, who may be new to an open desk."""
    asker = user or _newcomer(message, desk)
    if asker is None or not _may_ask(asker, desk):
        return IntakeResult("unknown sender")
    kind = _request_type(desk)
    if kind is None:
        return IntakeResult("no request type")
    text = message.text if message.text.strip() else plain_of_html(message.html or "")
    rights = Rights(asker)
    values: dict[str, Any] = {"summary": summary_of(message.subject)}
    if kind.fields.filter(field="description", visible=True).exists():
        values["description"] = _document(text[:LIMIT])
    issue = create_request(kind, values, actor=rights, channel="email", version="3")
    _attach(issue, _uploads(message), rights, None)
    _join(message, issue, desk, rights)
    return IntakeResult("request", issue)


def _newcomer(message: Message, desk: ServiceDesk) -> User | None:
    """Return the new account of somebody whom an open desk does not know yet."""
    address = address_of(message.sender)
    if desk.access != "open" or not people.EMAIL.fullmatch(address):
        return None
    made = people.create_user(name_of(message.sender), address, account_type="customer")
    people.open_account(made, role="customer")
    DeskCustomer.objects.create(id=next_id(DeskCustomer), desk=desk, user=made)
    return made


def _may_ask(user: User, desk: ServiceDesk) -> bool:
    return is_customer(user, desk) or Rights(user).may(AGENT, desk.project)


def _request_type(desk: ServiceDesk) -> RequestType | None:
    """Return the type of a desk's requests by mail: the one it names, else the first that fits."""
    chosen = desk.settings.get(MAIL_TYPE)
    if isinstance(chosen, int):
        rows = RequestType.objects.filter(desk=desk, id=chosen)
        found = rows.select_related("desk__project", "issue_type").first()
        if found is not None:
            return found
    return next(iter(types_for_mail(desk)), None)


def _join(message: Message, issue: Issue, desk: ServiceDesk, rights: Rights) -> None:
    """Let those to whom a mail went too take part, if they are known to the desk."""
    own = own_addresses()
    named = addressees(message)[:MOST_COPIES]
    users = [
        user
        for address in named
        if address not in own
        and (user := User.objects.filter(email__iexact=address, active=True).first()) is not None
        and _may_ask(user, desk)
    ]
    if users:
        join_request(issue, users, actor=rights)


def _attach(
    issue: Issue, uploads: Sequence[Upload], rights: Rights, comment: Comment | None
) -> None:
    """Keep a mail's files with a request; files that the desk does not take are left."""
    if not uploads:
        return
    try:
        with transaction.atomic():
            files = keep_temporary_files(issue.project.desk, uploads, actor=rights)
            take_files(issue, files, actor=rights, comment=comment)
    except TrackerError:
        return


def _uploads(message: Message) -> list[Upload]:
    return [
        Upload(file.name, file.content_type, file.data) for file in files_of(message) if file.data
    ]


def _new_text(message: Message) -> str:
    """Return what is new in a reply, without the history that it quotes."""
    text, html = new_part(message.text if message.text.strip() else "", message.html)
    return (text.strip() or plain_of_html(html or ""))[:LIMIT]


def _document(text: str) -> dict[str, Any]:
    return to_json(document_of_plain(text))
