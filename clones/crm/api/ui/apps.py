"""Apps with their bars, tabs, the theme, and what users keep at hand."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field as Asked

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.api.ui.objects import site_of
from clones.crm.api.ui.presenting import present_app, present_nav_item
from clones.crm.api.ui.shown import tagged
from clones.crm.api.views.rows import members, plain_members
from clones.crm.domain.favorites import add_favorite, checked_name, note_use
from clones.crm.errors import NotFound, UnreadableBody
from clones.crm.models import Favorite, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.apps import HOME, LightningApp, apps, color_of, icon_of, tabbed
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.shown_values import shown_value

_SLDS = "/_slds/images/themes/lightning_blue/lightning_blue_"


class NavItemsQuery(Query):
    """Which page of the tabs is wanted."""

    page: Annotated[int, Asked(ge=0, le=1000)] = 0
    page_size: Annotated[int, Asked(ge=1, le=500, alias="pageSize")] = 25
    form_factor: str = Asked("Large", alias="formFactor")


def _shown(call: Call, app: LightningApp, *, is_selected: bool) -> dict[str, Any]:
    schema, site = org_schema(), site_of(call)
    items = []
    for name in app.items:
        of = schema.find(name)
        if of is not None or name == HOME:
            items.append(present_nav_item(of, site))
    return present_app(app, items, site, is_selected=is_selected)


def _app(call: Call) -> tuple[LightningApp, bool]:
    """Return the app that an address names, and whether it is the one that all begin in."""
    whole = read_id(call.path["app"])
    for place, one in enumerate(apps()):
        if whole == one.id:
            return one, place == 0
    raise NotFound


@versioned("GetUiApps", "GET", "/ui-api/apps", summary="List the apps.")
def show_apps(call: Call) -> dict[str, Any]:
    """Answer with every app and its bar."""
    shown = [_shown(call, one, is_selected=place == 0) for place, one in enumerate(apps())]
    return tagged({"apps": shown})


@versioned("GetUiSelectedApp", "GET", "/ui-api/apps/selected", summary="Show the caller's app.")
def show_selected_app(call: Call) -> dict[str, Any]:
    """Answer with the app that the caller is in."""
    return _shown(call, apps()[0], is_selected=True)


@versioned("GetUiApp", "GET", "/ui-api/apps/{app}", summary="Show an app.")
def show_app(call: Call) -> dict[str, Any]:
    """Answer with the app and its bar."""
    app, is_selected = _app(call)
    return _shown(call, app, is_selected=is_selected)


@versioned(
    "GetUiAppNavItems",
    "GET",
    "/ui-api/apps/{app}/user-nav-items",
    summary="Show the bar of an app.",
)
def show_app_items(call: Call) -> dict[str, Any]:
    """Answer with the tabs of the bar."""
    app, is_selected = _app(call)
    items = _shown(call, app, is_selected=is_selected)["navItems"]
    own = f"{root(call)}/ui-api/apps/{app.id}/user-nav-items"
    return tagged({"currentPageUrl": own, "navItems": items, "nextPageUrl": None})


@versioned(
    "GetUiNavItems",
    "GET",
    "/ui-api/nav-items",
    summary="List the tabs.",
    query=NavItemsQuery,
)
def show_tabs(call: Call) -> dict[str, Any]:
    """Answer with a page of the tabs that there are."""
    asked, site = call.query, site_of(call)
    items = [present_nav_item(of, site) for of in tabbed(org_schema())]
    start = asked.page * asked.page_size
    own = f"{root(call)}/ui-api/nav-items?formFactor={asked.form_factor[:20]}"

    def url(page: int) -> str:
        return f"{own}&page={page}&pageSize={asked.page_size}"

    has_more = start + asked.page_size < len(items)
    return tagged(
        {
            "currentPageUrl": url(asked.page),
            "navItems": items[start : start + asked.page_size],
            "nextPageUrl": url(asked.page + 1) if has_more else None,
        }
    )


@versioned("GetUiTheme", "GET", "/ui-api/themes/active", summary="Show colors and pictures.")
def show_theme(_: Call) -> dict[str, Any]:
    """Answer with the theme of the pages."""
    return {
        "brandColor": "#0176D3",
        "brandImage": _pictures("logo", {"large": "3x", "medium": "2x", "small": "1x"}),
        "defaultGroupBanner": {"fullSizeUrl": f"{_SLDS}group.png"},
        "defaultGroupImage": _sizes("group_icon"),
        "defaultPageBanner": {"fullSizeUrl": f"{_SLDS}background.png"},
        "defaultUserBanner": {"fullSizeUrl": f"{_SLDS}profile.png"},
        "defaultUserImage": _sizes("profile_avatar"),
        "density": "ViewOne",
        "headerColor": "#FFFFFF",
        "linkColor": "#0176D3",
        "pageColor": "#B0C4DF",
    }


def _sizes(name: str) -> dict[str, str]:
    return _pictures(name, {"large": "200", "medium": "160", "small": "96"})


def _pictures(name: str, sizes: dict[str, str]) -> dict[str, str]:
    return {f"{key}Url": f"{_SLDS}{name}_{one}.png" for key, one in sizes.items()}


@versioned("GetUiFavorites", "GET", "/ui-api/favorites", summary="List what is kept at hand.")
def show_favorites(call: Call) -> dict[str, Any]:
    """Answer with the caller's favorites, in their order."""
    return _all(call)


