"""Resolutions: how issues are ended."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query, actor, flag, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import resolution_body
from clones.tracker.api.presenters.refs import resolution_ref
from clones.tracker.api.resources import by_id, id_only, register_resource
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.resolutions import GONE, RESOLUTION, start_deletion
from clones.tracker.domain.scheme_parts import key_of

resolution_of: Final = by_id(RESOLUTION, GONE)


class ResolutionSearch(Query):
    """Filters of a search of resolutions: ids, the default one."""

    id: CommaList[str] | None = None
    only_default: str | None = Field(None, alias="onlyDefault")


class Heir(Query):
    """The resolution that issues get in place of one that is deleted."""

    heir: str | None = Field(None, alias="replaceWith")


def _search(call: Call) -> dict[str, Any]:
    """Search resolutions; ids of nothing are passed over."""
    asked: ResolutionSearch = call.query
    rows = RESOLUTION.rows()
    if asked.id is not None:
        rows = rows.filter(id__in=[key_of(text) for text in asked.id])
    if flag(asked.only_default):
        rows = rows.filter(is_default=True)
    reading = show(call)
    return page_bean(call, rows, lambda found: [resolution_body(row, reading) for row in found])


def _delete(call: Call) -> Reply:
    """Begin to remove a resolution; the answer leads to the task."""
    row = resolution_of(call.path["id"])
    if not call.query.heir:
        raise Invalid("The replaceWith has to be provided.")
    return task_reply(call, start_deletion(row, resolution_of(call.query.heir), actor=actor(call)))


register_resource(
    resources.ResourceApi(
        resource=RESOLUTION,
        path="/rest/api/3/resolution",
        one="/{id}",
        find=resolution_of,
        present=resolution_ref,
        body="ResolutionWrite",
        about="The attributes of a resolution that can be set.",
    ),
    resources.lists("getResolutions", "List the resolutions."),
    resources.creates("createResolution", "Make a resolution.", present=id_only),
    resources.sets_default("setDefaultResolution", "Set the default resolution."),
    resources.moves("moveResolutions", "Change the order of the resolutions."),
    resources.lists(
        "searchResolutions",
        "Search resolutions by id.",
        path="/search",
        query=ResolutionSearch,
        view=_search,
    ),
    resources.deletes(
        "deleteResolution",
        "Begin to remove a resolution; its issues get another.",
        query=Heir,
        status=303,
        view=_delete,
    ),
    resources.shows("getResolution", "Show a resolution."),
    resources.updates("updateResolution", "Change a resolution.", status=204),
    module=__name__,
)
