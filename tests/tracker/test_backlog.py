"""Moving issues to backlogs and onto boards."""

from __future__ import annotations

from tests.tracker.boards import AGILE, board_of, history, keys, running_sprint, withdraw
from tests.tracker.conftest import Site


def test_issues_leave_their_sprints_and_are_ranked_in_the_backlog(site: Site) -> None:
    board = board_of(site)
    a, b, c = (site.issue(name) for name in "abc")
    sprint = running_sprint(site, board)
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [a, b]}, status=204)
    site.post(f"{AGILE}/backlog/issue", {"issues": [a]}, status=204)
    assert history(site, a) == [("Sprint", "", "Sprint 1"), ("Sprint", "Sprint 1", "")]
    body = {"issues": [b], "rankAfterIssue": c}
    site.post(f"{AGILE}/backlog/{board}/issue", body, status=204)
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [a, c, b]
    assert history(site, b)[1:] == [("Sprint", "Sprint 1", ""), ("Rank", "", "Ranked lower")]
    # What is there already stays, and nothing is told of it.
    site.post(f"{AGILE}/backlog/issue", {"issues": [c]}, status=204)
    assert history(site, c) == []


def test_unverified_onto_a_scrum_board_is_into_its_active_sprint(site: Site) -> None:
    board = board_of(site)
    a = site.issue("a")
    refused = site.post(f"{AGILE}/board/{board}/issue", {"issues": [a]}, status=400)
    assert refused == {"errorMessages": ["The board has no active sprint."], "errors": {}}
    sprint = running_sprint(site, board)
    site.post(f"{AGILE}/board/{board}/issue", {"issues": [a]}, status=204)
    assert keys(site.get(f"{AGILE}/sprint/{sprint}/issue")) == [a]


def test_unverified_what_cannot_be_moved_is_refused(site: Site) -> None:
    board = board_of(site)
    a = site.issue("a")
    far = site.issue("far", project={"key": "OPS"})
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    gone = "Issue does not exist or you do not have permission to see it."
    subtask = "Sub-tasks cannot be moved independently of their parents."
    cases = [
        ("backlog/issue", {"issues": ["NOSUCH-1"]}, gone),
        ("backlog/issue", {"issues": [part]}, subtask),
        (f"backlog/{board}/issue", {"issues": [far]}, f"Issue {far} does not belong to the board."),
    ]
    for path, body, text in cases:
        refused = site.post(f"{AGILE}/{path}", body, status=400)
        assert refused == {"errorMessages": [text], "errors": {}}
    many = site.post(f"{AGILE}/backlog/issue", {"issues": [a] * 51}, status=400)
    assert many["errors"] == {"issues": "A maximum of 50 issues can be moved at once."}
    missing = site.post(f"{AGILE}/backlog/99999999/issue", {"issues": [a]}, status=404)
    assert missing["errorMessages"][0].startswith("The requested board cannot be viewed")
    withdraw(site, "EDIT_ISSUES")
    refused = site.post(f"{AGILE}/backlog/issue", {"issues": [a]}, status=403)
    text = f"You do not have permission to schedule issue {a}."
    assert refused == {"errorMessages": [text], "errors": {}}
