"""The pages of filters: lists, details, sharing, owners, stars, and the end of one."""

from __future__ import annotations

from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor


def saved(site: Site, name: str, by: str = "dev") -> str:
    """Save a filter and return its id."""
    body = {"name": name, "jql": "project = LAS", "sharePermissions": []}
    found: str = site.post("filter", body, by=by, status=200)["id"]
    return found


def test_filters_are_listed_searched_and_starred(site: Site) -> None:
    mine, other = saved(site, "Lasers"), saved(site, "Hidden", by="ada")
    dev = visitor(site, "dev")
    page = dev.get("/jira/filters")
    assert "Lasers" in page.main
    assert "Hidden" not in page.main
    assert "Private" in page.main
    assert "Lasers" not in dev.get("/jira/filters", tab="mine", search="mirror").main
    assert "Lasers" not in dev.get("/jira/filters", tab="starred").main
    back = "/jira/filters?tab=starred"
    page = dev.post(f"/jira/filters/{mine}/star", {"starred": "1", "back": back})
    assert page.location == back
    assert "Lasers" in dev.get(back).main
    assert site.get(f"filter/{mine}", by="dev")["favourite"] is True
    dev.post(f"/jira/filters/{mine}/star", {"starred": "0", "back": "https://evil.example/"})
    assert site.get(f"filter/{mine}", by="dev")["favourite"] is False
    dev.get(f"/jira/filters/{other}", status=404)


def test_a_filter_is_renamed_shared_and_taken_back(site: Site) -> None:
    key = saved(site, "Lasers")
    saved(site, "Mirrors")
    dev, dana = visitor(site, "dev"), visitor(site, "dana")
    at = f"/jira/filters/{key}"
    dana.get(at, status=404)
    project = site.get("project/LAS")["id"]
    dev.change(
        at, at, name="All lasers", description="Hot", jql="project = LAS ORDER BY key",
        viewers_add=f"project:{project}", editors_add=f"user:{site.ids['dana']}",
    )  # fmt: skip
    found = site.get(f"filter/{key}", by="dev")
    assert (found["name"], found["description"]) == ("All lasers", "Hot")
    assert [share["type"] for share in found["sharePermissions"]] == ["project"]
    assert found["editPermissions"][0]["user"]["accountId"] == site.ids["dana"]
    dana.change(at, at, name="Dana's lasers")
    found = site.get(f"filter/{key}", by="dev")
    assert found["name"] == "Dana's lasers"
    assert len(found["editPermissions"]) == 1
    refused = dev.post(at, {**dev.get(at).form(at), "name": "mirrors", "jql": "x"}, status=400)
    assert "Filter with same name already exists." in refused.main
    assert refused.form(at)["name"] == "mirrors"
    assert refused.form(at)["jql"] == "x"
    dev.change(at, at, viewers=[], editors=[])
    dana.get(at, status=404)


def test_a_filter_is_handed_on_and_deleted(site: Site) -> None:
    key, kept = saved(site, "Lasers"), saved(site, "Shared")
    dev = visitor(site, "dev")
    at = f"/jira/filters/{kept}"
    dev.change(at, at, viewers_add="loggedin")
    dana = visitor(site, "dana")
    assert not dana.get(at).has_form(at)
    assert "My organization" in dana.get(at).main
    page = dana.post(f"{at}/owner", {"owner": site.ids["dana"]}, status=400)
    assert "You do not have permission to change the owner of this filter." in page.main
    dev.change(at, f"{at}/owner", owner=site.ids["dana"])
    assert site.get(f"filter/{kept}", by="dana")["owner"]["accountId"] == site.ids["dana"]
    page = dev.post(f"{at}/delete", status=400)
    assert "You do not have permission to delete this filter." in page.main
    assert "Lasers" in dev.get(f"/jira/filters/{key}/delete").main
    dev.post(f"/jira/filters/{key}/delete")
    site.get(f"filter/{key}", by="dev", status=404)


def test_spaces_that_somebody_does_not_see_are_not_named(site: Site) -> None:
    key = saved(site, "Lasers")
    dev, guest = visitor(site, "dev"), visitor(site, "guest")
    at = f"/jira/filters/{key}"
    project = site.get("project/LAS")["id"]
    guest_id = site.ids["guest"]
    dev.change(at, at, viewers_add=f"project:{project}")
    dev.change(at, at, viewers_add=f"user:{guest_id}")
    assert "Space: Laser control" in dev.get(at).main
    for path in ("/jira/filters", at):
        page = guest.get(path)
        assert "Space: Private" in page.main
        assert "Laser control" not in page.html
    page = dev.post("/jira/dashboards/new", {"name": "Lasers", "viewers_add": f"project:{project}"})
    board = page.location.partition("?")[0]
    dev.change(f"{board}/edit", f"{board}/edit", viewers_add=f"user:{guest_id}")
    assert "Space: Laser control" in dev.get("/jira/dashboards").main
    shown = guest.get("/jira/dashboards")
    assert "Space: Private; Guy Est" in shown.main
    assert "Laser control" not in shown.html
