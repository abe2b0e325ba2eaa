"""Odd calls of every operation, made beside the good one of the test that vouches for it.

Such a test has what the operation needs, so nothing has to be kept for this alone. Before the call
the sandbox is forked; if the call succeeds, the fork is asked the same in ways that nobody would
think of (`tests.odd_calls`). None may break, and each refusal has to be one of the vendor's. Where
a fork is dear the sandbox itself is asked, and rewound to where it was before the good call, which
is then made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs
from django.test import Client
from django.test.client import FakePayload
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clones.core.accounts import account_cards
from clones.core.operations import Operation
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.tracker.api.description import ENVELOPES, description
from clones.tracker.api.entry import operations
from clones.tracker.api.errors import SIGN_IN
from clones.tracker.api.handouts import authorization
from snapshots.interface import engine
from snapshots.sandboxes import Sandboxes
from tests import lists_of_queries, odd_calls
from tests.calls import Calls, WatchedClient
from tests.conftest import bind
from tests.odd_calls import ALIKE, CALLS, Example
from tests.sandbox_pool import REUSES

PARAMETERS = ["startAt", "maxResults", "start", "limit", "expand", "orderBy", "query", "fields"]
PARAMETERS += ["id", "key", "accountId", "jql", "status", "nextPageToken", "properties"]
REFUSALS = {name: jsonschema_rs.validator_for(schema) for name, schema in ENVELOPES.items()}
DESK = "RefusalOfDesk"
PROBLEM = "Problem"
# What there is to ask lists for, where it is no id and no key of what an answer shows.
LISTS = {
    "expand": (
        "names schema renderedFields changelog transitions transitions.fields operations editmeta"
        " renderedBody properties users[0:9] groups applicationRoles projects issueTypes priorities"
        " schemes permissions all user group projectRole field insight lead description url"
        " projectKeys screens screenSchemes issueTypeScreenSchemes searchUrl viewUrl owner jql"
        " sharePermissions favourite subscriptions sharedUsers isWritable admins participant status"
        " requestType serviceDesk sla attachment comment action values.transitions statuses usage"
        " issuesstatus driver approvers screensCount contextsCount key tab"
        " projects.issuetypes.fields"
    ).split(),
    "fields": ["summary", "status", "-assignee", "priority"],
    "fieldId": ["summary", "priority", "status"],
    "permissions": ["BROWSE_PROJECTS", "CREATE_ISSUES", "EDIT_ISSUES"],
    "projectTypeLocation": ["software", "service_desk", "business"],
    "properties": ["flag", "answer", "note"],
    "requestOwnership": ["OWNED_REQUESTS", "PARTICIPATED_REQUESTS", "APPROVER"],
    "scope": ["GLOBAL", "TEMPLATE", "PROJECT"],
    "state": ["future", "active", "closed"],
    "status": ["released", "unreleased", "live", "archived"],
    "type": ["custom", "system", "scrum"],
    "typeKey": ["software", "business", "service_desk"],
}
MARK = "before-odd-calls"
VERSIONED = re.compile(r"^/rest/api/(?:2|latest)/")


@cache
def described() -> dict[str, odd_calls.Described]:
    """Return Schemathesis' view of every operation."""
    return odd_calls.document_of(description())


@cache
def _address(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)(?::int)?\}", r"(?P<\1>[^/]+)", path))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of a test: of which operation, and all that is needed to ask it again."""

    operation: Operation
    base: str
    example: Example
    kind: str
    headers: dict[str, str]


