"""Searching by HTTP: pages by token, counting, matching, picking; what is refused."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import Issue
from clones.tracker.rules.jql.dates import FORMATS
from tests.tracker.site import Site

UNBOUNDED = (
    "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
)

UNFINISHED = (
    "Error in the JQL Query: The quoted string 'LAS' has not been completed. (line 1, character 11)"
)


def keys(body: Any) -> list[str]:
    return [issue["key"] for issue in body["issues"]]


def search(site: Site, jql: str, *, by: str | None = "ada", **given: Any) -> Any:
    given.setdefault("fields", ["key"])
    return site.post("search/jql", {"jql": jql, **given}, by=by, status=200)


def refused(site: Site, method: str, path: str, body: Any = None, *, status: int = 400) -> Any:
    answer = site.call(method, path, body)
    assert answer.status == status, answer.body
    assert answer.body["errors"] == {}
    return answer.body["errorMessages"]


def test_pages_go_on_from_the_last_issue_shown(site: Site) -> None:
    made = [site.issue(f"Beam {number}", labels=["red"]) for number in range(5)]
    first = search(site, "project = LAS ORDER BY created DESC", maxResults=2)
    assert keys(first) == [made[4], made[3]]
    assert first["isLast"] is False
    # What is written meanwhile moves nothing: neither a new issue nor one that is gone.
    site.issue("Another")
    site.delete(f"issue/{made[4]}")
    token = first["nextPageToken"]
    second = search(site, "project = LAS ORDER BY created DESC", maxResults=2, nextPageToken=token)
    assert keys(second) == [made[2], made[1]]
    token = second["nextPageToken"]
    last = search(site, "project = LAS ORDER BY created DESC", maxResults=2, nextPageToken=token)
    assert keys(last) == [made[0]]
    assert last["isLast"] is True
    assert "nextPageToken" not in last
    for wrong in ("nonsense", token):
        body = {"jql": "project = OPS", "nextPageToken": wrong}
        assert refused(site, "POST", "search/jql", body) == [
            "The provided next page token is invalid."
        ]


def test_an_answer_has_what_is_asked_for(site: Site) -> None:
    key = site.issue("Beam", labels=["red"])
    site.put(f"issue/{key}/properties/state", {"on": True}, status=201)
    plain = site.get(f"search/jql?jql={quote('labels = red')}")
    with site.store():
        assert plain == {"issues": [{"id": str(Issue.objects.get(key=key).id)}], "isLast": True}
    address = "fields=summary,-status&expand=names,schema,changelog&properties=state"
    found = site.get(f"search/jql?jql={quote('labels = red')}&{address}")
    assert found["names"]["summary"] == "Summary"
    assert found["schema"]["summary"] == {"type": "string", "system": "summary"}
    (issue,) = found["issues"]
    assert issue["key"] == key
    assert issue["fields"] == {"summary": "Beam"}
    assert issue["properties"] == {"state": {"on": True}}
    assert issue["changelog"]["histories"] == []
    whole = search(site, "labels = red", fields=["*all"])["issues"][0]["fields"]
    assert whole["labels"] == ["red"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"jql": ""}, UNBOUNDED),
        ({}, UNBOUNDED),
        ({"jql": "order by key"}, UNBOUNDED),
        (
            {"jql": 'project = "LAS'},
            UNFINISHED,
        ),
        ({"jql": "project = NONE"}, "The value 'NONE' does not exist for the field 'project'."),
        (
            {"jql": "issue in updatedBy('Ada Brandt', 'soon')"},
            f"Date value 'soon' for function 'updatedBy' is invalid. {FORMATS}",
        ),
        (
            {"jql": "", "maxResults": 0},
            "The max results parameter has to be between 1 and 5,000.",
        ),
        (
            {"jql": "project = LAS", "maxResults": 5001},
            "The max results parameter has to be between 1 and 5,000.",
        ),
        (
            {"jql": "project = LAS", "properties": list("abcdef")},
            "The maximum number of properties is 5.",
        ),
        (
            {"jql": "project = LAS", "reconcileIssues": list(range(51))},
            "The maximum number of issues to reconcile is 50.",
        ),
    ],
)
def test_a_search_is_refused(site: Site, body: Any, message: str) -> None:
    assert refused(site, "POST", "search/jql", body) == [message]


@pytest.mark.parametrize(
    "body",
    [
        {"jql": "project = LAS", "startAt": 5},
        {"jql": "project = LAS", "maxResults": True},
        {"jql": "project = LAS", "maxResults": "x"},
        {"jql": "project = LAS", "expand": ["names"]},
        {"jql": ["project = LAS"]},
        [],
    ],
)
def test_a_search_takes_nothing_that_it_does_not_know(site: Site, body: Any) -> None:
    answer = site.call("POST", "search/jql", body)
    text = "Invalid request payload. Refer to the REST API documentation and try again."
    assert (answer.status, answer.body) == (400, {"errorMessages": [text]})


def test_a_search_without_a_body_is_refused(site: Site) -> None:
    answer = site.call("POST", "search/jql")
    text = "No content to map to Object due to end of input"
    assert (answer.status, answer.body) == (400, {"errorMessages": [text]})
    assert site.post("search/jql", {"jql": "project = LAS", "maxResults": "1"}, status=200)


def test_bare_words_are_looked_for_in_texts(site: Site) -> None:
    key = site.issue("The red laser")
    assert keys(search(site, "red laser")) == [key]
    assert site.get("search/jql?jql=nothing%20that%20anybody%20wrote") == {
        "issues": [],
        "isLast": True,
    }
    # Anonymous callers see nothing, and are told of nothing.
    assert search(site, "red laser", by=None)["issues"] == []


@pytest.mark.parametrize(
    ("jql", "said"),
    [
        ("project was ABC", "The operator 'was' is not supported by the 'project' field."),
        ("project in CLD", "Operator 'in' does not support the non-list value"),
        ("issuetype is Bug", "operator 'is'"),
        ("labels changed", "The operator 'changed' is not supported by the 'labels' field."),
        ("nosuch is EMPTY", "Field 'nosuch' does not exist"),
        ("nosuch is not EMPTY", "Field 'nosuch' does not exist"),
        ("status was nowhere", "nowhere"),
        ("order by nosuch", "nosuch"),
    ],
)
def test_a_query_of_bare_words_that_cannot_be_run_is_refused(
    site: Site, jql: str, said: str
) -> None:
    """It is a query, and nobody who sent one may take silence for an answer."""
    site.issue(f"A text that says {jql}")
    for body in ({"jql": jql}, {"jql": jql.upper()}):
        (told, *_) = refused(site, "POST", "search/jql", body)
        assert said.lower() in told.lower()


def test_counting_and_matching(site: Site) -> None:
    one, two = site.issue("Beam", labels=["red"]), site.issue("Mirror")
    with site.store():
        ids = {issue.key: issue.id for issue in Issue.objects.all()}
    counted = site.post("search/approximate-count", {"jql": "project = LAS"}, status=200)
    assert counted == {"count": 2}
    assert refused(site, "POST", "search/approximate-count", {"jql": " "}) == [UNBOUNDED]
    body = {
        "issueIds": [ids[two], ids[one], 1],
        "jqls": ["labels = red", "project = LAS order by key", "broken =", "project = NONE"],
    }
    found = site.post("jql/match", body, status=200)["matches"]
    assert found[:2] == [
        {"matchedIssues": [ids[one]], "errors": []},
        {"matchedIssues": [ids[two], ids[one]], "errors": []},
    ]
    assert found[2]["errors"][0].startswith("Error in JQL Query: Expecting either a value, list")
    assert found[3] == {"matchedIssues": [], "errors": []}  # as sites: nothing is in no space
    too_many = {"issueIds": list(range(1001)), "jqls": []}
    assert refused(site, "POST", "jql/match", too_many) == [
        "The maximum number of queries and of issues is 1000 each."
    ]


def test_the_old_search_is_gone_unless_the_site_has_it(site: Site) -> None:
    made = [site.issue(f"Beam {number}") for number in range(3)]
    (message,) = refused(site, "GET", "search?jql=project=LAS", status=410)
    assert message.startswith("The requested API has been removed. Please migrate to the")
    assert refused(site, "POST", "/rest/api/2/search", {"jql": ""}, status=410) == [message]
    with site.writing():
        set_setting("legacy_search", True)
    found = site.get("search?jql=project%20=%20LAS%20order%20by%20key&startAt=1&maxResults=1")
    assert keys(found) == [made[1]]
    assert [found["startAt"], found["maxResults"], found["total"]] == [1, 1, 3]
    assert found["issues"][0]["fields"]["summary"] == "Beam 1"
    body = {"jql": "project = NONE", "validateQuery": "warn", "expand": ["names"]}
    warned = site.post("/rest/api/3/search", body, status=200)
    assert warned["warningMessages"] == ["The value 'NONE' does not exist for the field 'project'."]
    assert warned["issues"] == []
    assert (
        refused(site, "POST", "/rest/api/3/search", {"jql": "project = NONE"})
        == (warned["warningMessages"])
    )
    assert refused(site, "GET", "search?startAt=-1") == [
        "The startAt and maxResults parameters must not be negative."
    ]


def test_an_issue_is_picked_by_some_of_its_words(site: Site) -> None:
    one = site.issue("Red <laser> jams")
    two = site.issue("Laser is red")
    query = f"query=red%20laser&currentJQL={quote('project = LAS order by key')}"
    history, current = site.get(f"issue/picker?{query}")["sections"]
    assert [history["id"], history["label"]] == ["hs", "History Search"]
    assert history["sub"] == "Showing 2 of 2 matching issues"
    assert [issue["key"] for issue in history["issues"]] == [two, one]
    assert [issue["key"] for issue in current["issues"]] == [one, two]
    assert current["issues"][0]["summary"] == "<b>Red</b> &lt;<b>laser</b>&gt; jams"
    assert current["issues"][0]["summaryText"] == "Red <laser> jams"
    (only,) = site.get(f"issue/picker?query=laser&currentIssueKey={two}")["sections"]
    assert [issue["key"] for issue in only["issues"]] == [one]
    # Nobody else had to do with them.
    (empty,) = site.get("issue/picker?query=laser", by="dev")["sections"]
    assert empty == {
        "id": "hs",
        "label": "History Search",
        "msg": "No matching issues found",
        "issues": [],
    }
    wrong = refused(site, "GET", "issue/picker?query=a&currentJQL=nothing%20=%201")
    assert wrong == ["Field 'nothing' does not exist or you do not have permission to view it."]


def test_what_is_hidden_is_not_found(site: Site) -> None:
    one, two = site.issue("Seen"), site.issue("Other")
    adf = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "secret word"}]}],
    }
    groups = site.get("groups/picker?query=site-admins")["groups"]
    hidden = {"type": "group", "identifier": groups[0]["groupId"]}
    site.post(f"issue/{one}/comment", {"body": adf, "visibility": hidden})
    site.post(f"issue/{two}/comment", {"body": adf})
    work = {"timeSpent": "1h", "comment": adf, "visibility": hidden}
    site.post(f"issue/{one}/worklog", work)
    for jql, seen in (
        ("comment ~ secret", [two]),
        ("text ~ 'secret word'", [two]),
        ("project = LAS and worklogComment ~ secret", []),
        ("project = LAS and worklogAuthor = 'Ada Brandt'", []),
    ):
        assert keys(search(site, jql, by="dev")) == seen, jql
        assert one in keys(search(site, jql)), jql
