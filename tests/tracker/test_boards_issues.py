"""The issues of boards: what is on them, in which order, with which fields, page by page."""

from __future__ import annotations

from clones.tracker.domain import board_configuration as configuring
from clones.tracker.models import Board, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import (
    AGILE,
    SOFTWARE,
    board_of,
    counted,
    keys,
    running_sprint,
    sprint_on,
    withdraw,
)
from tests.tracker.conftest import Site


def finish(site: Site, key: str, status: str = "Done") -> None:
    moves = site.get(f"issue/{key}/transitions")["transitions"]
    number = next(move["id"] for move in moves if move["to"]["name"] == status)
    site.post(f"issue/{key}/transitions", {"transition": {"id": number}}, status=204)


def test_a_board_shows_what_its_filter_finds_by_rank(site: Site) -> None:
    board = board_of(site)
    a, b, c = (site.issue(name) for name in "abc")
    site.issue("elsewhere", project={"key": "OPS"})
    epic = site.issue("epic", issuetype={"name": "Epic"})
    site.put(f"{AGILE}/issue/rank", {"issues": [c], "rankBeforeIssue": a})
    page = site.get(f"{AGILE}/board/{board}/issue?maxResults=2")
    assert keys(page) == [c, a]
    assert {name: page[name] for name in ("startAt", "maxResults", "total")} == {
        "startAt": 0,
        "maxResults": 2,
        "total": 3,
    }
    assert keys(site.get(f"{AGILE}/board/{board}/issue?startAt=2")) == [b]
    # The caller's query narrows it, and its order counts.
    narrowed = "jql=summary ~ a OR summary ~ b ORDER BY created DESC"
    assert keys(site.get(f"{AGILE}/board/{board}/issue?{narrowed}")) == [b, a]
    # Epics are no cards of scrum boards, but their list has them.
    assert [one["key"] for one in site.get(f"{AGILE}/board/{board}/epic")["values"]] == [epic]
    refused = site.get(f"{AGILE}/board/{board}/issue?jql=universe = 1", status=400)
    assert "Field 'universe' does not exist" in refused["errorMessages"][0]
    assert site.call("GET", f"{AGILE}/board/{board}/issue", by=None).status == 401


def test_tokens_go_on_where_a_page_ended_whatever_is_written_meanwhile(site: Site) -> None:
    board = board_of(site)
    a, b, c, d = (site.issue(name) for name in "abcd")
    path = f"{SOFTWARE}/board/{board}/issue"
    first = site.get(f"{path}?maxResults=2&fields=summary")
    assert (keys(first), first["isLast"]) == ([a, b], False)
    site.put(f"{AGILE}/issue/rank", {"issues": [d], "rankBeforeIssue": a})
    rest = site.get(f"{path}?maxResults=2&fields=summary&nextPageToken={first['nextPageToken']}")
    assert keys(rest) == [c]
    assert set(rest) == {"issues", "isLast"}
    assert rest["isLast"] is True
    assert site.get(f"{path}/approximate-count") == {"count": 4}
    assert site.get(f"{path}/approximate-count?jql=summary ~ a") == {"count": 1}
    refused = site.get(f"{path}?nextPageToken=nonsense", status=400)
    assert refused["errorMessages"] == ["The provided next page token is invalid."]


def test_issues_have_the_fields_of_boards(site: Site) -> None:
    board = board_of(site)
    epic = site.issue("Big thing", issuetype={"name": "Epic"})
    story = site.issue("story", parent={"key": epic}, customfield_10021=[{"value": "Impediment"}])
    sprint = running_sprint(site, board)
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [story]}, status=204)
    shown = site.get(f"{AGILE}/issue/{story}")
    root = f"http://tracker.{site.row.id}.localhost:8800"
    assert shown["self"] == f"{root}{AGILE}/issue/{shown['id']}"
    fields = shown["fields"]
    assert fields["summary"] == "story"
    assert fields["flagged"] is True
    assert (fields["sprint"]["id"], fields["sprint"]["state"]) == (sprint, "active")
    assert fields["closedSprints"] == []
    number = int(site.get(f"{AGILE}/issue/{epic}?fields=summary")["id"])
    assert fields["epic"] == {
        "id": number,
        "key": epic,
        "self": f"{root}{AGILE}/epic/{number}",
        "name": "Big thing",
        "summary": "Big thing",
        "color": {"key": "color_1"},
        "done": False,
    }
    few = site.get(f"{AGILE}/board/{board}/issue?fields=sprint,summary")["issues"][0]["fields"]
    assert set(few) == {"sprint", "summary"}
    named = site.get(f"{SOFTWARE}/board/{board}/issue?fields=summary&expand=names,schema")
    assert named["names"] == {"summary": "Summary"}
    assert named["schema"]["summary"]["type"] == "string"
    gone = site.get(f"{AGILE}/issue/LAS-99", status=404)
    assert gone["errorMessages"][0].startswith("Issue does not exist")


