"""Mail that was held back: the list, one mail, and what is decided over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.core.web.posted import posted_text, posted_texts
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.domain import recovery
from clones.helpdesk.domain.suspended import delete_suspended
from clones.helpdesk.models import Attachment, SuspendedTicket
from clones.helpdesk.queries.suspended import suspended_ticket, suspended_tickets
from clones.helpdesk.queries.views import ViewAccess, views_at_hand
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.conversation import ShownFile, size_text
from clones.helpdesk.web.filters import ORDERS, Sorting, list_pane
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.lookups import is_key
from clones.helpdesk.web.markup import comment_html
from clones.helpdesk.web.times import Times

MOST = 100
# By what the list can be sorted: the name in the address, the heading, the column.
COLUMNS = (
    ("subject", "Subject", "subject"),
    ("author_email", "From", "author_email"),
    ("cause", "Cause of suspension", "cause"),
    ("created_at", "Received", "created_at"),
)


@agent_page
def suspended(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the mail that was held back, or do to several what was decided."""
    rows = suspended_tickets(agent.user)
    if request.method == "POST":
        return _decide(request, agent, _chosen(rows, posted_texts(request, "ids")))
    return _list(request, agent)


@agent_page
def suspended_one(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a mail that was held back."""
    found = suspended_ticket(agent.user, key)
    return _show(request, agent, found)


def _chosen(rows: QuerySet[SuspendedTicket], keys: list[str]) -> list[SuspendedTicket]:
    numbers = [int(key) for key in keys if is_key(key)][:MOST]
    found = rows.filter(id__in=numbers).select_related("author", "ticket").order_by("id")
    return list(found)


def _decide(request: SandboxRequest, agent: Agent, mails: list[SuspendedTicket]) -> HttpResponse:
    """Recover or delete mails; those that cannot be recovered stay, and the page says why."""
    doing, back = posted_text(request, "do"), reverse("helpdesk:suspended")
    if not mails:
        return shell.go(back)
    if doing == "delete":
        with transaction.atomic():
            for mail in mails:
                delete_suspended(mail, actor=agent.user)
        return shell.go(back, "suspended_deleted", len(mails))
    if doing == "recover" and len(mails) == 1:
        outcomes = [recovery.recover_suspended(mails[0], actor=agent.user)]
    elif doing == "recover_automatically":
        outcomes = recovery.recover_many_suspended(mails, actor=agent.user)
    else:
        return shell.go(back)
    failures = tuple(
        f"{outcome.suspended.subject or 'No subject'}: {text}"
        for outcome in outcomes
        if outcome.problem is not None
        for text in errors_of(outcome.problem).sentences
    )
    if failures:
        if len(mails) == 1:
            return _show(request, agent, mails[0], failures)
        return _list(request, agent, failures)
    if len(outcomes) == 1 and outcomes[0].ticket_id is not None:
        key = outcomes[0].ticket_id
        return shell.go(reverse("helpdesk:ticket", args=[key]), "recovered_one", key)
    return shell.go(back, "recovered", len(outcomes))


def _sorting(request: SandboxRequest) -> Sorting:
    name, _, order = request.GET.get("sort", "").partition(".")
    if order in ORDERS and any(column == name for column, _, _ in COLUMNS):
        return Sorting(name, ORDERS[order], asked=True)
    return Sorting("created_at", True, asked=False)


def _list(request: SandboxRequest, agent: Agent, failures: Sequence[str] = ()) -> HttpResponse:
    """Show the list, and what was refused (status 200: the other mails were recovered)."""
    sorting, times = _sorting(request), Times(agent.user)
    sign = "-" if sorting.descending else ""
    rows = suspended_tickets(agent.user).order_by(f"{sign}{sorting.by}", f"{sign}id")
    shown = page_of(request, rows)
    lines: list[dict[str, Any]] = []
    for mail in shown.rows:
        sightings.note(mail, "list")
        lines.append({"mail": mail, "time": times.show(mail.created_at)})
    context = {
        **list_pane(agent, ViewAccess(agent.user), views_at_hand(agent.user), None, shown.count),
        "page": shown,
        "mails": lines,
        "sorting": sorting,
        "columns": [(name, title) for name, title, _ in COLUMNS],
        "failures": failures,
    }
    return shell.page(
        request,
        agent,
        "helpdesk/suspended.html",
        context,
        title="Suspended tickets",
        active="views",
    )


def _show(
    request: SandboxRequest,
    agent: Agent,
    found: SuspendedTicket,
    failures: Sequence[str] = (),
) -> HttpResponse:
    sightings.note(found, "detail")
    times, show = Times(agent.user), Show.of(request, agent.user)
    files = Attachment.objects.filter(id__in=found.attachment_ids).order_by("id")
    context = {
        **list_pane(agent, ViewAccess(agent.user), views_at_hand(agent.user), None, 0),
        "mail": found,
        "time": times.show(found.created_at),
        "html": comment_html(found.html_content) if found.html_content else None,
        "via": labels.channel_label(str(found.via.get("channel", "email"))),
        "files": [
            ShownFile(file.file_name, size_text(file.size), show.content_url(file))
            for file in files
        ],
        "failures": failures,
    }
    return shell.page(
        request,
        agent,
        "helpdesk/suspended_one.html",
        context,
        title=f"Suspended: {found.subject or 'No subject'}",
        active="views",
        status=422 if failures else 200,
    )
