"""Kinds of links between issues."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.operations import Body, operation, show
from clones.tracker.api.operations import actor as actor_of
from clones.tracker.api.presenters.links import present_link_type
from clones.tracker.domain import link_types
from clones.tracker.domain.site_options import require_links
from clones.tracker.models import IssueLinkType

PATH = "/rest/api/3/issueLinkType"


class LinkTypeWrite(Body):
    """What a kind of links is called, and from either end."""

    name: str | None = None
    inward: str | None = None
    outward: str | None = None


@operation("getIssueLinkTypes", "GET", PATH, summary="List the kinds of links.", access="anyone")
def list_link_types(call: Call) -> dict[str, Any]:
    """List all kinds, by name."""
    require_links()
    view = show(call)
    rows = IssueLinkType.objects.order_by("name", "id")
    return {"issueLinkTypes": [present_link_type(kind, view) for kind in rows]}


@operation(
    "createIssueLinkType",
    "POST",
    PATH,
    summary="Make a kind of links.",
    body=LinkTypeWrite,
    access="admin",
    status=201,
)
def create_link_type(call: Call) -> dict[str, Any]:
    """Make a kind."""
    require_links()
    body = call.body
    kind = link_types.create_link_type(
        body.name or "", body.inward or "", body.outward or "", actor=actor_of(call)
    )
    return present_link_type(kind, show(call))


@operation(
    "getIssueLinkType", "GET", PATH + "/{id}", summary="Show a kind of links.", access="anyone"
)
def show_link_type(call: Call) -> dict[str, Any]:
    """Show a kind."""
    return present_link_type(_found(call), show(call))


@operation(
    "updateIssueLinkType",
    "PUT",
    PATH + "/{id}",
    summary="Change what a kind of links is called.",
    body=LinkTypeWrite,
    access="admin",
)
def update_link_type(call: Call) -> dict[str, Any]:
    """Change a kind; what is not named stays."""
    kind = link_types.update_link_type(
        _found(call),
        actor=actor_of(call),
        name=call.body.name,
        inward=call.body.inward,
        outward=call.body.outward,
    )
    return present_link_type(kind, show(call))


@operation(
    "deleteIssueLinkType",
    "DELETE",
    PATH + "/{id}",
    summary="Delete a kind of links with all its links.",
    access="admin",
    status=204,
)
def delete_link_type(call: Call) -> None:
    """Delete a kind."""
    link_types.delete_link_type(_found(call), actor=actor_of(call))


def _found(call: Call) -> IssueLinkType:
    require_links()
    return link_types.find_link_type(call.path["id"])
