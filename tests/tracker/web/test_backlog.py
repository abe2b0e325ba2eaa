"""Backlogs: sections and their order, and the life of sprints on pages."""

from __future__ import annotations

import re

import pytest

from clones.tracker.domain.board_configuration import set_kanban_backlog
from clones.tracker.models import Board, ChangeItem, IssueSprint, Sprint, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import AGILE, board_of, counted, running_sprint, sprint_on, withdraw
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page


def sections(page: Page) -> dict[str, list[str]]:
    """Return the keys of the rows of each section, by its name."""
    found = {}
    for part in page.html.split('<section class="part"')[1:]:
        name = re.search(r'aria-label="([^"]*)"', part)
        assert name is not None
        found[name[1]] = re.findall(r'<li class="row[^>]*data-key="([^"]+)"', part)
    return found


@pytest.fixture
def path(site: Site) -> str:
    """The address of the scrum board of LAS."""
    return f"/jira/software/c/projects/LAS/boards/{board_of(site)}"


@pytest.fixture
def dev(site: Site) -> Visit:
    """A developer at the pages."""
    return visitor(site, "dev")


def sprint_of(site: Site, key: str) -> list[str]:
    with site.store():
        rows = IssueSprint.objects.filter(issue__key=key).exclude(sprint__state="closed")
        return list(rows.values_list("sprint__name", flat=True))


def test_rows_go_between_sections_and_keep_their_order(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("A", "B", "C")]
    site.issue("Part", issuetype={"name": "Sub-task"}, parent={"key": keys[0]})
    site.issue("Whole", issuetype={"name": "Epic"})
    board = board_of(site)
    first, second = sprint_on(site, board, "One"), sprint_on(site, board, "Two")
    page = dev.get(f"{path}/backlog")
    assert sections(page) == {"One": [], "Two": [], "Backlog": keys}
    assert "Backlog - Laser control - Tracker" in page.html
    move = f"{path}/backlog/move"
    dev.post(move, {"issue": keys[1], "to": str(second)})
    assert f"{keys[1]} moved to Two" in dev.get(f"{path}/backlog").main
    dev.post(move, {"issue": keys[0], "to": str(second), "before": keys[1]})
    page = dev.get(f"{path}/backlog")
    assert sections(page) == {"One": [], "Two": keys[:2], "Backlog": keys[2:]}
    assert sprint_of(site, keys[0]) == ["Two"]
    dev.post(move, {"issue": keys[0], "where": "bottom"})
    assert sections(dev.get(f"{path}/backlog"))["Two"] == [keys[1], keys[0]]
    dev.post(move, {"issue": keys[0], "where": "up"})
    assert sections(dev.get(f"{path}/backlog"))["Two"] == keys[:2]
    dev.post(move, {"issue": keys[0], "to": "BACKLOG", "after": keys[2]})
    assert sections(dev.get(f"{path}/backlog"))["Backlog"] == [keys[2], keys[0]]
    # The menu of a row offers the same.
    menu = dev.get(f"{path}/row/{keys[2]}")
    names = re.findall(r'role="menuitem"[^>]*>([^<]+)<', menu.html.partition('menu--page"')[2])
    assert names == [
        "Open", "Move to One", "Move to Two", "Move to top", "Move up", "Move down",
        "Move to bottom",
    ]  # fmt: skip
    assert "no such part" in dev.post(move, {"issue": keys[2], "to": "7"}, 404).text
    assert first != second
    assert sections(dev.get(f"{path}/backlog", search="b"))["Two"] == [keys[1]]
    withdraw(site, "SCHEDULE_ISSUES")
    refused = dev.post(move, {"issue": keys[2], "to": str(first)}, 400)
    said = f"{keys[2]} was not moved. You do not have permission to schedule issue {keys[2]}."
    assert said in refused.part("flag")
    assert sprint_of(site, keys[2]) == []


def test_estimates_are_set_and_summed(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("A", "B")]
    board = board_of(site)
    sprint = sprint_on(site, board, "One")
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": keys}, status=204)
    action = f"{path}/row/{keys[0]}/estimate"
    form = dev.get(f"{path}/row/{keys[0]}").form(action)
    assert form["estimate"] == ""
    dev.post(action, {**form, "estimate": "3"})
    dev.post(f"{path}/row/{keys[1]}/estimate", {"estimate": "0.5"})
    page = dev.get(f"{path}/backlog")
    assert "To do: 3.5 In progress: 0 Done: 0" in page.main
    found = site.get(f"{AGILE}/issue/{keys[0]}/estimation?boardId={board}")
    assert found["value"] == 3
    refused = dev.post(action, {"estimate": "many"}, 400)
    assert "'many' is not a valid number." in refused.part("flag")


