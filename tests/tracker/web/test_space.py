"""The pages of a space: summary, timeline, calendar, list and components."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tracker.boards import AGILE, board_of, counted, sprint_on, withdraw
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page
from tests.tracker.web.tables import table
from tests.tracker.web.test_releases import made
from tests.tracker.web.test_reports import brought

LAS = "/jira/software/c/projects/LAS"
START = "customfield_10015"


@pytest.fixture
def dev(site: Site) -> Visit:
    """A developer at the pages."""
    return visitor(site, "dev")


def field(site: Site, key: str, name: str) -> Any:
    """Return what the API says of a field of an issue."""
    return site.get(f"issue/{key}?fields={name}")["fields"][name]


def tabs(page: Page) -> dict[str, str]:
    """Return the tabs of a space by name, with their addresses."""
    found = re.findall(
        r'<a href="([^"]*)" data-testid="navigation-kit-ui-tab.ui.link-tab"[^>]*>([^<]*)<',
        page.html,
    )
    return {name: address.replace("&amp;", "&") for address, name in found}


# Tabs


def test_every_tab_of_a_space_leads_to_a_page_that_has_the_same_tabs(site: Site) -> None:
    ada = visitor(site, "ada")
    found = tabs(ada.get(f"{LAS}/summary"))
    assert list(found) == [
        "Summary", "Timeline", "Backlog", "Active sprints", "Calendar", "List", "Reports",
        "Releases", "Components", "All work",
    ]  # fmt: skip
    for name, address in found.items():
        page = ada.get(address)
        if name != "All work":
            assert tabs(page) == found, name
            assert f'aria-current="page">{name}<' in page.html
    for key in ("OPS", "IT"):
        start = ada.get(f"/jira/core/projects/{key}/summary", 302).location
        for name, address in tabs(ada.get(start)).items():
            status = 302 if name == "Queues" else 200
            ada.get(address, status)
    assert ada.get("/projects/LAS", 302).location == f"{LAS}/summary"
    old = "/projects/LAS?selectedItem=com.atlassian.jira.jira-projects-plugin:components-page"
    assert ada.get(old, 302).location == f"{LAS}/components"
    board = f"{LAS}/boards/{board_of(site)}/timeline"
    assert ada.get(board, 302).location == f"{LAS}/timeline"
    guest = visitor(site, "guest")
    for rest in ("summary", "timeline", "calendar", "list", "components"):
        guest.get(f"{LAS}/{rest}", 404)


# Summary


def test_a_summary_counts_what_the_viewer_sees(site: Site, dev: Visit) -> None:
    assert "0 completed" in dev.get(f"{LAS}/summary").main
    keys = [site.issue(name) for name in ("A", "B", "C")]
    epic = site.issue("Whole", issuetype={"name": "Epic"})
    site.issue("Part", parent={"key": epic}, duedate="2026-06-20")
    site.put(f"issue/{keys[1]}/assignee", {"accountId": site.ids["dev"]})
    brought(site, keys[0], "Done")
    page = dev.get(f"{LAS}/summary")
    assert "1 completed" in page.main
    assert "5 created" in page.main
    assert "1 due soon" in page.main
    statuses = table(page, "Status overview")
    assert [(row[0], row[2]) for row in statuses] == [("To Do", "4 80%"), ("Done", "1 20%")]
    assert [(row[0].split()[-1], row[2]) for row in table(page, "Types of work")] == [
        ("Task", "4 80%"), ("Epic", "1 20%"),
    ]  # fmt: skip
    ring = re.findall(
        r'class="ring__(\w+)".*?dasharray="(\S+) (\S+)" stroke-dashoffset="(\S+)"', page.html
    )
    assert ring == [("new", "80.0", "20.0", "25.0"), ("done", "20.0", "80.0", "-55.0")]
    people = [(row[0], row[2]) for row in table(page, "Team workload")]
    assert ("DA Dev Anand", "1 25%") in people
    assert people[-1] == ("Unassigned", "3 75%")
    assert "0 of 1 done" in page.main
    assert "Ada Brandt created" in page.main
    # Each number leads to the issues that it counts.
    for name, count in (("1 completed", 1), ("5 created", 5), ("1 due soon", 1)):
        listed = dev.get(page.links(name)[name])
        assert f"of {count}" in listed.part("issue-navigator.count")
    for name, address in page.links("work items: ").items():
        listed = dev.get(address)
        assert f"of {name.split()[0]}" in listed.part("issue-navigator.count"), name


# Timeline


def test_a_timeline_shows_epics_what_is_below_them_and_their_dates(site: Site, dev: Visit) -> None:
    epic = site.issue("Whole", issuetype={"name": "Epic"}, duedate="2026-07-20")
    bare = site.issue("Bare", issuetype={"name": "Epic"})
    child = site.issue("Part", parent={"key": bare})
    sprint = sprint_on(
        site, board_of(site), "One",
        startDate="2026-06-16T09:00:00.000Z", endDate="2026-06-30T09:00:00.000Z",
    )  # fmt: skip
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [child]}, status=204)
    made(site, "1.0", releaseDate="2026-07-01")
    page = dev.get(f"{LAS}/timeline")
    rows = table(page, "Timeline")
    assert [row[:2] for row in rows] == [
        ["Sprint One", "Jun 16, 2026 – Jun 30, 2026"],
        ["Release 1.0", "Jul 1, 2026"],
        [f"Epic {epic} Whole To Do", "Jul 20, 2026"],
        [f"Epic {bare} Bare To Do", "Jun 16, 2026 – Jun 30, 2026"],
    ]
    opened = dev.get(page.links(f"Expand {bare}")[f"Expand {bare} (1)"])
    assert table(opened, "Timeline")[-1][:2] == [
        f"Task {child} Part To Do", "Jun 16, 2026 – Jun 30, 2026",
    ]  # fmt: skip
    dates = f"{LAS}/dates/{epic}"
    form = dev.get(dates, back="timeline").form(f"/dates/{epic}")
    assert form["duedate"] == "2026-07-20"
    sent = {**form, "duedate": "2026-08-01"}
    sent[START] = "2026-06-20"
    assert dev.post(f"{dates}?back=timeline", sent).location == f"{LAS}/timeline"
    assert (field(site, epic, "duedate"), field(site, epic, START)) == ("2026-08-01", "2026-06-20")
    wrong = dev.post(dates, {**sent, "duedate": "soon"}, 400)
    assert wrong.said
    assert field(site, epic, "duedate") == "2026-08-01"
    assert "Aug 1, 2026" in dev.get(f"{LAS}/timeline", scale="quarters").main
    brought(site, epic, "Done")
    assert epic not in dev.get(f"{LAS}/timeline").main
    assert epic in dev.get(f"{LAS}/timeline", done="1").main


# Calendar


def days(page: Page) -> dict[str, str]:
    """Return the words of each day of a calendar."""
    found = re.findall(
        r'<td class="month__day[^>]*data-day="([^"]+)"[^>]*>(.*?)</td>', page.html, re.DOTALL
    )
    return {day: " ".join(re.sub(r"<[^>]*>", " ", html).split()) for day, html in found}


def test_a_calendar_shows_days_and_things_are_put_on_others(site: Site, dev: Visit) -> None:
    key = site.issue("Straight", duedate="2026-06-18")
    loose = site.issue("Loose")
    made(site, "1.0", releaseDate="2026-06-25")
    sprint_on(
        site, board_of(site), "One",
        startDate="2026-06-10T15:00:00.000Z", endDate="2026-06-24T15:00:00.000Z",
    )  # fmt: skip
    page = dev.get(f"{LAS}/calendar")
    found = days(page)
    assert key in found["2026-06-18"]
    assert found["2026-06-25"] == "25 1.0"
    assert (found["2026-06-10"], found["2026-06-24"]) == ("10 One starts", "24 One ends")
    assert loose in page.main.partition("Unscheduled work")[2]
    move = f"{LAS}/calendar/move"
    dev.post(f"{move}?month=2026-06", {"issue": key, "day": "2026-06-22"})
    dev.post(move, {"issue": loose, "day": "2026-06-23"})
    assert field(site, key, "duedate") == "2026-06-22"
    assert field(site, loose, "duedate") == "2026-06-23"
    changed = site.get(f"issue/{key}/changelog")["values"][-1]["items"][0]
    assert (changed["field"], changed["to"]) == ("duedate", "2026-06-22")
    dates = f"{LAS}/dates/{key}?back=calendar&month=2026-06"
    done = dev.change(dates, dates, duedate="")
    assert done.location == f"{LAS}/calendar?month=2026-06"
    assert field(site, key, "duedate") is None
    july = dev.get(f"{LAS}/calendar", month="2026-07")
    assert "July 2026" in july.main
    assert july.links("Previous month")["Previous month"].endswith("?month=2026-06")
    refused = dev.post(move, {"issue": key, "day": ""}, 400)
    assert "on which day" in refused.part("flag")
    withdraw(site, "EDIT_ISSUES")
    dev.post(move, {"issue": loose, "day": "2026-06-24"}, 403)
    assert field(site, loose, "duedate") == "2026-06-23"
    assert 'draggable="true"' not in dev.get(f"{LAS}/calendar").html


# List


def test_cells_of_a_list_are_changed_where_they_stand(site: Site, dev: Visit) -> None:
    key = site.issue("Cut")
    at = f"{LAS}/list"
    assert [row[1:3] for row in table(dev.get(at), "Work items")] == [[key, "Cut"]]

    def changed(name: str, **sent: str) -> None:
        page = dev.get(at, edit=f"{key}.{name}")
        form = page.form(f"/list/{key}/{name}")
        answer = dev.post(f"{at}/{key}/{name}", {**form, **sent})
        assert answer.location == at

    changed("summary", summary="Cut straight")
    changed("assignee", assignee=site.ids["dev"])
    changed("duedate", duedate="2026-07-01")
    moves = site.get(f"issue/{key}/transitions")["transitions"]
    number = next(move["id"] for move in moves if move["to"]["name"] == "In Progress")
    changed("status", status=number)
    highest = next(one["id"] for one in site.get("priority") if one["name"] == "Highest")
    changed("priority", priority=highest)
    fields = site.get(f"issue/{key}")["fields"]
    assert (fields["summary"], fields["duedate"]) == ("Cut straight", "2026-07-01")
    assert fields["assignee"]["accountId"] == site.ids["dev"]
    assert (fields["status"]["name"], fields["priority"]["name"]) == ("In Progress", "Highest")
    row = table(dev.get(at), "Work items")[0]
    assert row[2:7] == ["Cut straight", "In Progress", "Dev Anand", "Highest", "Jul 1, 2026"]
    refused = dev.post(f"{at}/{key}/summary", {"summary": ""}, 400)
    assert "You must specify a summary of the issue." in refused.said
    assert refused.form(f"/list/{key}/summary")["summary"] == ""
    dev.post(f"{at}/{key}/description", {"description": "x"}, 403)
    assert field(site, key, "summary") == "Cut straight"


def test_a_list_is_sorted_narrowed_and_paged(site: Site, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("Beta", "Alpha", "Gamma")]
    at = f"{LAS}/list"

    def order(**query: Any) -> list[str]:
        return [row[2] for row in table(dev.get(at, **query), "Work items")]

    assert order() == ["Beta", "Alpha", "Gamma"]
    assert order(sort="summary") == ["Alpha", "Beta", "Gamma"]
    assert order(sort="-summary") == ["Gamma", "Beta", "Alpha"]
    assert order(contains="alp") == ["Alpha"]
    assert order(contains=keys[2].lower()) == ["Gamma"]
    brought(site, keys[0], "Done")
    assert order(sort="summary") == ["Alpha", "Gamma"]
    assert order(sort="summary", done="1") == ["Alpha", "Beta", "Gamma"]
    for number in range(50):
        site.issue(f"More {number}")
    first = dev.get(at)
    assert "1–50 of 52" in first.main
    assert "51–52 of 52" in dev.get(first.links("Next")["Next"]).main


# Components


def test_components_are_made_changed_and_deleted(site: Site, dev: Visit) -> None:
    ada = visitor(site, "ada")
    at = f"{LAS}/components"
    create = f"{at}/create"
    sent = {"name": "Optics", "description": "Lenses", "lead": site.ids["dev"]}
    ada.change(create, create, **sent, assigneeType="COMPONENT_LEAD")
    found = site.get("project/LAS/components")[0]
    assert (found["name"], found["lead"]["accountId"]) == ("Optics", site.ids["dev"])
    assert found["assigneeType"] == "COMPONENT_LEAD"
    refused = ada.post(create, {"name": "optics"}, 400)
    assert refused.said == ["A component with the name optics already exists in this project."]
    other = site.post("component", {"name": "Frame", "project": "LAS"})["id"]
    key = site.issue(components=[{"id": found["id"]}])
    row = table(ada.get(at), "Components")[1]
    assert row[:5] == ["Optics", "Lenses", "DA Dev Anand", "Component lead", "1"]
    edit = f"{at}/{found['id']}/edit"
    ada.change(edit, edit, name="Optics 2", assigneeType="UNASSIGNED")
    assert site.get(f"component/{found['id']}")["name"] == "Optics 2"
    delete = f"{at}/{found['id']}/delete"
    ada.change(delete, delete, moveTo=other)
    assert [one["name"] for one in field(site, key, "components")] == ["Frame"]
    page = dev.get(at)
    assert "Create component" not in page.main
    dev.get(create, 403)
    dev.post(f"{at}/{other}/delete", status=403)
    assert [one["name"] for one in site.get("project/LAS/components")] == ["Frame"]


# Costs


@pytest.mark.parametrize("page", ["summary", "timeline", "calendar", "list", "components"])
def test_a_page_costs_as_many_statements_for_much_as_for_little(
    site: Site, dev: Visit, page: str
) -> None:
    counts = []
    for count in (3, 9):
        for number in range(count):
            epic = site.issue(f"Whole {number}", issuetype={"name": "Epic"})
            made(site, f"{count}.{number}", releaseDate="2026-06-20")
            component = site.post("component", {"name": f"{count}.{number}", "project": "LAS"})
            given: dict[str, Any] = {
                "duedate": "2026-06-19",
                "components": [{"id": component["id"]}],
            }
            key = site.issue(f"Part {number}", parent={"key": epic}, **given)
            site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]})
        dev.get(f"{LAS}/{page}")
        with counted(site) as statements:
            dev.get(f"{LAS}/{page}")
        counts.append(len(statements))
    assert counts[0] == counts[1]
