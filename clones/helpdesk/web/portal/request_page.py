"""A request's page: what was said in public, what it is about, and ways to go on with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.posted import posted_lines, posted_text
from clones.helpdesk import queries
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.domain.errors import InvalidAttribute, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.inbound import can_solve
from clones.helpdesk.domain.requests import answer_request
from clones.helpdesk.domain.satisfaction import can_rate, rate_ticket
from clones.helpdesk.models import SatisfactionRating, Ticket, TicketField, User
from clones.helpdesk.queries.requests import may_write, requests_of
from clones.helpdesk.rules.satisfaction_reasons import REASONS
from clones.helpdesk.rules.system_fields import PANE
from clones.helpdesk.web import form_controls, labels, shell
from clones.helpdesk.web.access import SignedIn, end_user_page
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.conversation import log_of
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.portal import frame
from clones.helpdesk.web.portal.fields import shown_values
from clones.helpdesk.web.portal.new_request import emails_in
from clones.helpdesk.web.ticket_page import via_web
from clones.helpdesk.web.ticket_texts import text_of
from clones.helpdesk.web.times import Times

SCORES = {"good": "Good, I'm satisfied", "bad": "Bad, I'm unsatisfied"}


@dataclass(frozen=True, slots=True)
class Written:
    """What somebody wrote on the page, to be shown again when it was refused."""

    body: str = ""
    ccs: str = ""
    errors: FormErrors = field(default_factory=FormErrors)


@end_user_page
def request_page(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Show a request, or take what is added to it."""
    ticket = _request(who.user, key)
    if request.method == "POST":
        return _answer(request, who, ticket)
    return _show(request, who, ticket, Written())


