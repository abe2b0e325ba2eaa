"""List views of an object: which there are, what each asks, and the records that it finds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.presenters.list_views import (
    present_described_view,
    present_list_view,
    present_results,
)
from clones.crm.api.views.describes import named_object
from clones.crm.api.views.recent import mark_seen
from clones.crm.queries.listing import FoundView, find_named_view, find_view, views_of
from clones.crm.queries.recent import seen_records
from clones.crm.rules.record_ids import read_id

LIST_VIEW = "ListView"


class ListViewResultsQuery(Query):
    """Which of the records are wanted."""

    limit: Annotated[int, Field(ge=1, le=2000)] = 25
    offset: Annotated[int, Field(ge=0, le=2000)] = 0


@versioned(
    "GetListViews",
    "GET",
    "/sobjects/{object}/listviews",
    summary="List the list views of an object.",
)
def show_list_views(call: Call) -> dict[str, Any]:
    """Answer with the list views that the caller may see, by label."""
    return _listed(call, recent=False)


@versioned(
    "GetRecentListViews",
    "GET",
    "/sobjects/{object}/listviews/recent",
    summary="List the list views that were used last.",
)
def show_recent_list_views(call: Call) -> dict[str, Any]:
    """Answer with the list views that the caller used, the last one first."""
    return _listed(call, recent=True)


@versioned(
    "GetListView", "GET", "/sobjects/{object}/listviews/{id}", summary="Show a list view in short."
)
def show_list_view(call: Call) -> dict[str, Any]:
    """Answer with the list view's names and addresses."""
    return present_list_view(_view(call).row, root(call))


@versioned(
    "GetListViewDescribe",
    "GET",
    "/sobjects/{object}/listviews/{id}/describe",
    summary="Describe a list view.",
)
def describe_list_view(call: Call) -> dict[str, Any]:
    """Answer with the list view's columns, conditions, order and query."""
    return present_described_view(_view(call))


@versioned(
    "GetListViewResults",
    "GET",
    "/sobjects/{object}/listviews/{id}/results",
    summary="Show the records of a list view.",
    query=ListViewResultsQuery,
)
def show_results(call: Call) -> dict[str, Any]:
    """Answer with the records that the list view finds."""
    view, asked = _view(call), call.query
    mark_seen(call, LIST_VIEW, view.row.Id)
    records, is_done = view.records(
        root(call), version_of(call), start=asked.offset, size=asked.limit
    )
    return present_results(view, records, is_done=is_done)


def _listed(call: Call, *, recent: bool) -> dict[str, Any]:
    of = named_object(call)
    rows = views_of(of, user=call.actor.subject)
    if recent:
        by_id = {row.Id: row for row in rows}
        seen = seen_records(call.actor.subject, of=LIST_VIEW)
        rows = [by_id[id] for id in seen if id in by_id]
    return {
        "done": True,
        "listviews": [present_list_view(row, root(call)) for row in rows],
        "nextRecordsUrl": None,
        "size": len(rows),
        "sobjectType": of.name,
    }


def _view(call: Call) -> FoundView:
    of, id = named_object(call), call.path["id"]
    if read_id(id) is None:
        return find_named_view(of, id, user=call.actor.subject)
    return find_view(of, id, user=call.actor.subject)
