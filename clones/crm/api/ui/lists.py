"""Lists by the UI resources: list views, what was seen last, lookups, related lists."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.layouts import present_column
from clones.crm.api.ui.asked import one_id, page_urls, ui_object
from clones.crm.api.ui.given_lists import given_view
from clones.crm.api.ui.records import tagged_reply
from clones.crm.api.ui.shown import tagged
from clones.crm.api.views.rows import plain_members
from clones.crm.domain.list_views import (
    change_list_view,
    create_list_view,
    remove_list_view,
)
from clones.crm.errors import NotFound
from clones.crm.queries.listing import FoundView, find_named_view, find_view, views_of
from clones.crm.queries.recent import seen_records
from clones.crm.queries.records import find_record
from clones.crm.rules.listing import Filter, ListView, field_at, split_values
from clones.crm.rules.listing.views import RECENT
from clones.crm.rules.schema import SObject

LIST_VIEW = "ListView"
# Operators of conditions, as these resources name them.
_OPERATORS = {
    "equals": "Equals",
    "notEqual": "NotEqual",
    "lessThan": "LessThan",
    "greaterThan": "GreaterThan",
    "lessOrEqual": "LessOrEqual",
    "greaterOrEqual": "GreaterOrEqual",
    "contains": "Contains",
    "notContain": "NotContain",
    "startsWith": "StartsWith",
    "includes": "Includes",
    "excludes": "Excludes",
}


class UiListsQuery(Query):
    """Which list views are wanted."""

    page_size: Annotated[int, Field(ge=1, le=2000, alias="pageSize")] = 20
    page_token: Annotated[int, Field(ge=0, le=10**6, alias="pageToken")] = 0
    q: str | None = None
    recent_only: bool = Field(False, alias="recentListsOnly")


@versioned(
    "GetUiLists",
    "GET",
    "/ui-api/list-info/{object}",
    summary="List the list views of an object, or show one by its id.",
    query=UiListsQuery,
)
def show_lists(call: Call) -> Any:
    """Answer with the list views that the caller may see, or with what one shows."""
    given = call.path["object"]
    if given[:3] == "00B":
        return tagged_reply_of(call, view_by_id(call, given))
    of = ui_object(given)
    return listed_views(call, of, f"{root(call)}/ui-api/list-info/{of.name}")


def listed_views(call: Call, of: SObject, address: str) -> dict[str, Any]:
    """Return the list views of an object that the caller may see, a page of them."""
    asked = call.query
    rows = views_of(of, user=call.actor.subject)
    if asked.q:
        rows = [row for row in rows if asked.q.lower() in row.Name.lower()]
    if asked.recent_only:
        by_id = {row.Id: row for row in rows}
        rows = [by_id[id] for id in seen_records(call.actor.subject, of=LIST_VIEW) if id in by_id]
    shown = rows[asked.page_token : asked.page_token + asked.page_size]
    is_last = asked.page_token + asked.page_size >= len(rows)
    body = {
        **page_urls(address, asked, is_last=is_last),
        "count": len(shown),
        "lists": [
            {
                "apiName": row.DeveloperName,
                "id": row.Id,
                "label": row.Name,
                "url": f"{root(call)}/ui-api/list-info/{of.name}/{row.DeveloperName}",
            }
            for row in shown
        ],
        "objectApiName": of.name,
        "queryString": asked.q,
        "recentListsOnly": asked.recent_only,
    }
    return dict(sorted(body.items()))


@versioned(
    "GetUiList",
    "GET",
    "/ui-api/list-info/{object}/{name}",
    summary="Show what a list view shows.",
)
def show_list(call: Call) -> Reply:
    """Answer with the list view's columns, conditions and order."""
    return tagged_reply_of(call, named_view(call))


@versioned(
    "PostUiList",
    "POST",
    "/ui-api/list-info/{object}",
    summary="Make a list view.",
    body=Any,
    status=201,
)
def make_list(call: Call) -> Reply:
    """Answer with what the list view shows."""
    of, body = ui_object(call.path["object"]), plain_members(call)
    given = given_view(of, body, ListView(visibility="Private"))
    row = create_list_view(of, given, actor=call.actor.subject)
    view = find_view(of, row.Id, user=call.actor.subject)
    return Reply(present_list(view), 201)


