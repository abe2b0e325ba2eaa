"""Resolutions: how issues are ended."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import resolution_body
from clones.tracker.api.presenters.refs import resolution_ref
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import resolutions
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import Resolution
from clones.tracker.queries.kinds import resolutions as in_order

PATH = "/rest/api/3/resolution"


class ResolutionWrite(AdminBody):
    """What a resolution is to be."""

    name: str | None = None
    description: str | None = None


class Chosen(AdminBody):
    """The one to be the default; null takes the default back."""

    id: str | None = None


class Order(AdminBody):
    """Which ones go where."""

    ids: list[str] = []
    after: str | None = None
    position: str | None = None


class ResolutionSearch(Query):
    """Which resolutions."""

    id: CommaList[str] | None = None
    only_default: str | None = Field(None, alias="onlyDefault")


class Heir(Query):
    """What issues get for a resolution that goes."""

    heir: str | None = Field(None, alias="replaceWith")


def resolution_of(text: str | None) -> Resolution:
    """Return the resolution with an id.

    Raises:
        NotFound: there is none.
    """
    found = Resolution.objects.filter(id=key_of(text)).first()
    if found is None:
        raise NotFound(resolutions.GONE.format(id=text))
    return found


@operation("getResolutions", "GET", PATH, summary="List the resolutions.")
def list_resolutions(call: Call) -> list[Any]:
    """List resolutions in their order."""
    reading = show(call)
    return [resolution_ref(row, reading) for row in in_order()]


@operation(
    "createResolution",
    "POST",
    PATH,
    summary="Make a resolution.",
    body=ResolutionWrite,
    access="admin",
    status=201,
)
def create_resolution(call: Call) -> dict[str, Any]:
    """Make a resolution."""
    given: ResolutionWrite = call.body
    made = resolutions.create_resolution(given.name, given.description, actor=actor(call))
    return {"id": str(made.id)}


@operation(
    "setDefaultResolution",
    "PUT",
    PATH + "/default",
    summary="Set the default resolution.",
    body=Chosen,
    access="admin",
    status=204,
)
def set_default(call: Call) -> None:
    """Set the default resolution."""
    given: Chosen = call.body
    if "id" not in given.model_fields_set:
        raise Invalid("The id has to be provided.")
    chosen = None if given.id is None else resolution_of(given.id)
    resolutions.set_default_resolution(chosen, actor=actor(call))


@operation(
    "moveResolutions",
    "PUT",
    PATH + "/move",
    summary="Change the order of the resolutions.",
    body=Order,
    access="admin",
    status=204,
)
def move(call: Call) -> None:
    """Move resolutions."""
    given: Order = call.body
    resolutions.move_resolutions(
        given.ids, after=given.after, position=given.position, actor=actor(call)
    )


@operation(
    "searchResolutions",
    "GET",
    PATH + "/search",
    summary="Search resolutions by id.",
    query=ResolutionSearch,
)
def search(call: Call) -> dict[str, Any]:
    """Search resolutions; ids of nothing are passed over."""
    asked: ResolutionSearch = call.query
    rows = in_order()
    if asked.id is not None:
        rows = rows.filter(id__in=[key_of(text) for text in asked.id])
    if flag(asked.only_default):
        rows = rows.filter(is_default=True)
    reading = show(call)
    return page_bean(call, rows, lambda found: [resolution_body(row, reading) for row in found])


@operation(
    "deleteResolution",
    "DELETE",
    PATH + "/{id}",
    summary="Begin to remove a resolution; its issues get another.",
    query=Heir,
    access="admin",
    status=303,
)
def delete_resolution(call: Call) -> Reply:
    """Begin to remove a resolution; the answer leads to the task."""
    row = resolution_of(call.path["id"])
    if not call.query.heir:
        raise Invalid("The replaceWith has to be provided.")
    task = resolutions.start_deletion(row, resolution_of(call.query.heir), actor=actor(call))
    return task_reply(call, task)


@operation("getResolution", "GET", PATH + "/{id}", summary="Show a resolution.")
def show_resolution(call: Call) -> dict[str, Any] | None:
    """Show a resolution."""
    return resolution_ref(resolution_of(call.path["id"]), show(call))


@operation(
    "updateResolution",
    "PUT",
    PATH + "/{id}",
    summary="Change a resolution.",
    body=ResolutionWrite,
    access="admin",
    status=204,
)
def update_resolution(call: Call) -> None:
    """Change a resolution."""
    given: ResolutionWrite = call.body
    resolutions.update_resolution(
        resolution_of(call.path["id"]), given.name, given.description, actor=actor(call)
    )
