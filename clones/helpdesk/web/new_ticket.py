"""The page on which a new ticket is written."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.errors import InvalidAttribute, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.models import Audit, Ticket, TicketForm, User
from clones.helpdesk.web import form_controls, form_values, labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.sheet import PropertiesForm, posted_sheet
from clones.helpdesk.web.ticket_page import form_context, via_web


@agent_page
def new_ticket(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new ticket, or take it."""
    blank = _blank(request)
    if request.method != "POST":
        return _show(request, agent, PropertiesForm(dict(blank), blank, Composer()))
    sheet = posted_sheet(request, agent.user, blank)
    try:
        with transaction.atomic():
            audit = _create(request, agent, sheet)
    except (RecordInvalid, RecordNotFound, InvalidAttribute) as error:
        sheet.errors = form_controls.errors_of_form(request, error)
        return _show(request, agent, sheet, status=422)
    if sheet.after == "stay":
        address = reverse("helpdesk:ticket", args=[audit.ticket_id])
    else:
        address = reverse("helpdesk:filters")
    return shell.go(address, "created", audit.ticket_id)


@agent_page
def preview(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form with what was chosen on it carried out; nothing is written."""
    sheet = posted_sheet(request, agent.user, _blank(request))
    form_controls.carry_out(request, sheet, None, agent)
    return _show(request, agent, sheet)


def _create(request: SandboxRequest, agent: Agent, sheet: PropertiesForm) -> Audit:
    requester = form_values.requester_of({}, sheet.values)
    changes = form_values.ticket_changes(sheet.loaded, sheet.values)
    changes.pop("requester_id", None)
    changes["ticket_form_id"] = sheet.values.get("ticket_form_id")
    if sheet.status:
        changes["status"] = sheet.status
    if sheet.macro_ids:
        changes["macro_ids"] = list(sheet.macro_ids)
    return create_ticket(
        actor=agent.user,
        changes=changes,
        comment=form_controls.new_comment(request, sheet.composer, agent.user),
        via=via_web(request),
        requester=requester,
    )


def _blank(request: SandboxRequest) -> Values:
    """Return the values of an empty form; a requester may be given in the address."""
    form = TicketForm.objects.filter(default=True, active=True).order_by("position", "id").first()
    values: Values = dict.fromkeys(form_values.NAMES, "")
    values["ticket_form_id"] = str(form.id) if form is not None else ""
    asked = request.GET.get("requester_id", "")
    if is_digits(asked):
        user = User.objects.filter(id=int(asked), active=True).first()
        if user is not None:
            values["requester"], values["requester_id"] = form_values.person_text(user), asked
    return values


def _show(
    request: SandboxRequest, agent: Agent, sheet: PropertiesForm, *, status: int = 200
) -> HttpResponse:
    now = clock.now()
    unsaved = Ticket(status="new", created_at=now, updated_at=now)
    context = {
        **form_context(agent, unsaved, sheet),
        "badge": labels.status_badge("new"),
        "ticket_url": reverse("helpdesk:new_ticket"),
        "preview_url": reverse("helpdesk:new_ticket_preview"),
    }
    return shell.page(
        request,
        agent,
        "helpdesk/ticket/new.html",
        context,
        title="New ticket",
        status=status,
    )
