"""Apps, tabs, the theme and favorites, compared key by key with those that were recorded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.ui.test_records import recorded

FAVORITES = "/ui-api/favorites"


def test_apps_and_their_bars(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_apps_200")
    ours = org.call("GET", "/ui-api/apps")
    assert list(ours) == list(theirs)
    first, other = ours["apps"][0], theirs["apps"][0]
    assert list(first) == list(other)
    assert first["developerName"] == other["developerName"]
    tabs = {one["objectApiName"]: one for one in other["navItems"]}
    for tab in first["navItems"]:
        known = tabs.get(tab["objectApiName"])
        if known is None:
            continue
        assert list(tab) == list(known)
        for key in ("color", "itemType", "label", "objectLabel", "standardType"):
            assert tab[key] == known[key], (tab["label"], key)
        assert tab["iconUrl"].partition("/img")[2] == known["iconUrl"].partition("/img")[2]
    assert org.call("GET", "/ui-api/apps/selected") == first
    assert org.call("GET", f"/ui-api/apps/{first['appId']}") == first
    bar = org.call("GET", f"/ui-api/apps/{first['appId']}/user-nav-items")
    assert bar["navItems"] == first["navItems"]
    page = org.call("GET", "/ui-api/nav-items?pageSize=2")
    assert list(page) == list(recorded("get_data_v64_0_ui_api_nav_items_200"))
    assert len(page["navItems"]) == 2
    assert org.call("GET", page["nextPageUrl"])["navItems"] != page["navItems"]
    assert org.refused("GET", "/ui-api/apps/06m000000000000AAA")["status"] == 404


def test_the_theme_is_the_recorded_one(org: Org) -> None:
    theirs = recorded("get_data_v64_0_ui_api_themes_active_200")
    assert org.call("GET", "/ui-api/themes/active") == theirs


def test_favorites_are_kept_in_an_order(org: Org) -> None:
    theirs = recorded("post_data_v64_0_ui_api_favorites_201")
    views = org.call("GET", "/ui-api/list-info/Account")["lists"]
    body: dict[str, Any] = {"name": "All", "target": views[0]["id"], "targetType": "ListView"}
    first = org.call("POST", FAVORITES, body, status=201)
    assert list(first) == list(theirs)
    assert first["iconUrl"].partition("/img")[2] == theirs["iconUrl"].partition("/img")[2]
    assert {key: first[key] for key in ("subtitle", "objectType", "iconColor", "accessCount")} == {
        key: theirs[key] for key in ("subtitle", "objectType", "iconColor", "accessCount")
    }
    home = {"name": "Leads", "target": "Lead", "targetType": "ObjectHome"}
    second = org.call("POST", FAVORITES, home, status=201)
    assert second["sortOrder"] == 2
    path = f"{FAVORITES}/{first['id']}"
    assert org.call("PATCH", path, {"name": "Every"})["name"] == "Every"
    assert org.call("PATCH", f"{path}/usage", {})["accessCount"] == 2
    order = {"favorites": [{"id": second["id"]}, {"id": first["id"]}]}
    kept = org.call("PUT", f"{FAVORITES}/batch", order)["favorites"]
    assert [one["name"] for one in kept] == ["Leads", "Every"]
    assert org.call("GET", FAVORITES, login=BEN) == {"favorites": []}
    assert org.refused("GET", path, login=BEN)["status"] == 404
    org.call("DELETE", path, status=204)
    assert [one["name"] for one in org.call("GET", FAVORITES)["favorites"]] == ["Leads"]


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"name": "x", "target": "y", "targetType": "Nothing"},
        {"name": "", "target": "y", "targetType": "Tab"},
        {"name": "x" * 101, "target": "y", "targetType": "Tab"},
        {"name": 1, "target": "y", "targetType": "Tab"},
        {"name": "x", "target": "\0", "targetType": "Tab"},
    ],
)
def test_favorites_that_will_not_do(org: Org, body: Any) -> None:
    assert org.ask("POST", FAVORITES, body).status == 400
    assert org.call("GET", FAVORITES) == {"favorites": []}
