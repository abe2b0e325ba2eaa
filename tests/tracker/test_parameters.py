"""Each query parameter that the description has is read, and its default is the description's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from clones.core.operations import Operation
from clones.tracker.api.entry import operations
from tests.tracker.site import Site
from tests.tracker.test_removals import made

FACTS: Final = Path(__file__).parents[1] / "facts" / "tracker" / "prose.json"
# What is read over, and why that drops nothing; `docs/fidelity/tracker.md` says it to users.
READ_OVER: Final = {
    **dict.fromkeys(["failFast", "fieldsByKeys"], "no field fails, none has a key beside its id"),
    **dict.fromkeys(
        ["excludeConnectAddons", "excludeConnectUsers", "excludeOtherServiceRoles"],
        "there are no apps and no customer service spaces",
    ),
    "accountId": "the description says that it has no effect",
    "actionDescriptorId": "assignees are the same at each transition",
    "avatarSize": "pictures fit every size",
    "expand": "the description names nothing to expand there",
    "projectConfigurationUuid": "the description does not say what it is",
    "projectUuid": "the description does not say what it is",
    "reconcileIssues": "lists of boards are never behind what was written",
    "recommend": "nothing is recommended",
    "sessionId": "nothing is remembered between suggestions",
    "updateHistory": "what was looked at is kept by pages",
    "username": "nobody has one",
}
PAGING: Final = {"startAt", "maxResults", "offset", "limit"}  # read by `clones.tracker.api.paging`
# Lists whose size is not told, and those that need more to answer.
UNTOLD: Final = {"users", "users/search", "search/jql", "workflowscheme/{}/projectUsages"}


def described() -> dict[str, dict[str, Any]]:
    """Return the described parameters with their defaults, by operation."""
    found = json.loads(FACTS.read_text(encoding="utf-8"))["parameters"]
    return {bare(name): parameters for name, parameters in found.items()}


def bare(name: str) -> str:
    """Return a method and path without the names of the path's parameters."""
    return re.sub(r"\{[^}]*\}", "{}", name)


def reads(operation: Operation) -> set[str]:
    """Return the query parameters that an operation reads."""
    fields = operation.query.model_fields.items() if operation.query is not None else ()
    return {field.alias or name for name, field in fields} | PAGING


def test_no_described_parameter_is_dropped() -> None:
    known = described()
    dropped = {
        (operation.id, name)
        for operation in operations().all.values()
        for name in known.get(bare(f"{operation.method} {operation.path}"), ())
        if name not in reads(operation)
    }
    unexplained = {(id, name) for id, name in dropped if name not in READ_OVER}
    assert unexplained == set()
    assert {name for _, name in dropped} == set(READ_OVER), "reasons for what is read"


def test_boards_and_service_desks_are_looked_at() -> None:
    """Theirs are of the list of 2026, without which nothing here would hold them."""
    known = described()
    held = {
        operation.path.split("/")[2]
        for operation in operations().all.values()
        if known.get(bare(f"{operation.method} {operation.path}"))
    }
    assert held >= {"api", "agile", "software", "servicedeskapi"}


def test_no_body_drops_what_it_expands() -> None:
    """An `expand` of a body counts as one of an address does."""
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    wanted = {bare(name) for name in facts["expands"]}
    found = [
        operation
        for operation in operations().all.values()
        if bare(f"{operation.method} {operation.path}") in wanted
    ]
    assert {"createVersion", "updateVersion", "bulkFetchIssues"} <= {one.id for one in found}
    assert [
        one.id for one in found if "expand" not in one.schema()["properties"]["body"]["properties"]
    ] == []


def test_pages_are_as_long_as_the_description_says(site: Site) -> None:
    """Without a size, a list that tells its size has the description's default."""
    found, known = made(site), described()
    asked = 0
    for operation in operations().all.values():
        name = bare(f"{operation.method} {operation.path}")
        short = name.removeprefix("GET /rest/api/3/")
        wanted = known.get(name, {}).get("maxResults")
        if operation.method != "GET" or wanted is None or short in UNTOLD:
            continue
        segments = list(operation.segments)
        for place, part in enumerate(segments):
            if part.startswith("{"):
                segments[place] = found.get(segments[place - 1], "none")
        answer = site.call("GET", "/" + "/".join(segments))
        if answer.status == 200 and isinstance(answer.body, dict) and "maxResults" in answer.body:
            assert answer.body["maxResults"] == int(wanted), name
            asked += 1
    assert asked > 40