def test_work_is_made_in_a_sprint_and_in_the_backlog(site: Site, path: str, dev: Visit) -> None:
    sprint = sprint_on(site, board_of(site), "One")
    for into, name in ((str(sprint), "Planned"), ("BACKLOG", "Later")):
        form = dev.get(f"{path}/backlog", create=into).form("/backlog/create")
        made = dev.post(f"{path}/backlog/create", {**form, "summary": name})
        assert made.location == f"{path}/backlog"
    page = dev.get(f"{path}/backlog")
    found = sections(page)
    assert [len(found["One"]), len(found["Backlog"])] == [1, 1]
    assert "You've created" in page.main
    assert sprint_of(site, found["One"][0]) == ["One"]
    refused = dev.post(f"{path}/backlog/create", {**form, "summary": "x" * 256}, 400)
    assert "255" in refused.part("flag")


def test_a_sprint_is_made_changed_started_and_completed(site: Site, path: str, dev: Visit) -> None:
    keys = [site.issue(name) for name in ("A", "B")]
    dev.post(f"{path}/sprints")
    dev.post(f"{path}/sprints")
    with site.store():
        one, two = Sprint.objects.order_by("id").values_list("id", flat=True)
    assert list(sections(dev.get(f"{path}/backlog")))[:2] == ["LAS Sprint 1", "LAS Sprint 2"]
    dev.post(f"{path}/sprint/{two}/swap", {"way": "up"})
    assert list(sections(dev.get(f"{path}/backlog")))[:2] == ["LAS Sprint 2", "LAS Sprint 1"]
    for key in keys:
        dev.post(f"{path}/backlog/move", {"issue": key, "to": str(one)})
    # Changed, with a refusal that keeps what was typed.
    edit = f"{path}/sprint/{one}/edit"
    form = dev.get(edit).form(edit)
    assert (form["name"], form["duration"], form["startDate"]) == ("LAS Sprint 1", "custom", "")
    wrong = {
        "name": "x" * 30, "goal": "Ship", "startDate": "2026-03-09T09:00",
        "endDate": "2026-03-02T09:00",
    }  # fmt: skip
    page = dev.post(edit, {**form, **wrong}, 400)
    assert "Sprint name must be shorter than 30 characters" in page.main
    assert page.form(edit) | {"atl_token": ""} == {**form, **wrong, "atl_token": ""}
    assert "before the end date" in dev.post(edit, {**form, **wrong, "name": "First"}, 400).main
    # Started, for two weeks from when it begins by the reader's clock.
    start = f"{path}/sprint/{one}/start"
    page = dev.get(start)
    assert "2 work items will be included in this sprint." in page.main
    form = page.form(start)
    assert form["duration"] == "2"
    sent = {**form, "name": "First", "goal": "Ship", "startDate": "2026-03-02T09:00"}
    assert dev.post(start, sent).location == path
    found = site.get(f"{AGILE}/sprint/{one}")
    assert (found["state"], found["goal"], found["startDate"], found["endDate"]) == (
        "active", "Ship", "2026-03-02T14:00:00.000Z", "2026-03-16T13:00:00.000Z",
    )  # fmt: skip
    assert "This sprint has been started already." in dev.get(start, status=403).text
    # Another cannot be started meanwhile, and its form says so.
    other = f"{path}/sprint/{two}/start"
    page = dev.post(other, dev.get(other).form(other), 400)
    assert "A sprint of this board is already active." in page.main
    # Completed: what is open goes where it was said.
    complete = f"{path}/sprint/{one}/complete"
    page = dev.get(complete)
    assert "0 completed work items and 2 open work items" in page.main
    assert page.form(complete)["destination"] == str(two)
    dev.post(complete, {"destination": "new"})
    assert site.get(f"{AGILE}/sprint/{one}")["state"] == "closed"
    assert sprint_of(site, keys[0]) == ["LAS Sprint 3"]
    # Deleted: its work goes to the backlog.
    with site.store():
        third = Sprint.objects.get(name="LAS Sprint 3").id
    delete = f"{path}/sprint/{third}/delete"
    assert "Delete sprint: LAS Sprint 3" in dev.get(delete).main
    dev.post(delete)
    assert sections(dev.get(f"{path}/backlog"))["Backlog"] == keys
    assert "Sprint does not exist" in dev.get(delete, status=404).text


