"""Searches of thousands of words: every parameter of every operation that reads."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from django.urls import URLResolver, get_resolver

from clones.core.accounts import session_cookie, start_session
from clones.core.journal import act
from clones.core.models import Account
from clones.core.operations import Operation
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.core.vendors import Clone, clones
from clones.core.words import ASKED as ASKED_WORDS
from clones.tracker.rules.jql import texts
from sandlot.client import http_client
from tests import tiers, turns
from tests.conftest import bind

MANY = " ".join(f"w{number}" for number in range(5_000))
ASKED = {
    "five thousand words": MANY,
    "a thousand words": MANY[:5_000],
    "words that are not to be there": " ".join(f"-a{number}" for number in range(600)),
    "one word, again and again": "-a " * 400,
    "a quoted text": f'"{MANY[:9_000]}"',
    "alternatives": " OR ".join(f"summary ~ w{number}" for number in range(700)),
    "brackets": "(" * 700 + "summary ~ a" + ")" * 700,
    "a text of many words": f'text ~ "{MANY[:9_000]}"',
    "keys": ",".join(str(number) for number in range(5_000)),
}
# What has been slow, or an error, in most of the places where anything was.
USUAL = ("five thousand words", "words that are not to be there", "alternatives")
TRIED = ASKED if tiers.EVERYTHING else {name: ASKED[name] for name in USUAL}
ALL_TRIED = tuple(TRIED.values())
# Milliseconds on the busiest machine: what is refused, or asked of a small world, takes a tenth.
LONG = 3_000.0


def tried_of(operation: Operation) -> tuple[str, ...]:
    """Return the texts that an operation is asked: all, or one, where it is not its turn."""
    return ALL_TRIED if turns.is_in_turn_here(operation.id) else turns.one_of(ALL_TRIED)[:1]


def reading() -> list[Operation]:
    """Return the operations that read, of every clone."""
    return [
        operation
        for clone in clones()
        if clone.operations is not None
        for operation in clone.operations.all.values()
        if operation.method == "GET" and operation.query is not None
    ]


def texts_of(operation: Operation) -> list[str]:
    """Return the parameters of a query that take texts."""
    found = operation.schema()["properties"]
    return [
        name
        for name, schema in found.items()
        if name not in operation.parameters and name != "body" and "string" in str(schema)
    ]


def preview(text: str) -> Any:
    """Return a view of tickets that are told by a text."""
    condition = {"field": "description_includes_word", "operator": "includes", "value": text}
    tags = {"field": "current_tags", "operator": "includes", "value": text}
    return {"view": {"title": "Long", "all": [condition, tags]}}


# The bodies of operations that read by a POST, each with a text in every place that takes one.
BODIES: dict[str, Callable[[str], Any]] = {
    "PreviewViews": preview,
    "PreviewCount": preview,
    "FilteredSearchCustomObjectRecords": lambda text: {"filter": {"name": {"$contains": text}}},
    "AutocompleteProblems": lambda _: None,
    "bulkFetchIssues": lambda text: {"issueIdsOrKeys": [text, "1"], "fields": [text]},
    "getBulkChangelogs": lambda text: {"issueIdsOrKeys": [text, "1"], "fieldIds": [text]},
    "parseJqlQueries": lambda text: {"queries": [text]},
    "sanitiseJqlQueries": lambda text: {"queries": [{"query": text}]},
    "migrateQueries": lambda text: {"queryStrings": [text]},
    "searchAndReconsileIssuesUsingJqlPost": lambda text: {"jql": text, "fields": [text]},
    "countIssues": lambda text: {"jql": text},
    "matchIssues": lambda text: {"jqls": [text], "issueIds": [1]},
    "searchForIssuesUsingJqlPost": lambda text: {"jql": text, "fields": [text]},
    "readWorkflows": lambda text: {"workflowNames": [text], "workflowIds": [text]},
    "getPermittedProjects": lambda text: {"permissions": [text]},
    "getBulkPermissions": lambda text: {"globalPermissions": [text]},
    "getIsWatchingIssueBulk": lambda text: {"issueIds": [text]},
}
# Those that read by ids alone, or look into what somebody would write.
BY_IDS = {
    "getAutoCompletePost",
    "getChangeLogsByIds",
    "getCommentsByIds",
    "getCustomFieldContextsForProjectsAndIssueTypes",
    "getRequiredWorkflowSchemeMappings",
    "getWorklogsForIds",
    "listWorkflowHistory",
    "readWorkflowFromHistory",
    "readWorkflowPreviews",
    "readWorkflowSchemes",
    "suggestedPrioritiesForMappings",
    "validateCreateWorkflows",
    "validateUpdateWorkflows",
}
# Those that answer none of these texts, "a" among them: no permission is called so, and the older
# search is gone where the site has not been given it back.
REFUSING = {"getPermittedProjects", "getBulkPermissions", "searchForIssuesUsingJqlPost"}


def posting() -> list[Operation]:
    """Return the operations that read by another method than GET, of every clone."""
    return [
        operation
        for clone in clones()
        if clone.operations is not None
        for operation in clone.operations.all.values()
        if operation.method != "GET" and not operation.writes
    ]


def test_every_search_by_a_body_is_known() -> None:
    assert {operation.id for operation in posting()} == set(BODIES) | BY_IDS


def test_the_languages_have_one_bound_of_words() -> None:
    assert texts.TERMS == ASKED_WORDS


def test_there_are_many() -> None:
    assert len(reading()) > 150
    assert sum(len(texts_of(operation)) for operation in reading()) > 300


# What the pages of the clones call the text that somebody looks for.
TYPED = ("q", "query", "search", "searchString", "text", "jql", "jqlQuery", "name", "filter")


def reads_typed(module: str) -> bool:
    """Tell whether a module reads a text that somebody typed to find something."""
    source = inspect.getsource(sys.modules[module])
    return any(f'GET.get("{name}"' in source for name in TYPED)


def readers() -> frozenset[str]:
    """Return the modules that read such a text, but for the one that every page stands in."""
    ours = [name for name in sys.modules if name.startswith("clones.") and ".web." in name]
    return frozenset(name for name in ours if reads_typed(name) and not name.endswith(".shell"))


def looks(pattern: Any, readers: frozenset[str]) -> bool:
    """Tell whether a page reads such a text: in its own module, or by one that this imports."""
    module = pattern.callback.__module__
    imported = re.findall(
        r"^from (\S+) import", inspect.getsource(sys.modules[module]), re.MULTILINE
    )
    return not readers.isdisjoint({module, *imported})


def pages(clone: Clone) -> list[str]:
    """Return an address for each route of a clone's pages, a number wherever it takes something."""
    found = []
    patterns = get_resolver(clone.urlconf).url_patterns  # by which its modules are there
    reading = readers()

    def walk(patterns: list[Any], before: str) -> None:
        for one in patterns:
            route = before + str(one.pattern)
            if isinstance(one, URLResolver):
                walk(one.url_patterns, route)
            elif "path:" not in route and "^" not in route and looks(one, reading):
                found.append("/" + re.sub(r"<[^>]+>", "1", route))

    walk(patterns, "")
    return sorted(set(found))


