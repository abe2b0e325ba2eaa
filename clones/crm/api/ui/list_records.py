"""Records of list views, and of what was seen last, by the UI resources."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.operations import root, versioned
from clones.crm.api.ui.asked import UiPageQuery, names, page_urls, ui_object
from clones.crm.api.ui.given_lists import are_texts
from clones.crm.api.ui.lists import (
    LIST_VIEW,
    UiListsQuery,
    listed_views,
    named_view,
    present_list,
    reference_to,
    tagged_reply_of,
    view_by_id,
)
from clones.crm.api.ui.reading import UiReader, Wanted, wanted_of
from clones.crm.api.ui.shown import tagged
from clones.crm.api.views.recent import mark_seen
from clones.crm.api.views.rows import plain_members
from clones.crm.errors import CrmError, NotFound, UnreadableBody
from clones.crm.queries.listing import FoundView, find_named_view
from clones.crm.queries.recent import seen_records
from clones.crm.queries.soql.asking import calendar_of
from clones.crm.rules.listing import FilterError, field_at
from clones.crm.rules.listing.views import RECENT
from clones.crm.rules.schema import SObject


@versioned(
    "GetUiListRecords",
    "GET",
    "/ui-api/list-records/{id}",
    summary="Show the records of a list view by its id.",
    query=UiPageQuery,
)
def show_list_records(call: Call) -> dict[str, Any]:
    """Answer with a page of its records."""
    return list_records(call, view_by_id(call, call.path["id"]))


@versioned(
    "GetUiNamedListRecords",
    "GET",
    "/ui-api/list-records/{object}/{name}",
    summary="Show the records of a list view.",
    query=UiPageQuery,
)
def show_named_list_records(call: Call) -> dict[str, Any]:
    """Answer with a page of its records."""
    return list_records(call, named_view(call))


@versioned(
    "PostUiNamedListRecords",
    "POST",
    "/ui-api/list-records/{object}/{name}",
    summary="Show the records of a list view; what is wanted is said in a body.",
    body=Any,
    writes=False,
)
def show_posted_list_records(call: Call) -> dict[str, Any]:
    """Answer with a page of its records."""
    body = plain_members(call)
    given = {
        key: ",".join(value) if isinstance(value, list) and are_texts(value) else value
        for key, value in body.items()
        if value is not None
    }
    known = UiPageQuery.model_fields
    texts = {key: given[key] for key in ("fields", "optionalFields", "sortBy") if key in given}
    if not all(isinstance(one, str) for one in texts.values()):
        raise UnreadableBody("Cannot deserialize instance of list")
    size, token = given.get("pageSize", 50), given.get("pageToken", 0)
    if type(size) is not int or not 1 <= size <= 2000 or "page_size" not in known:
        raise UnreadableBody("Cannot deserialize instance of pageSize")
    token = str(token)
    call.query = UiPageQuery.model_validate({**texts, "pageSize": size, "pageToken": _token(token)})
    return list_records(call, named_view(call))


def _token(text: str) -> int:
    if not text.isascii() or not text.isalnum() or len(text) > 6 or any(c > "9" for c in text):
        raise UnreadableBody("Cannot deserialize instance of pageToken")
    return int(text)


@versioned(
    "GetUiListUi",
    "GET",
    "/ui-api/list-ui/{object}/{name}",
    summary="Show a list view with its records.",
    query=UiPageQuery,
)
def show_list_ui(call: Call) -> dict[str, Any]:
    """Answer with what the list view shows, and a page of its records."""
    view = named_view(call)
    return tagged({"info": present_list(view), "records": list_records(call, view)})


@versioned(
    "GetUiListUiById",
    "GET",
    "/ui-api/list-ui/{object}",
    summary="Show a list view with its records by its id, or list the views of an object.",
    query=UiPageQuery,
)
def show_list_ui_by_id(call: Call) -> dict[str, Any]:
    """Answer with what the list view shows, and a page of its records."""
    given = call.path["object"]
    if given[:3] != "00B":
        of = ui_object(given)
        call.query = UiListsQuery()
        return listed_views(call, of, f"{root(call)}/ui-api/list-ui/{of.name}")
    view = view_by_id(call, given)
    return tagged({"info": present_list(view), "records": list_records(call, view)})


@versioned(
    "GetUiMruList",
    "GET",
    "/ui-api/mru-list-ui/{object}",
    summary="Show the records of an object that were seen last.",
    query=UiPageQuery,
)
def show_mru_list_ui(call: Call) -> dict[str, Any]:
    """Answer with what the list shows, and a page of its records."""
    view = _recent(call)
    return tagged({"info": present_list(view), "records": list_records(call, view)})


@versioned(
    "GetUiMruListInfo",
    "GET",
    "/ui-api/mru-list-info/{object}",
    summary="Show what the list of what was seen last shows.",
)
def show_mru_list(call: Call) -> Reply:
    """Answer with the list's columns."""
    return tagged_reply_of(call, _recent(call))


