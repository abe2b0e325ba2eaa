"""Whether answers have the shapes of the vendor's descriptions: every answer of every test.

Facts are in `tests/facts/tracker/responses.json`. `ACCEPTED` lists where we answer otherwise on
purpose, or where the description is known to be wrong, each with its reason.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs

FACTS = Path(__file__).parents[1] / "facts" / "tracker"
# Operation, a pattern of the place in the body, and why it differs.
ACCEPTED: tuple[tuple[str, str, str], ...] = (
    (
        "getApplicationProperty",
        "",
        "the property of a key is an object in the description's words, and its schema has arrays",
    ),
    ("getAvatarImageBy.*", "", "a picture, as the operation is for; its schema has an object"),
    (
        "getServerInfo",
        "",
        "defaultLocale is in the description's own example, and its schema forbids it",
    ),
    (
        "getAuditRecords",
        r"records/\*",
        "authorAccountId is in the description's own example, and its schema forbids it",
    ),
    (
        "getProject|searchProjects|getAllProjects|updateProject",
        r"(values/\*|\*)?",
        "projectKeys is an expansion in the description's words, and its schema forbids it",
    ),
    (
        "getFiltersPaginated",
        r"values/\*",
        "isWritable is an expansion in the description's words, and its schema forbids it",
    ),
    (
        ".*Filters?.*",
        r"((values/)?\*/)?approximateLastUsed",
        "null of a filter that nobody used, as in the description's own examples",
    ),
    (
        "parseJqlQueries",
        r"queries/\*/structure/where(/.*)?",
        "clauses have parts, as in the description's own examples; its schema allows none",
    ),
    (
        "getAllGadgets|addGadget",
        r"(gadgets/\*/)?position",
        "row and column, as in the description's own examples; its schema has sentences for names",
    ),
    (
        "getRemoteIssueLinks",
        "",
        "a list, as in the description's own example; its schema has one link",
    ),
    (
        "getBulkOperationProgress",
        "created|started|updated",
        "milliseconds, as in the description's own examples and on live sites; its schema has text",
    ),
    (
        ".*",
        r"(.*/)?items/\*/(from|to|fromString|toString)",
        "null where a field had no value: so in the description's own examples of histories",
    ),
    (
        r"agile\.getConfiguration",
        "location",
        "the description's own example has key, id, self and name, which its schema forbids",
    ),
    (
        "getAllWorkflows",
        "",
        "its text says that a workflow asked for by name is an object and no list",
    ),
    (
        "getWorkflowTransitionProperties",
        "",
        "the description's own example is a list, its schema an object",
    ),
    (
        "getWorkflowsPaginated",
        r"values/\*/transitions/\*/rules/conditionsTree(/.*)?",
        "the schema's base forbids what its variants and its own example have",
    ),
    (
        "getWorkflow|getDraftWorkflow",
        "",
        "without a name all mappings are shown, a list; described is the one of a name",
    ),
    (
        "getAllIssueTypeSchemes|getIssueTypeScreenSchemes",
        r"values/\*",
        "`expand` adds projects and issueTypes: so in the description's own examples",
    ),
    (
        "getAllFieldConfigurations",
        r"values/\*",
        "id and isDefault, so in the description's own example: its schema is that of a request",
    ),
    ("searchResolutions", r"values/\*", "isDefault, so in the description's own example"),
    (
        "getTrashedFieldsPaginated",
        r"values/\*",
        "trashedDate, trashedBy and plannedDeletionDate: so in the description's own example",
    ),
    (
        "getDefaultValues",
        r"values/\*.*",
        "the schema forbids all properties, and several of its variants are the same",
    ),
    (
        "getCustomFieldContextsForProjectsAndIssueTypes",
        r"values/\*/contextId",
        "null without a context: so in the description's own example",
    ),
)


@cache
def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FACTS / "responses.json").read_text(encoding="utf-8"))
    return found


@cache
def _registry() -> jsonschema_rs.Registry:
    resources = [(f"urn:{api}", facts) for api, facts in _facts().items()]
    return jsonschema_rs.Registry(resources, draft=jsonschema_rs.Draft4)


def _general(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


@cache
def _described() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return the API, the key in its facts and the successes, by method and path."""
    return {
        _general(key): (api, key, successes)
        for api, facts in _facts().items()
        for key, successes in facts["responses"].items()
    }


@cache
def _validator(api: str, key: str, status: str) -> jsonschema_rs.Draft4Validator:
    pointer = key.replace("~", "~0").replace("/", "~1")
    schema = {"$ref": f"urn:{api}#/responses/{quote(pointer, safe='~')}/{status}"}
    return jsonschema_rs.Draft4Validator(schema, registry=_registry())


def problems(method: str, path: str, id: str, status: int, body: Any) -> list[str]:
    """Return where a success differs from the description, which may not know the operation.

    Args:
        method: of the request.
        path: the operation's, with its parameters in braces.
        id: the operation's.
        status: of the answer.
        body: of the answer, None for none.
    """
    found = _described().get(f"{method} {_general(path)}")
    if found is None or not 200 <= status < 300:
        return []
    api, key, successes = found
    if str(status) not in successes:
        text = f"{id}: answers {status}, described are {sorted(successes)}"
        return [] if _is_accepted(id, "status") else [text]
    if successes[str(status)] is None or successes[str(status)] == {}:
        return []
    wrong = []
    for error in _validator(api, key, str(status)).iter_errors(body):
        place = "/".join(re.sub(r"^\d+$", "*", str(part)) for part in error.instance_path)
        if not _is_accepted(id, place):
            wrong.append(f"{id}: {place or 'body'}: {error.message[:200]}")
    return wrong


def _is_accepted(id: str, place: str) -> bool:
    return any(
        re.fullmatch(operation, id) and re.fullmatch(pattern, place)
        for operation, pattern, _ in ACCEPTED
    )
