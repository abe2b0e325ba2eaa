"""Searches: the records whose words were looked for."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.core.words import ASKED, words_of
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.presenters.layouts import present_column
from clones.crm.errors import CrmError
from clones.crm.queries.schema import org_schema
from clones.crm.queries.sosl.asking import FoundRecords, search
from clones.crm.rules.layouts import SEARCH_ORDER, layout_of
from clones.crm.rules.schema import SObject

# The version from which an answer is an object; a list before.
OBJECT_FROM: Final = 37.0
MOST_SUGGESTED: Final = 200
MOST_OBJECTS: Final = 100  # objects whose columns one call may ask for


class SoslSearch(Query):
    """The search."""

    q: str | None = None


@versioned("GetSearch", "GET", "/search", summary="Run a search.", query=SoslSearch)
def run_search(call: Call) -> Any:
    """Answer with the records that it finds."""
    if not call.query.q:
        raise CrmError(
            "No search term found. The search term must be enclosed in braces.",
            code="MALFORMED_SEARCH",
        )
    found = search(call.query.q, user=call.actor.subject, version=version_of(call), root=root(call))
    if version_of(call) < OBJECT_FROM:
        return found.records
    return answer_of(found)


def answer_of(found: FoundRecords) -> dict[str, Any]:
    """Return what a search found as its answer has it, the labels of objects if it asks for any."""
    answer: dict[str, Any] = {"searchRecords": found.records}
    if any(option.name == "METADATA" for option in found.plan.options):
        answer["metadata"] = {"entityetadata": _labels(found)}
    return answer


def _labels(found: FoundRecords) -> list[dict[str, Any]]:
    kinds = {record["attributes"]["type"] for record in found.records}
    schema, shown = org_schema(), []
    for one in found.plan.objects:
        if one.object.name not in kinds:
            continue
        names = [key for column in one.columns for key in getattr(column, "keys", ())[:1]]
        of = schema.objects[one.object.name]
        fields = [field for name in names if (field := of.field(name)) is not None]
        shown.append(
            {
                "entityName": of.name,
                "fieldMetadata": [{"label": one.label, "name": one.name} for one in fields],
            }
        )
    return shown


class SearchLayoutQuery(Query):
    """The objects whose columns are asked for, with commas between them."""

    q: str | None = None


class SuggestedQueriesQuery(Query):
    """What was typed, and in which language."""

    q: str | None = None
    language: str | None = None


class SuggestionQuery(Query):
    """What was typed so far, and the objects among whose records it is looked for."""

    q: str | None = None
    sobject: str | None = None
    fields: str | None = None
    limit: int = Field(5, ge=0, le=MOST_SUGGESTED)


@versioned("GetSearchScopeOrder", "GET", "/search/scopeOrder", summary="List what is searched.")
def show_scope_order(call: Call) -> list[dict[str, str]]:
    """Answer with the objects that a search of everything shows, in their order."""
    return [
        {"type": name, "url": f"{root(call)}/sobjects/{name}/describe"} for name in SEARCH_ORDER
    ]


@versioned(
    "GetSearchLayout",
    "GET",
    "/search/layout",
    summary="Show the columns of what is found.",
    query=SearchLayoutQuery,
)
def show_search_layouts(call: Call) -> list[dict[str, Any]]:
    """Answer with the columns of each object, in the order that was asked for."""
    return [
        {
            "label": "Search Results",
            "limitRows": 25,
            "searchColumns": [present_column(of, path) for path in layout_of(of).search_columns],
        }
        for of in _objects(call.query.q, "q")
    ]


@versioned(
    "GetSearchSuggestions",
    "GET",
    "/search/suggestions",
    summary="Suggest records by the beginnings of their names.",
    query=SuggestionQuery,
)
def suggest_records(call: Call) -> dict[str, Any]:
    """Answer with records whose names have the words that were typed, the last of them begun."""
    objects, limit = _objects(call.query.sobject, "sobject"), call.query.limit
    term = typed_term(call.query.q or "")
    found: list[dict[str, Any]] = []
    names = []
    for of in objects:
        shown = of.name_field
        if shown is None or not of.searched:
            raise CrmError(f"{of.name} is not supported", code="INVALID_TYPE")
        names.append({"entityApiName": of.name, "fieldApiName": shown.name})
        asked = (call.query.fields or "").split(",")
        more = [field.name for one in asked if (field := of.field(one.strip())) is not None]
        fields = dict.fromkeys(["Id", shown.name, *more])
        statement = (
            f"FIND {{{term}}} IN NAME FIELDS RETURNING"
            f" {of.name}({', '.join(fields)} LIMIT {limit + 1})"
        )
        user, version = call.actor.subject, version_of(call)
        found += search(statement, user=user, version=version, root=root(call)).records
    return {
        "autoSuggestResults": found[:limit],
        "hasMoreResults": len(found) > limit,
        "meta": {"nameFields": names},
    }


@versioned(
    "GetSuggestedQueries",
    "GET",
    "/search/suggestSearchQueries",
    summary="Suggest what others looked for.",
    query=SuggestedQueriesQuery,
)
def suggest_queries(call: Call) -> dict[str, Any]:
    """Answer with nothing: what was looked for is not kept."""
    if not call.query.q or not call.query.language:
        missing = "language" if call.query.q else "q"
        raise CrmError(f"The parameter {missing} is required", code="MISSING_ARGUMENT")
    return {"autoSuggestResults": [], "hasMoreResults": False}


def typed_term(text: str) -> str:
    """Return what somebody typed as a term that takes it at its word and goes on after it.

    Raises:
        CrmError: it is too short to look for.
    """
    words = words_of(text)
    if sum(map(len, words)) < 2:
        raise CrmError(
            f"search term must be longer than one character: {text.strip()}", code="INVALID_SEARCH"
        )
    return " ".join(f"\\{word}" for word in words[:ASKED]) + "*"


def _objects(given: str | None, name: str) -> list[SObject]:
    """Return the objects that a list names.

    Raises:
        CrmError: it names none, or one that is not there.
    """
    names = [one.strip() for one in (given or "").split(",") if one.strip()]
    if not names:
        raise CrmError(f"The parameter {name} is required", code="MISSING_ARGUMENT")
    found, schema = [], org_schema()
    for one in names[:MOST_OBJECTS]:
        of = schema.find(one)
        if of is None:
            raise CrmError(f"sObject type '{one}' is not supported.", code="INVALID_TYPE")
        found.append(of)
    return found
