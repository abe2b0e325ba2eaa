"""The form by which end users ask for help, signed in or not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from clones.core.digits import is_digits
from clones.core.post import File
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.posted import posted_lines, posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain.errors import InvalidAttribute, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.requests import SYSTEM, submit_as_stranger, submit_request
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import Audit, Ticket, TicketForm, User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.queries.portal import default_brand, portal_forms
from clones.helpdesk.rules.locales import DEFAULT
from clones.helpdesk.web import form_controls, form_values, shell
from clones.helpdesk.web.access import SignedIn, open_page
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_values import CUSTOM, Values
from clones.helpdesk.web.portal import frame
from clones.helpdesk.web.portal.fields import portal_views
from clones.helpdesk.web.ticket_page import via_web

PIECES = re.compile(r"[\s,;]+")


@dataclass(slots=True)
class RequestForm:
    """The form as it is to be shown. `closed` is the request that it takes up, if any."""

    values: Values
    forms: list[TicketForm]
    form: TicketForm | None
    closed: Ticket | None = None
    errors: FormErrors = field(default_factory=FormErrors)

    @property
    def is_ready(self) -> bool:
        """Whether it is known which fields to fill in."""
        return self.form is not None or not self.forms


@open_page
def new_request(request: SandboxRequest, who: SignedIn | None) -> HttpResponse:
    """Show the form of a new request, or take it."""
    sheet = _sheet(request, who)
    if request.method != "POST":
        return _show(request, who, sheet)
    try:
        with transaction.atomic():
            made = _submit(request, who, sheet)
    except (RecordInvalid, InvalidAttribute) as error:
        sheet.errors = form_controls.errors_of_form(request, error)
        return _show(request, who, sheet, status=422)
    if made is None or who is None:
        return shell.go(reverse("helpdesk:new_request"), "requested")
    return shell.go(reverse("helpdesk:request", args=[made.ticket_id]), "requested")


@open_page
def preview(request: SandboxRequest, who: SignedIn | None) -> HttpResponse:
    """Show the form with the fields that what was chosen on it asks for; nothing is written."""
    return _show(request, who, _sheet(request, who))


def emails_in(text: str) -> list[dict[str, Any]]:
    """Return whom a field of addresses names, as the domain takes people to copy."""
    found = [piece for piece in PIECES.split(text.replace("\0", "")) if piece]
    return [{"user_email": piece, "action": "put"} for piece in dict.fromkeys(found)]


def _sheet(request: SandboxRequest, who: SignedIn | None) -> RequestForm:
    """Return the form as it was sent, or as it is at the beginning."""
    forms = portal_forms(default_brand())
    closed = _closed(request, who)
    blank: Values = {**dict.fromkeys(form_values.NAMES, ""), "description": "", "name": ""}
    if closed is not None and request.method != "POST":
        blank["subject"] = f"Re: {closed.subject.removeprefix('Re: ')}"
    values = form_values.posted_values(request.POST, blank)
    for name in ("description", "name", "requester"):
        values[name] = posted_lines(request, name, strip=False)
    wanted = values["ticket_form_id"] or request.GET.get("ticket_form_id", "")
    if not wanted and closed is not None:
        wanted = str(closed.ticket_form_id or "")
    form = next((one for one in forms if str(one.id) == wanted), None)
    if form is None and len(forms) == 1:
        form = forms[0]
    values["ticket_form_id"] = str(form.id) if form is not None else ""
    return RequestForm(values, forms, form, closed)


def _closed(request: SandboxRequest, who: SignedIn | None) -> Ticket | None:
    """Return the closed request that the form is to take up, if one is named.

    Raises:
        RecordNotFound: it is none that the reader may see, or not closed.
    """
    text = posted_text(request, "followup_id") or request.GET.get("followup_id", "")
    if not text:
        return None
    if who is None or not is_digits(text):
        raise RecordNotFound("request", text)
    found = queries.ticket(who.user, int(text))
    if found.status != "closed":
        raise RecordNotFound("closed request", text)
    return found


def _submit(request: SandboxRequest, who: SignedIn | None, sheet: RequestForm) -> Audit | None:
    """Write the request; None says that it was held back."""
    if not sheet.is_ready:
        raise RecordInvalid.of("ticket_form_id", "Please choose your issue", "BlankValue")
    changes = _changes(sheet, who)
    body = Composer(sheet.values["description"])
    if who is not None:
        actor: User = who.user
    else:
        found = submit_as_stranger(
            name=sheet.values["name"].strip()[:255],
            email=sheet.values["requester"],
            changes=changes,
            comment=NewComment(body.body),
            via=via_web(request),
            files=_files(request),
        )
        if not isinstance(found, User):
            return None
        actor = found
    return submit_request(
        actor=actor,
        changes=changes,
        comment=form_controls.new_comment(request, body, actor),
        via=via_web(request),
        closed=sheet.closed,
    )


def _changes(sheet: RequestForm, who: SignedIn | None) -> dict[str, Any]:
    values = sheet.values
    custom = {
        name.removeprefix(CUSTOM): value
        for name, value in values.items()
        if name.startswith(CUSTOM)
    }
    changes: dict[str, Any] = {
        **{name: values[name] for name in (*SYSTEM.values(), "ticket_form_id")},
        "custom_fields": custom,
    }
    if who is not None and values["email_ccs"]:
        changes["email_ccs"] = emails_in(values["email_ccs"])
    return changes


def _files(request: SandboxRequest) -> tuple[File, ...]:
    found = []
    for file in request.FILES.getlist("attachments"):
        found.append(File(file.name or "", file.content_type or "", file.read()))
        file.seek(0)
    return tuple(found)


def _show(
    request: SandboxRequest, who: SignedIn | None, sheet: RequestForm, *, status: int = 200
) -> HttpResponse:
    locale = who.user.locale if who is not None else DEFAULT.code
    views = (
        portal_views(sheet.form, sheet.values, sheet.errors, locale=locale)
        if sheet.is_ready
        else []
    )
    custom = [view.name.removeprefix(CUSTOM) for view in views if view.name.startswith(CUSTOM)]
    context = {
        "values": sheet.values,
        "forms": [
            (str(form.id), translated(form.display_name or form.name, locale))
            for form in sheet.forms
        ],
        "ready": sheet.is_ready,
        "fields": views,
        "shown_fields": ",".join(custom),
        "errors": sheet.errors.fields,
        "problems": sheet.errors.sentences,
        "closed": sheet.closed,
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/new_request.html",
        context,
        title="Submit a request",
        crumbs=(frame.Crumb("Submit a request"),),
        status=status,
    )
