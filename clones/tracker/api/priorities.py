"""Priorities."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query, flag, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import priority_body
from clones.tracker.api.resources import by_id, id_only, register_resource
from clones.tracker.domain import priorities
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import Priority, PrioritySchemeItem, Project

SCHEMES_SHOWN = 15


class PrioritySearch(Query):
    """Filters and expansions of a search of priorities."""

    id: CommaList[str] | None = None
    projects: CommaList[str] | None = Field(None, alias="projectId")
    name: str | None = Field(None, alias="priorityName")
    only_default: str | None = Field(None, alias="onlyDefault")
    expand: CommaList[str] = []


PRIORITIES: Final = resources.ResourceApi(
    resource=priorities.PRIORITY,
    path="/rest/api/3/priority",
    one="/{id}",
    find=by_id(priorities.PRIORITY, priorities.GONE),
    present=priority_body,
    body="PriorityWrite",
    about="The attributes of a priority that can be set.",
)


def _search(call: Call) -> dict[str, Any]:
    """Search priorities; ids of nothing are passed over."""
    asked: PrioritySearch = call.query
    rows = priorities.PRIORITY.rows()
    if asked.id is not None:
        rows = rows.filter(id__in=[key_of(text) for text in asked.id])
    if asked.projects is not None:
        spaces = Project.objects.filter(id__in=[key_of(text) for text in asked.projects])
        offered = PrioritySchemeItem.objects.filter(scheme__in=spaces.values("priority_scheme"))
        rows = rows.filter(id__in=offered.values("priority"))
    if asked.name:
        rows = rows.filter(name__icontains=asked.name)
    if flag(asked.only_default):
        rows = rows.filter(is_default=True)
    with_schemes = "schemes" in frozenset(asked.expand)
    reading = show(call)

    def present(found: list[Priority]) -> list[Any]:
        bodies = [priority_body(row, reading) for row in found]
        if with_schemes:
            schemes = _schemes([row.id for row in found])
            for row, body in zip(found, bodies, strict=True):
                body["schemes"] = schemes[row.id]
        return bodies

    return page_bean(call, rows, present)


def _schemes(ids: list[int]) -> dict[int, dict[str, Any]]:
    """Return the schemes that have priorities, by the priority's id: the first fifteen of each."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    items = PrioritySchemeItem.objects.filter(priority__in=ids).select_related("scheme")
    for item in items.order_by("scheme_id"):
        found[item.priority_id].append({"id": str(item.scheme_id), "name": item.scheme.name})
    return {
        id: {
            "maxResults": SCHEMES_SHOWN,
            "startAt": 0,
            "total": len(found[id]),
            "isLast": len(found[id]) <= SCHEMES_SHOWN,
            "values": found[id][:SCHEMES_SHOWN],
        }
        for id in ids
    }


register_resource(
    PRIORITIES,
    resources.lists("getPriorities", "List the priorities."),
    resources.creates("createPriority", "Make a priority, below the others.", present=id_only),
    resources.sets_default("setDefaultPriority", "Set the priority that new issues get."),
    resources.moves("movePriorities", "Change the order of the priorities."),
    resources.lists(
        "searchPriorities",
        "Search priorities by id, name and space.",
        path="/search",
        query=PrioritySearch,
        view=_search,
    ),
    resources.deletes("deletePriority", "Begin to remove a priority.", status=303),
    resources.shows("getPriority", "Show a priority."),
    resources.updates("updatePriority", "Change a priority.", status=204),
    module=__name__,
)
