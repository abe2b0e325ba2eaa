"""The search page: tickets, users and organizations by the search grammar."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.errors import InvalidSearch
from clones.helpdesk.queries import search as searching
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.paging import Page, page_of
from clones.helpdesk.web.ticket_rows import NEEDED, columns_named, ticket_rows
from clones.helpdesk.web.times import Times

KINDS = {"ticket": "Tickets", "user": "Users", "organization": "Organizations"}
TICKET_COLUMNS = ("nice_id", "subject", "requester", "created", "updated", "group", "assignee")
ORDERS = {"ticket": ("-updated_at", "-id"), "user": ("name", "id"), "organization": ("name", "id")}


@agent_page
def search(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what a query finds of one kind, with the counts of the others."""
    text = request.GET.get("q", "").strip()
    kind = request.GET.get("type", "")
    context: dict[str, Any] = {"text": text, "error": "", "kinds": [], "page": None, "kind": kind}
    if text:
        try:
            _fill(context, request, agent, text, kind)
        except InvalidSearch as error:
            context["error"] = f"Invalid search: {error.reason}"
    return shell.page(
        request,
        agent,
        "helpdesk/search.html",
        context,
        title=f"Search: {text}" if text else "Search",
        active="search",
        status=422 if context["error"] else 200,
    )


def _fill(
    context: dict[str, Any], request: SandboxRequest, agent: Agent, text: str, kind: str
) -> None:
    found = searching.read_query(text, agent.user)
    rows: dict[str, QuerySet[Any]] = {
        name: searching.rows_of(found, name) for name in KINDS if name in found.kinds
    }
    counts = {name: query.count() for name, query in rows.items()}
    if kind not in rows:
        kind = next((name for name in rows if counts[name]), next(iter(rows), "ticket"))
    context["kind"] = kind
    context["kinds"] = [(name, KINDS[name], counts[name]) for name in rows]
    if kind not in rows:
        return
    ordered = rows[kind].order_by(*ORDERS[kind])
    if kind == "ticket":
        ordered = ordered.select_related(*NEEDED)
    elif kind == "user":
        ordered = ordered.select_related("organization")
    shown: Page[Any] = page_of(request, ordered, count=counts[kind])
    context["page"] = shown
    if kind == "ticket":
        columns = columns_named(TICKET_COLUMNS)
        context["columns"] = columns
        context["rows"] = ticket_rows(shown.rows, Times(agent.user), columns)
        return
    for row in shown.rows:
        sightings.note(row, "list")