def test_issues_are_listed_by_sprint_and_by_epic(site: Site) -> None:
    board = board_of(site)
    epic = site.issue("epic", issuetype={"name": "Epic"})
    a = site.issue("a", parent={"key": epic})
    part = site.issue("part", issuetype={"name": "Sub-task"}, parent={"key": a})
    b = site.issue("b")
    far = site.issue("far", project={"key": "OPS"})
    sprint = running_sprint(site, board)
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [b, far]}, status=204)
    lists = {
        f"sprint/{sprint}/issue": [b, far],
        f"board/{board}/sprint/{sprint}/issue": [b],
        f"epic/{epic}/issue": [a],
        f"board/{board}/epic/{epic}/issue": [a],
        "epic/none/issue": [b, far],
        f"board/{board}/epic/none/issue": [b],
        f"board/{board}/backlog": [a, part],
    }
    for path, expected in lists.items():
        assert keys(site.get(f"{AGILE}/{path}")) == expected, path
        assert keys(site.get(f"{SOFTWARE}/{path}")) == expected, path
        one = site.get(f"{SOFTWARE}/{path}?maxResults=1&fields=id")
        assert one["isLast"] is (len(expected) == 1), path
    for path in (f"sprint/{sprint + 9}/issue", f"board/{board}/sprint/{sprint + 9}/issue"):
        gone = site.get(f"{AGILE}/{path}", status=404)
        assert gone["errorMessages"] == [
            "Sprint does not exist or you do not have permission to view it."
        ]


def test_done_work_leaves_the_backlog_and_stays_on_the_board(site: Site) -> None:
    board = board_of(site)
    a, b = site.issue("a"), site.issue("b")
    finish(site, a)
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [b]
    assert site.get(f"{SOFTWARE}/board/{board}/backlog/approximate-count") == {"count": 1}
    assert keys(site.get(f"{AGILE}/board/{board}/issue")) == [a, b]


def test_what_a_viewer_may_not_see_is_on_no_board(site: Site) -> None:
    board = board_of(site)
    site.issue("a")
    with site.writing():
        Board.objects.filter(id=board).update(project=None)
    withdraw(site, "BROWSE_PROJECTS")
    with site.writing():
        Board.objects.get(id=board).filter.shares.all().update(type="loggedin", project=None)
    assert site.call("GET", f"{AGILE}/board/{board}", by="dana").status == 200
    answer = site.call("GET", f"{AGILE}/board/{board}/issue", by="dana")
    assert "LAS-1" not in str(answer.body)


def test_the_first_column_of_a_kanban_board_may_be_its_backlog(site: Site) -> None:
    board = board_of(site, "OPS")
    a, b = (site.issue(name, project={"key": "OPS"}) for name in "ab")
    finish(site, b, "In Progress")
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == []
    refused = site.post(f"{AGILE}/backlog/{board}/issue", {"issues": [b]}, status=400)
    assert refused["errorMessages"] == ["The board does not have a backlog."]
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        configuring.set_kanban_backlog(Board.objects.get(id=board), on=True, actor=ada)
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [a]
    site.post(f"{AGILE}/board/{board}/issue", {"issues": [a]}, status=204)
    assert site.get(f"issue/{a}?fields=status")["fields"]["status"]["name"] == "In Progress"
    body = {"issues": [b, a], "rankBeforeIssue": a}
    site.post(f"{AGILE}/backlog/{board}/issue", body, status=204)
    assert keys(site.get(f"{AGILE}/board/{board}/backlog")) == [b, a]


def test_lists_take_as_many_statements_for_many_issues_as_for_few(site: Site) -> None:
    board = board_of(site)
    sprint = running_sprint(site, board)
    epic = site.issue("epic", issuetype={"name": "Epic"})
    paths = [
        f"{SOFTWARE}/board/{board}/issue",
        f"{AGILE}/board/{board}/backlog",
        f"{AGILE}/board/{board}/epic",
        f"{AGILE}/board/{board}/sprint",
        f"{AGILE}/board?expand=admins,permissions",
    ]
    counts: dict[str, list[int]] = {}
    for _ in range(2):
        made = [site.issue("x", parent={"key": epic}) for _ in range(3)]
        site.issue("epic", issuetype={"name": "Epic"})
        sprint_on(site, board)
        site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": made[:2]}, status=204)
        for path in paths:
            site.get(path)
            with counted(site) as statements:
                site.get(path)
            counts.setdefault(path, []).append(len(statements))
    assert all(few == many > 3 for few, many in counts.values()), counts
