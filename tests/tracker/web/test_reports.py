"""Reports of boards: what they tell is what happened through the API."""

from __future__ import annotations

import pytest

from clones.tracker.domain.board_settings import set_working_days
from clones.tracker.models import Board, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import AGILE, board_of, counted, own_scheme, sprint_on, withdraw
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.tables import table

HOUR = 3600
BEGIN, END = "2026-06-16T15:00:00.000Z", "2026-06-30T14:00:00.000Z"


@pytest.fixture
def path(site: Site) -> str:
    """The address of the reports of the scrum board of LAS."""
    return f"/jira/software/c/projects/LAS/boards/{board_of(site)}/reports"


@pytest.fixture
def dev(site: Site) -> Visit:
    """A developer at the pages."""
    return visitor(site, "dev")


def sized(site: Site, key: str, points: str) -> None:
    """Estimate an issue."""
    path = f"{AGILE}/issue/{key}/estimation?boardId={board_of(site)}"
    site.put(path, {"value": points}, status=200)


def into(site: Site, sprint: int, *keys: str) -> None:
    """Put issues into a sprint."""
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": list(keys)}, status=204)


def brought(site: Site, key: str, status: str) -> None:
    """Take an issue to a status."""
    moves = site.get(f"issue/{key}/transitions")["transitions"]
    number = next(move["id"] for move in moves if move["to"]["name"] == status)
    site.post(f"issue/{key}/transitions", {"transition": {"id": number}}, status=204)


def state(site: Site, sprint: int, **values: str) -> None:
    """Start or complete a sprint."""
    site.post(f"{AGILE}/sprint/{sprint}", values, status=200)


def story(site: Site) -> tuple[int, dict[str, str]]:
    """Let a sprint run with all that can happen in one; return it and its issues by name."""
    keys = {name: site.issue(name) for name in ("Kept", "Left", "Gone", "Late", "Grown", "Old")}
    for name, points in (("Kept", "3"), ("Left", "5"), ("Gone", "2"), ("Late", "1"), ("Old", "13")):
        sized(site, keys[name], points)
    sprint = sprint_on(site, board_of(site), "One", goal="Cut straight")
    into(site, sprint, keys["Kept"], keys["Left"], keys["Gone"], keys["Grown"])
    brought(site, keys["Old"], "Done")
    site.advance(HOUR)
    state(site, sprint, state="active", startDate=BEGIN, endDate=END)
    site.advance(24 * HOUR)
    brought(site, keys["Kept"], "Done")
    site.advance(HOUR)
    into(site, sprint, keys["Late"])
    site.advance(HOUR)
    site.post(f"{AGILE}/backlog/issue", {"issues": [keys["Gone"]]}, status=204)
    site.advance(HOUR)
    sized(site, keys["Grown"], "8")
    site.advance(HOUR)
    into(site, sprint, keys["Old"])
    return sprint, keys


def test_a_burndown_tells_each_change_of_the_scope(site: Site, path: str, dev: Visit) -> None:
    sprint, keys = story(site)
    page = dev.get(f"{path}/burndown-chart")
    rows = table(page, "Burndown")
    told = [(row[1].split()[0], *row[2:]) for row in rows]
    at_start = "Work item in the sprint at its start"
    assert sorted(row[0] for row in told[:4]) == sorted(
        keys[name] for name in ("Kept", "Left", "Gone", "Grown")
    )
    assert {row[2] for row in told[:4]} == {at_start}
    assert told[3][-1] == "10"
    assert told[4:] == [
        (keys["Kept"], "Burndown", "Work item completed", "", "3", "7"),
        (keys["Late"], "Scope change", "Work item added to sprint", "1", "", "8"),
        (keys["Gone"], "Scope change", "Work item removed from sprint", "", "2", "6"),
        (keys["Grown"], "Scope change", "Estimate changed from - to 8", "8", "", "14"),
        (keys["Old"], "Scope change", "Work item added to sprint", "", "", "14"),
    ]
    assert 'role="img" aria-label="Burndown chart"' in page.html
    assert "Cut straight" in page.main
    counts = dev.get(f"{path}/burndown-chart", estimation="issueCount", sprint=str(sprint))
    assert [row[-1] for row in table(counts, "Burndown")] == [
        "1", "2", "3", "4", "3", "4", "3", "3",
    ]  # fmt: skip
    dev.get(f"{path}/burndown-chart", sprint="4711", status=404)


def test_a_report_says_what_became_of_each_issue(site: Site, path: str, dev: Visit) -> None:
    sprint, keys = story(site)
    state(site, sprint, state="closed")
    site.advance(HOUR)
    brought(site, keys["Left"], "Done")
    sized(site, keys["Kept"], "21")
    page = dev.get(f"{path}/sprint-retrospective")
    assert [(row[0], row[-1]) for row in table(page, "Completed work items")] == [
        (keys["Kept"], "3")
    ]
    assert [(row[0], row[-1]) for row in table(page, "Work items not completed")] == [
        (keys["Left"], "5"), (f"{keys['Late']} *", "1"), (keys["Grown"], "- → 8"),
    ]  # fmt: skip
    outside = table(page, "Work items completed outside of this sprint")
    assert [row[0] for row in outside] == [f"{keys['Old']} *"]
    removed = table(page, "Work items removed from sprint")
    assert [(row[0], row[-1]) for row in removed] == [(keys["Gone"], "2")]
    assert "* Work item added to sprint after start time" in page.main
    assert "(14)" in page.main
    listed = dev.get(page.links("View in navigator")["View in navigator"])
    assert keys["Gone"] in listed.main