@versioned(
    "GetUiMruListRecords",
    "GET",
    "/ui-api/mru-list-records/{object}",
    summary="Show the records that were seen last.",
    query=UiPageQuery,
)
def show_mru_list_records(call: Call) -> dict[str, Any]:
    """Answer with a page of them."""
    return list_records(call, _recent(call))


def _recent(call: Call) -> FoundView:
    """Return the list of what was seen last: the organization's own, or the usual columns."""
    of = ui_object(call.path["object"])
    name = f"RecentlyViewed{of.plural.replace(' ', '')}"
    try:
        return find_named_view(of, name, user=call.actor.subject)
    except NotFound:
        raise CrmError(
            f"Object {of.name} has no most recently used list", code="INVALID_TYPE"
        ) from None


def list_records(call: Call, view: FoundView) -> dict[str, Any]:
    """Return a page of the records of a list view."""
    of, asked = view.of, call.query
    mark_seen(call, LIST_VIEW, view.row.Id)
    wanted = wanted_of(of, fields=names(asked.fields), optional=names(asked.optional_fields))
    for path in (*view.shows.columns, *view.shows.hidden(of), "Id", "OwnerId", "LastModifiedById"):
        wanted.add(path)
    order = [_sort_key(of, one) for one in names(asked.sort_by)] or view.shows.sorting(of)
    rows, is_last = _rows(call, view, wanted, order)
    address = f"{root(call)}/ui-api/list-records/{view.row.Id}"
    body = {
        **page_urls(address, asked, is_last=is_last),
        "count": len(rows),
        "fields": names(asked.fields),
        "listInfoETag": tagged(present_list(view))["eTag"],
        "listReference": reference_to(view),
        "optionalFields": names(asked.optional_fields),
        "records": rows,
        "searchTerm": None,
        "sortBy": ",".join(path if ascends else f"-{path}" for path, ascends in order),
        "where": None,
    }
    return dict(sorted(body.items()))


def _sort_key(of: SObject, text: str) -> tuple[str, bool]:
    path = text.removeprefix("-")
    field = field_at(of, path)
    if field is None or not field.sortable:
        raise CrmError(
            f"Invalid value for parameter sortBy: {text}", code="ILLEGAL_QUERY_PARAMETER_VALUE"
        )
    return path, not text.startswith("-")


def _rows(
    call: Call, view: FoundView, wanted: Wanted, order: list[tuple[str, bool]]
) -> tuple[list[dict[str, Any]], bool]:
    asked, of, user = call.query, view.of, call.actor.subject
    reader = UiReader(call, shows_dates=False, has_weak_tags=False)
    if view.shows.scope == RECENT:
        seen = seen_records(user, of=of.name)
        found = reader.read(wanted, seen)
        rows = [found[id] for id in seen if id in found]
        shown = rows[asked.page_token : asked.page_token + asked.page_size]
        return shown, asked.page_token + asked.page_size >= len(rows)
    try:
        text = view.shows.query(of, calendar_of(user).zone, ordered=False)
    except FilterError as error:
        raise CrmError(str(error), code="INVALID_QUERY_FILTER_OPERATOR") from error
    rest = text.partition(f" FROM {of.name}")[2]
    keys = ", ".join(
        f"{path} {'ASC NULLS FIRST' if ascends else 'DESC NULLS LAST'}" for path, ascends in order
    )
    rows = reader.ask(
        wanted, f"{rest} ORDER BY {keys}", size=asked.page_size + 1, start=asked.page_token
    )
    return rows[: asked.page_size], len(rows) <= asked.page_size
