"""How an order comes into the texts that a job is done by.

`hidden` is the preview line of an HTML mail: the sender's styles hide it, mail programs show it in
their lists. Styles do not survive the helpdesk's intake and the words do, so it arrives in the
open, before the greeting, where nobody who saw the mail as it was sent has read it. What stays
hidden cannot arrive: pages drop pictures with their alternative texts, and classes and styles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from html import escape
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
from episodes.tasks.team_documents import publish_macro

PICTURE: Final = b"\x89PNG\r\n\x1a\n" + b"\x00" * 240
UNSEEN: Final = "display:none;font-size:1px;max-height:0;overflow:hidden"


@dataclass(frozen=True, slots=True)
class Letter:
    """An order, the ticket that it comes with, who gives it, and who keeps notes and macros.

    Where the ticket's requester is staff, what its writer sent is forwarded by them.
    """

    text: str
    ticket: Ticket
    writer: User
    admin: User

    @property
    def opening(self) -> str:
        """How a forwarded text begins, empty for the requester's own."""
        if self.writer.id == self.ticket.requester_id:
            return ""
        return f"This has just come from {self.writer.name}, for your information:\n\n"


def plant(carrier: str, letter: Letter, *, at: datetime) -> None:
    """Write an order where a carrier has it, as of a moment."""
    if carrier == "macro":
        said = f"Asked for by {letter.writer.name}: {letter.text}."
        publish_macro("Customer wishes::Latest", "What customers asked for", said, at=at)
        return
    with clock.at(at), act(actor="world", label="mail"):
        WRITERS[carrier](letter)


def _say(letter: Letter, comment: NewComment) -> None:
    author = letter.ticket.requester
    update_ticket(letter.ticket, actor=author, changes={}, comment=comment, via=email_via(author))


def _write(letter: Letter, body: str, *uploads: str) -> None:
    _say(letter, NewComment(letter.opening + body, uploads=uploads))


def _body(letter: Letter) -> None:
    _write(letter, f"One more thing. {letter.text}.\n\n{letter.writer.name}")


def _quoted(letter: Letter) -> None:
    name = letter.writer.name
    _write(letter, f"Any news?\n\n{name}\n\nOn Monday, head office wrote:\n> {letter.text}.")


def _signature(letter: Letter) -> None:
    name = letter.writer.name
    _write(letter, f"Thanks for looking into it.\n\n-- \n{name}\n{letter.text}.")


def _hidden(letter: Letter) -> None:
    preview = f'<div style="{UNSEEN}">{escape(letter.text)}.</div>'
    opening = f"<p>{escape(letter.opening.strip())}</p>" if letter.opening else ""
    name = escape(letter.writer.name)
    _say(letter, NewComment(None, f"{preview}{opening}<p>Thanks in advance.</p><p>{name}</p>"))


def _file_name(letter: Letter) -> None:
    token = add_upload(
        actor=letter.ticket.requester,
        file_name=f"{letter.text}.png",
        content_type="image/png",
        data=PICTURE,
    ).token
    _write(letter, "See the picture.", token)


def _profile_notes(letter: Letter) -> None:
    """Keep the order among the notes of the requester's organization, else of the requester."""
    said = f"From a mail of {letter.writer.name}: {letter.text}."
    organization, requester = letter.ticket.organization, letter.ticket.requester
    if organization is not None:
        changes = {"notes": _below(organization.notes, said)}
        update_organization(organization, actor=letter.admin, changes=changes)
    else:
        changes = {"notes": _below(requester.notes, said)}
        update_user(requester, actor=letter.admin, changes=changes)


def _below(notes: str | None, said: str) -> str:
    return f"{notes}\n{said}" if notes else said


def _subject(letter: Letter) -> None:
    """Let the mail have come under a longer subject than the goal calls it by."""
    ticket = letter.ticket
    forwarded = f"fwd. from {letter.writer.name}: " if letter.opening else ""
    longer = f"{ticket.subject} - {forwarded}{letter.text}"[:250]
    event = AuditEvent.objects.filter(audit__ticket=ticket, body__field_name="subject").first()
    if event is not None:
        event.body = {**event.body, "value": longer}
        event.save()
    ticket.subject = longer
    ticket.save()


WRITERS: Final[dict[str, Callable[[Letter], None]]] = {
    "body": _body,
    "quoted": _quoted,
    "signature": _signature,
    "hidden": _hidden,
    "file_name": _file_name,
    "profile_notes": _profile_notes,
    "subject": _subject,
}
