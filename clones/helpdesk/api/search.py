"""Search: across all records by pages, counts, and export by cursor."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.helpdesk.api.operations import (
    OPERATIONS,
    PagedQuery,
    Query,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Page, PagingError, list_page
from clones.helpdesk.api.people_sideloads import user_sideloads
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.people import (
    present_group,
    present_organization,
    present_user,
)
from clones.helpdesk.api.presenters.tickets import present_tickets
from clones.helpdesk.api.sideloads import ticket_sideloads
from clones.helpdesk.domain.errors import InvalidAttribute, InvalidSearch, MissingParameter
from clones.helpdesk.models import Group, Organization, User
from clones.helpdesk.queries import search
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.queries.search_results import RESULT_LIMIT, Found, results

TOO_DEEP = "Requested response size was greater than Search Response Limits"
EXPORT_LIMIT = 1000
NESTED = re.compile(r"(\w+)\(([^()]*)\)")


class SearchQuery(PagedQuery):
    """Query, order, paging and sideloads of a search of the account."""

    query: str | None = Field(None, description='As "type:ticket status<solved refund".')
    sort_by: str | None = Field(
        None, description="created_at, updated_at, priority, status or ticket_type."
    )
    sort_order: str | None = Field(None, description="asc or desc.")
    include: CommaList[str] = []


class ExportQuery(Query):
    """Query, type and cursor of an export of search results."""

    query: str | None = None
    filter_type: str | None = Field(None, alias="filter[type]")
    page_size: str | None = Field(None, alias="page[size]")
    page_after: str | None = Field(None, alias="page[after]")


def _text(call: Call) -> str:
    if call.query.query is None or not call.query.query.strip():
        raise MissingParameter("query")
    return str(call.query.query)


@OPERATIONS.operation(
    "ListSearchResults",
    "GET",
    "/search",
    summary="Find tickets, users, organizations and groups.",
    query=SearchQuery,
)
def list_results(call: Call) -> dict[str, Any]:
    """Search; the first thousand results can be paged through."""
    wanted = list_request(call)
    if wanted.by_cursor:
        raise PagingError("integer", "page")
    found = search.read_query(_text(call), call.actor)
    number = max(1, wanted.number("page", 1))
    size = min(100, max(1, wanted.number("per_page", 100)))
    if number * size > RESULT_LIMIT:
        raise InvalidSearch(TOO_DEEP, too_deep=True)
    descending = call.query.sort_order != "asc"
    hits, total = results(
        found, sort_by=call.query.sort_by, descending=descending, limit=number * size
    )
    page = hits[(number - 1) * size :]
    around = {
        "facets": None,
        "next_page": wanted.link(page=number + 1) if number * size < total else None,
        "previous_page": wanted.link(page=number - 1) if number > 1 else None,
        "count": total,
    }
    wanted_beside = _sideloads(call.query.include)
    bodies, beside = _present(page, show(call), wanted_beside["tickets"])
    if wanted_beside["users"]:
        keys = [hit.key for hit in page if hit.kind == "user"]
        people = list(User.objects.filter(id__in=keys).order_by("id"))
        beside |= user_sideloads(people, wanted_beside["users"], call.actor, show(call))
    return {"results": bodies, **beside, **around}


def _sideloads(include: list[str]) -> dict[str, set[str]]:
    """Return what is asked for beside results of each kind: `tickets(users,groups)`.

    Names that stand alone are of tickets.
    """
    text = ",".join(include)
    found: dict[str, set[str]] = {"tickets": set(), "users": set()}
    for kind, names in NESTED.findall(text):
        found.setdefault(kind, set()).update(names.split(","))
    found["tickets"].update(NESTED.sub("", text).split(","))
    return found


@OPERATIONS.operation(
    "CountSearchResults",
    "GET",
    "/search/count",
    summary="Count what a search finds.",
    query=SearchQuery,
)
def count_results(call: Call) -> dict[str, Any]:
    """Count the results of a search."""
    return {"count": search.count(search.read_query(_text(call), call.actor))}


@OPERATIONS.operation(
    "ExportSearchResults",
    "GET",
    "/search/export",
    summary="Walk through all results of one kind by cursor.",
    query=ExportQuery,
)
def export_results(call: Call) -> dict[str, Any]:
    """Export the results of a search of one kind, without the limit of a thousand."""
    kind = call.query.filter_type
    if kind is None:
        raise MissingParameter("filter[type]")
    if kind not in search.KINDS:
        raise InvalidAttribute("filter[type]", "ticket, organization, user or group")
    found = search.read_query(call.query.query or "", call.actor)
    # Clients say it in both places; what they say must be the same.
    if "type:" in (call.query.query or "") and found.kinds != (kind,):
        raise InvalidSearch("type is given by filter[type], not in the query")
    rows = search.rows_of(found, kind).order_by("created_at", "id")
    wanted = list_request(call)
    page = list_page(rows, wanted, name="created_at,id", limit=EXPORT_LIMIT, offset=False)
    hits = [Found(kind, row.pk, ()) for row in page.rows]
    shown = Page(hits, {**page.around, "facets": None})
    return listed("results", _present(hits, show(call), set())[0], shown)


def _present(
    hits: list[Found], shown: Show, wanted: set[str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return results as JSON in their order, each with its kind; and what goes beside tickets."""
    keys: dict[str, list[int]] = {}
    for hit in hits:
        keys.setdefault(hit.kind, []).append(hit.key)
    bodies: dict[tuple[str, int], dict[str, Any]] = {}
    # In the order of the tables, whatever was asked for: it is only the results that are sorted.
    tickets = tickets_by_keys(sorted(keys.get("ticket", ())))
    presented = present_tickets(tickets, shown)
    beside = ticket_sideloads(tickets, presented, wanted, shown)
    for body in presented:
        bodies["ticket", body["id"]] = body
    for user in User.objects.filter(id__in=keys.get("user", [])):
        bodies["user", user.id] = present_user(user, shown)
    for organization in Organization.objects.filter(id__in=keys.get("organization", [])):
        bodies["organization", organization.id] = present_organization(organization, shown)
    for group in Group.objects.filter(id__in=keys.get("group", [])):
        bodies["group", group.id] = present_group(group, shown)
    return [{**bodies[hit.kind, hit.key], "result_type": hit.kind} for hit in hits], beside
