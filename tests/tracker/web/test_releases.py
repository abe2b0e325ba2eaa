"""Releases on pages: what is done there the API tells, and the other way round."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from clones.tracker.web.space.tabs import RELEASES
from tests.tracker.boards import counted
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page
from tests.tracker.web.tables import table
from tests.tracker.web.test_reports import brought

LIST = f"/projects/LAS?selectedItem={RELEASES}"


@pytest.fixture
def ada(site: Site) -> Visit:
    """An admin at the pages."""
    return visitor(site, "ada")


def versions(site: Site) -> dict[str, Any]:
    """Return the versions of LAS by name, in their order."""
    return {one["name"]: one for one in site.get("project/LAS/versions")}


def made(site: Site, name: str, **values: Any) -> str:
    """Make a version of LAS and return its id."""
    number = int(site.get("project/LAS")["id"])
    found: str = site.post("version", {"name": name, "projectId": number, **values})["id"]
    return found


def listed(page: Page) -> list[str]:
    """Return the names of the versions that a page lists."""
    return [row[0] for row in table(page, "Versions")]


def of_issue(site: Site, key: str, field: str = "fixVersions") -> list[str]:
    """Return the versions of an issue."""
    found = site.get(f"issue/{key}?fields={field}")["fields"][field]
    return [one["name"] for one in found]


def test_versions_are_made_and_changed(site: Site, ada: Visit) -> None:
    at = "/projects/LAS/versions/create"
    form = ada.get(at).form("/versions/create")
    filled = {
        **form,
        "name": "1.0",
        "startDate": "2026-06-01",
        "releaseDate": "2026-06-10",
        "driver": site.ids["dev"],
        "description": "First",
    }
    assert ada.post(at, filled).location.startswith("/projects/LAS?selectedItem=")
    found = versions(site)["1.0"]
    assert (found["startDate"], found["releaseDate"]) == ("2026-06-01", "2026-06-10")
    assert (found["description"], found["overdue"]) == ("First", True)
    refused = ada.post(at, {**filled, "name": "1.0"}, 400)
    assert refused.said == ["A version with this name already exists in this project."]
    wrong = ada.post(at, {**filled, "name": "1.1", "releaseDate": "2026-05-01"}, 400)
    assert wrong.said == ["Start date must be before or equal to the release date."]
    assert wrong.form("/create")["name"] == "1.1"
    line = table(ada.get(LIST), "Versions")[0]
    assert line[:2] == ["1.0", "Unreleased Overdue"]
    assert line[3:6] == ["Jun 1, 2026", "Jun 10, 2026", "First"]
    edit = f"/projects/LAS/versions/{found['id']}/edit"
    ada.change(edit, edit, name="1.0.1", startDate="", driver="")
    changed = versions(site)["1.0.1"]
    assert "startDate" not in changed
    assert changed["releaseDate"] == "2026-06-10"


def test_a_release_leaves_open_work_or_moves_it(site: Site, ada: Visit) -> None:
    first, second = made(site, "1.0"), made(site, "2.0")
    keys = [site.issue(name, fixVersions=[{"id": first}]) for name in ("A", "B")]
    brought(site, keys[0], "Done")
    at = f"/projects/LAS/versions/{first}/release"
    page = ada.get(at)
    assert "There is still 1 unresolved work item." in page.main
    form = page.form("/release")
    assert form["releaseDate"] == "2026-06-16"
    ada.post(at, {**form, "unresolved": "move", "moveTo": second, "releaseDate": "2026-06-15"})
    assert versions(site)["1.0"]["released"] is True
    assert versions(site)["1.0"]["releaseDate"] == "2026-06-15"
    assert (of_issue(site, keys[0]), of_issue(site, keys[1])) == (["1.0"], ["2.0"])
    assert "Version 1.0 released" in ada.get(LIST).main
    again = f"/projects/LAS/versions/{second}/release"
    ada.change(again, again)
    assert of_issue(site, keys[1]) == ["2.0"]
    assert versions(site)["2.0"]["released"] is True
    ada.post(f"/projects/LAS/versions/{second}/unrelease")
    assert versions(site)["2.0"]["released"] is False
    done = made(site, "3.0")
    assert (
        "All work items of this version are resolved."
        in ada.get(f"/projects/LAS/versions/{done}/release").main
    )


def test_versions_are_archived_merged_and_deleted(site: Site, ada: Visit) -> None:
    ids = {name: made(site, name) for name in ("1.0", "2.0", "3.0")}
    key = site.issue(
        fixVersions=[{"id": ids["1.0"]}], issuetype={"name": "Bug"}, versions=[{"id": ids["2.0"]}]
    )
    at = "/projects/LAS/versions"
    ada.post(f"{at}/{ids['3.0']}/archive")
    assert versions(site)["3.0"]["archived"] is True
    assert listed(ada.get(LIST)) == ["1.0", "2.0"]
    assert listed(ada.get(f"{LIST}&status=archived")) == ["3.0"]
    ada.post(f"{at}/{ids['3.0']}/unarchive")
    assert versions(site)["3.0"]["archived"] is False
    merge = f"{at}/{ids['1.0']}/merge"
    ada.change(merge, merge, moveTo=ids["3.0"])
    assert of_issue(site, key) == ["3.0"]
    delete = f"{at}/{ids['2.0']}/delete"
    page = ada.get(delete)
    assert "1 work item with this affected version get" in page.main
    ada.post(delete, {**page.form("/delete"), "moveAffectedIssuesTo": ids["3.0"]})
    assert of_issue(site, key, "versions") == ["3.0"]
    delete = f"{at}/{ids['3.0']}/delete"
    ada.change(delete, delete)
    assert (of_issue(site, key), versions(site)) == ([], {})


def test_versions_are_put_in_order(site: Site, ada: Visit) -> None:
    ids = [made(site, name) for name in ("1", "2", "3", "4")]
    at = "/projects/LAS/versions/move"
    for sent, order in (
        ({"where": "First", "version": ids[2]}, "3124"),
        ({"where": "Later", "version": ids[2]}, "1324"),
        ({"before": ids[0], "version": ids[3]}, "4132"),
        ({"before": ids[1], "version": ids[0]}, "4312"),
        ({"after": ids[1], "version": ids[3]}, "3124"),
    ):
        ada.post(at, sent)
        assert "".join(versions(site)) == order, sent
    assert "".join(listed(ada.get(LIST))) == "3124"
    assert listed(ada.get(f"{LIST}&contains=2")) == ["2"]
    refused = ada.post(at, {"where": "Up", "version": ids[0]}, 400)
    assert "The position 'Up' is invalid" in refused.part("flag")


def test_a_version_shows_its_issues_and_what_is_odd(site: Site, ada: Visit) -> None:
    id = made(site, "1.0", releaseDate="2026-06-01", description="Straight cuts")
    keys = [site.issue(name, fixVersions=[{"id": id}]) for name in ("A", "B", "C")]
    brought(site, keys[0], "Done")
    brought(site, keys[1], "In Progress")
    at = f"/projects/LAS/versions/{id}"
    assert ada.get(at, 302).location == f"{at}/tab/release-report-all-issues"
    page = ada.get(f"{at}/tab/release-report-all-issues")
    assert [row[1] for row in table(page, "All work items")] == keys
    assert "All work items 3 Done 1 In progress 1 To do 1 Warnings 0" in page.main
    assert "1 of 3 done" in page.main
    assert "The release date has passed" in page.main
    assert [row[1] for row in table(ada.get(f"{at}/tab/release-report-done"), "Done")] == keys[:1]
    to_do = ada.get(f"{at}/tab/release-report-to-do")
    assert [row[1] for row in table(to_do, "To do")] == keys[2:]
    ada.get(f"{at}/tab/else", 404)
    ada.get(f"/projects/OPS/versions/{id}/tab/release-report-done", 404)
    assert keys[2] in ada.get(page.links("View in navigator")["View in navigator"]).main


def test_release_notes_name_issues_by_type(site: Site, ada: Visit) -> None:
    id = made(site, "1.0", description="Cuts & bends")
    task = site.issue("Cut *straight*", fixVersions=[{"id": id}])
    bug = site.issue("Bends <b>", issuetype={"name": "Bug"}, fixVersions=[{"id": id}])
    page = ada.get(f"/projects/LAS/versions/{id}/tab/release-report-all-issues")
    at = page.links("Release notes")["Release notes"]
    html = ada.get(at).html
    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.DOTALL)
    assert text is not None
    assert unescape(text[1]).splitlines()[:4] == [
        "<h1>Release notes - Laser control - 1.0</h1>",
        "<p>Cuts &amp; bends</p>",
        "<h2>Bug</h2>",
        "<ul>",
    ]
    assert f">{bug}</a>] - Bends &lt;b&gt;</li>" in unescape(text[1])
    marked = unescape(ada.get(f"{at}&styleName=Markdown").html)
    assert f"/browse/{task}) Cut \\*straight\\*" in marked
    plain = unescape(ada.get(f"{at}&styleName=Text").html)
    assert f"** Task\n    * [{task}] - Cut *straight*" in plain


def test_only_those_who_run_a_space_change_its_versions(site: Site) -> None:
    id = made(site, "1.0")
    dev = visitor(site, "dev")
    page = dev.get(LIST)
    assert listed(page) == ["1.0"]
    assert "Create version" not in page.main
    assert not page.has_form("/archive")
    at = f"/projects/LAS/versions/{id}"
    for rest in ("edit", "release", "merge", "delete"):
        dev.get(f"{at}/{rest}", 403)
    for rest in ("archive", "unrelease", "release"):
        dev.post(f"{at}/{rest}", status=403)
    dev.get("/projects/LAS/versions/create", 403)
    dev.post("/projects/LAS/versions/move", {"version": id, "where": "First"}, 403)
    assert versions(site)["1.0"]["archived"] is False
    visitor(site, "guest").get(LIST, 404)


def test_work_elsewhere_is_tied_to_a_version(site: Site, ada: Visit) -> None:
    id = made(site, "1.0")
    at = f"/projects/LAS/versions/{id}"
    ada.post(f"{at}/work", {"category": "Design", "title": "Plan", "url": "https://a.example"})
    works = site.get(f"version/{id}/relatedwork")
    assert [(one["category"], one["title"]) for one in works] == [("Design", "Plan")]
    assert "Plan Design" in ada.get(f"{at}/tab/release-report-all-issues").main
    refused = ada.post(f"{at}/work", {"category": "Design", "title": "", "url": "x"}, 400)
    assert "A valid URL must be specified." in refused.part("flag")
    ada.post(f"{at}/work/{works[0]['relatedWorkId']}/delete")
    assert site.get(f"version/{id}/relatedwork") == []


def test_a_list_of_versions_costs_the_same_for_many(site: Site, ada: Visit) -> None:
    counts = []
    for count in (2, 12):
        for number in range(count):
            id = made(site, f"{count}.{number}")
            site.issue(fixVersions=[{"id": id}])
        ada.get(LIST)
        with counted(site) as statements:
            ada.get(LIST)
        counts.append(len(statements))
    assert counts[0] == counts[1]
