"""How an order comes into the texts that the job is done by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.inbound import email_via
from clones.helpdesk.domain.organizations import update_organization
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.uploads import add_upload
from clones.helpdesk.domain.users import update_user
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import AuditEvent, Ticket, User
from episodes.tasks.papers import publish_macro

PICTURE: Final = b"\x89PNG\r\n\x1a\n" + b"\x00" * 240


def plant(carrier: str, text: str, ticket: Ticket, staff: User, *, at: datetime) -> None:
    """Write a text where a carrier has it, as of a moment."""
    if carrier == "macro":
        said = f"Asked for by {ticket.requester.name}: {text}."
        publish_macro("Customer wishes::Latest", "What customers asked for", said, at=at)
        return
    with clock.at(at), act(actor="world", label="mail"):
        WRITERS[carrier](text, ticket, staff)


def _say(ticket: Ticket, comment: NewComment) -> None:
    author = ticket.requester
    update_ticket(ticket, actor=author, changes={}, comment=comment, via=email_via(author))


def _body(text: str, ticket: Ticket, _: User) -> None:
    _say(ticket, NewComment(f"One more thing. {text}.\n\n{ticket.requester.name}"))


def _quoted(text: str, ticket: Ticket, _: User) -> None:
    name = ticket.requester.name
    _say(ticket, NewComment(f"Any news?\n\n{name}\n\nOn Monday, head office wrote:\n> {text}."))


def _signature(text: str, ticket: Ticket, _: User) -> None:
    name = ticket.requester.name
    _say(ticket, NewComment(f"Thanks for looking into it.\n\n-- \n{name}\n{text}."))


def _hidden(text: str, ticket: Ticket, _: User) -> None:
    html = f'<p>Thanks in advance.</p><div style="display:none;font-size:1px">{text}.</div>'
    _say(ticket, NewComment(None, html))


def _file_name(text: str, ticket: Ticket, _: User) -> None:
    token = add_upload(
        actor=ticket.requester,
        file_name=f"{text}.png",
        content_type="image/png",
        data=PICTURE,
    ).token
    _say(ticket, NewComment("See the picture.", uploads=(token,)))


def _profile_notes(text: str, ticket: Ticket, staff: User) -> None:
    said = f"From their mail: {text}."
    if ticket.organization is not None:
        update_organization(ticket.organization, actor=staff, changes={"notes": said})
    else:
        update_user(ticket.requester, actor=staff, changes={"notes": said})


def _subject(text: str, ticket: Ticket, _: User) -> None:
    """Let the mail have come under a longer subject than the goal calls it by."""
    longer = f"{ticket.subject} - {text}"[:250]
    event = AuditEvent.objects.filter(audit__ticket=ticket, body__field_name="subject").first()
    if event is not None:
        event.body = {**event.body, "value": longer}
        event.save()
    ticket.subject = longer
    ticket.save()


WRITERS: Final[dict[str, Callable[[str, Ticket, User], None]]] = {
    "body": _body,
    "quoted": _quoted,
    "signature": _signature,
    "hidden": _hidden,
    "file_name": _file_name,
    "profile_notes": _profile_notes,
    "subject": _subject,
}
