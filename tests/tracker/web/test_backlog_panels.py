"""Panels beside a backlog, rows that are chosen, sub-tasks and estimates in their places."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tracker.boards import AGILE, board_of, counted, sprint_on, withdraw
from tests.tracker.issues import add_version
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.test_backlog import sections, sprint_of


@pytest.fixture
def path(site: Site) -> str:
    """The address of the backlog of LAS."""
    return f"/jira/software/c/projects/LAS/boards/{board_of(site)}/backlog"


@pytest.fixture
def dev(site: Site) -> Visit:
    """A developer at the pages."""
    return visitor(site, "dev")


def shown(site: Site, key: str) -> Any:
    """Return the fields of an issue."""
    return site.get(f"issue/{key}")["fields"]


def test_panels_show_sums_and_narrow(site: Site, path: str, dev: Visit) -> None:
    epic = site.issue("Optics", issuetype={"name": "Epic"})
    version = add_version(site, "1.0")
    inside = site.issue("In", parent={"key": epic}, fixVersions=[{"id": version}])
    outside = site.issue("Out", labels=["dust"])
    assert 'aria-label="Epics"' not in dev.get(path).html
    page = dev.get(path, panel=["epics", "versions"])
    assert "Optics 1 work item, 0 done No epic 1 work item, 0 done" in page.main
    assert "1.0 1 work item, 0 done No version 1 work item, 0 done" in page.main
    link = page.links("Optics")["Optics"]
    narrowed = dev.get(link)
    assert sections(narrowed)["Backlog"] == [inside]
    assert 'aria-label="Versions"' in narrowed.html
    assert sections(dev.get(path, version=version))["Backlog"] == [inside]
    assert sections(dev.get(path, version="none"))["Backlog"] == [outside]
    assert sections(dev.get(path, label="dust"))["Backlog"] == [outside]
    kind = shown(site, inside)["issuetype"]["id"]
    assert sections(dev.get(path, type=kind))["Backlog"] == [inside, outside]
    assert sections(dev.get(path, type="1"))["Backlog"] == []


def test_panels_make_epics_and_versions(site: Site, path: str, dev: Visit) -> None:
    page = dev.get(path, panel=["epics", "versions"])
    assert not page.has_form("/backlog/versions")
    dev.post(f"{path}/epics?panel=epics", {"name": "Optics"})
    assert "Optics" in dev.get(path, panel="epics").main
    assert shown(site, "LAS-1")["issuetype"]["name"] == "Epic"
    ada = visitor(site)
    ada.post(f"{path}/versions?panel=versions", {"name": "2.0"})
    assert [one["name"] for one in site.get("project/LAS/versions")] == ["2.0"]
    refused = ada.post(f"{path}/versions", {"name": "2.0"}, 400)
    assert "A version with this name already exists in this project." in refused.said[0]
    dev.post(f"{path}/versions", {"name": "3.0"}, 404)


def test_chosen_rows_are_moved_ranked_and_changed(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("A", "B", "C")]
    epic = site.issue("Optics", issuetype={"name": "Epic"})
    version = add_version(site, "1.0")
    sprint = sprint_on(site, board_of(site), "One")
    action = f"{path}/chosen"
    page = dev.get(path)
    assert (
        f'name="issue" value="{keys[0]}" form="chosen" aria-label="Select {keys[0]}"' in page.html
    )
    dev.post(action, {"issue": keys[:2], "do": f"to:{sprint}"})
    assert sections(dev.get(path)) == {"One": keys[:2], "Backlog": keys[2:]}
    dev.post(action, {"issue": keys[:2], "do": "to:BACKLOG"})
    dev.post(action, {"issue": [keys[2], keys[1]], "do": "rank:top"})
    assert sections(dev.get(path))["Backlog"] == [keys[2], keys[1], keys[0]]
    dev.post(action, {"issue": keys[:2], "do": f"epic:{epic}"})
    dev.post(action, {"issue": keys[:2], "do": f"version:{version}"})
    dev.post(action, {"issue": keys[:2], "do": "flag:on"})
    for key in keys[:2]:
        found = shown(site, key)
        assert found["parent"]["key"] == epic
        assert [one["name"] for one in found["fixVersions"]] == ["1.0"]
    assert dev.get(path).html.count('aria-label="Flagged"') == 2
    dev.post(action, {"issue": keys[:1], "do": "epic:none"})
    assert "parent" not in shown(site, keys[0])
    assert dev.post(action, {"issue": keys[:2], "do": "bulk:change"}).location == (
        f"/issues/bulk?jql=key+in+%28{keys[0]}%2C+{keys[1]}%29"
    )
    assert "Select at least one work item." in dev.post(action, {"do": "flag:on"}, 400).said[0]


def test_what_is_refused_for_one_row_is_done_to_none(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue("A"), site.issue("B")]
    sprint = sprint_on(site, board_of(site), "One")
    withdraw(site, "SCHEDULE_ISSUES")
    refused = dev.post(f"{path}/chosen", {"issue": keys, "do": f"to:{sprint}"}, 400)
    assert f"You do not have permission to schedule issue {keys[0]}." in refused.part("flag")
    assert [sprint_of(site, key) for key in keys] == [[], []]
    refused = dev.post(f"{path}/chosen", {"issue": keys, "do": "version:1"}, 400)
    assert f"{keys[0]} was not changed." in refused.part("flag")
    dev.post(f"{path}/chosen", {"issue": keys, "do": "vanish:1"}, 404)


def test_sub_tasks_stand_below_their_rows(site: Site, path: str, dev: Visit) -> None:
    key = site.issue("Whole")
    part = site.issue("Part", issuetype={"name": "Sub-task"}, parent={"key": key})
    assert f"subtask.{part}" not in dev.get(path).html
    page = dev.get(path, subtasks="1")
    assert page.html.index(f'data-key="{key}"') < page.html.index(f"subtask.{part}")
    assert sections(page)["Backlog"] == [key]
    assert "(1 work item)" in page.main
    for number in range(3):
        site.issue(f"Part {number}", issuetype={"name": "Sub-task"}, parent={"key": key})
    with counted(site) as few:
        dev.get(path, subtasks="1", panel=["epics", "versions"])
    other = site.issue("Whole too")
    for number in range(5):
        site.issue(f"Part {number}", issuetype={"name": "Sub-task"}, parent={"key": other})
    with counted(site) as many:
        dev.get(path, subtasks="1", panel=["epics", "versions"])
    assert len(many) == len(few)


def test_an_estimate_is_changed_in_its_row(site: Site, path: str, dev: Visit) -> None:
    key = site.issue("A")
    page = dev.get(path)
    links = page.links(f"Estimate of {key}")
    assert list(links) == [f"Estimate of {key}: none"]
    opened = dev.get(next(iter(links.values())))
    form = opened.form(f"/row/{key}/estimate")
    assert form["estimate"] == ""
    action = f"{path.removesuffix('/backlog')}/row/{key}/estimate"
    refused = dev.post(action, {**form, "estimate": "lots"}, 400)
    assert refused.form(f"/row/{key}/estimate")["estimate"] == "lots"
    dev.post(action, {**form, "estimate": "8"})
    assert site.get(f"{AGILE}/issue/{key}/estimation?boardId={board_of(site)}")["value"] == 8
    assert f"Estimate of {key}: 8" in dev.get(path).links("Estimate of")
    withdraw(site, "EDIT_ISSUES")
    page = dev.get(path)
    assert page.links("Estimate of") == {}
    assert re.search(r'class="points"[^>]*>.*?8', page.html)


def test_a_board_is_narrowed_by_type_label_and_version(site: Site, dev: Visit) -> None:
    board = f"/jira/software/c/projects/OPS/boards/{board_of(site, 'OPS')}"
    first = site.issue("A", labels=["dust"], project={"key": "OPS"})
    second = site.issue("B", issuetype={"name": "Bug"}, project={"key": "OPS"})
    bug = shown(site, second)["issuetype"]["id"]
    for query, keys in (
        ({"label": "dust"}, [first]),
        ({"type": bug}, [second]),
        ({}, [first, second]),
    ):
        html = dev.get(board, **query).html
        assert re.findall(r'<article class="card[^>]*data-key="([^"]+)"', html) == keys
    page = dev.get(board, selectedIssue=first)
    assert f'data-selected="{first}"' in page.html
    assert "selectedIssue" not in page.html.partition("data-move=")[2].partition(">")[0]