@pytest.fixture
def http(sandbox: dict[str, Any]) -> Iterator[httpx.Client]:
    with http_client(timeout=120) as found:
        yield found


def signed(sandbox: dict[str, Any], clone: Clone) -> dict[str, Any]:
    """Return how an administrator of a clone shows who they are."""
    accounts = sandbox["apps"][clone.name]["accounts"]
    found = next((one for one in accounts if one["role"] == "admin"), accounts[0])
    if "secret_key" in found:
        return {"headers": {"Authorization": f"Bearer {found['secret_key']}"}}
    user = found["email"] if clone.name == "tracker" else f"{found['email']}/token"
    return {"auth": (user, found["api_token"])}


def check(sandbox: dict[str, Any], least: int) -> None:
    """Check that no request failed or took long."""
    entries = server().requests.read(sandbox["id"])
    assert len(entries) >= least
    assert [(one.operation, one.path) for one in entries if one.status >= 500] == []
    slow = [one for one in entries if one.milliseconds > LONG]
    assert [(one.operation, one.path, one.milliseconds) for one in slow] == []


@pytest.mark.in_turn
@pytest.mark.parametrize("clone", [c.name for c in clones() if c.operations is not None])
def test_no_search_of_an_api_is_too_long(
    sandbox: dict[str, Any], http: httpx.Client, clone: str
) -> None:
    (found,) = [one for one in clones() if one.name == clone]
    url, by = sandbox["apps"][clone]["url"], signed(sandbox, found)
    asked = 0
    for operation in reading():
        if operation.clone != clone:
            continue
        path = "/".join("1" if part.startswith("{") else part for part in operation.segments)
        for name in texts_of(operation):
            for text in tried_of(operation):
                http.get(f"{url}/{path}", params={name: text}, **by)
                asked += 1
    check(sandbox, asked)


@pytest.mark.parametrize("clone", sorted({operation.clone for operation in posting()}))
def test_no_search_by_a_body_is_too_long(
    sandbox: dict[str, Any], http: httpx.Client, clone: str
) -> None:
    (found,) = [one for one in clones() if one.name == clone]
    url, by = sandbox["apps"][clone]["url"], signed(sandbox, found)
    asked, answered = 0, set[str]()
    for operation in posting():
        if operation.clone != clone or operation.id not in BODIES:
            continue
        path = "/".join(
            "machine" if part == "{custom_object_key}" else "1" if part.startswith("{") else part
            for part in operation.segments
        )
        tries: list[tuple[Any, dict[str, str]]] = [
            (BODIES[operation.id](text), {}) for text in (*TRIED.values(), "a")
        ]
        for name in texts_of(operation):
            tries += [(BODIES[operation.id]("a"), {name: text}) for text in (*TRIED.values(), "a")]
        for body, query in tries:
            answer = http.post(f"{url}/{path}", params=query, json=body, **by)
            assert answer.status_code != 404, (operation.id, answer.text)
            if answer.status_code == 200:
                answered.add(operation.id)
        asked += len(tries)
    wanted = {one.id for one in posting() if one.clone == clone} - BY_IDS - REFUSING
    assert answered == wanted
    check(sandbox, asked)


@pytest.mark.in_turn
@pytest.mark.parametrize("clone", [c.name for c in clones() if c.signs_in])
def test_no_search_of_a_page_is_too_long(
    sandbox: dict[str, Any], http: httpx.Client, clone: str
) -> None:
    (found,) = [one for one in clones() if one.name == clone]
    row = server().registry.get(sandbox["id"])
    login = next(
        one["email"] for one in sandbox["apps"][clone]["accounts"] if one["role"] == "admin"
    )
    with bind(row), unit_of_work("write"), act(actor="system", label="sign in", tick=False):
        session = start_session(Account.objects.get(clone=clone, login=login))
    http.cookies.set(found.session_cookie, session_cookie(session, row, own_client=False))
    url = sandbox["apps"][clone]["url"]
    opened = 0
    for path in pages(found):
        for text in TRIED.values() if tiers.EVERYTHING else (MANY,):
            answer = http.get(url + path, params=dict.fromkeys(TYPED, text[:6_000]))
            opened += answer.status_code == 200
    assert opened > 20
    check(sandbox, 20)