@versioned(
    "PatchUiList",
    "PATCH",
    "/ui-api/list-info/{object}/{name}",
    summary="Change a list view.",
    body=Any,
)
def change_list(call: Call) -> dict[str, Any]:
    """Answer with what the list view shows now."""
    view, body = named_view(call), plain_members(call)
    given = given_view(view.of, {"label": view.row.Name, **body}, view.shows)
    change_list_view(
        view.of, view.row, label=given.label, shows=given.shows, actor=call.actor.subject
    )
    return present_list(find_view(view.of, view.row.Id, user=call.actor.subject))


@versioned(
    "DeleteUiList",
    "DELETE",
    "/ui-api/list-info/{object}/{name}",
    summary="Take a list view away.",
    status=204,
)
def remove_list(call: Call) -> None:
    """Answer with nothing."""
    remove_list_view(named_view(call).row, actor=call.actor.subject)


def view_by_id(call: Call, id: str) -> FoundView:
    """Return a list view by its id.

    Raises:
        NotFound: there is none that the caller may see.
    """
    whole, kind = one_id(id)
    if kind.name != LIST_VIEW:
        raise NotFound
    row = find_record(kind, whole)
    return find_view(ui_object(row.SobjectType), whole, user=call.actor.subject)


def named_view(call: Call) -> FoundView:
    """Return the list view that an address names.

    Raises:
        NotFound: there is none that the caller may see.
    """
    of = ui_object(call.path["object"])
    return find_named_view(of, call.path["name"], user=call.actor.subject)


def tagged_reply_of(call: Call, view: FoundView) -> Reply:
    """Return what a list view shows, or nothing if the caller has it already."""
    body = present_list(view)
    found = tagged_reply(call, tagged(body))
    return Reply(None if found.status == 304 else body, found.status, found.headers)


def present_list(view: FoundView) -> dict[str, Any]:
    """Return what a list view shows."""
    of, shows = view.of, view.shows
    columns = [
        {
            "fieldApiName": path,
            "inlineEditAttributes": {},
            "label": present_column(of, path)["label"],
            "lookupId": lookup_id(of, path),
            "searchable": True,
            "sortable": bool((field := field_at(of, path)) is not None and field.sortable),
        }
        for path in shows.columns
    ]
    is_own = view.row.CreatedById == view.user or shows.visibility == "Public"
    return {
        "cloneable": True,
        "createable": True,
        "deletable": shows.scope != RECENT,
        "displayColumns": columns,
        "filterLogicString": shows.logic,
        "filteredByInfo": [_filter(of, one) for one in shows.filters],
        "hasMassActions": True,
        "inlineEditDetails": {},
        "label": view.row.Name,
        "listReference": reference_to(view),
        "listShares": {},
        "objectApiNames": [],
        "orderedByInfo": [
            {
                "fieldApiName": path,
                "isAscending": ascends,
                "label": present_column(of, path)["label"],
            }
            for path, ascends in shows.sorting(of)
            if path != "Id"
        ],
        "scope": {
            "apiName": shows.scope,
            "entity": None,
            "label": of.scopes.get(shows.scope, of.plural),
            "relatedEntity": None,
        },
        "searchable": of.abilities["searchable"],
        "updateable": is_own,
        "userPreferences": {
            "columnWidths": dict.fromkeys(shows.columns, -1),
            "columnWrap": dict.fromkeys(shows.columns, False),
        },
        "visibility": shows.visibility,
        "visibilityEditable": True,
    }


def lookup_id(of: SObject, path: str) -> str | None:
    """Return the path of the id that a column leads to, None where it leads nowhere."""
    relationship, _, _ = path.rpartition(".")
    if relationship:
        return f"{relationship}.Id"
    field = field_at(of, path)
    return "Id" if field is not None and field.nameField else None


def _filter(of: SObject, one: Filter) -> dict[str, Any]:
    return {
        "fieldApiName": one.field,
        "label": present_column(of, one.field)["label"],
        "operandLabels": split_values(one.value) if one.value else [],
        "operator": _OPERATORS[one.operation],
    }


def reference_to(view: FoundView) -> dict[str, Any]:
    """Return by what a list view is named."""
    return {
        "id": view.row.Id,
        "listViewApiName": view.row.DeveloperName,
        "objectApiName": view.of.name,
        "type": "mru" if view.shows.scope == RECENT else "listView",
    }
