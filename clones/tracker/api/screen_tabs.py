"""Tabs of screens, and the fields on them.

They are not declared: who runs a space reads those of its screens, and nothing else is usual.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import Query, actor, operation
from clones.tracker.api.paging import number_of
from clones.tracker.api.presenters.screens import tab_body
from clones.tracker.api.screens import PATH, screen_of
from clones.tracker.domain import screens
from clones.tracker.domain.administration import NOT_ADMIN
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.models import Screen, ScreenTab, ScreenTabField
from clones.tracker.queries.rights import find_project
from clones.tracker.queries.schemes import shows_screen

TABS = PATH + "/{screenId}/tabs"
TAB = TABS + "/{tabId}"
FIELDS = TAB + "/fields"
MOST = 100


class TabWrite(AdminBody):
    """The name of a screen tab."""

    name: str | None = None


class FieldWrite(AdminBody):
    """A field to add to a screen tab, by its id."""

    field: str | None = Field(None, alias="fieldId")


class FieldMove(AdminBody):
    """The new place of a field on a screen tab."""

    after: str | None = None
    position: str | None = None


class ProjectQuery(Query):
    """The space whose administrator calls; without one it is the site's."""

    project: str | None = Field(None, alias="projectKey")


class TabQuery(Query):
    """Filters of screens' tabs, and how many are listed."""

    screens: CommaList[Id] | None = Field(None, alias="screenId")
    tabs: CommaList[Id] | None = Field(None, alias="tabId")
    most: str | None = Field(None, alias="maxResult", description="so the description calls it")


def _readable_screen(call: Call) -> Screen:
    """Return the screen of a path to who may read it: an admin, or who runs a space showing it.

    Raises:
        Forbidden: they may not.
        NotFound: there is none.
    """
    rights = actor(call)
    if rights.is_admin:
        return screen_of(call)
    if call.query.project is None:
        raise Forbidden(NOT_ADMIN)
    project = find_project(rights, call.query.project)
    if not rights.may("ADMINISTER_PROJECTS", project):
        raise Forbidden(NOT_ADMIN)
    screen = screen_of(call)
    if not shows_screen(project, screen):
        raise NotFound(screens.GONE)
    return screen


def _tab(call: Call) -> ScreenTab:
    return screens.find_tab(screen_of(call), call.path["tabId"])


def _field_body(placed: ScreenTabField) -> dict[str, Any]:
    names = screens.placeable_fields([placed.field])
    return {"id": placed.field, "name": names.get(placed.field, placed.field)}


@operation(
    "getBulkScreenTabs",
    "GET",
    PATH + "/tabs",
    summary="List the tabs of several screens.",
    query=TabQuery,
    access="admin",
)
def list_many_tabs(call: Call) -> dict[str, Any]:
    """List tabs of screens; its parameter for the page's size is `maxResult`."""
    asked: TabQuery = call.query
    rows = ScreenTab.objects.order_by("screen_id", "position", "id")
    if asked.screens is not None:
        rows = rows.filter(screen__in=asked.screens)
    if asked.tabs is not None:
        rows = rows.filter(id__in=asked.tabs)
    start = number_of(call, "startAt", 0)
    most = min(number_of(call, "maxResult", MOST), MOST)
    total = rows.count()
    return {
        "maxResults": most,
        "startAt": start,
        "total": total,
        "isLast": start + most >= total,
        "values": [
            {"screenId": tab.screen_id, "tabId": tab.id, "tabName": tab.name}
            for tab in rows[start : start + most]
        ],
    }


@operation(
    "getAllScreenTabs",
    "GET",
    TABS,
    summary="List the tabs of a screen.",
    query=ProjectQuery,
)
def list_tabs(call: Call) -> list[Any]:
    """List the tabs of a screen in their order."""
    tabs = _readable_screen(call).tabs.order_by("position", "id")
    return [tab_body(tab) for tab in tabs]


@operation(
    "addScreenTab",
    "POST",
    TABS,
    summary="Put a tab behind the others of a screen.",
    body=TabWrite,
    access="admin",
)
def add_tab(call: Call) -> dict[str, Any]:
    """Add a tab to a screen."""
    return tab_body(screens.add_tab(screen_of(call), call.body.name, actor=actor(call)))


@operation(
    "renameScreenTab",
    "PUT",
    TAB,
    summary="Give a tab another name.",
    body=TabWrite,
    access="admin",
)
def rename_tab(call: Call) -> dict[str, Any]:
    """Give a tab another name."""
    return tab_body(screens.rename_tab(_tab(call), call.body.name, actor=actor(call)))


@operation(
    "deleteScreenTab",
    "DELETE",
    TAB,
    summary="Remove a tab with its fields.",
    access="admin",
    status=204,
)
def delete_tab(call: Call) -> None:
    """Remove a tab."""
    screens.delete_tab(_tab(call), actor=actor(call))


@operation(
    "moveScreenTab",
    "POST",
    TAB + "/move/{pos}",
    summary="Put a tab into another place.",
    access="admin",
    status=204,
)
def move_tab(call: Call) -> None:
    """Put a tab into a place, the first of which is 0."""
    text = call.path["pos"]
    if not is_digits(text.removeprefix("-")):
        raise Invalid(f"The position '{text}' is invalid.")
    place = int(text) if len(text) < 9 else -1
    screens.move_tab(_tab(call), place, actor=actor(call))


@operation(
    "getAllScreenTabFields",
    "GET",
    FIELDS,
    summary="List the fields on a tab.",
    query=ProjectQuery,
)
def list_fields(call: Call) -> list[Any]:
    """List the fields on a tab in their order; those in the trash are left out."""
    tab = screens.find_tab(_readable_screen(call), call.path["tabId"])
    placed = list(tab.fields.order_by("position", "id").values_list("field", flat=True))
    names = screens.placeable_fields(placed)
    return [{"id": id, "name": names[id]} for id in placed if id in names]


@operation(
    "addScreenTabField",
    "POST",
    FIELDS,
    summary="Put a field on a tab.",
    body=FieldWrite,
    access="admin",
)
def add_field(call: Call) -> dict[str, Any]:
    """Put a field behind the others of a tab."""
    return _field_body(screens.add_field(_tab(call), call.body.field, actor=actor(call)))


@operation(
    "removeScreenTabField",
    "DELETE",
    FIELDS + "/{id}",
    summary="Take a field off a tab.",
    access="admin",
    status=204,
)
def remove_field(call: Call) -> None:
    """Take a field off a tab."""
    screens.remove_field(_tab(call), call.path["id"], actor=actor(call))


@operation(
    "moveScreenTabField",
    "POST",
    FIELDS + "/{id}/move",
    summary="Put a field of a tab into another place.",
    body=FieldMove,
    access="admin",
    status=204,
)
def move_field(call: Call) -> None:
    """Put a field behind another, to an end, or one place on."""
    given: FieldMove = call.body
    screens.move_field(
        _tab(call),
        call.path["id"],
        after=given.after,
        position=given.position,
        actor=actor(call),
    )
