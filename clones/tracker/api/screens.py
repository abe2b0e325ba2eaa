"""Screens."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, ListQuery, matching
from clones.tracker.api.fields import any_field, id_of
from clones.tracker.api.operations import Query, actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.screens import screen_body, tab_body
from clones.tracker.domain import screens
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Screen, ScreenTabField
from clones.tracker.queries.schemes import owners_of_screens

PATH = "/rest/api/3/screens"
SCOPES = {"GLOBAL", "TEMPLATE", "PROJECT"}


class ScreenWrite(AdminBody):
    """What a screen is to be."""

    name: str | None = None
    description: str | None = None


class ScreenQuery(ListQuery):
    """Which screens, and whose."""

    scope: CommaList[str] = []


class ExpandQuery(Query):
    """What to show beside."""

    expand: CommaList[str] = []


def screen_of(call: Call) -> Screen:
    """Return the screen that a path names.

    Raises:
        NotFound: there is none.
    """
    return one_of(Screen.objects.all(), call.path["screenId"], screens.GONE)


@operation(
    "getScreensForField",
    "GET",
    "/rest/api/3/field/{fieldId}/screens",
    summary="List the screens that show a field.",
    query=ExpandQuery,
    access="admin",
)
def list_field_screens(call: Call) -> dict[str, Any]:
    """List the screens that show a field, with its tab where asked for."""
    field = id_of(any_field(call.path["fieldId"]))
    with_tab = "tab" in frozenset(call.query.expand)
    rows = ScreenTabField.objects.filter(field=field).select_related("tab__screen")

    def present(found: list[ScreenTabField]) -> list[Any]:
        owners = owners_of_screens({row.tab.screen_id for row in found})
        return [
            {
                **screen_body(row.tab.screen, owners.get(row.tab.screen_id)),
                **({"tab": tab_body(row.tab)} if with_tab else {}),
            }
            for row in found
        ]

    return page_bean(call, rows.order_by("tab__screen_id", "tab_id", "id"), present)


@operation(
    "getScreens",
    "GET",
    PATH,
    summary="List the screens.",
    query=ScreenQuery,
    access="admin",
)
def list_screens(call: Call) -> dict[str, Any]:
    """List screens: of the site, and those of team-managed spaces."""
    asked: ScreenQuery = call.query
    rows = matching(Screen.objects.all(), asked)
    scopes = set(asked.scope)
    if scopes - SCOPES:
        raise Invalid(f"The scope must be one of {', '.join(sorted(SCOPES))}.")
    if scopes:
        owned = list(owners_of_screens(set(Screen.objects.values_list("id", flat=True))))
        if "PROJECT" not in scopes:
            rows = rows.exclude(id__in=owned)
        if "GLOBAL" not in scopes:
            rows = rows.filter(id__in=owned if "PROJECT" in scopes else [])

    def present(found: list[Screen]) -> list[Any]:
        owners = owners_of_screens({row.id for row in found})
        return [screen_body(row, owners.get(row.id)) for row in found]

    return page_bean(call, rows, present)


@operation(
    "createScreen",
    "POST",
    PATH,
    summary="Make a screen with one tab.",
    body=ScreenWrite,
    access="admin",
    status=201,
)
def create_screen(call: Call) -> dict[str, Any]:
    """Make a screen."""
    given: ScreenWrite = call.body
    return screen_body(screens.create_screen(given.name, given.description, actor=actor(call)))


@operation(
    "addFieldToDefaultScreen",
    "POST",
    PATH + "/addToDefault/{fieldId}",
    summary="Put a field on the first tab of the default screen.",
    access="admin",
)
def add_to_default(call: Call) -> dict[str, Any]:
    """Put a field on the default screen."""
    screens.add_to_default_screen(call.path["fieldId"], actor=actor(call))
    return {}


@operation(
    "updateScreen",
    "PUT",
    PATH + "/{screenId}",
    summary="Change the name or description of a screen.",
    body=ScreenWrite,
    access="admin",
)
def update_screen(call: Call) -> dict[str, Any]:
    """Change a screen."""
    given: ScreenWrite = call.body
    found = screens.update_screen(screen_of(call), given.name, given.description, actor=actor(call))
    return screen_body(found)


@operation(
    "deleteScreen",
    "DELETE",
    PATH + "/{screenId}",
    summary="Remove a screen that nothing shows.",
    access="admin",
    status=204,
)
def delete_screen(call: Call) -> None:
    """Remove a screen."""
    screens.delete_screen(screen_of(call), actor=actor(call))


@operation(
    "getAvailableScreenFields",
    "GET",
    PATH + "/{screenId}/availableFields",
    summary="List the fields that a screen could show.",
    access="admin",
)
def list_available(call: Call) -> list[Any]:
    """List the fields that are not on a screen."""
    screen = screen_of(call)
    placed = ScreenTabField.objects.filter(tab__screen=screen).values_list("field", flat=True)
    have = set(placed)
    return [
        {"id": id, "name": name}
        for id, name in screens.placeable_fields().items()
        if id not in have
    ]
