"""Sprints: their life, what is in them, and who may do what to them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.domain.board_configuration import ColumnDraft, set_columns
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.settings import set_setting
from clones.tracker.domain.sprints import Destination, update_sprint
from clones.tracker.models import Board, IssueSprint, Sprint, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import (
    AGILE,
    END,
    START,
    board_of,
    history,
    keys,
    running_sprint,
    sprint_on,
    withdraw,
)
from tests.tracker.conftest import Site
from tests.tracker.heard import heard

SPRINT = f"{AGILE}/sprint"
GONE = "Sprint does not exist or you do not have permission to view it."
HEARD = heard(
    "sprint_created", "sprint_updated", "sprint_started", "sprint_closed", "sprint_deleted"
)


def sprints_of(site: Site, issue: str) -> list[str]:
    with site.store():
        rows = IssueSprint.objects.filter(issue__key=issue).order_by("id")
        return list(rows.values_list("sprint__name", flat=True))


def test_a_sprint_is_planned_started_and_completed(site: Site) -> None:
    HEARD.clear()
    board = board_of(site)
    body = {"name": "  Sprint 1 ", "originBoardId": board, "goal": "Ship", "startDate": START}
    made = site.post(SPRINT, body)
    sprint = made["id"]
    assert isinstance(sprint, int)
    assert made == {
        "id": sprint,
        "self": f"http://tracker.{site.row.id}.localhost:8800/rest/agile/1.0/sprint/{sprint}",
        "state": "future",
        "name": "Sprint 1",
        "startDate": "2026-03-02T09:00:00.000Z",
        "originBoardId": board,
        "goal": "Ship",
        "createdDate": made["createdDate"],
    }
    path = f"{SPRINT}/{sprint}"
    refused = site.post(path, {"state": "active"}, status=400)
    assert refused["errors"] == {"endDate": "You must specify an end date for the sprint"}
    started = site.post(path, {"state": "active", "endDate": END}, status=200)
    assert (started["state"], started["endDate"]) == ("active", "2026-03-16T16:00:00.000Z")
    over = site.post(path, {"state": "closed"}, status=200)
    assert over["state"] == "closed"
    assert over["completeDate"].endswith("Z")
    # Of one that is over only name and goal can be changed; the rest is passed over.
    after = site.post(path, {"name": "S1", "state": "active", "startDate": END}, status=200)
    assert (after["name"], after["state"]) == ("S1", "closed")
    assert after["startDate"] == "2026-03-02T09:00:00.000Z"
    assert site.get(path) == after
    site.delete(path)
    assert site.get(path, status=404) == {"errorMessages": [GONE], "errors": {}}
    assert [event.kind for event in HEARD] == [
        "sprint_created",
        "sprint_started",
        "sprint_updated",
        "sprint_closed",
        "sprint_updated",
        "sprint_deleted",
    ]


@pytest.mark.parametrize(
    ("body", "messages", "fields"),
    [
        ({"name": "x" * 30}, [], {"name": "Sprint name must be shorter than 30 characters"}),
        (
            {"name": "S", "startDate": END, "endDate": START},
            [],
            {"startDate": "The start date of a sprint must be before the end date"},
        ),
        (
            {"name": "S", "startDate": "2026-03-02"},
            [],
            {"startDate": "You must specify a start date for the sprint"},
        ),
    ],
)
def test_a_sprint_that_cannot_be_is_refused(
    site: Site, body: dict[str, Any], messages: list[str], fields: dict[str, str]
) -> None:
    refused = site.post(SPRINT, {"originBoardId": board_of(site), **body}, status=400)
    assert refused == {"errorMessages": messages, "errors": fields}
    assert site.get(f"{AGILE}/board/{board_of(site)}/sprint")["total"] == 0


def test_boards_without_sprints_and_unknown_boards(site: Site) -> None:
    kanban = board_of(site, "OPS")
    text = "The board does not support sprints"
    refused = site.post(SPRINT, {"name": "S", "originBoardId": kanban}, status=400)
    assert refused == {"errorMessages": [text], "errors": {}}
    assert site.get(f"{AGILE}/board/{kanban}/sprint", status=400)["errorMessages"] == [text]
    gone = site.post(SPRINT, {"name": "S", "originBoardId": 999}, status=404)
    assert "either does not exist" in gone["errorMessages"][0]


def test_unverified_a_sprint_needs_a_name_and_a_board(site: Site) -> None:
    missing = site.post(SPRINT, {"name": "S"}, status=400)
    assert missing["errors"] == {"originBoardId": "You must specify a board for the sprint"}
    missing = site.post(SPRINT, {"originBoardId": board_of(site), "name": " "}, status=400)
    text = "You must specify a name for the sprint"
    assert missing == {"errorMessages": [], "errors": {"name": text}}


def test_unverified_states_go_one_way_and_one_sprint_runs_at_a_time(site: Site) -> None:
    board = board_of(site)
    first = running_sprint(site, board)
    other = sprint_on(site, board, "Sprint 2", startDate=START, endDate=END)
    path = f"{SPRINT}/{other}"
    refused = site.post(path, {"state": "closed"}, status=400)
    text = "A sprint cannot be changed from state future to state closed."
    assert refused["errors"] == {"state": text}
    refused = site.post(path, {"state": "paused"}, status=400)
    assert refused["errors"] == {"state": "'paused' is not a valid sprint state."}
    refused = site.post(path, {"state": "active"}, status=400)
    text = "A sprint of this board is already active. Complete it first."
    assert refused["errorMessages"] == [text]
    refused = site.post(f"{SPRINT}/{first}", {"state": "future"}, status=400)
    assert set(refused["errors"]) == {"state"}
    with site.writing():
        set_setting("parallel_sprints", True)
    assert site.post(path, {"state": "active"}, status=200)["state"] == "active"


def test_a_whole_update_empties_what_it_leaves_out(site: Site) -> None:
    sprint = sprint_on(site, board_of(site), goal="Ship", startDate=START, endDate=END)
    path = f"{SPRINT}/{sprint}"
    found = site.put(path, {"name": "Other", "id": 5, "completeDate": START}, status=200)
    assert (found["name"], found["goal"], found["id"]) == ("Other", "", sprint)
    assert not {"startDate", "endDate", "completeDate"} & set(found)
    refused = site.put(path, {"goal": "x"}, status=400)
    assert refused["errors"] == {"name": "You must specify a name for the sprint"}
    partial = site.post(path, {"goal": "Again"}, status=200)
    assert (partial["name"], partial["goal"]) == ("Other", "Again")


def test_issues_come_into_a_sprint_with_their_parts_and_are_ranked_there(site: Site) -> None:
    board = board_of(site)
    a, b, c = (site.issue(name) for name in "abc")
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    sprint = running_sprint(site, board)
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=204)
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [c], "rankBeforeIssue": b}, status=204)
    assert sprints_of(site, a) == sprints_of(site, part) == ["Sprint 1"]
    assert history(site, a) == [("Sprint", "", "Sprint 1")]
    assert history(site, c) == [("Sprint", "", "Sprint 1"), ("Rank", "", "Ranked higher")]
    assert history(site, part) == []
    listed = site.get(f"{SPRINT}/{sprint}/issue")
    assert (listed["total"], keys(listed)) == (3, [a, c, part])
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [b]
    # The same again changes nothing.
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=204)
    assert history(site, a) == [("Sprint", "", "Sprint 1")]
    # A part born later is in its parent's sprint, too.
    late = site.issue("late", issuetype={"name": "Sub-task"}, parent={"key": a})
    assert sprints_of(site, late) == ["Sprint 1"]


def test_completing_leaves_what_is_done_and_frees_the_rest(site: Site) -> None:
    board = board_of(site)
    done, todo = site.issue("done"), site.issue("open")
    sprint = running_sprint(site, board)
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [done, todo]}, status=204)
    moves = site.get(f"issue/{done}/transitions")["transitions"]
    finish = next(move["id"] for move in moves if move["to"]["name"] == "Done")
    site.post(f"issue/{done}/transitions", {"transition": {"id": finish}}, status=204)
    site.post(f"{SPRINT}/{sprint}", {"state": "closed"}, status=200)
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [todo]
    assert keys(site.get(f"{SPRINT}/{sprint}/issue")) == [done, todo]
    following = sprint_on(site, board, "Sprint 2")
    site.post(f"{SPRINT}/{following}/issue", {"issues": [todo]}, status=204)
    # What is over stays in the field.
    assert sprints_of(site, todo) == ["Sprint 1", "Sprint 2"]
    assert history(site, todo)[-1] == ("Sprint", "Sprint 1", "Sprint 1, Sprint 2")
    shown = site.get(f"{AGILE}/issue/{todo}")["fields"]
    assert shown["sprint"]["name"] == "Sprint 2"
    assert [one["name"] for one in shown["closedSprints"]] == ["Sprint 1"]


def test_unverified_what_cannot_come_into_a_sprint_is_refused(site: Site) -> None:
    board = board_of(site)
    a = site.issue("a")
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    sprint = running_sprint(site, board)
    path = f"{SPRINT}/{sprint}/issue"
    refused = site.post(path, {"issues": [part]}, status=400)
    text = "Sub-tasks cannot be moved independently of their parents."
    assert refused == {"errorMessages": [text], "errors": {}}
    refused = site.post(path, {"issues": ["LAS-99"]}, status=400)
    assert "does not exist" in refused["errorMessages"][0]
    assert site.post(f"{SPRINT}/99/issue", {"issues": [a]}, status=404)["errorMessages"] == [GONE]
    withdraw(site, "SCHEDULE_ISSUES")
    refused = site.post(path, {"issues": [a]}, status=403)
    text = f"You do not have permission to schedule issue {a}."
    assert refused == {"errorMessages": [text], "errors": {}}
    assert sprints_of(site, a) == []


def test_open_issues_may_go_to_the_next_sprint(site: Site) -> None:
    board = board_of(site)
    a = site.issue("a")
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    sprint, following = running_sprint(site, board), sprint_on(site, board, "Sprint 2")
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=204)
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        running, target = (Sprint.objects.get(id=id) for id in (sprint, following))
        itself = Destination(running)
        with pytest.raises(Invalid):
            update_sprint(running, {"state": "closed"}, actor=ada, whole=False, destination=itself)
    with site.writing():
        running = Sprint.objects.get(id=sprint)
        update_sprint(
            running, {"state": "closed"}, actor=ada, whole=False, destination=Destination(target)
        )
    assert sprints_of(site, a) == sprints_of(site, part) == ["Sprint 1", "Sprint 2"]
    assert history(site, a)[-1] == ("Sprint", "Sprint 1", "Sprint 1, Sprint 2")


def test_a_board_without_statuses_has_no_sprints_to_show_or_start(site: Site) -> None:
    board = board_of(site)
    sprint = sprint_on(site, board, startDate=START, endDate=END)
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        set_columns(Board.objects.get(id=board), [ColumnDraft("Empty")], actor=ada)
    text = "This board has no columns with a mapped status"
    expected = {"errorMessages": [text], "errors": {}}
    assert site.get(f"{AGILE}/board/{board}/sprint", status=422) == expected
    assert site.post(f"{SPRINT}/{sprint}", {"state": "active"}, status=400) == expected


def test_a_sprint_that_is_over_takes_no_issues(site: Site) -> None:
    sprint, a = running_sprint(site, board_of(site)), site.issue("a")
    site.post(f"{SPRINT}/{sprint}", {"state": "closed"}, status=200)
    refused = site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=400)
    text = "You must specify a sprint which has not been completed."
    assert refused == {"errorMessages": [text], "errors": {}}
    refused = site.put(f"issue/{a}", {"fields": {"customfield_10020": sprint}}, status=400)
    text = "Issue can be assigned only active or future sprints."
    assert refused == {"errorMessages": [], "errors": {"customfield_10020": text}}


def test_the_field_sprint_puts_issues_and_their_parts_into_sprints(site: Site) -> None:
    sprint, a = running_sprint(site, board_of(site)), site.issue("a")
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    site.put(f"issue/{a}", {"fields": {"customfield_10020": sprint}})
    assert sprints_of(site, a) == sprints_of(site, part) == ["Sprint 1"]
    assert history(site, a) == [("Sprint", "", "Sprint 1")]
    refused = site.put(f"issue/{part}", {"fields": {"customfield_10020": None}}, status=400)
    assert set(refused["errors"]) == {"customfield_10020"}
    site.put(f"issue/{a}", {"fields": {"customfield_10020": None}})
    assert sprints_of(site, a) == sprints_of(site, part) == []


def test_deleting_a_sprint_leaves_its_issues_in_the_backlog(site: Site) -> None:
    board = board_of(site)
    a = site.issue("a")
    sprint = running_sprint(site, board)
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=204)
    site.delete(f"{SPRINT}/{sprint}")
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [a]
    assert history(site, a)[-1] == ("Sprint", "Sprint 1", "")
    with site.store():
        assert not Sprint.objects.exists()


def test_unverified_words_to_who_does_not_manage_sprints_of_all_spaces(site: Site) -> None:
    board = board_of(site)
    sprint, other = sprint_on(site, board, "A"), sprint_on(site, board, "B")
    withdraw(site, "MANAGE_SPRINTS_PERMISSION")
    text = (
        'You need the "Manage Sprints" permission for all projects in the origin board to manage'
        " this sprint."
    )
    body = {"errorMessages": [text], "errors": {}}
    assert site.post(SPRINT, {"name": "S", "originBoardId": board}, status=403) == body
    assert site.post(f"{SPRINT}/{sprint}", {"name": "X"}, status=403) == body
    assert site.put(f"{SPRINT}/{sprint}", {"name": "X"}, status=403) == body
    assert site.delete(f"{SPRINT}/{sprint}", status=403) == body
    swap = {"sprintToSwapWith": other}
    assert site.post(f"{SPRINT}/{sprint}/swap", swap, status=403) == body
    assert site.put(f"{SPRINT}/{sprint}/properties/p", {"a": 1}, status=403) == body
    assert site.get(f"{SPRINT}/{sprint}")["name"] == "A"


def test_sprints_of_a_board_are_listed_by_state_and_place(site: Site) -> None:
    board = board_of(site)
    over = running_sprint(site, board, "Over")
    site.post(f"{SPRINT}/{over}", {"state": "closed"}, status=200)
    first, second = sprint_on(site, board, "First"), sprint_on(site, board, "Second")
    runs = running_sprint(site, board, "Runs")
    path = f"{AGILE}/board/{board}/sprint"

    def ids(query: str = "") -> list[int]:
        return [sprint["id"] for sprint in site.get(f"{path}{query}")["values"]]

    assert ids() == [over, runs, first, second]
    site.post(f"{SPRINT}/{first}/swap", {"sprintToSwapWith": second}, status=204)
    assert ids("?state=future") == [second, first]
    assert ids("?state=active,closed") == [over, runs]
    page = site.get(f"{path}?startAt=1&maxResults=2")
    assert [sprint["id"] for sprint in page.pop("values")] == [runs, second]
    assert page == {"startAt": 1, "maxResults": 2, "total": 4, "isLast": False}
    refused = site.get(f"{path}?state=paused", status=400)
    assert refused["errorMessages"] == ["'paused' is not a valid sprint state."]
    assert site.post(f"{SPRINT}/{first}/swap", {"sprintToSwapWith": 99}, status=404)[
        "errorMessages"
    ] == [GONE]


def test_a_sprint_has_properties(site: Site) -> None:
    sprint = sprint_on(site, board_of(site))
    path = f"{SPRINT}/{sprint}/properties"
    assert site.put(f"{path}/plan", {"points": 8}, status=201) is None
    assert site.put(f"{path}/plan", {"points": 9}, status=200) is None
    assert site.get(f"{path}/plan") == {"key": "plan", "value": {"points": 9}}
    root = f"http://tracker.{site.row.id}.localhost:8800"
    assert site.get(path) == {"keys": [{"self": f"{root}{path}/plan", "key": "plan"}]}
    site.delete(f"{path}/plan")
    missing = site.get(f"{path}/plan", status=404)
    assert missing["errorMessages"] == ["The property with key 'plan' does not exist."]


def test_a_sprint_outlives_its_board(site: Site) -> None:
    filter_id = site.get(f"{AGILE}/board/{board_of(site)}/configuration")["filter"]["id"]
    body = {"name": "Second", "type": "scrum", "filterId": int(filter_id)}
    board = site.post(f"{AGILE}/board", body)["id"]
    sprint, a = sprint_on(site, board), site.issue("a")
    site.post(f"{SPRINT}/{sprint}/issue", {"issues": [a]}, status=204)
    site.delete(f"{AGILE}/board/{board}")
    found = site.get(f"{SPRINT}/{sprint}")
    assert "originBoardId" not in found
    assert keys(site.get(f"{SPRINT}/{sprint}/issue")) == [a]
