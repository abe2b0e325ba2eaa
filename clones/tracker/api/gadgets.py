"""Gadgets of dashboards, and what integrations keep with them."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.db.models import Q
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api import entity_properties
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.presenters.dashboards import gadget_body
from clones.tracker.domain import dashboards, gadgets
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.properties import read_value
from clones.tracker.models import Dashboard, Gadget
from clones.tracker.rules.gadgets import KINDS, keys_at

Json = dict[str, Any]
PATH = "/rest/api/3/dashboard/{dashboardId}/gadget"
ITEMS = "/rest/api/3/dashboard/{dashboardId}/items/{itemId}/properties"


class PositionBody(Body):
    """The position of a gadget: its row and column."""

    row: int
    column: int


class GadgetBody(Body):
    """A gadget to add to a dashboard or to change: kind, title, colour, position."""

    module_key: str | None = Field(None, alias="moduleKey", max_length=255)
    uri: str | None = Field(None, max_length=255)
    title: str | None = Field(None, max_length=255)
    color: str | None = None
    position: PositionBody | None = None
    unchecked: bool = Field(False, alias="ignoreUriAndModuleKeyValidation")

    def settings(self) -> gadgets.Settings:
        """Return what the body says."""
        at = self.position
        return gadgets.Settings(
            module_key=self.module_key,
            uri=self.uri,
            title=self.title,
            color=self.color,
            place=None if at is None else gadgets.GridCell(at.row, at.column),
            unchecked=self.unchecked,
        )


class GadgetsQuery(Query):
    """Filters of a dashboard's gadgets: their kinds and ids."""

    module_key: CommaList[str] | None = Field(None, alias="moduleKey")
    uri: list[str] | None = None
    gadget_id: CommaList[int] | None = Field(None, alias="gadgetId")


def _dashboard(call: Call, *, to_edit: bool = False) -> Dashboard:
    return dashboards.find_dashboard(actor(call), call.path["dashboardId"], to_edit=to_edit)


@operation(
    "getAllAvailableDashboardGadgets",
    "GET",
    "/rest/api/3/dashboard/gadgets",
    summary="List the gadgets that dashboards can hold.",
)
def list_kinds(call: Call) -> Json:
    """List the kinds of gadgets."""
    found = []
    for kind in KINDS:
        name = {"uri": kind.uri} if kind.module_key is None else {"moduleKey": kind.module_key}
        found.append({**name, "title": kind.title})
    return {"gadgets": found}


@operation(
    "getAllGadgets",
    "GET",
    PATH,
    summary="List the gadgets of a dashboard.",
    query=GadgetsQuery,
    access="anyone",
)
def list_gadgets(call: Call) -> Json:
    """List a dashboard's gadgets."""
    asked: GadgetsQuery = call.query
    rows = Gadget.objects.filter(dashboard=_dashboard(call)).order_by("column", "row", "id")
    if asked.gadget_id:
        rows = rows.filter(id__in=asked.gadget_id)
    if asked.module_key:
        rows = rows.filter(module_key__in=asked.module_key)
    if asked.uri:
        uris = [uri.removeprefix("/") for uri in asked.uri]
        rows = rows.filter(Q(uri__in=uris) | Q(module_key__in=keys_at(uris)))
    return {"gadgets": [gadget_body(row, show(call)) for row in rows]}


@operation("addGadget", "POST", PATH, summary="Put a gadget on a dashboard.", body=GadgetBody)
def add_gadget(call: Call) -> Json:
    """Put a gadget on a dashboard."""
    found = gadgets.add_gadget(_dashboard(call, to_edit=True), call.body.settings())
    return gadget_body(found, show(call))


@operation(
    "updateGadget",
    "PUT",
    PATH + "/{gadgetId}",
    summary="Change a gadget.",
    body=GadgetBody,
    status=204,
)
def update_gadget(call: Call) -> None:
    """Change a gadget's title, colour and place."""
    found = gadgets.find_gadget(_dashboard(call, to_edit=True), call.path["gadgetId"])
    gadgets.update_gadget(found, call.body.settings())


@operation(
    "removeGadget",
    "DELETE",
    PATH + "/{gadgetId}",
    summary="Take a gadget from its dashboard.",
    status=204,
)
def remove_gadget(call: Call) -> None:
    """Take a gadget away."""
    gadgets.remove_gadget(
        gadgets.find_gadget(_dashboard(call, to_edit=True), call.path["gadgetId"])
    )


# What is kept with them


def _item(call: Call) -> Gadget:
    return gadgets.find_gadget(_dashboard(call), call.path["itemId"])


def _item_to_edit(call: Call) -> Gadget:
    found = _item(call)
    try:
        _dashboard(call, to_edit=True)
    except NotFound:
        raise Forbidden("You do not have permission to edit this dashboard.") from None
    return found


@operation(
    "getDashboardItemPropertyKeys",
    "GET",
    ITEMS,
    summary="List the keys of a gadget's properties.",
    access="anyone",
)
def list_keys(call: Call) -> Json:
    """List the keys of a gadget's properties."""
    gadget = _item(call)
    address = show(call).url(
        f"dashboard/{gadget.dashboard_id}/items/{quote(str(gadget.id))}/properties"
    )
    return entity_properties.keys_of(gadgets.KIND, str(gadget.id), address)


@operation(
    "getDashboardItemProperty",
    "GET",
    ITEMS + "/{propertyKey}",
    summary="Show a property of a gadget.",
    access="anyone",
)
def get_property(call: Call) -> Json:
    """Show a property of a gadget."""
    return entity_properties.value_of(gadgets.KIND, str(_item(call).id), call.path["propertyKey"])


@operation(
    "setDashboardItemProperty",
    "PUT",
    ITEMS + "/{propertyKey}",
    summary="Set a property of a gadget.",
    access="anyone",
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property of a gadget: 201 if it is new."""
    gadget, key = _item_to_edit(call), call.path["propertyKey"]
    gadgets.check_config(gadget, key, read_value(call.body))
    return entity_properties.keep(gadgets.KIND, str(gadget.id), key, call.body)


@operation(
    "deleteDashboardItemProperty",
    "DELETE",
    ITEMS + "/{propertyKey}",
    summary="Delete a property of a gadget.",
    access="anyone",
    status=204,
)
def delete_property(call: Call) -> Reply:
    """Delete a property of a gadget."""
    return entity_properties.drop(
        gadgets.KIND, str(_item_to_edit(call).id), call.path["propertyKey"]
    )
