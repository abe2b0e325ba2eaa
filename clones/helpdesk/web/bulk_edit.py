"""Editing several tickets at once, deleting them, or marking them as spam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.posted import given_to, posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain.spam import mark_as_spam
from clones.helpdesk.domain.tickets import delete_ticket, update_ticket
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import Ticket
from clones.helpdesk.rules.system_fields import PANE
from clones.helpdesk.web import composer, labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_errors import attempt
from clones.helpdesk.web.properties import assignee_view
from clones.helpdesk.web.ticket_page import via_web

MOST = 100
KEEP = "keep"
# Choices: a line of text left empty would be no change, or an empty text.
IN_BULK = [item for item in PANE if item.input is not None and item.input.bulk_editable]
EDIT, DELETE, SPAM = "edit", "delete", "spam"


@dataclass(frozen=True, slots=True)
class Doing:
    """Something that can be done with selected tickets: its heading, and the notice of it."""

    title: str
    notice: str


DOINGS = {
    DELETE: Doing("Delete {} ticket(s)", "deleted"),
    SPAM: Doing("Mark {} ticket(s) as spam", "spam"),
    EDIT: Doing("Edit {} ticket(s)", "edited"),
}


@agent_page
def bulk_edit(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Ask what to do with the selected tickets, or do it."""
    given = given_to(request)
    tickets = selected_tickets(agent, given.getlist("ids"))
    back = back_address(given.get("from", ""))
    if not tickets:
        return shell.go(back)
    doing = next((name for name in DOINGS if name in given), EDIT)
    if request.method != "POST":
        return _ask(request, agent, tickets, back, doing=doing)
    if doing == DELETE:
        failures = _each(tickets, lambda ticket: delete_ticket(ticket, actor=agent.user))
    elif doing == SPAM:
        failures = _each(tickets, lambda ticket: mark_as_spam(ticket, actor=agent.user))
    else:
        failures = _edit(request, agent, tickets)
    if failures:
        return _ask(request, agent, tickets, back, doing=doing, failures=failures)
    return shell.from_dialog(request, shell.go(back, DOINGS[doing].notice, len(tickets)))


def selected_tickets(agent: Agent, keys: list[str]) -> list[Ticket]:
    """Return the tickets of an agent's choice that they may see, a hundred at most."""
    numbers = [int(key) for key in keys if is_digits(key, 11)][:MOST]
    rows = queries.visible_tickets(agent.user).filter(id__in=numbers)
    return list(rows.select_related("requester").order_by("id"))


def back_address(text: str) -> str:
    """Return the page of the view that a choice was made in."""
    known = is_digits(text)
    return reverse("helpdesk:view", args=[int(text)]) if known else reverse("helpdesk:filters")


def _edit(request: SandboxRequest, agent: Agent, tickets: list[Ticket]) -> list[str]:
    changes = _changes(request)
    written = composer.posted(request.POST, agent.user)
    comment = None if written.is_blank else NewComment(written.body, None, written.public)
    via = via_web(request)
    return _each(
        tickets,
        lambda ticket: update_ticket(
            ticket, actor=agent.user, changes=changes, comment=comment, via=via
        ),
    )


def _changes(request: SandboxRequest) -> dict[str, Any]:
    """Return what the form changes: choices left at "No change" are not among it."""
    post = request.POST
    found: dict[str, Any] = {}
    for item in IN_BULK:
        if post.get(item.name, KEEP) != KEEP:
            found[item.name] = post[item.name]
    status = post.get("submit_as", KEEP)
    if status in labels.STATUS_LABELS:
        found["status"] = status
    if post.get("assignee", KEEP) != KEEP:
        group, _, user = post["assignee"].partition(":")
        found["group_id"], found["assignee_id"] = group or None, user or None
    if post.get("add_tags", "").strip():
        found["additional_tags"] = post["add_tags"]
    if post.get("remove_tags", "").strip():
        found["remove_tags"] = post["remove_tags"]
    return found


def _each(tickets: list[Ticket], change: Callable[[Ticket], object]) -> list[str]:
    """Change tickets one by one; one that is refused does not stop the others.

    Returns what was refused, in words.
    """
    failures: list[str] = []
    for ticket in tickets:
        _, errors = attempt(partial(change, ticket))
        if errors is not None:
            failures.append(f"Ticket #{ticket.id}: {'; '.join(errors.sentences)}")
    return failures


def _ask(
    request: SandboxRequest,
    agent: Agent,
    tickets: list[Ticket],
    back: str,
    *,
    doing: str,
    failures: list[str] | None = None,
) -> HttpResponse:
    """Show the form, or what was refused (status 200: the other tickets were changed)."""
    for ticket in tickets:
        sightings.note(ticket, "list")
    context = {
        "tickets": tickets,
        "back": back,
        "from": request.GET.get("from") or posted_text(request, "from"),
        "doing": doing,
        "failures": failures or [],
        "assignee": assignee_view({}, agent.user, FormErrors()),
        "fields": [(item.name, item.title, item.choices.items()) for item in IN_BULK],
        "statuses": [(key, labels.STATUS_LABELS[key]) for key in labels.SUBMIT_STATUSES],
        "keep": KEEP,
    }
    title = DOINGS[doing].title.format(len(tickets))
    return shell.page(
        request, agent, "helpdesk/bulk_edit.html", context, title=title, active="views"
    )
