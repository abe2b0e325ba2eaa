"""Writing a message: new, as a reply, or forwarded."""

from __future__ import annotations

from typing import Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core import post, sightings
from clones.core.models import Message
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import Attempts, FormErrors
from clones.core.web.form_pages import FormFlow, FormPage, WriteResult
from clones.core.web.inputs import Choice, Input, PageForm, number_of
from clones.core.web.posted import given_to
from clones.mail import queries
from clones.mail.domain.messages import Written, send_message
from clones.mail.errors import MailError
from clones.mail.rules.answers import Beginning, Received, forward, reply_to
from clones.mail.web import refusals
from clones.mail.web.access import Reader, reader_page
from clones.mail.web.reading import size_text
from clones.mail.web.shell import page
from clones.mail.web.times import MailboxTimes

WAYS = {"reply": "Reply", "all": "Reply to all", "forward": "Forward"}


ATTEMPTS: Final = Attempts(MailError, lambda error: FormErrors(fields={error.field: error.said}))


@reader_page("GET", "HEAD", "POST")
def compose(request: SandboxRequest, reader: Reader) -> HttpResponse:
    """Show the form, or send what is in it."""
    asked = given_to(request)
    way, about = asked.get("way", ""), None
    if way in WAYS:
        about = queries.message(reader.mailbox, number_of(asked.get("about", "")) or 0)
        if about is None:
            return refusals.not_found()
        sightings.note(about, "detail")
    if about is None:
        begun = Beginning(asked.get("to", "")[:1000], "", "", "")
    else:
        begun = _beginning(reader, way, about)
    files = about.files if about is not None and way == "forward" else []
    inputs = [*_inputs(begun), _originals(files)]
    sheet = FormPage(WAYS.get(way, "New message"), "", "", inputs)

    def write(sent: PageForm) -> WriteResult:
        texts = {name: sent.text(name) for name in ("to", "cc", "subject", "text")}
        wanted = set(sent.several("keep"))
        given = [_file_of(upload) for upload in request.FILES.getlist("files")]
        given += [_copy(file) for number, file in enumerate(files) if str(number) in wanted]
        answers = about if way in ("reply", "all") else None
        made = send_message(reader.mailbox, Written(**texts, files=given), answers=answers)
        address = f"{reverse('mail:message', args=[made.id])}?sent=1"
        return secured(HttpResponseRedirect(address))

    def show(
        _request: SandboxRequest, _reader: Reader, shown: FormPage, status: int
    ) -> HttpResponse:
        choices = zip(shown.form["keep"].choices, files, strict=True)
        context = {
            "form": shown.form,
            "heading": shown.heading,
            "about": about,
            "way": way,
            "originals": [(choice, size_text(file["size"])) for choice, file in choices],
        }
        return page(reader, "mail/compose.html", context, title=shown.heading, status=status)

    return FormFlow(ATTEMPTS, show, _lead).ask(request, reader, sheet, write)


def _inputs(begun: Beginning) -> list[Input]:
    return [
        Input("to", "To", value=begun.to, strip=False),
        Input("cc", "Cc", value=begun.cc, strip=False),
        Input("subject", "Subject", value=begun.subject, strip=False),
        Input("text", "Message", "area", begun.text, strip=False),
    ]


def _originals(files: list[dict[str, Any]]) -> Input:
    """Return the boxes of the files that a forwarded message has: they go along unless unticked."""
    choices = [Choice(str(number), file["name"], chosen=True) for number, file in enumerate(files)]
    return Input("keep", "Attachments of the original", "checks", choices=choices)


def _lead(_request: SandboxRequest, address: str, _said: str) -> HttpResponse:
    return secured(HttpResponseRedirect(address))


def _beginning(reader: Reader, way: str, about: Message) -> Beginning:
    received = Received(
        sender=about.sender,
        reply_to=str(about.headers.get("Reply-To", "")),
        recipients=about.recipients,
        cc=about.cc,
        subject=about.subject,
        text=about.text,
        sent_at=MailboxTimes(reader.mailbox).local(about.sent_at),
    )
    if way == "forward":
        return forward(received)
    return reply_to(received, reader.mailbox.address, everybody=way == "all")


def _file_of(upload: UploadedFile[bytes]) -> post.File:
    return post.File(
        upload.name or "file", upload.content_type or "application/octet-stream", upload.read()
    )


def _copy(file: dict[str, Any]) -> post.File:
    return post.File(file["name"], file["content_type"], post.file_data(file))
