"""Tabs, the theme of icons and colors, and the apps of the menu."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.crm.api.operations import versioned
from clones.crm.errors import NotFound
from clones.crm.queries.schema import org_schema
from clones.crm.rules.apps import apps, color_of, icon_of, tabbed

_MENUS = ("AppSwitcher", "Salesforce1", "NetworkTabs")


def _site(call: Call) -> str:
    return call.request.build_absolute_uri("/").rstrip("/")


def _colors(name: str) -> list[dict[str, str]]:
    return [{"color": color_of(name), "context": "primary", "theme": "theme4"}]


def _icons(name: str, site: str) -> list[dict[str, Any]]:
    path = icon_of(name)
    small = path.replace("_120.png", "_60.png")
    return [
        {
            "contentType": "image/png",
            "height": size,
            "theme": "theme4",
            "url": f"{site}{one}",
            "width": size,
        }
        for size, one in ((60, small), (120, path))
    ]


@versioned("GetTabs", "GET", "/tabs", summary="List the tabs.")
def show_tabs(call: Call) -> list[dict[str, Any]]:
    """Answer with the tabs that the caller may open."""
    site = _site(call)
    return [
        {
            "colors": _colors(of.name),
            "custom": of.is_custom,
            "iconUrl": f"{site}{icon_of(of.name)}",
            "icons": _icons(of.name, site),
            "label": of.plural,
            "miniIconUrl": f"{site}{icon_of(of.name).replace('_120.png', '_60.png')}",
            "name": of.name if of.is_custom else f"standard-{of.name}",
            "sobjectName": of.name,
            "url": f"{site}/{of.prefix}/o",
        }
        for of in tabbed(org_schema())
    ]


@versioned("GetTheme", "GET", "/theme", summary="List the icons and colors of objects.")
def show_theme(call: Call) -> dict[str, Any]:
    """Answer with each object's colors and icons."""
    site = _site(call)
    return {
        "themeItems": [
            {"colors": _colors(of.name), "icons": _icons(of.name, site), "name": of.name}
            for of in org_schema()
            if of.abilities["layoutable"]
        ]
    }


@versioned("GetAppMenus", "GET", "/appMenu", summary="List the kinds of menus.")
def show_menus(call: Call) -> dict[str, str]:
    """Answer with the address of each."""
    return {name: f"{call.request.path.rstrip('/')}/{name}" for name in _MENUS}


@versioned("GetAppMenu", "GET", "/appMenu/{kind}", summary="List the apps of a menu.")
def show_menu(call: Call) -> dict[str, Any]:
    """Answer with the apps."""
    if call.path["kind"] not in _MENUS:
        raise NotFound
    site, shown = _site(call), []
    for one in apps() if call.path["kind"] == "AppSwitcher" else ():
        logo = f"{site}/logos/Salesforce/{one.logo}/logo.png"
        shown.append(
            {
                "colors": [{"color": "0070D2", "context": "primary", "theme": "theme4"}],
                "content": None,
                "icons": _icons("Home", site),
                "label": one.label,
                "name": one.name,
                "type": "Tabset",
                "url": f"{site}/home/home.jsp?tsid={one.id[:15]}",
                "logoUrl": logo,
            }
        )
    return {"appMenuItems": shown}