def test_an_end_that_is_typed_counts_whatever_duration_is_chosen(
    site: Site, path: str, dev: Visit
) -> None:
    """And the form that is shown again says so: its duration is Custom."""
    dev.post(f"{path}/sprints")
    with site.store():
        sprint = Sprint.objects.get().id
    start = f"{path}/sprint/{sprint}/start"
    form = dev.get(start).form(start)
    assert form["duration"] == "2"
    sent = {**form, "startDate": "2026-03-02T09:00", "endDate": "2026-03-05T17:00"}
    page = dev.post(start, {**sent, "name": ""}, 400)
    assert page.form(start)["duration"] == "custom"
    # What follows from the duration by a script is no other end.
    page = dev.post(start, {**sent, "name": "", "endDate": "2026-03-16T09:00"}, 400)
    assert page.form(start)["duration"] == "2"
    # Nor does a duration or a beginning that no calendar has break the form.
    for odd in ({"duration": "9" * 12}, {"duration": "٣"}, {"startDate": "9999-12-31T09:00"}):
        page = dev.post(start, {**sent, "name": "", **odd}, 400)
        assert page.form(start)["endDate"] == "2026-03-05T17:00"
    dev.post(start, sent)
    found = site.get(f"{AGILE}/sprint/{sprint}")
    assert found["endDate"] == "2026-03-05T22:00:00.000Z"


def test_what_is_in_a_sprint_as_it_starts_is_what_it_began_with(
    site: Site, path: str, dev: Visit
) -> None:
    """A form knows minutes; what came in the seconds before is no change of scope."""
    dev.post(f"{path}/sprints")
    with site.store():
        sprint = Sprint.objects.get().id
    key = site.issue()
    site.advance(20)
    dev.post(f"{path}/backlog/move", {"issue": key, "to": str(sprint)})
    start = f"{path}/sprint/{sprint}/start"
    dev.post(start, dev.get(start).form(start))
    with site.store():
        began = Sprint.objects.get().start_date
        came = ChangeItem.objects.get(field="Sprint").created
    assert began is not None
    assert came is not None
    assert came <= began


def test_who_may_not_manage_sprints_is_not_offered_it(site: Site, path: str, dev: Visit) -> None:
    sprint = running_sprint(site, board_of(site))
    assert "Complete sprint" in dev.get(f"{path}/backlog").main
    withdraw(site, "MANAGE_SPRINTS_PERMISSION")
    page = dev.get(f"{path}/backlog")
    assert "Complete sprint" not in page.main
    assert "Create sprint" not in page.main
    refused = dev.get(f"{path}/sprint/{sprint}/complete", status=403)
    assert 'You need the "Manage Sprints" permission' in refused.text
    said = dev.post(f"{path}/sprints", status=400).part("flag")
    assert 'You need the "Manage Sprints" permission' in said
    assert "There is nothing here" in dev.get(f"{path}/sprints", status=404).text


def test_the_first_column_of_a_kanban_board_may_be_its_backlog(site: Site, dev: Visit) -> None:
    board = board_of(site, "OPS")
    with site.writing():
        admin = Rights(User.objects.get(account_id=site.ids["ada"]))
        set_kanban_backlog(Board.objects.get(id=board), on=True, actor=admin)
    path = f"/jira/software/c/projects/OPS/boards/{board}"
    key = site.issue("A", project={"key": "OPS"})
    assert key not in dev.get(path).html
    assert sections(dev.get(f"{path}/backlog")) == {"In Progress": [], "Backlog": [key]}
    dev.post(f"{path}/backlog/move", {"issue": key, "to": "BOARD"})
    assert sections(dev.get(f"{path}/backlog")) == {"In Progress": [key], "Backlog": []}
    assert site.get(f"issue/{key}")["fields"]["status"]["name"] == "In Progress"
    assert key in dev.get(path).html


def test_a_backlog_costs_as_many_statements_for_many_rows_as_for_few(
    site: Site, path: str, dev: Visit
) -> None:
    sprint = sprint_on(site, board_of(site), "One")

    def fill(number: int) -> None:
        keys = [site.issue(f"Row {at}") for at in range(number)]
        half = {"issues": keys[: number // 2]}
        site.post(f"{AGILE}/sprint/{sprint}/issue", half, status=204)

    fill(4)
    dev.get(f"{path}/backlog")
    with counted(site) as few:
        dev.get(f"{path}/backlog")
    fill(10)
    with counted(site) as many:
        dev.get(f"{path}/backlog")
    assert len(many) == len(few)
