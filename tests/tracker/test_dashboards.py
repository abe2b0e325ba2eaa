"""Dashboards and gadgets: made, copied, moved, shared, many at once, and what is kept with them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import AuditRecord, Favourite
from tests.tracker.site import Site

GONE = (
    "The dashboard you requested either does not exist or you don't have the required permissions "
    "to perform this action."
)
BURNDOWN = "com.pyxis.greenhopper.jira:greenhopper-gadget-sprint-burndown-dashboard-item"
OLD = "rest/gadgets/1.0/g/com.atlassian.jira.gadgets:"
FILTERED = f"{OLD}filter-results-gadget/gadgets/filter-results-gadget.xml"
STREAM = (
    "rest/gadgets/1.0/g/com.atlassian.streams.streams-jira-plugin:activitystream-gadget/gadgets/"
    "activitystream-gadget.xml"
)
EVERYBODY = [{"type": "loggedin"}]
NO_COLOUR = (
    "The color 'pink' is invalid. Valid colors are: blue, red, yellow, green, cyan, purple, gray, "
    "white."
)
FULL = (
    "Cannot add another gadget. The maximum number of gadgets the dashboard can hold has been "
    "reached."
)
TOO_DEEP = (
    "The JSON data provided for the property has too many levels. It must be an object with all "
    "keys and values as strings."
)
NO_ROW = (
    "The gadget cannot be placed in the selected row. The selected row does not exist on the "
    "dashboard."
)
NO_COLUMN = (
    "The gadget cannot be placed in the selected column. The selected column does not exist on the "
    "dashboard."
)


def body_of(name: str, **given: Any) -> dict[str, Any]:
    return {"name": name, "sharePermissions": [], "editPermissions": [], **given}


def make(site: Site, name: str = "Lasers", *, by: str = "dev", **given: Any) -> Any:
    return site.post("dashboard", body_of(name, **given), by=by, status=200)


def refused(site: Site, method: str, path: str, body: Any = None, **how: Any) -> Any:
    status = how.pop("status", 400)
    answer = site.call(method, path, body, **how)
    assert answer.status == status, answer.body
    return answer.body["errors"] or answer.body["errorMessages"]


def names(found: Any) -> list[str]:
    return [row["name"] for row in found.get("values", found.get("dashboards"))]


def test_a_dashboard_is_made_changed_and_deleted(site: Site) -> None:
    made = make(site, description="All of them")
    assert made["owner"]["accountId"] == site.ids["dev"]
    assert made["isWritable"] is True
    assert made["popularity"] == 0
    assert made["view"].endswith(f"/secure/Dashboard.jspa?selectPageId={made['id']}")
    path = f"dashboard/{made['id']}"
    assert refused(site, "GET", path, by="dana", status=404) == [GONE]
    changed = site.put(path, body_of("Beams", sharePermissions=EVERYBODY), by="dev", status=200)
    assert [changed["name"], changed["description"]] == ["Beams", ""]
    shown = site.get(path, by="dana")
    assert shown["isWritable"] is False
    assert shown["sharePermissions"][0]["type"] == "loggedin"
    assert refused(site, "PUT", path, body_of("Mine"), by="dana", status=404) == [GONE]
    assert refused(site, "DELETE", path, by="dana") == [GONE]
    # An admin may, if they say that they come as one.
    assert refused(site, "PUT", path, body_of("Mine"), status=404) == [GONE]
    site.put(f"{path}?extendAdminPermissions=true", body_of("Fixed"), status=200)
    site.delete(path, by="dev")
    assert refused(site, "GET", path, by="dev", status=404) == [GONE]


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        (body_of(" "), {"name": "You must specify a name to save this dashboard as."}),
        (body_of("LASERS"), {"name": "Dashboard with same name already exists."}),
        (body_of("a" * 256), {"name": "The name must not be longer than 255 characters."}),
        ({"name": "B"}, {"sharePermissions": "sharePermissions is required."}),
        (
            body_of("B", sharePermissions=[{"type": "user"}]),
            {"shares": "The user must be provided for a share of the type 'user'."},
        ),
    ],
)
def test_unverified_what_a_dashboard_may_not_be(site: Site, body: Any, errors: Any) -> None:
    make(site)
    assert refused(site, "POST", "dashboard", body, by="dev") == errors
    assert make(site, by="dana")["name"] == "Lasers"


def test_dashboards_are_listed_and_searched(site: Site) -> None:
    made = [make(site, f"Laser {at}", sharePermissions=EVERYBODY) for at in "abc"]
    make(site, "Hidden", by="ada")
    with site.writing():
        Favourite.objects.create(id=900, user_id=_user(site, "dana"), kind="dashboard",
                                 entity=int(made[1]["id"]))  # fmt: skip
    page = site.get("dashboard?startAt=2&maxResults=1", by="dana")
    assert names(page) == ["Laser b"]
    assert [page["total"], page["startAt"], page["maxResults"]] == [4, 2, 1]
    assert page["next"].endswith("dashboard?maxResults=1&startAt=3")
    assert page["prev"].endswith("dashboard?maxResults=1&startAt=1")
    assert page["dashboards"][0]["isFavourite"] is True
    assert names(site.get("dashboard?filter=favourite", by="dana")) == ["Laser b"]
    assert names(site.get("dashboard?filter=my")) == ["Hidden"]
    assert names(site.get("dashboard", by=None)) == ["Default dashboard"]
    assert refused(site, "GET", "dashboard?filter=all") == [
        "The filter 'all' is invalid. Valid filters are: favourite, my."
    ]
    found = site.get("dashboard/search?orderBy=-favorite_count&maxResults=2", by="dana")
    assert names(found) == ["Laser b", "Laser c"]
    assert [found["total"], found["isLast"]] == [4, False]
    assert set(found["values"][0]) == {"id", "name", "self"}
    rest = "expand=owner,favouritedCount,description,sharePermissions&dashboardName=ER%20B"
    (one,) = site.get(f"dashboard/search?{rest}", by="dana")["values"]
    assert [one["popularity"], one["owner"]["accountId"]] == [1, site.ids["dev"]]
    assert site.get("dashboard/search?status=deleted")["total"] == 0
    for query, message in (
        ("expand=all", "The expand parameter contains an invalid value: 'all'."),
        ("orderBy=rank", "The orderBy parameter contains an invalid value: 'rank'."),
        ("status=new", "The status 'new' is invalid."),
        ("owner=a&accountId=b", "The accountId and owner parameters cannot be used together."),
        ("groupId=a&groupname=b", "The groupname and groupId parameters cannot be used together."),
    ):
        assert refused(site, "GET", f"dashboard/search?{query}") == [message]


def _user(site: Site, login: str) -> int:
    return int(site.cards[login].subject)


def test_gadgets_stand_in_columns_without_gaps(site: Site) -> None:
    kinds = site.get("dashboard/gadgets")["gadgets"]
    assert {"moduleKey": BURNDOWN, "title": "Sprint Burndown Gadget"} in kinds
    assert {"uri": STREAM, "title": "Activity Stream"} in kinds
    path = f"dashboard/{make(site, sharePermissions=EVERYBODY)['id']}/gadget"

    def add(**given: Any) -> Any:
        return site.post(path, given, by="dev", status=200)

    def places() -> dict[int, tuple[int, int]]:
        rows = site.get(path, by="dana")["gadgets"]
        return {row["id"]: (row["position"]["column"], row["position"]["row"]) for row in rows}

    one = add(moduleKey=BURNDOWN)
    assert [one["title"], one["color"], one["position"]] == [
        "Sprint Burndown Gadget",
        "blue",
        {"row": 0, "column": 0},
    ]
    two = add(uri=STREAM, title="News", color="red", position={"row": 0, "column": 0})
    three = add(moduleKey=BURNDOWN, position={"row": 0, "column": 1})
    assert places() == {two["id"]: (0, 0), one["id"]: (0, 1), three["id"]: (1, 0)}
    change = {"title": "Fresh", "position": {"row": 1, "column": 1}}
    site.put(f"{path}/{two['id']}", change, by="dev")
    assert places() == {one["id"]: (0, 0), three["id"]: (1, 0), two["id"]: (1, 1)}
    site.delete(f"{path}/{three['id']}", by="dev")
    assert places() == {one["id"]: (0, 0), two["id"]: (1, 0)}
    (shown,) = site.get(f"{path}?uri={STREAM}", by="dana")["gadgets"]
    assert [shown["title"], shown["color"]] == ["Fresh", "red"]
    (shown,) = site.get(f"{path}?gadgetId={one['id']}&moduleKey={BURNDOWN}")["gadgets"]
    assert shown["id"] == one["id"]


def test_unverified_what_a_gadget_may_not_be(site: Site) -> None:
    path = f"dashboard/{make(site, sharePermissions=EVERYBODY)['id']}/gadget"
    for body, message in (
        ({}, "Either the uri or the moduleKey of the gadget must be provided."),
        (
            {"uri": STREAM, "moduleKey": BURNDOWN},
            "The uri and the moduleKey of a gadget cannot be provided together.",
        ),
        ({"moduleKey": "none"}, "The gadget with the given uri or moduleKey does not exist."),
        ({"moduleKey": BURNDOWN, "color": "pink"}, NO_COLOUR),
        ({"moduleKey": BURNDOWN, "position": {"row": 1, "column": 0}}, NO_ROW),
        ({"moduleKey": BURNDOWN, "position": {"row": 0, "column": 2}}, NO_COLUMN),
    ):
        assert refused(site, "POST", path, body, by="dev") == [message]
    for name in ("moduleKey", "uri", "title"):
        long = {"moduleKey": BURNDOWN, "ignoreUriAndModuleKeyValidation": True, name: "a" * 256}
        site.post(path, long if name != "uri" else long | {"moduleKey": None}, by="dev", status=400)
    unknown = {"moduleKey": "none", "ignoreUriAndModuleKeyValidation": True}
    assert site.post(path, unknown, by="dev", status=200)["title"] == ""
    for _ in range(19):
        site.post(path, {"moduleKey": BURNDOWN}, by="dev", status=200)
    assert refused(site, "POST", path, {"moduleKey": BURNDOWN}, by="dev") == [FULL]
    assert refused(site, "POST", path, {"moduleKey": BURNDOWN}, by="dana", status=404) == [GONE]
    assert refused(site, "DELETE", f"{path}/1", by="dev", status=404) == [
        "The dashboard gadget was not found."
    ]


def test_what_is_kept_with_gadgets_goes_along_with_copies(site: Site) -> None:
    made = make(site, description="All", sharePermissions=EVERYBODY)
    gadget = site.post(f"dashboard/{made['id']}/gadget", {"uri": STREAM}, by="dev", status=200)
    kept = f"dashboard/{made['id']}/items/{gadget['id']}/properties"
    site.put(f"{kept}/config", {"title": "News"}, by="dev", status=201)
    site.put(f"{kept}/config", {"title": "Old news"}, by="dev", status=200)
    assert site.get(f"{kept}/config", by="dana") == {
        "key": "config",
        "value": {"title": "Old news"},
    }
    assert [one["key"] for one in site.get(kept, by="dana")["keys"]] == ["config"]
    assert refused(site, "PUT", f"{kept}/config", {"a": {"b": 1}}, by="dev") == [TOO_DEEP]
    assert refused(site, "PUT", f"{kept}/config", {}, by="dana", status=403) == [
        "You do not have permission to edit this dashboard."
    ]
    assert refused(site, "GET", f"{kept}/none", by="dana", status=404) == [
        "The property with key 'none' does not exist."
    ]
    path = f"dashboard/{made['id']}/copy"
    copy = site.post(path, body_of("Copy"), by="dana", status=200)
    assert [copy["owner"]["accountId"], copy["description"]] == [site.ids["dana"], "All"]
    (row,) = site.get(f"dashboard/{copy['id']}/gadget", by="dana")["gadgets"]
    there = f"dashboard/{copy['id']}/items/{row['id']}/properties/config"
    assert row["id"] != gadget["id"]
    assert site.get(there, by="dana")["value"] == {"title": "Old news"}
    assert refused(site, "POST", path, body_of("Copy"), by="dana") == {
        "name": "Dashboard with same name already exists."
    }
    site.delete(f"{kept}/config", by="dev")
    assert site.get(kept, by="dev")["keys"] == []
    site.delete(f"dashboard/{copy['id']}", by="dana")
    assert refused(site, "GET", there, by="dana", status=404) == [GONE]


def test_many_dashboards_are_changed_at_once(site: Site) -> None:
    one, two = make(site, "One"), make(site, "Two", sharePermissions=EVERYBODY)
    foreign = make(site, "Hers", by="dana", sharePermissions=EVERYBODY)
    ids = [int(row["id"]) for row in (one, two, foreign)]
    shares = {"sharePermissions": [{"type": "global"}], "editPermissions": []}
    body: dict[str, Any] = {
        "action": "changePermission",
        "entityIds": [*ids, 1],
        "permissionDetails": shares,
    }
    found = site.put("dashboard/bulk/edit", body, by="dev", status=200)
    assert found == {
        "action": "changePermission",
        "entityErrors": {
            str(ids[2]): {
                "errorMessages": ["Only owner or editors of the dashboard can change permissions."],
                "errors": {},
            },
            "1": {"errorMessages": [GONE], "errors": {}},
        },
    }
    assert names(site.get("dashboard", by=None))[1:] == ["One", "Two"]
    more = {"sharePermissions": [], "editPermissions": [{"type": "loggedin"}]}
    body = {"action": "addPermission", "entityIds": ids[:1], "permissionDetails": more}
    site.put("dashboard/bulk/edit", body, by="dev", status=200)
    shown = site.get(f"dashboard/{ids[0]}", by="dana")
    assert [len(shown["sharePermissions"]), shown["isWritable"]] == [1, True]
    body["action"] = "removePermission"
    site.put("dashboard/bulk/edit", body, by="dev", status=200)
    assert site.get(f"dashboard/{ids[0]}", by="dana")["isWritable"] is False
    make(site, "two", by="dana")
    owner: dict[str, Any] = {"newOwner": site.ids["dana"], "autofixName": False}
    body = {"action": "changeOwner", "entityIds": ids[:2], "changeOwnerDetails": owner}
    wrong = site.put("dashboard/bulk/edit", body, by="dev", status=200)["entityErrors"]
    assert wrong == {
        str(ids[1]): {
            "errorMessages": [],
            "errors": {"name": "Dashboard with same name already exists."},
        }
    }
    owner["autofixName"] = True
    body |= {"entityIds": ids[1:2], "extendAdminPermissions": True}
    assert site.put("dashboard/bulk/edit", body, status=200)["entityErrors"] == {}
    assert site.get(f"dashboard/{ids[1]}", by="dana")["name"] == "Two (1)"
    with site.store():
        assert AuditRecord.objects.filter(summary="Dashboard owner changed").count() == 1
    assert refused(site, "PUT", "dashboard/bulk/edit", body | {"entityIds": []}) == [
        "Between 1 and 100 dashboards can be edited at once."
    ]
    assert refused(site, "PUT", "dashboard/bulk/edit", body | {"changeOwnerDetails": None}) == {
        "changeOwnerDetails": "changeOwnerDetails is required."
    }


def test_the_systems_dashboard_is_everybodys(site: Site) -> None:
    shown = site.get("dashboard/10000", by="guest")
    assert [shown["systemDashboard"], shown["sharePermissions"]] == [True, [{"type": "global"}]]
    assert shown["isWritable"] is False
    assert "owner" not in shown
    titles = [row["title"] for row in site.get("dashboard/10000/gadget", by=None)["gadgets"]]
    assert titles == ["Introduction", "Assigned to Me", "Activity Stream"]
    gadget = {"moduleKey": BURNDOWN}
    assert (
        site.post("dashboard/10000/gadget", gadget, status=200)["title"] == "Sprint Burndown Gadget"
    )
    assert refused(site, "POST", "dashboard/10000/gadget", gadget, by="dev", status=404) == [GONE]
    assert refused(site, "DELETE", "dashboard/10000") == [GONE]


def test_older_gadgets_have_the_addresses_that_clients_know(site: Site) -> None:
    """Also those of a new site's own dashboard, whose rows have keys."""
    listed = {kind["title"]: kind.get("uri") for kind in site.get("dashboard/gadgets")["gadgets"]}
    assert listed["Filter Results"] == FILTERED
    assert listed["Pie Chart"] == f"{OLD}pie-chart-gadget/gadgets/piechart-gadget.xml"
    two = "two-dimensional-stats-gadget"
    assert listed["Two Dimensional Filter Statistics"] == f"{OLD}{two}/gadgets/{two}.xml"
    assert listed["Issue Statistics"] == f"{OLD}stats-gadget/gadgets/stats-gadget.xml"
    path = f"dashboard/{make(site)['id']}/gadget"
    made = site.post(path, {"uri": f"/{FILTERED}"}, by="dev", status=200)
    assert (made["uri"], made["title"], "moduleKey" in made) == (FILTERED, "Filter Results", False)
    assert len(site.get(f"{path}?uri={FILTERED}", by="dev")["gadgets"]) == 1
    usual = next(
        one for one in site.get("dashboard")["dashboards"] if one["name"] == "Default dashboard"
    )
    shown = site.get(f"dashboard/{usual['id']}/gadget")["gadgets"]
    assert all("moduleKey" not in gadget for gadget in shown)
    assigned = f"{OLD}assigned-to-me-gadget/gadgets/assigned-to-me-gadget.xml"
    found = site.get(f"dashboard/{usual['id']}/gadget?uri={assigned}")["gadgets"]
    assert [gadget["title"] for gadget in found] == ["Assigned to Me"]
    config = f"{path.removesuffix('/gadget')}/items/{made['id']}/properties/config"
    site.put(config, {"filterId": 1}, by="dev", status=400)
    site.put(config, {"filterId": "1"}, by="dev", status=201)


def test_what_an_edit_leaves_out_stays(site: Site) -> None:
    shares = [{"type": "loggedin"}]
    made = site.post("dashboard", {"name": "Wall", "sharePermissions": shares}, status=200)
    assert made["editPermissions"] == []
    body = {"name": "Wall", "editPermissions": shares}
    whole = site.put(f"dashboard/{made['id']}", body, status=200)
    kept = site.put(f"dashboard/{made['id']}", {"name": "Other"}, status=200)
    assert kept["name"] == "Other"
    for part in ("sharePermissions", "editPermissions"):
        assert kept[part] == whole[part], part
    assert [len(kept[part]) for part in ("sharePermissions", "editPermissions")] == [1, 1]
