"""The ticket page: show it, take its form, refuse with what is wrong."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.helpdesk import queries
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.domain.drafts import discard_draft
from clones.helpdesk.domain.errors import (
    InvalidAttribute,
    RecordInvalid,
    RecordNotFound,
    UpdateConflict,
)
from clones.helpdesk.domain.merging import may_merge
from clones.helpdesk.domain.presence import drop_form
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.web import (
    drafts,
    form_controls,
    form_values,
    labels,
    pages_queries,
    playing,
    shell,
)
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.conversation import FILTERS, log_of
from clones.helpdesk.web.customer import customer_context, frame_sources
from clones.helpdesk.web.knowledge import knowledge_context
from clones.helpdesk.web.macro_choices import macro_choices
from clones.helpdesk.web.presence import viewers
from clones.helpdesk.web.problems import incidents_of, problem_named
from clones.helpdesk.web.properties import assignee_view, field_views
from clones.helpdesk.web.sheet import AFTER, PropertiesForm, posted_sheet
from clones.helpdesk.web.side_list import list_context as side_context
from clones.helpdesk.web.sla_badges import sla_badges
from clones.helpdesk.web.times import Times

CONFLICT = (
    "This ticket was changed by someone else while you were working on it. Your changes are kept"
    " below: look through the conversation and submit again."
)


def via_web(request: SandboxRequest) -> Via:
    """Return how an update by a page came."""
    client = request.headers.get("User-Agent")
    return Via("web", client=client[:255] if client else None)


@agent_page
def ticket_page(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a ticket, or take its form."""
    ticket = queries.ticket(agent.user, key)
    if request.method == "POST":
        return _submit(request, agent, ticket)
    is_open = ticket.id in shell.open_tickets(request)
    sheet = drafts.sheet_of(agent.user, ticket, is_open=is_open)
    return show_ticket(request, agent, ticket, sheet)


def show_ticket(
    request: SandboxRequest,
    agent: Agent,
    ticket: Ticket,
    sheet: PropertiesForm,
    *,
    status: int = 200,
) -> HttpResponse:
    """Return a ticket's page with its form as `sheet` has it."""
    sightings.note(ticket, "detail")
    times = Times(agent.user)
    wanted = request.GET.get("show", "all")
    wanted = wanted if wanted in FILTERS else "all"
    events = request.GET.get("events") == "1"
    log = log_of(
        ticket,
        agent.user,
        wanted=wanted,
        events=events,
        times=times,
        show=Show.of(request, agent.user),
    )
    context = {
        **form_context(agent, ticket, sheet),
        "ticket_url": reverse("helpdesk:ticket", args=[ticket.id]),
        "preview_url": reverse("helpdesk:ticket_preview", args=[ticket.id]),
        "draft_url": reverse("helpdesk:draft", args=[ticket.id]),
        "badge": labels.status_badge(ticket.status),
        "log": log,
        "filters": FILTERS,
        "wanted": wanted,
        "events": events,
        "customer": customer_context(request, agent, ticket, times),
        "sla": sla_badges([ticket.id], times).get(ticket.id),
        "presence_url": reverse("helpdesk:presence", args=[ticket.id]),
        "viewers": viewers(ticket, agent.user),
        "play": playing.play_of(request, agent),
        "may_merge": may_merge(agent.user),
        **incidents_of(ticket, agent.user),
        "opened": times.show(ticket.created_at),
        "side": side_context(agent, ticket),
        "knowledge": knowledge_context(ticket, agent.user),
    }
    return shell.page(
        request,
        agent,
        "helpdesk/ticket/page.html",
        context,
        title=f"#{ticket.id} {ticket.subject}",
        status=status,
        ticket=ticket,
        frames=frame_sources(request),
    )


