"""Showing issues: all of one or some fields of it, what can be expanded, many at once."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core.tenancy import unit_of_work
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.issues import present_issues
from clones.tracker.api.presenters.selection import select
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import (
    FormerIssueKey,
    Issue,
    IssueView,
    PermissionGrant,
    Project,
    Screen,
    Transition,
    User,
)
from clones.tracker.queries.rights import Rights
from tests.tracker.conftest import Site
from tests.tracker.issues import add_component, add_version, doc

GONE = {
    "errorMessages": ["Issue does not exist or you do not have permission to see it."],
    "errors": {},
}


def test_fields_select_what_is_shown(site: Site) -> None:
    key = site.issue(labels=["a"], description=doc("Words"))

    def shown(fields: str) -> set[str]:
        issue = site.get(f"issue/{key}?fields={fields}")
        assert {"id", "key", "self", "expand"} <= set(issue)
        return set(issue.get("fields", ()))

    assert shown("summary,labels") == {"summary", "labels"}
    assert shown("summary&fields=labels") == {"summary", "labels"}
    everything = shown("*all")
    assert {"comment", "worklog", "attachment", "timetracking", "customfield_10019"} <= everything
    lists = shown("*navigable")
    assert everything - lists == {"comment", "worklog", "attachment", "timetracking"}
    assert everything - shown("-description") == {"description"}
    assert everything - shown("*all,-labels,-votes") == {"labels", "votes"}
    assert shown("nope") == set()
    assert shown("key") == set()
    assert shown("id") == set()


def test_an_issue_is_found_by_id_and_key_and_former_key(site: Site) -> None:
    key = site.issue()
    id = site.get(f"issue/{key.lower()}")["id"]
    assert site.get(f"issue/{id}")["key"] == key
    with site.writing():
        FormerIssueKey(id=next_id(FormerIssueKey), key="OLD-7", issue_id=int(id)).save()
    assert site.get("issue/old-7")["key"] == key
    for named in ("LAS-99", "99999", "0", "x", "9" * 30):
        answer = site.call("GET", f"issue/{named}")
        assert (answer.status, answer.body) == (404, GONE), named
    for who in ("guest", "cara", None):
        answer = site.call("GET", f"issue/{key}", by=who)
        assert (answer.status, answer.body) == (404, GONE), who


def test_all_that_can_be_expanded(site: Site) -> None:
    key = site.issue(
        description=doc("Words"), timetracking={"originalEstimate": "1d"}, duedate="2026-05-07"
    )
    site.put(f"issue/{key}", {"fields": {"summary": "One"}})
    site.put(f"issue/{key}", {"fields": {"summary": "Two"}})
    words = "renderedFields,names,schema,transitions,operations,editmeta,changelog"
    issue = site.get(f"issue/{key}?expand={words}")
    assert issue["expand"] == f"{words},versionedRepresentations"
    rendered = issue["renderedFields"]
    assert set(rendered) == set(issue["fields"]) == set(issue["names"])
    assert rendered["description"] == "<p>Words</p>"
    assert rendered["duedate"] == "07/May/26"
    assert rendered["created"].startswith("Today ")
    assert rendered["environment"] == ""
    assert rendered["timetracking"] == {
        "originalEstimate": "1 day",
        "remainingEstimate": "1 day",
    }
    assert rendered["summary"] is None
    assert issue["names"]["fixVersions"] == "Fix versions"
    assert issue["schema"]["labels"] == {"type": "array", "items": "string", "system": "labels"}
    assert issue["schema"]["customfield_10019"] == {
        "type": "any",
        "custom": "com.pyxis.greenhopper.jira:gh-lexo-rank",
        "customId": 10019,
    }
    assert "In Progress" in {one["name"] for one in issue["transitions"]}
    assert issue["transitions"][0]["fields"] == {}
    (group,) = issue["operations"]["linkGroups"][0]["groups"]
    assert "edit-issue" in {link["id"] for link in group["links"]}
    assert issue["editmeta"]["fields"]["summary"] == {
        "required": True,
        "schema": {"type": "string", "system": "summary"},
        "name": "Summary",
        "key": "summary",
        "operations": ["set"],
    }
    log = issue["changelog"]
    assert (log["startAt"], log["maxResults"], log["total"]) == (0, 2, 2)
    assert [entry["items"][0]["toString"] for entry in log["histories"]] == ["Two", "One"]
    versioned = site.get(f"issue/{key}?expand=versionedRepresentations&fields=summary")
    assert "fields" not in versioned
    assert versioned["versionedRepresentations"]["summary"] == {"1": "Two"}
    assert "labels" in versioned["versionedRepresentations"]


def test_times_far_and_near_are_rendered_by_their_day(site: Site) -> None:
    key = site.issue()

    def created() -> str:
        found: str = site.get(f"issue/{key}?expand=renderedFields&fields=created")[
            "renderedFields"
        ]["created"]
        return found.rpartition(" ")[0].rpartition(" ")[0]

    seen = [created()]
    for days in (1, 1, 6):
        site.advance(days * 86_400)
        seen.append(created())
    assert seen == ["Today", "Yesterday", "Tuesday", "16/Jun/26"]


def test_properties_of_an_issue_come_with_it(site: Site) -> None:
    key = site.issue()
    for name in ("a", "b"):
        site.put(f"issue/{key}/properties/{name}", {"of": name}, status=201)
    assert "properties" not in site.get(f"issue/{key}")
    for asked, expected in (("*all", {"a", "b"}), ("*all,-a", {"b"}), ("a,c", {"a"})):
        assert set(site.get(f"issue/{key}?properties={asked}")["properties"]) == expected


def test_work_of_parts_counts_for_the_whole(site: Site) -> None:
    key = site.issue(timetracking={"originalEstimate": "4h", "remainingEstimate": "2h"})
    part = site.issue(
        issuetype={"name": "Sub-task"},
        parent={"key": key},
        timetracking={"originalEstimate": "2h"},
    )
    site.post(f"issue/{part}/worklog?adjustEstimate=leave", {"timeSpent": "1h"})
    shown = site.get(f"issue/{key}")["fields"]
    assert shown["aggregatetimeoriginalestimate"] == 6 * 3600
    assert shown["aggregatetimeestimate"] == 4 * 3600
    assert shown["aggregatetimespent"] == 3600
    assert shown["aggregateprogress"] == {
        "progress": 3600,
        "total": 5 * 3600,
        "percent": 20,
    }
    assert (shown["timespent"], shown["workratio"]) == (None, 0)
    assert site.get(f"issue/{part}")["fields"]["workratio"] == 50


def test_what_a_reader_may_not_see_of_others_is_left_out(site: Site) -> None:
    key = site.issue()
    hidden = site.issue(project={"key": "IT"}, issuetype={"name": "Task"})
    link = {"type": {"name": "Blocks"}, "inwardIssue": {"key": key}}
    site.post("issueLink", link | {"outwardIssue": {"key": hidden}})
    for body in (
        {"body": doc("For all")},
        {"body": doc("For admins"), "visibility": {"type": "role", "value": "Administrators"}},
    ):
        site.post(f"issue/{key}/comment", body)
    mine = site.get(f"issue/{key}")["fields"]
    assert (len(mine["issuelinks"]), mine["comment"]["total"]) == (1, 2)
    theirs = site.get(f"issue/{key}", by="dev")["fields"]
    assert theirs["comment"]["total"] == 1
    visible = site.call("GET", f"issue/{hidden}", by="dev").status == 200
    assert len(theirs["issuelinks"]) == int(visible)


def test_many_issues_by_their_names(site: Site) -> None:
    keys = [site.issue(f"No {number}") for number in range(3)]
    ids = [site.get(f"issue/{key}")["id"] for key in keys]
    sent = {"issueIdsOrKeys": [ids[2], keys[0].lower(), keys[0], "LAS-99", "x"]}
    answer = site.post("issue/bulkfetch", sent | {"fields": ["summary"]}, status=200)
    assert answer["issueErrors"] == []
    assert [one["key"] for one in answer["issues"]] == [keys[0], keys[2]]
    assert answer["issues"][0]["fields"] == {"summary": "No 0"}
    wide = site.post("issue/bulkfetch", sent | {"expand": ["names", "changelog"]}, status=200)
    assert "comment" not in wide["issues"][0]["fields"]
    assert wide["issues"][0]["names"]["summary"] == "Summary"
    assert wide["issues"][0]["changelog"]["total"] == 0
    assert site.post("issue/bulkfetch", sent, by="guest", status=200)["issues"] == []
    for wrong, text in (
        ([], "At least one issue id or key is required."),
        (["1"] * 101, "The number of issue ids or keys must not exceed 100."),
    ):
        refused = site.call("POST", "issue/bulkfetch", {"issueIdsOrKeys": wrong})
        assert (refused.status, refused.body["errors"]) == (400, {"issueIdsOrKeys": text})


def furnished(site: Site, number: int) -> list[int]:
    """Make issues with something in every list, and return their ids."""
    optics, version = add_component(site, f"Part {number}"), add_version(site, f"{number}.0")
    epic = site.issue(issuetype={"name": "Epic"})
    keys = []
    for _ in range(number):
        key = site.issue(
            components=[{"id": optics}],
            fixVersions=[{"id": version}],
            labels=["a"],
            parent={"key": epic},
            assignee={"accountId": site.ids["dev"]},
        )
        site.issue(issuetype={"name": "Sub-task"}, parent={"key": key})
        site.post(f"issue/{key}/comment", {"body": doc("Said")})
        site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})
        site.post(
            "issueLink",
            {
                "type": {"name": "Blocks"},
                "inwardIssue": {"key": key},
                "outwardIssue": {"key": epic},
            },
        )
        keys.append(key)
    with site.store():
        return list(Issue.objects.filter(key__in=keys).values_list("id", flat=True))


def statements(site: Site, ids: list[int], expand: list[str]) -> int:
    """Return how many statements it takes to show issues with all that they have."""
    with site.store(), unit_of_work("read"):
        rights = Rights(User.objects.get(account_id=site.ids["dev"]))
        show = Show("http://x", "3", rights)
        with CaptureQueriesContext(connection) as seen:
            issues = list(Issue.objects.filter(id__in=ids).order_by("id"))
            assert len(present_issues(issues, ["*all"], show, expand)) == len(ids)
        return len(seen)


def test_the_number_of_statements_is_that_of_one(site: Site) -> None:
    expand = ["renderedFields", "changelog", "editmeta", "operations", "transitions"]
    few, many = furnished(site, 1), furnished(site, 4)
    for words in ([], expand):
        statements(site, few, words)
        assert statements(site, few, words) == statements(site, many, words)


def test_selections() -> None:
    cases: list[tuple[Any, str, str, bool]] = [
        (None, "*all", "comment", True),
        (None, "*navigable", "comment", False),
        ([], "*all", "summary", False),
        (["-summary"], "*all", "summary", False),
        (["-summary"], "*all", "labels", True),
        (["summary, labels"], "*all", "labels", True),
        (["*navigable", "comment"], "id", "comment", True),
    ]
    for fields, default, id, expected in cases:
        assert select(fields, default).has(id) is expected, (fields, id)
    assert select(["id"]).only_id
    assert not select(["id", "key"]).only_id
    assert select(["id", "key"]).only_itself


def test_spaces_open_to_anybody_are_read_without_signing_in(site: Site) -> None:
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant(
            id=next_id(PermissionGrant),
            scheme=scheme,
            permission="BROWSE_PROJECTS",
            holder_type="anyone",
        ).save()
    words = "renderedFields,names,schema,transitions,operations,editmeta,changelog"
    issue = site.get(f"issue/{key}?expand={words}", by=None)
    assert issue["fields"]["assignee"]["displayName"] == "Dev Anand"
    assert "emailAddress" not in issue["fields"]["assignee"]
    assert issue["fields"]["watches"]["isWatching"] is False
    assert (issue["transitions"], issue["editmeta"]) == ([], {"fields": {}})
    assert site.get(f"issue/{key}/changelog", by=None)["total"] == 0
    denied = site.call("PUT", f"issue/{key}", {"fields": {"summary": "x"}}, by=None)
    assert (denied.status, denied.body["errorMessages"]) == (
        403,
        ["You do not have permission to edit issues in this project."],
    )


def test_transitions_come_with_the_fields_of_their_screens(site: Site) -> None:
    key = site.issue()
    with site.writing():
        screen = Screen.objects.order_by("id").first()
        Transition.objects.filter(name="Done").update(screen=screen)
    moves = site.get(f"issue/{key}?expand=transitions.fields")["transitions"]
    done = next(one for one in moves if one["name"] == "Done")
    assert done["hasScreen"] is True
    assert done["fields"]["summary"]["required"] is True
    assert all(one["fields"] == {} for one in moves if one is not done)


def test_looking_counts_where_it_is_asked_to(site: Site) -> None:
    """`updateHistory` of a read is kept after its answer, as an act that leaves the clock alone."""
    key = site.issue()
    viewed = f"issue/{key}?fields=lastViewed"
    before = site.get("serverInfo")["serverTime"]
    assert site.get(viewed, by="dev")["fields"]["lastViewed"] is None
    site.get(f"issue/{key}?updateHistory=true", by="dev")
    assert site.get(viewed, by="dev")["fields"]["lastViewed"] is not None
    assert site.get(viewed)["fields"]["lastViewed"] is None
    jql = {"jql": "issuekey in issueHistory()", "fields": ["summary"]}
    assert [one["key"] for one in site.post("search/jql", jql, by="dev", status=200)["issues"]] == [
        key
    ]
    site.get(f"issue/{key}X?updateHistory=true", by="dev", status=404)
    assert before[:10] == site.get("serverInfo")["serverTime"][:10]
    with site.store():
        rows = IssueView.objects.filter(issue__key=key).values_list("user__account_id", flat=True)
        assert list(rows) == [site.ids["dev"]]