def test_velocity_compares_what_was_promised_with_what_was_done(
    site: Site, path: str, dev: Visit
) -> None:
    assert "no completed sprint" in dev.get(f"{path}/velocity-chart").main
    sprint, keys = story(site)
    state(site, sprint, state="closed")
    second = sprint_on(site, board_of(site), "Two")
    into(site, second, keys["Left"], keys["Grown"])
    site.advance(HOUR)
    begin, end = "2026-06-18T14:00:00.000Z", "2026-07-02T14:00:00.000Z"
    state(site, second, state="active", startDate=begin, endDate=end)
    site.advance(48 * HOUR)
    brought(site, keys["Left"], "Done")
    brought(site, keys["Grown"], "Done")
    state(site, second, state="closed")
    page = dev.get(f"{path}/velocity-chart")
    assert table(page, "Velocity") == [["One", "10", "3"], ["Two", "13", "13"]]
    assert "Average velocity: 8" in page.main
    assert 'aria-label="Velocity chart"' in page.html


def test_flow_counts_issues_by_column_day_by_day(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("A", "B", "C")]
    site.issue("Whole", issuetype={"name": "Epic"})
    site.advance(24 * HOUR)
    brought(site, keys[0], "In Progress")
    site.advance(24 * HOUR)
    brought(site, keys[0], "Done")
    brought(site, keys[1], "In Progress")
    page = dev.get(f"{path}/cumulative-flow-diagram", days="all")
    assert table(page, "Cumulative flow") == [
        ["Jun 18, 2026", "1", "1", "1"],
        ["Jun 17, 2026", "2", "1", "0"],
        ["Jun 16, 2026", "3", "0", "0"],
    ]
    page = dev.get(f"{path}/cumulative-flow-diagram?from=2026-06-17&to=2026-06-17")
    assert table(page, "Cumulative flow") == [["Jun 17, 2026", "2", "1", "0"]]


def test_flow_says_so_where_the_filter_names_what_the_viewer_does_not_see(
    site: Site, dev: Visit
) -> None:
    body = {
        "name": "Both",
        "jql": "project in (LAS, OPS)",
        "sharePermissions": [{"type": "global"}],
    }
    jql = site.post("filter", body, status=200)["id"]
    made = {"name": "Both", "type": "kanban", "filterId": int(jql)}
    made["location"] = {"type": "project", "projectKeyOrId": "LAS"}
    board = site.post(f"{AGILE}/board", made)["id"]
    at = f"/jira/software/c/projects/LAS/boards/{board}/reports/cumulative-flow-diagram"
    assert "asks for something" not in dev.get(at).main
    own_scheme(site, "OPS")
    withdraw(site, "BROWSE_PROJECTS", "OPS")
    assert "asks for something that you cannot see" in dev.get(at).part("flag")


def test_reports_are_listed_by_what_the_board_has(site: Site, path: str, dev: Visit) -> None:
    assert list(dev.get(path).links("chart")) == ["Burndown chart", "Velocity chart"]
    kanban = f"/jira/software/c/projects/OPS/boards/{board_of(site, 'OPS')}/reports"
    page = dev.get(kanban)
    assert "Cumulative flow diagram" in page.main
    assert "Burndown chart" not in page.main
    assert "no sprint to report of" in dev.get(f"{path}/burndown-chart").main
    visitor(site, "guest").get(path, status=404)


def test_days_off_of_the_board_are_level_in_the_guideline(
    site: Site, path: str, dev: Visit
) -> None:
    story(site)
    before = dev.get(f"{path}/burndown-chart").html.count('class="chart__free"')
    with site.writing():
        board = Board.objects.get(id=board_of(site))
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        set_working_days(board, zone="UTC", days=["monday"], off=[], actor=ada)
    after = dev.get(f"{path}/burndown-chart").html.count('class="chart__free"')
    assert (before, after) == (2, 3)


@pytest.mark.parametrize(
    "report",
    ["burndown-chart", "sprint-retrospective", "velocity-chart", "cumulative-flow-diagram"],
)
def test_a_report_costs_as_many_statements_for_much_as_for_little(
    site: Site, path: str, dev: Visit, report: str
) -> None:
    sprint, keys = story(site)
    if report == "velocity-chart":
        state(site, sprint, state="closed")
    counts = []
    for more in (0, 12):
        for number in range(more):
            key = site.issue(f"More {number}")
            sized(site, key, "2")
            if report != "velocity-chart":
                into(site, sprint, key)
            brought(site, key, "Done")
        dev.get(f"{path}/{report}")
        with counted(site) as statements:
            dev.get(f"{path}/{report}")
        counts.append(len(statements))
    assert counts[0] == counts[1], counts
    assert keys