@versioned(
    "PostUiFavorite",
    "POST",
    "/ui-api/favorites",
    summary="Keep a page at hand.",
    body=Any,
    status=201,
)
def make_favorite(call: Call) -> dict[str, Any]:
    """Answer with the favorite."""
    body = plain_members(call)
    target, kind = _text(body, "target"), _text(body, "targetType")
    made = add_favorite(
        _text(body, "name"), target, kind, _object_of(target), user=call.actor.subject
    )
    return _present(call, made)


@versioned(
    "PutUiFavorites",
    "PUT",
    "/ui-api/favorites/batch",
    summary="Put what is kept at hand into an order.",
    body=Any,
)
def order_favorites(call: Call) -> dict[str, Any]:
    """Answer with the caller's favorites; what a list leaves out is taken away."""
    given = plain_members(call).get("favorites")
    if not isinstance(given, list) or len(given) > 200:
        raise UnreadableBody("Cannot deserialize instance of favorites")
    known = {one.id: one for one in _rows(call)}
    kept = []
    for place, one in enumerate(given, 1):
        body = members(one)
        found = known.get(read_id(str(body.get("id") or "")) or "")
        if found is None or found in kept:
            raise NotFound
        found.sort_order = place
        if body.get("name") is not None:
            found.name = checked_name(_text(body, "name"))
        kept.append(found)
    for one in known.values():
        if one in kept:
            one.save()
        else:
            one.delete()
    return _all(call)


@versioned("GetUiFavorite", "GET", "/ui-api/favorites/{id}", summary="Show a favorite.")
def show_favorite(call: Call) -> dict[str, Any]:
    """Answer with the favorite."""
    return _present(call, _favorite(call))


@versioned(
    "PatchUiFavorite", "PATCH", "/ui-api/favorites/{id}", summary="Rename a favorite.", body=Any
)
def rename_favorite(call: Call) -> dict[str, Any]:
    """Answer with the favorite."""
    found, body = _favorite(call), plain_members(call)
    if body.get("name") is not None:
        found.name = checked_name(_text(body, "name"))
        found.save()
    return _present(call, found)


@versioned(
    "PatchUiFavoriteUsage",
    "PATCH",
    "/ui-api/favorites/{id}/usage",
    summary="Count a use of a favorite.",
    body=Any,
)
def use_favorite(call: Call) -> dict[str, Any]:
    """Answer with the favorite."""
    found = _favorite(call)
    note_use(found)
    return _present(call, found)


@versioned(
    "DeleteUiFavorite",
    "DELETE",
    "/ui-api/favorites/{id}",
    summary="Take a favorite away.",
    status=204,
)
def remove_favorite(call: Call) -> None:
    """Answer with nothing."""
    _favorite(call).delete()


def _rows(call: Call) -> list[Favorite]:
    return list(Favorite.objects.filter(user=call.actor.subject).order_by("sort_order", "id"))


def _all(call: Call) -> dict[str, Any]:
    return {"favorites": [_present(call, one) for one in _rows(call)]}


def _favorite(call: Call) -> Favorite:
    id = read_id(call.path["id"]) or ""
    found = Favorite.objects.filter(id=id, user=call.actor.subject).first()
    if found is None:
        raise NotFound
    return found


def _text(body: dict[str, Any], name: str) -> str:
    found = body.get(name)
    if not isinstance(found, str) or not found:
        raise UnreadableBody(f"Cannot deserialize instance of {name}")
    return found


def _object_of(target: str) -> str | None:
    """Return the object that a target belongs to: of a list view that it lists, or its own."""
    schema, whole = org_schema(), read_id(target)
    of = schema.find(target) if whole is None else schema.of_id(whole)
    if of is not None and of.name == "ListView":
        rows = rows_of("ListView").filter(Id=whole)
        found: str | None = rows.values_list("SobjectType", flat=True).first()
        return found
    return None if of is None else of.name


def _present(call: Call, one: Favorite) -> dict[str, Any]:
    of = org_schema().find(one.object or "")
    moment = shown_value(one.last_access_at)
    return {
        "accessCount": one.access_count,
        "iconColor": color_of(one.object or HOME),
        "iconUrl": f"{site_of(call)}{icon_of(one.object or HOME)}",
        "id": one.id,
        "lastAccessDate": None if moment is None else f"{moment[:23]}Z",
        "name": one.name,
        "objectType": one.object,
        "sortOrder": one.sort_order,
        "subtitle": None if of is None else of.plural,
        "target": one.target,
        "targetType": one.target_type,
    }
