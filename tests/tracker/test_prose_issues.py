"""What the description says in words of issues, what is tied to them, searches and boards."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.settings import set_setting
from tests.tracker.boards import AGILE, board_of, sprint_on
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph


def ids(found: Any) -> list[str]:
    return [issue["id"] for issue in found["issues"]]


def test_an_issue_is_found_in_any_case_and_by_former_keys(site: Site) -> None:
    """Where it is now is answered at once; nothing redirects."""
    key = site.issue("It hums")
    found = site.call("GET", f"issue/{key.lower()}")
    assert (found.status, found.body["key"]) == (200, key)
    body = {"issueIdsOrKeys": [key.lower(), found.body["id"]]}
    many = site.post("issue/bulkfetch", body, status=200)
    assert [issue["key"] for issue in many["issues"]] == [key]


def test_which_fields_are_shown_unasked(site: Site) -> None:
    key = site.issue("It hums")
    site.post(f"issue/{key}/comment", {"body": paragraph("Loud")})
    whole = site.get(f"issue/{key}")["fields"]
    assert {"summary", "comment", "worklog", "description"} <= set(whole)
    assert "description" not in site.get(f"issue/{key}?fields=-description")["fields"]
    assert "comment" in site.get(f"issue/{key}?fields=-description")["fields"]
    many = site.post("issue/bulkfetch", {"issueIdsOrKeys": [key]}, status=200)["issues"][0]
    assert "summary" in many["fields"]
    assert not {"comment", "worklog"} & set(many["fields"])  # no column of a list
    less = {"issueIdsOrKeys": [key], "fields": ["-summary"], "fieldsByKeys": False}
    shown = site.post("issue/bulkfetch", less, status=200)["issues"][0]["fields"]
    assert set(many["fields"]) - set(shown) == {"summary"}
    found = site.get("search/jql?jql=project=LAS")["issues"]
    assert [set(issue) for issue in found] == [{"id"}]
    versions = site.get(f"issue/{key}?expand=versionedRepresentations&fields=summary")
    assert "fields" not in versions
    assert versions["versionedRepresentations"]["summary"] == {"1": "It hums"}
    board = site.get(f"{AGILE}/board/{board_of(site)}/issue")["issues"][0]["fields"]
    assert {"summary", "sprint", "flagged", "epic"} <= set(board)


def test_what_an_edit_passes_over(site: Site) -> None:
    key = site.issue("It hums", by="dev")
    done = next(
        one["id"]
        for one in site.get(f"issue/{key}/transitions")["transitions"]
        if one["name"] == "Done"
    )
    body = {"fields": {"summary": "It roars"}, "transition": {"id": done}}
    site.put(f"issue/{key}?notifyUsers=false", body, by="dev")  # who is no admin is passed over
    fields = site.get(f"issue/{key}?fields=summary,status")["fields"]
    assert (fields["summary"], fields["status"]["name"]) == ("It roars", "To Do")
    site.put(f"issue/{key}/assignee", {"accountId": site.ids["dev"]})
    site.put(f"issue/{key}/assignee", {"accountId": None})
    assert site.get(f"issue/{key}?fields=assignee")["fields"]["assignee"] is None
    epic = site.issue("Noise", issuetype={"name": "Epic"})
    site.put(f"issue/{key}", {"fields": {"parent": {"key": epic}}})
    assert site.get(f"issue/{key}?fields=parent")["fields"]["parent"]["key"] == epic
    site.put(f"issue/{key}", {"update": {"parent": [{"set": {"none": True}}]}})
    assert "parent" not in site.get(f"issue/{key}?fields=parent")["fields"]


def test_a_sub_task_needs_its_parent_and_its_type(site: Site) -> None:
    key = site.issue()
    alone = {"project": {"key": "LAS"}, "issuetype": {"name": "Sub-task"}, "summary": "Part"}
    site.post("issue", {"fields": alone}, status=400)
    site.post("issue/bulk", {"issueUpdates": [{"fields": alone}]}, status=400)
    made = site.post("issue", {"fields": {**alone, "parent": {"key": key}}})
    number = {"id": site.get(f"issue/{key}")["id"]}
    site.post("issue", {"fields": {**alone, "parent": number}})
    below = {**alone, "issuetype": {"name": "Task"}, "parent": {"key": made["key"]}}
    site.post("issue", {"fields": below}, status=400)
    given = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "A"}
    site.post("issue", {"fields": given, "properties": [{"value": 1}]}, status=400)
    site.post("issue", {"fields": given, "transition": {"id": "x"}}, status=400)


def test_what_is_tied_to_issues_has_its_silences(site: Site) -> None:
    key = site.issue(by="dev")
    assert site.get(f"issue/{key}/transitions?transitionId=999")["transitions"] == []
    site.post(f"issue/{key}/watchers", b"", by="dana", status=204)
    watching = site.get(f"issue/{key}/watchers")["watchers"]
    assert [one["displayName"] for one in watching] == ["Dana Ruiz", "Dev Anand"]
    body = {"issueIds": [site.get(f"issue/{key}")["id"], "999999", "tea"]}
    assert list(site.post("issue/watching", body, status=200)["issuesIsWatching"].values()) == [
        False, False, False,
    ]  # fmt: skip
    path = f"issue/{key}/remotelink"
    whole = {
        "globalId": "a",
        "relationship": "causes",
        "object": {"url": "http://a.example", "title": "A"},
    }
    first = site.post(path, whole)["id"]
    assert site.post(path, {**whole, "relationship": None}, status=200)["id"] == first
    assert "relationship" not in site.get(f"{path}/{first}")
    site.post(path, {"object": {"url": "http://b.example", "title": "B"}})
    assert len(site.call("GET", path).body) == 2
    assert site.call("GET", f"{path}?globalId=a").body["id"] == first
    site.put(f"{path}/{first}", {"object": {"url": "http://a.example", "title": "C"}})
    assert "globalId" not in site.get(f"{path}/{first}")


def test_a_permission_that_narrows_a_notification_is_named(site: Site) -> None:
    key = site.issue("It hums", by="dev")
    strict = {"textBody": "Look", "to": {"reporter": True}, "restrict": {"permissions": [{}]}}
    site.post(f"issue/{key}/notify", strict, status=400)


def test_work_is_logged_with_what_it_needs(site: Site) -> None:
    key = site.issue()
    path = f"issue/{key}/worklog"
    made = site.post(path, {"timeSpentSeconds": 60})
    assert made["started"]  # clients leave it out, and mean now
    with site.writing():
        set_setting("time_tracking_provider", "")
    assert site.call("GET", "configuration/timetracking").raw == b""
    one = f"{path}/{made['id']}"
    for method, address in (
        *(("GET", path), ("POST", path), ("DELETE", path), ("POST", f"{path}/move")),
        *(("GET", one), ("PUT", one), ("DELETE", one)),
    ):
        body = {"ids": [int(made["id"])], "timeSpent": "1m", "issueIdOrKey": key}
        assert site.call(method, address, body).status == 404, (method, address)


def test_records_of_a_span_that_ends_before_it_begins(site: Site) -> None:
    site.post("projectCategory", {"name": "Tools"})
    assert len(site.get("auditing/record")["records"]) > 0
    found = site.get("auditing/record?from=2030-01-01&to=2020-01-01")
    assert (found["records"], found["total"]) == ([], site.get("auditing/record")["total"])


def test_queries_say_what_is_wrong_and_what_there_is(site: Site) -> None:
    parsed = site.post("jql/parse", {"queries": ["colour = red"]}, status=200)["queries"][0]
    assert parsed["errors"]
    assert "structure" not in parsed
    body: dict[str, Any] = {"projectIds": [999999, int(site.get("project/LAS")["id"])]}
    found = site.post("jql/autocompletedata", body, status=200)["visibleFieldNames"]
    assert {"summary", "status"} <= {field["value"] for field in found}
    las = site.get("project/IT")["id"]
    asked = {"queries": [{"query": "project = IT", "accountId": None}]}
    clean = site.post("jql/sanitize", asked, status=200)["queries"][0]
    assert clean["sanitizedQuery"] == f"project = {las}"


def test_the_old_search_checks_as_it_is_told(site: Site) -> None:
    with site.writing():
        set_setting("legacy_search", True)
    site.issue()
    assert site.get("search")["total"] == 1  # without a query all issues
    site.post("search", {"jql": "status = Tea"}, status=400)
    for mode in ("none", "warn", "false"):
        assert (
            site.post("search", {"jql": "status = Tea", "validateQuery": mode}, status=200)["total"]
            == 0
        )
    for mode in ("none", "warn", "strict"):
        site.get(f"search?jql=status+%3D&validateQuery={mode}", status=400)  # no query at all


def test_boards_list_by_rank_and_check_their_queries(site: Site) -> None:
    board = board_of(site)
    keys = [site.issue(name) for name in "abc"]
    site.put(f"{AGILE}/issue/rank", {"issues": [keys[2]], "rankBeforeIssue": keys[0]})
    path = f"{AGILE}/board/{board}/issue"
    assert [issue["key"] for issue in site.get(path)["issues"]] == [keys[2], keys[0], keys[1]]
    ordered = site.get(f"{path}?jql=order+by+summary+desc")["issues"]
    assert [issue["key"] for issue in ordered] == [keys[2], keys[1], keys[0]]
    for place in (path, f"{AGILE}/board/{board}/backlog", f"{AGILE}/epic/none/issue"):
        site.get(f"{place}?jql=status+%3D+Tea", status=400)
        site.get(f"{place}?jql=status+%3D+Tea&validateQuery=true", status=400)
        found = site.get(f"{place}?jql=status+%3D+Tea&validateQuery=false")
        assert (found["total"], found["issues"]) == (0, [])
        site.get(f"{place}?jql=status+%3D&validateQuery=false", status=400)


def test_boards_and_sprints_are_made_as_told(site: Site) -> None:
    jql = {"name": "Ours", "jql": "project = LAS ORDER BY Rank"}
    saved = int(site.post("filter", jql, status=200)["id"])
    whole: dict[str, Any] = {"name": "B", "type": "scrum", "filterId": saved}
    for wrong in ({}, {"type": "tea"}, {"type": "project"}, {"projectKeyOrId": "LAS"}):
        site.post(f"{AGILE}/board", {**whole, "location": wrong}, status=400)
    mine = site.post(f"{AGILE}/board", {**whole, "location": {"type": "user"}})
    assert mine["location"]["userAccountId"] == site.ids["ada"]
    site.post(f"{AGILE}/board", {**whole, "location": {"type": "project", "projectKeyOrId": "LAS"}})
    found = [one["id"] for one in site.get(f"{AGILE}/board")["values"]]
    assert found == sorted(found)
    of_las = [one["id"] for one in site.get(f"{AGILE}/board?projectLocation=LAS")["values"]]
    left = site.get(f"{AGILE}/board?projectLocation=LAS&negateLocationFiltering=true")["values"]
    assert not set(of_las) & {one["id"] for one in left}
    sprint = sprint_on(site, board_of(site), goal="Less noise")
    shown = site.get(f"{AGILE}/sprint/{sprint}")
    bare = {"id": sprint, "name": "Sprint 1", "state": "future"}
    site.put(f"{AGILE}/sprint/{sprint}", bare, status=200)
    after = site.get(f"{AGILE}/sprint/{sprint}")
    assert (shown["goal"], after.get("goal", "")) == ("Less noise", "")
