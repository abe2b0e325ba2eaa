"""The pages of dashboards: made, copied, shared, with gadgets that show something."""

from __future__ import annotations

import re
from typing import Any

from tests.tracker.issues import add_field
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor

LIST = "/jira/dashboards"


def made(who: Visit, name: str, **sent: str) -> str:
    """Make a dashboard and return its address."""
    page = who.post(f"{LIST}/new", {"name": name, **sent})
    return page.location.partition("?")[0]


def added(who: Visit, at: str, kind: str, **settings: str) -> str:
    """Add a gadget, set it, and return the address of its settings."""
    page = who.post(f"{at}/gadgets/add", {"gadget": kind})
    if page.location.endswith("?edit"):
        return page.location
    who.change(page.location, page.location, **settings)
    return page.location


def test_dashboards_are_made_shared_copied_starred_and_deleted(site: Site) -> None:
    dev, dana = visitor(site, "dev"), visitor(site, "dana")
    refused = dev.post(f"{LIST}/new", {"name": " ", "description": "Why"}, status=400)
    assert "You must specify a name to save this dashboard as." in refused.main
    assert refused.form(f"{LIST}/new")["description"] == "Why"
    at = made(dev, "Lasers", viewers_add="loggedin")
    key = at.rpartition("/")[2]
    found = site.get(f"dashboard/{key}", by="dana")
    assert [share["type"] for share in found["sharePermissions"]] == ["loggedin"]
    assert "Lasers" in dana.get(LIST).main
    assert not dana.get(at).links("Edit")
    dana.get(f"{at}/edit", status=404)
    added(dev, at, "Introduction")
    copy = dana.change(f"{LIST}/new?copy={key}", f"{LIST}/new", name="Mine").location
    assert "Introduction" in dana.get(copy).main
    dana.post(f"{at}/star", {"starred": "1", "back": at})
    assert "Lasers" in dana.get(LIST, tab="starred").main
    dev.change(f"{at}/edit", f"{at}/edit", name="Lasers 2", viewers=[])
    assert site.get(f"dashboard/{key}", by="dev")["name"] == "Lasers 2"
    dana.get(at, status=404)
    assert "Lasers 2" in dev.get(f"{at}/delete").main
    dev.post(f"{at}/delete")
    site.get(f"dashboard/{key}", by="dev", status=404)


def test_gadgets_are_added_set_moved_and_removed(site: Site) -> None:
    site.issue("Laser stops", labels=["hot"], assignee={"accountId": site.ids["dev"]})
    dev = visitor(site, "dev")
    at = made(dev, "Lasers")
    key = at.rpartition("/")[2]
    page = dev.post(f"{at}/gadgets/add", {"gadget": "Pie Chart"})
    assert "This gadget has not been configured yet." in dev.get(at).main
    refused = dev.post(page.location, {"title": "Pie", "color": "red"}, status=400)
    assert "Space or saved filter is required." in refused.main
    project = site.get("project/LAS")["id"]
    source = f"project-{project}"
    dev.change(page.location, page.location, projectOrFilterId=source, statType="labels")
    gadget = page.location.rpartition("/")[2]
    config = site.get(f"dashboard/{key}/items/{gadget}/properties/config", by="dev")["value"]
    assert config["projectOrFilterId"] == source
    assert config["statType"] == "labels"
    shown = dev.get(at)
    assert "hot 1 100%" in shown.main
    assert "LAS-1" in dev.get(shown.links("hot")["hot"]).main
    added(dev, at, "Assigned to Me", num="5")
    assert "Laser stops" in dev.get(at).main
    order = [one["title"] for one in site.get(f"dashboard/{key}/gadget", by="dev")["gadgets"]]
    assert set(order) == {"Pie Chart", "Assigned to Me"}
    dev.post(f"{page.location}/move", {"to": "right"})
    places = {
        one["title"]: one["position"]
        for one in site.get(f"dashboard/{key}/gadget", by="dev")["gadgets"]
    }
    assert places["Pie Chart"] == {"column": 1, "row": 0}
    dev.post(f"{at}/layout", {"layout": "A"})
    assert dev.get(at).html.count("board-grid__column board-grid__column--") == 1
    assert "is invalid" in dev.post(f"{at}/layout", {"layout": "Q"}, status=400).main
    dev.post(f"{page.location}/remove")
    assert 'aria-label="Pie Chart"' not in dev.get(at).html
    visitor(site, "dana").post(f"{at}/gadgets/add", {"gadget": "Introduction"}, status=404)


