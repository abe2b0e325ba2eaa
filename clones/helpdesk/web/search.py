"""The search page: tickets, users and organizations by the search grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import Page, keyed_page_of
from clones.helpdesk.domain.errors import InvalidSearch
from clones.helpdesk.models import Organization, User
from clones.helpdesk.queries import search as searching
from clones.helpdesk.queries import views
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.rules.search import SearchSyntax
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.filters import ORDERS, Sorting
from clones.helpdesk.web.search_filters import STATUSES, SearchFilters
from clones.helpdesk.web.ticket_rows import columns_named, ticket_rows
from clones.helpdesk.web.times import Times

KINDS = {"ticket": "Tickets", "user": "Users", "organization": "Organizations"}
_READ: dict[str, Callable[[Sequence[int]], list[Any]]] = {
    "ticket": tickets_by_keys,
    "user": lambda keys: _in_order(User.objects.select_related("organization"), keys),
    "organization": lambda keys: _in_order(Organization.objects.all(), keys),
}
TICKET_COLUMNS = (
    *("nice_id", "subject", "requester", "created", "updated", "priority", "group", "assignee"),
)


@agent_page
def search(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what a query finds of one kind, with the counts of the others."""
    text = request.GET.get("q", "").strip()
    kind = request.GET.get("type", "")
    context: dict[str, Any] = {"text": text, "error": "", "kinds": [], "page": None, "kind": kind}
    try:
        if "filter" in request.GET:
            return _filtered(request, text, kind)
        if text:
            _fill(context, request, agent, text, kind)
    except (InvalidSearch, SearchSyntax) as error:
        context["error"] = f"Invalid search: {getattr(error, 'reason', error)}"
    filters = SearchFilters.of(text)
    context["filters"] = filters
    context["statuses"] = [(key, label, key == filters.status) for key, label in STATUSES.items()]
    return shell.page(
        request,
        agent,
        "helpdesk/search.html",
        context,
        title=f"Search: {text}" if text else "Search",
        active="search",
        status=422 if context["error"] else 200,
    )


def _filtered(request: SandboxRequest, text: str, kind: str) -> HttpResponse:
    """Lead on to the search whose text says what the filters do."""
    wanted = SearchFilters.posted(request.GET).written_into(text)
    query = {"type": kind or "ticket", "q": wanted}
    if request.GET.get("sort"):
        query["sort"] = request.GET["sort"]
    return shell.go(f"{reverse('helpdesk:search')}?{urlencode(query)}")


def _fill(
    context: dict[str, Any], request: SandboxRequest, agent: Agent, text: str, kind: str
) -> None:
    found = searching.read_query(text, agent.user)
    rows: dict[str, QuerySet[Any]] = {
        name: searching.rows_of(found, name) for name in KINDS if name in found.kinds
    }
    shown: Page[Any] | None = None
    # Of the kind asked for, or else of the first that has any, or of the first.
    for name in [kind] if kind in rows else [*rows, *list(rows)[:1]]:
        kind, sorting = name, _sorting(request, name)
        shown = keyed_page_of(request, _ordered(rows[name], name, sorting), _READ[name])
        if shown.count:
            break
    if shown is None:
        return
    counts = {name: query.count() for name, query in rows.items() if name != kind}
    context["kind"] = kind
    context["kinds"] = [(name, KINDS[name], counts.get(name, shown.count)) for name in rows]
    context["page"] = shown
    context["sorting"] = sorting
    context["sort_keeps"] = (("type", kind), ("q", text))
    if kind == "ticket":
        columns = columns_named(TICKET_COLUMNS)
        context["columns"] = columns
        context["rows"] = ticket_rows(shown.rows, Times(agent.user), columns)
        return
    for row in shown.rows:
        sightings.note(row, "list")


def _sorting(request: SandboxRequest, kind: str) -> Sorting:
    """Return the order asked for (`sort=name.asc`), else the newest first, or by name."""
    if kind != "ticket":
        return Sorting("name", False, asked=False)
    name, _, order = request.GET.get("sort", "").partition(".")
    if order in ORDERS and any(column.name == name for column in columns_named(TICKET_COLUMNS)):
        return Sorting(name, ORDERS[order], asked=True)
    return Sorting("updated", True, asked=False)


def _ordered(rows: QuerySet[Any], kind: str, sorting: Sorting) -> QuerySet[Any]:
    if kind == "ticket":
        return views.sorted_tickets(rows, sorting.by, descending=sorting.descending)
    return rows.order_by("name", "id")


def _in_order(rows: QuerySet[Any], keys: Sequence[int]) -> list[Any]:
    found = rows.in_bulk(keys)
    return [found[key] for key in keys]