def form_context(agent: Agent, ticket: Ticket, sheet: PropertiesForm) -> dict[str, Any]:
    """Return what the form of a ticket needs, new or there already."""
    values = sheet.values
    locale = agent.user.locale
    forms = pages_queries.active_forms()
    for one in forms:
        one.name = translated(one.name, locale)
    form = next((form for form in forms if str(form.id) == values.get("ticket_form_id")), None)
    fields = field_views(form or ticket.ticket_form, values, sheet.errors, locale=locale)
    shown = [
        view.name.removeprefix(form_values.CUSTOM)
        for view in fields
        if view.name.startswith(form_values.CUSTOM)
    ]
    current = sheet.status or ("open" if ticket.status == "new" else ticket.status)
    return {
        "ticket": ticket,
        "closed": ticket.status == "closed",
        "values": values,
        "loaded": json.dumps(sheet.loaded, sort_keys=True),
        "stamp": ticket.updated_at.isoformat() if ticket.id else "",
        "forms": forms,
        "assignee": assignee_view(values, agent.user, sheet.errors),
        "fields": fields,
        "shown_fields": ",".join(shown),
        "errors": sheet.errors.fields,
        "problems": sheet.errors.sentences,
        "conflict": sheet.conflict,
        "composer": sheet.composer,
        "unsent": sheet.unsent,
        "problem": problem_named(values, agent.user),
        **macro_choices(ticket, agent.user),
        "macro_ids": sheet.macro_ids,
        "current": current,
        "submit_default": ticket.status,
        "submit_labels": [(key, labels.STATUS_LABELS[key]) for key in labels.SUBMIT_STATUSES],
        "current_label": labels.STATUS_LABELS[current],
        "after": sheet.after,
        "after_choices": AFTER,
    }


def _submit(request: SandboxRequest, agent: Agent, ticket: Ticket) -> HttpResponse:
    sheet = posted_sheet(request, agent.user, form_values.values_of(ticket))
    status = sheet.status
    order = None
    if sheet.after == "next" or playing.play_of(request, agent) is not None:
        order = playing.order_before(request, agent)
    try:
        with transaction.atomic():
            changed = _update(request, agent, ticket, sheet, status)
            discard_draft(ticket, actor=agent.user)
            drop_form(ticket, actor=agent.user)
    except UpdateConflict:
        fresh = queries.ticket(agent.user, ticket.id)
        standing = form_values.values_of(fresh)
        sheet.values = form_values.merged(sheet.loaded, sheet.values, standing)
        sheet.loaded, sheet.conflict = standing, CONFLICT
        return show_ticket(request, agent, fresh, sheet, status=409)
    except (RecordInvalid, RecordNotFound, InvalidAttribute) as error:
        sheet.errors = form_controls.errors_of_form(request, error)
        fresh = queries.ticket(agent.user, ticket.id)
        return show_ticket(request, agent, fresh, sheet, status=422)
    notice = "updated" if changed else "unchanged"
    return _leave(request, agent, ticket, notice, order, stay=sheet.after == "stay")


def _update(
    request: SandboxRequest, agent: Agent, ticket: Ticket, sheet: PropertiesForm, status: str
) -> bool:
    """Write what the form changes and tell whether there was anything."""
    changes = form_values.ticket_changes(sheet.loaded, sheet.values, ticket)
    if status and status != ticket.status:
        changes["status"] = status
    if sheet.macro_ids:
        changes["macro_ids"] = list(sheet.macro_ids)
    stamp = posted_text(request, "stamp", strip=False)
    if stamp:
        changes["safe_update"], changes["updated_stamp"] = True, stamp
    comment = form_controls.new_comment(request, sheet.composer, agent.user)
    audit = update_ticket(
        ticket, actor=agent.user, changes=changes, comment=comment, via=via_web(request)
    )
    return audit.pk is not None


def _leave(
    request: SandboxRequest,
    agent: Agent,
    ticket: Ticket,
    notice: str,
    order: list[int] | None,
    *,
    stay: bool,
) -> HttpResponse:
    """Lead on to where the agent wanted to be after submitting: in an order, the next ticket."""
    if order is not None:
        response = playing.go_on(request, agent, ticket.id, order, notice)
    elif stay:
        return shell.go(reverse("helpdesk:ticket", args=[ticket.id]), notice, ticket.id)
    else:
        response = shell.go(playing.view_address(request, agent), notice, ticket.id)
    shell.close_tab(request, response, ticket.id)
    return response


@agent_page
def preview(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a ticket's form with what was chosen on it carried out; nothing is written."""
    ticket = queries.ticket(agent.user, key)
    sheet = posted_sheet(request, agent.user, form_values.values_of(ticket))
    form_controls.carry_out(request, sheet, ticket, agent)
    return show_ticket(request, agent, ticket, sheet)


@agent_page
def close_tab(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Close a ticket's tab and show the last one that is open, or the views."""
    response = shell.go(reverse("helpdesk:filters"))
    left = shell.close_tab(request, response, key)
    if left:
        response["Location"] = reverse("helpdesk:ticket", args=[left[-1]])
    return response