def test_every_gadget_of_the_list_shows_its_numbers(site: Site) -> None:
    dev_id = site.ids["dev"]
    for at in range(3):
        site.issue(f"Laser {at}", assignee={"accountId": dev_id}, labels=["hot"])
    other = site.issue("Mirror", priority={"name": "High"})
    moves = site.get(f"issue/{other}/transitions")["transitions"]
    done = next(move["id"] for move in moves if move["to"]["statusCategory"]["key"] == "done")
    site.post(f"issue/{other}/transitions", {"transition": {"id": done}}, status=204)
    body = {"name": "All", "jql": "project = LAS", "favourite": True}
    saved = site.post("filter", body, by="dev", status=200)["id"]
    dev = visitor(site, "dev")
    numbers = made(dev, "Numbers")
    source = f"filter-{saved}"
    added(dev, numbers, "Filter Results", filterId=saved)
    added(dev, numbers, "Issue Statistics", projectOrFilterId=source, includeResolvedIssues="true")
    added(dev, numbers, "Two Dimensional Filter Statistics", filterId=saved)
    added(dev, numbers, "Created vs. Resolved Chart", projectOrFilterId=source)
    added(dev, numbers, "Activity Stream")
    added(dev, numbers, "Favourite Filters")
    page = dev.get(numbers)
    assert "of 4" in page.main
    assert "Filter Results: All" in page.main
    assert "Dev Anand 3 75% Unassigned 1 25%" in page.main
    assert re.search(r"Dev Anand (0 3|3 0) 3 Unassigned (1 0|0 1) 1", page.main), page.main
    assert "4 created and 1 resolved in the last 30 days." in page.main
    assert f"changed the status of {other} – Mirror" in page.main
    assert "All 4" in page.main
    # Who may not see the space sees no numbers of it.
    dev.change(f"{numbers}/edit", f"{numbers}/edit", viewers_add="loggedin")
    hidden = visitor(site, "guest").get(numbers).main
    assert "Mirror" not in hidden
    assert "Dev Anand 3" not in hidden


def test_the_burndown_of_the_running_sprint_is_drawn(site: Site) -> None:
    board = site.get("/rest/agile/1.0/board")["values"][0]["id"]
    key = site.issue("Laser stops")
    sprint = site.post("/rest/agile/1.0/sprint", {"name": "One", "originBoardId": board})["id"]
    site.post(f"/rest/agile/1.0/sprint/{sprint}/issue", {"issues": [key]}, status=204)
    dev = visitor(site, "dev")
    at = made(dev, "Sprint")
    added(dev, at, "Sprint Burndown Gadget", rapidViewId=str(board))
    assert "There is no active sprint on this board." in dev.get(at).main
    site.advance(60)
    now = site.get("serverInfo")["serverTime"]
    start = f"{now[:19]}.000{now[23:]}"
    end = f"{int(now[:4]) + 0}-{now[5:7]}-28T10:00:00.000Z"
    if now[8:10] >= "27":
        end = f"{int(now[:4]) + 1}-01-10T10:00:00.000Z"
    body = {"state": "active", "startDate": start, "endDate": end}
    site.post(f"/rest/agile/1.0/sprint/{sprint}", body, status=200)
    page = dev.get(at)
    assert "One" in page.main
    assert "Remaining values" in page.main
    assert 'aria-label="Sprint burndown"' in page.html
    # What comes in later is more work, and no earlier beginning.
    board_address = f"/rest/agile/1.0/issue/{key}/estimation?boardId={board}"
    site.put(board_address, {"value": "3"}, status=200)
    site.advance(3600)
    other = site.issue("Mirror")
    site.put(
        f"/rest/agile/1.0/issue/{other}/estimation?boardId={board}", {"value": "5"}, status=200
    )
    site.post(f"/rest/agile/1.0/sprint/{sprint}/issue", {"issues": [other]}, status=204)
    text = dev.get(at).main.partition(" Data table")[0]
    said = text.rpartition("Remaining values ")[2]
    assert said == "8 of 0 story points left. The scope has changed 2 times."


def test_gadgets_count_by_custom_fields_and_refresh_themselves(site: Site) -> None:
    choice, [north, south] = add_field(site, "select", "Bay", "North", "South")
    several, [red, blue] = add_field(site, "multiselect", "Colours", "Red", "Blue")
    person, _ = add_field(site, "userpicker", "Keeper")
    colours = [{"id": red}, {"id": blue}]
    values: list[dict[str, Any]] = [
        {choice: {"id": north}, several: colours, person: {"accountId": site.ids["dana"]}},
        {choice: {"id": north}, several: colours[:1]},
        {choice: {"id": south}},
    ]
    for one in values:
        site.issue("Bay", **one)
    body = {"name": "All", "jql": "project = LAS", "favourite": True}
    saved = site.post("filter", body, by="dev", status=200)["id"]
    dev = visitor(site, "dev")
    at = made(dev, "Fields")
    source = f"filter-{saved}"
    added(dev, at, "Pie Chart", projectOrFilterId=source, statType=choice)
    shown = dev.get(at)
    assert "North 2 67% South 1 33%" in shown.main
    listed = dev.get(shown.links("North")["North"])
    assert "1 – 2 of 2" in listed.main
    grid = added(
        dev, at, "Two Dimensional Filter Statistics",
        filterId=saved, xstattype=several, ystattype=person, refresh="true",
    )  # fmt: skip
    page = dev.get(at)
    # An issue with two colours counts once for each of them, and once in all.
    rows = "Keeper Blue Red None T: Dana Ruiz 1 1 0 1 None 0 1 1 2 Total Unique Issues: 1 2 1 3"
    assert rows in page.main
    gadget = grid.rpartition("/")[2]
    assert f'id="gadget-{gadget}" data-every="15"' in page.html
    alone = dev.get(at, gadget=gadget)
    assert "Total Unique Issues" in alone.main
    assert "North" not in alone.main
    assert alone.links("Restore")["Restore Two Dimensional Filter Statistics"] == at
    assert dev.get(grid).form(grid)["xstattype"] == several
