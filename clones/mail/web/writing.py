"""Writing a message: new, as a reply, or forwarded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core import post, sightings
from clones.core.models import Message
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.mail import queries
from clones.mail.domain.messages import Written, send_message
from clones.mail.errors import MailError
from clones.mail.rules.answers import Beginning, Received, forward, reply_to
from clones.mail.web import refusals
from clones.mail.web.access import Reader, reader_page
from clones.mail.web.reading import size_text
from clones.mail.web.shell import page

WAYS = {"reply": "Reply", "all": "Reply to all", "forward": "Forward"}


@dataclass(frozen=True, slots=True)
class Form:
    """The form: what stands in it, and the message it is about."""

    to: str = ""
    cc: str = ""
    subject: str = ""
    text: str = ""
    way: str = ""
    about: Message | None = None
    kept: tuple[int, ...] = ()


def _compose(request: SandboxRequest, reader: Reader) -> HttpResponse:
    """Show the form, or send what is in it."""
    asked = request.POST if request.method == "POST" else request.GET
    way = asked.get("way", "")
    about = None
    if way in WAYS:
        key = asked.get("about", "")
        number = int(key) if key.isascii() and key.isdigit() and len(key) < 19 else 0
        about = queries.message(reader.mailbox, number)
        if about is None:
            return refusals.not_found()
        sightings.note(about, "detail")
    if request.method == "POST":
        return _send(request, reader, way, about)
    if about is None:
        return _show(reader, Form(to=_text(asked.get("to", ""))[:1000]))
    begun = _beginning(reader, way, about)
    kept = tuple(range(len(about.files))) if way == "forward" else ()
    return _show(reader, Form(begun.to, begun.cc, begun.subject, begun.text, way, about, kept))


def _beginning(reader: Reader, way: str, about: Message) -> Beginning:
    received = Received(
        sender=about.sender,
        reply_to=str(about.headers.get("Reply-To", "")),
        recipients=about.recipients,
        cc=about.cc,
        subject=about.subject,
        text=about.text,
        sent_at=about.sent_at,
    )
    if way == "forward":
        return forward(received)
    return reply_to(received, reader.mailbox.address, everybody=way == "all")


def _send(request: SandboxRequest, reader: Reader, way: str, about: Message | None) -> HttpResponse:
    kept = _kept(request, about) if way == "forward" else ()
    typed = {name: _text(request.POST.get(name, "")) for name in ("to", "cc", "subject", "text")}
    form = Form(**typed, way=way, about=about, kept=kept)
    files = [_file_of(upload) for upload in request.FILES.getlist("files")]
    if about is not None:
        files += [_copy(about.files[number]) for number in kept]
    answers = about if way in ("reply", "all") else None
    try:
        sent = send_message(reader.mailbox, Written(**typed, files=files), answers=answers)
    except MailError as error:
        return _show(reader, form, error)
    return secured(HttpResponseRedirect(f"{reverse('mail:message', args=[sent.id])}?sent=1"))


def _show(reader: Reader, form: Form, error: MailError | None = None) -> HttpResponse:
    about = form.about
    title = WAYS.get(form.way, "New message")
    forwarded = about.files if about is not None and form.way == "forward" else []
    context: dict[str, Any] = {
        "form": form,
        "heading": title,
        "error": error,
        "back": reverse("mail:message", args=[about.id]) if about is not None else None,
        "originals": [
            {"number": number, "name": file["name"], "size": size_text(file["size"]),
             "kept": number in form.kept}
            for number, file in enumerate(forwarded)
        ],
    }  # fmt: skip
    return page(
        reader, "mail/compose.html", context, title=title, status=422 if error is not None else 200
    )


def _kept(request: SandboxRequest, about: Message | None) -> tuple[int, ...]:
    count = len(about.files) if about is not None else 0
    wanted = set(request.POST.getlist("keep"))
    return tuple(number for number in range(count) if str(number) in wanted)


def _file_of(upload: UploadedFile[bytes]) -> post.File:
    return post.File(
        upload.name or "file", upload.content_type or "application/octet-stream", upload.read()
    )


def _copy(file: dict[str, Any]) -> post.File:
    return post.File(file["name"], file["content_type"], post.file_data(file))


def _text(text: str) -> str:
    """Return a value as typed, without what no store keeps."""
    return text.replace("\0", "")


compose = reader_page(_compose, "GET", "HEAD", "POST")