@end_user_page
def rate(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Take a requester's rating; a look at this address leads to the request."""
    ticket = _request(who.user, key)
    address = reverse("helpdesk:request", args=[key])
    if request.method != "POST":
        return shell.go(f"{address}#satisfaction")
    if not can_rate(ticket, who.user):
        raise RecordNotFound("survey", key)
    post = request.POST
    reason = post.get("reason_code", "")
    try:
        with transaction.atomic():
            rate_ticket(
                ticket,
                actor=who.user,
                score=post.get("score", ""),
                comment=post.get("rating_comment", "").strip() or None,
                reason_code=int(reason) if is_digits(reason) else None,
                via=via_web(request),
            )
    except (RecordInvalid, InvalidAttribute) as error:
        written = Written(errors=errors_of(error))
        return _show(request, who, _request(who.user, key), written, status=422)
    return shell.go(address, "rated")


def _request(user: User, key: int) -> Ticket:
    return queries.ticket(user, key, whole=True)


def _answer(request: SandboxRequest, who: SignedIn, ticket: Ticket) -> HttpResponse:
    address = reverse("helpdesk:request", args=[ticket.id])
    if ticket.status == "closed":
        return shell.go(f"{reverse('helpdesk:new_request')}?followup_id={ticket.id}")
    body = posted_lines(request, "body", strip=False)
    ccs = posted_text(request, "email_ccs")
    solved = posted_text(request, "mark_as_solved") == "1"
    try:
        with transaction.atomic():
            said = form_controls.new_comment(request, Composer(body), who.user)
            changes = {"additional_collaborators": emails_in(ccs)} if ccs else {}
            if said.is_blank and not changes and not solved:
                raise RecordInvalid.of("comment", "Comment: cannot be blank", "BlankValue")
            audit = answer_request(
                ticket,
                actor=who.user,
                comment=None if said.is_blank else said,
                changes=changes,
                solved=solved,
                via=via_web(request),
            )
    except (RecordInvalid, InvalidAttribute) as error:
        written = Written(body, ccs, form_controls.errors_of_form(request, error))
        return _show(request, who, _request(who.user, ticket.id), written, status=422)
    notice = "solved" if solved and audit.ticket.status == "solved" else "answered"
    changed = audit.pk is not None
    return shell.go(address, notice if changed else "")


def _show(
    request: SandboxRequest, who: SignedIn, ticket: Ticket, written: Written, *, status: int = 200
) -> HttpResponse:
    sightings.note(ticket, "detail")
    user, times = who.user, Times(who.user)
    log = log_of(
        ticket, user, wanted="public", events=False, times=times, show=Show.of(request, user)
    )
    subject = ticket.subject or frame.NO_SUBJECT
    context = {
        "ticket": ticket,
        "subject": subject,
        "log": log,
        "status": frame.customer_status(ticket, user.locale),
        "details": _details(ticket, user, times),
        "earlier": _earlier(ticket, user),
        "later": queries.visible_tickets(user)
        .filter(via_followup_source_id=ticket.id)
        .order_by("id"),
        "closed": ticket.status == "closed",
        "may_write": may_write(ticket, user),
        "can_solve": can_solve(ticket, user),
        "written": written,
        "errors": written.errors.fields,
        "problems": written.errors.sentences,
        "survey": _survey(request, ticket, user),
        "avatar": (labels.initials(user.name), labels.hue(user.id)),
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/request.html",
        context,
        title=subject,
        crumbs=(_crumb(ticket, user), frame.Crumb(subject)),
        status=status,
    )


def _crumb(ticket: Ticket, user: User) -> frame.Crumb:
    """Return the list from which somebody comes to a request."""
    if ticket.requester_id == user.id:
        return frame.Crumb("My requests", reverse("helpdesk:requests"))
    if user.id in ticket.email_cc_ids:
        return frame.Crumb("CC'd requests", reverse("helpdesk:ccd_requests"))
    if requests_of(user).exists() or not ticket.organization_id or user.is_agent:
        return frame.Crumb("My requests", reverse("helpdesk:requests"))
    return frame.Crumb("Organization requests", reverse("helpdesk:organization_requests"))


def _earlier(ticket: Ticket, user: User) -> Ticket | None:
    """Return the closed request that this one takes up, if the reader may see it."""
    key = ticket.via_followup_source_id
    return None if key is None else queries.visible_tickets(user).filter(id=key).first()


def _details(ticket: Ticket, user: User, times: Times) -> list[tuple[str, str]]:
    """Return what the request's sidebar tells in words."""
    people = User.objects.in_bulk(ticket.email_cc_ids)
    copied = [people[key].name for key in ticket.email_cc_ids if key in people]
    open_kinds = set(
        TicketField.objects.filter(active=True, visible_in_portal=True).values_list(
            "type", flat=True
        )
    )
    own = [
        (item.title, text_of(item, ticket))
        for item in PANE
        if item.configured is not None and item.configured.type in open_kinds
    ]
    found = [
        ("Requester", ticket.requester.name),
        ("Created", times.show(ticket.created_at).full),
        ("Last activity", times.show(ticket.updated_at).full),
        ("CCs", ", ".join(copied)),
        ("Assigned to", ticket.assignee.name if ticket.assignee is not None else ""),
        ("Organization", ticket.organization.name if ticket.organization is not None else ""),
        *own,
        *shown_values(ticket, locale=user.locale),
    ]
    return [(name, value) for name, value in found if value]


def _survey(request: SandboxRequest, ticket: Ticket, user: User) -> dict[str, Any] | None:
    """Return what the survey asks and what was answered, None if the reader is not asked.

    A rating given stays on the page of its requester when the request is closed.
    """
    asked = can_rate(ticket, user)
    given = (
        SatisfactionRating.objects.filter(ticket=ticket, requester=user, score__in=SCORES)
        .order_by("-id")
        .first()
    )
    if not asked and given is None:
        return None
    if given is not None:
        sightings.note(given, "detail")
    wanted = posted_text(request, "score") or request.GET.get("score", "")
    chosen = wanted if wanted in SCORES else (given.score if given is not None else "")
    code = posted_text(request, "reason_code") or str(
        given.reason_code if given is not None else ""
    )
    comment = request.POST.get("rating_comment")
    return {
        "asked": asked,
        "given": given,
        "given_label": SCORES[given.score] if given is not None else "",
        "chosen": chosen,
        "scores": SCORES.items(),
        "reasons": [(str(item.code), item.text, str(item.code) == code) for item in REASONS],
        "comment": comment if comment is not None else (given.comment or "" if given else ""),
    }