def chosen_request(request: dict[str, Any], names: Iterable[str]) -> Asked | None:
    """Return the request if it is of one of some operations; its body can be read again after."""
    path = request["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    plain = VERSIONED.sub("/rest/api/3/", path)
    methods, _ = operations()._find(plain.strip("/").split("/"))
    found = (methods or {}).get(request["REQUEST_METHOD"])
    if found is None or found.id not in names:
        return None
    values = _address(found.path).fullmatch(plain)
    assert values is not None, (plain, found.path)
    body = request["wsgi.input"].read() if "wsgi.input" in request else b""
    request["wsgi.input"] = FakePayload(body)
    kind = request.get("CONTENT_TYPE", "")
    example = Example(
        {
            name: int(text) if found.parameters[name] is int else text
            for name, text in values.groupdict().items()
        },
        request.get("QUERY_STRING", ""),
        json.loads(body) if body and kind.startswith("application/json") else body or None,
        "",
    )
    headers = {name: value for name, value in request.items() if name.startswith("HTTP_")}
    base = path[: path.index("/", len("/rest/api/"))] if plain != path else "/rest/api/3"
    return Asked(found, base, example, kind, headers)


def problems_of(path: str, status: int, kind: str, content: bytes) -> Iterator[str]:
    """Yield what is wrong with the answer of a path, whatever was asked."""
    if status >= 500:
        yield f"breaks: {content[:200]!r}"
    elif status in (204, 304, 416):
        if content:
            yield "says that it has no body, and has one"
    elif not content:
        if status >= 400 and status != 415:
            yield "refuses without a word"
    elif not kind.startswith(("application/json", "application/problem+json")):
        if status >= 400 and content not in (b"XSRF check failed", SIGN_IN.encode()):
            yield f"refuses in {kind or 'no type'}"
    elif status >= 400:
        wanted: Iterable[str] = REFUSALS
        if path.startswith("/rest/servicedeskapi/"):
            wanted = ["RefusalOfBearer" if status == 403 else DESK, DESK, PROBLEM]
        if not any(REFUSALS[name].is_valid(json.loads(content)) for name in wanted):
            yield f"refuses in a way of its own: {content[:300]!r}"
    else:
        json.loads(content)


def json_of(response: Any) -> Any:
    """Return the JSON of an answer, None of one that has none."""
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    return json.loads(response.content) if is_json and response.content else None


def listed(name: str, answer: Any) -> list[str]:
    """Return items to ask a list for: words that are known, or ids and keys out of an answer."""
    if name in LISTS:
        return LISTS[name]
    found = list(dict.fromkeys(_named(answer, "key" if "key" in name.lower() else "id")))
    return [*found[:2], "10000", "10001"]


def _named(value: Any, name: str) -> Iterator[str]:
    """Yield what a body calls by a name, wherever in it."""
    if isinstance(value, dict) and isinstance(value.get(name), str | int):
        yield str(value[name])
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _named(item, name)


Kind = tuple[int, st.SearchStrategy[odd_calls.Call]]


def kinds_of(operation: Operation, example: Example) -> Iterator[Kind]:
    """Yield the kinds of odd calls that an operation can be called by, and how many are made.

    One by the schema costs as much as three of the others, and finds less.
    """
    few = -(-CALLS // 3)
    one = described()[operation.id]
    if operation.parameters:
        yield CALLS, odd_calls.about_another(operation, example)
    if operation.body is not None or operation.query is not None:
        yield few, odd_calls.by_the_schema(one, example, valid=True)
        yield few, odd_calls.by_the_schema(one, example, valid=False)
    if operation.body is not None and not isinstance(example.body, bytes):
        yield CALLS, odd_calls.gone_wrong(example)
    if example.query:
        yield CALLS, odd_calls.with_odd_words(example)
    if operation.method == "GET" or operation.query is not None:
        yield CALLS, odd_calls.asked_oddly(operation, example, PARAMETERS)


class Rounds:
    """The odd calls of the test at hand: what it vouches for, and what came of them.

    `aside` holds while they are made: what is done then is none of the test's.
    """

    def __init__(self) -> None:
        self.aside = False
        self.wanted: set[str] = set()
        self.wrong: list[str] = []
        self.answers: dict[str, list[int]] = {}
        self._sandboxes: Sandboxes | None = None

    def begin(self, wanted: Iterable[str], sandboxes: Sandboxes) -> None:
        """Begin a test that vouches for some operations."""
        self.wanted = set(wanted) if CALLS else set()
        self.wrong, self._sandboxes = [], sandboxes

    def fork(self, row: SandboxRow) -> SandboxRow:
        """Return a fork of a sandbox."""
        assert self._sandboxes is not None
        return self._sandboxes.fork(row.id)

    def end(self, fork: SandboxRow) -> None:
        """Delete a fork."""
        assert self._sandboxes is not None
        self._sandboxes.delete(fork.id)

    def mark(self, row: SandboxRow) -> None:
        """Note where a sandbox stands."""
        assert self._sandboxes is not None
        self._sandboxes.mark(row.id, MARK)

    def go_back(self, row: SandboxRow) -> None:
        """Rewind a sandbox to where it was marked."""
        assert self._sandboxes is not None
        self._sandboxes.rewind(row.id, MARK)

    def go(self, request: Asked, row: SandboxRow, fork: SandboxRow, answer: Any) -> None:
        """Ask a fork of a sandbox the same oddly; `answer` is that to the good call."""
        self.wanted.discard(request.operation.id)
        client = Client(raise_request_exception=False)
        headers: dict[str, Any] = request.headers | {
            "HTTP_HOST": f"tracker.{fork.id}.localhost:8800"
        }
        token = headers.get("HTTP_AUTHORIZATION", "")
        headers["HTTP_AUTHORIZATION"] = _same_persons(token, row, fork)
        operation, counts = request.operation, self.answers.setdefault(request.operation.id, [])

        def send(call: odd_calls.Call) -> tuple[str, Any]:
            path, query, body = call
            values = odd_calls.in_path(path)
            address = re.sub(
                r"\{(\w+)(?::int)?\}", lambda found: values[found[1]], operation.path
            ).replace("/rest/api/3", request.base, 1)
            response: Any = client.generic(
                operation.method,
                f"{address}?{query}" if query else address,
                odd_calls.sent(body),
                content_type=request.kind,
                **headers,
            )
            return address, response

        def look(call: odd_calls.Call) -> None:
            (address, response), (_, query, body) = send(call), call
            counts.append(response.status_code)
            told = f"{operation.method} {address} ?{query} {body!r:.300}"
            self.wrong.extend(
                f"{operation.id}: {response.status_code} {problem}: {told}"
                for problem in problems_of(
                    address,
                    response.status_code,
                    response.headers.get("Content-Type", ""),
                    response.content,
                )
            )

        self._ask_for_lists(request, fork, answer, send)
        for number, calls in kinds_of(operation, request.example):
            settings(
                max_examples=number,
                database=None,
                deadline=None,
                derandomize=ALIKE,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )(given(calls)(look))()

    def _ask_for_lists(
        self,
        request: Asked,
        fork: SandboxRow,
        answer: Any,
        send: Callable[[odd_calls.Call], tuple[str, Any]],
    ) -> None:
        """Ask a fork for each list of the operation's query, in all its spellings."""
        operation, example = request.operation, request.example
        if not lists_of_queries.lists_of(operation):
            return
        if operation.writes:
            self.mark(fork)

        def ask(name: str, query: str) -> tuple[int, Any]:
            rest = [part for part in example.query.split("&") if part.partition("=")[0] != name]
            call = (example.path, "&".join([*filter(None, rest), query]), example.body)
            _, response = send(call)
            if operation.writes:
                self.go_back(fork)
            return response.status_code, json_of(response)

        self.wrong.extend(
            lists_of_queries.differences(operation, lambda name: listed(name, answer), ask)
        )


def _same_persons(token: str, row: SandboxRow, fork: SandboxRow) -> str:
    """Return the header by which who called a sandbox calls its fork.

    What the fork knows of both is asked of the fork: whoever counts the other's statements has none
    of these.
    """
    with bind(fork), unit_of_work("read"):
        both = [
            [authorization(card) for card in account_cards(one) if card.clone == "tracker"]
            for one in (row, fork)
        ]
    pairs = ((old["Authorization"], new["Authorization"]) for old, new in zip(*both, strict=True))
    return str(dict(pairs).get(token, token))


@contextmanager
def _aside(row: SandboxRow) -> Iterator[None]:
    """Keep a block from whoever listens to the tracker or counts a sandbox's statements."""
    with bind(row) as binding:
        wrappers = binding.wrapper.execute_wrappers
        kept = wrappers[:]
        wrappers.clear()
    ROUNDS.aside = True
    try:
        yield
    finally:
        ROUNDS.aside = False
        wrappers.extend(kept)


ROUNDS = Rounds()


class OddClient(WatchedClient):
    """A client that asks oddly beside the good calls that the test at hand vouches for."""

    def __init__(self, calls: Calls, row: SandboxRow, **kwargs: Any) -> None:
        super().__init__(calls, **kwargs)
        self._row = row

    def request(self, **request: Any) -> Any:
        """Send a request."""
        found = chosen_request(request, ROUNDS.wanted) if ROUNDS.wanted else None
        if found is None:
            return super().request(**request)
        if REUSES[engine().name]:
            return self._ask_and_go_back(found, request)
        fork = ROUNDS.fork(self._row)
        try:
            response: Any = super().request(**request)
            if response.status_code < 400:
                with _aside(self._row):
                    ROUNDS.go(found, self._row, fork, json_of(response))
        finally:
            ROUNDS.end(fork)
        return response

    def _ask_and_go_back(self, found: Asked, request: dict[str, Any]) -> Any:
        """Ask, ask oddly from where that began, and ask again as if nothing had been."""
        body = request["wsgi.input"].read()
        with _aside(self._row):
            ROUNDS.mark(self._row)
            first: Any = super().request(**request | {"wsgi.input": FakePayload(body)})
            if first.status_code >= 400:
                return first
            ROUNDS.go_back(self._row)
            ROUNDS.go(found, self._row, self._row, json_of(first))
            ROUNDS.go_back(self._row)
        again: Any = super().request(**request | {"wsgi.input": FakePayload(body)})
        assert again.status_code == first.status_code
        return again
