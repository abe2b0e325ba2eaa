"""Screens."""

from __future__ import annotations

from typing import Any, Final

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import ListQuery, matching
from clones.tracker.api.operations import Query, actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.screens import screen_body, tab_body
from clones.tracker.api.resources import by_id, register_resource
from clones.tracker.domain import screens
from clones.tracker.domain.custom_fields import find_field
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Screen, ScreenTabField
from clones.tracker.queries.schemes import owners_of_screens

PATH = "/rest/api/3/screens"
SCOPES = {"GLOBAL", "TEMPLATE", "PROJECT"}
SCREENS: Final = resources.ResourceApi(
    resource=screens.SCREEN,
    path=PATH,
    one="/{screenId}",
    find=by_id(screens.SCREEN, screens.GONE),
    present=lambda screen, _: screen_body(screen),
    body="ScreenWrite",
    about="The attributes of a screen that can be set.",
    reads="admin",
)


class ScreenQuery(ListQuery):
    """Filters and order of the list of screens: ids, a part of the name, scope."""

    scope: CommaList[str] = []


class ExpandQuery(Query):
    """The expansions of a screen."""

    expand: CommaList[str] = []


def screen_of(call: Call) -> Screen:
    """Return the screen that a path names.

    Raises:
        NotFound: there is none.
    """
    return SCREENS.of_key(call.path["screenId"])


@operation(
    "getScreensForField",
    "GET",
    "/rest/api/3/field/{fieldId}/screens",
    summary="List the screens that show a field.",
    query=ExpandQuery,
    access="admin",
)
def list_field_screens(call: Call) -> dict[str, Any]:
    """List the screens that show a custom field, with its tab where asked for."""
    field = find_field(call.path["fieldId"]).key
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

    ordered = rows.order_by("tab__screen_id", "tab_id", "id")
    return page_bean(call, ordered, present, max_results=100)


def _list(call: Call) -> dict[str, Any]:
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

    return page_bean(call, rows, present, max_results=100)


register_resource(
    SCREENS,
    resources.lists("getScreens", "List the screens.", query=ScreenQuery, view=_list),
    resources.creates("createScreen", "Make a screen with one tab."),
    resources.updates("updateScreen", "Change the name or description of a screen."),
    resources.deletes("deleteScreen", "Remove a screen that nothing shows."),
    module=__name__,
)


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
